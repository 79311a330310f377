#include "bench/server_end.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

namespace kakehashi::bench {

std::uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

Line::Line(int socket) : socket_(socket) {
  const timeval limit{patience_s, 0};
  if (::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0) {
    fail("no time limit");
  }
}

Line::~Line() { ::close(socket_); }

void Line::put(const std::string& text) {
  if (::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(text.size())) {
    fail("the client is gone");
  }
}

std::string Line::take(std::uint64_t& read_at) {
  for (;;) {
    const std::size_t end = text_.find('\n');
    if (end != std::string::npos) {
      std::string line = text_.substr(0, end);
      text_.erase(0, end + 1);
      if (!line.empty() && !line.starts_with("info ")) {  // the floor passes on all it reads
        return line;
      }
      continue;
    }
    char buffer[4096];
    const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
    read_at = now_ns();
    if (got == 0) {
      throw std::runtime_error("the client closed the connection");
    }
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      throw std::runtime_error("the client said nothing for " + std::to_string(patience_s) + " s");
    }
    if (got < 0) {
      fail("the connection broke");
    }
    text_.append(buffer, static_cast<std::size_t>(got));
  }
}

void Line::expect(const std::string& beginning) {
  std::uint64_t at = 0;
  const std::string line = take(at);
  if (!line.starts_with(beginning)) {
    throw std::runtime_error("expected " + beginning + ", got " + line);
  }
}

Listener::Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(socket_, SOMAXCONN) != 0 ||
      ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    fail("no port");
  }
  port_ = ntohs(address.sin_port);
}

Listener::~Listener() { ::close(socket_); }

int Listener::accept(bool has_nagle) const {
  pollfd waiting{socket_, POLLIN, 0};
  if (::poll(&waiting, 1, patience_s * 1000) != 1) {
    throw std::runtime_error("no client connected within " + std::to_string(patience_s) + " s");
  }
  const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  const int no_delay = has_nagle ? 0 : 1;
  if (socket < 0 || ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof no_delay) != 0) {
    fail("no connection");
  }
  return socket;
}

}  // namespace kakehashi::bench
