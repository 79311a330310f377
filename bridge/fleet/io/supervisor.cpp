#include "bridge/fleet/io/supervisor.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::bridge::fleet::io {
namespace {

std::string take_variable(const char* name) {
  const char* value = std::getenv(name);
  std::string text = value == nullptr ? "" : value;
  ::unsetenv(name);
  return text;
}

}  // namespace

Supervisor::Supervisor(std::string socket, std::string_view watchdog_usec)
    : socket_(std::move(socket)) {
  const auto limit_us = base::parse_int(watchdog_usec);
  if (!socket_.empty() && limit_us && *limit_us > 0) {
    alive_interval_ = std::max(base::Millis{*limit_us / 2'000}, base::Millis{1});
  }
}

Supervisor Supervisor::from_environment() {
  auto socket = take_variable("NOTIFY_SOCKET");
  const auto watchdog_usec = take_variable("WATCHDOG_USEC");
  const auto watchdog_pid = take_variable("WATCHDOG_PID");
  const bool is_for_us = watchdog_pid.empty() || watchdog_pid == std::to_string(::getpid());
  return Supervisor(std::move(socket), is_for_us ? watchdog_usec : "");
}

void Supervisor::status(std::string_view text) const {
  std::string line = "STATUS=";
  for (const char c : text) {
    line += c == '\n' || c == '\r' ? ' ' : c;
  }
  send(line);
}

void Supervisor::send(std::string_view state) const {
  sockaddr_un address{};
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) {
    return;
  }
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (address.sun_path[0] == '@') {
    address.sun_path[0] = '\0';
  }
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) {
    return;
  }
  // Never waits: a supervisor that does not listen is no reason to miss a deadline.
  (void)::sendto(descriptor, state.data(), state.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(&address), length);
  ::close(descriptor);
}

}  // namespace kakehashi::bridge::fleet::io
