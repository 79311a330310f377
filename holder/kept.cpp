#include "holder/kept.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace kakehashi::holder {

Kept::~Kept() {
  if (way_ >= 0) {
    ::close(way_);
  }
  for (const One& one : left_) {
    ::close(one.descriptor);
  }
}

int Kept::look_at(std::string_view name) const {
  const auto found = std::find_if(left_.begin(), left_.end(), [name](const One& one) { return one.name == name; });
  return found == left_.end() ? -1 : found->descriptor;
}

int Kept::take(std::string_view name) {
  const int descriptor = look_at(name);
  if (descriptor < 0) {
    return -1;
  }
  std::erase_if(left_, [descriptor](const One& one) { return one.descriptor == descriptor; });
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

std::vector<std::string> Kept::names(std::string_view beginning) const {
  std::vector<std::string> found;
  for (const One& one : left_) {
    if (one.name.starts_with(beginning)) {
      found.push_back(one.name);
    }
  }
  return found;
}

bool Kept::keep(std::string_view name, int descriptor) { return say(Word::Kind::keep, name, descriptor); }
void Kept::drop(std::string_view name) { static_cast<void>(say(Word::Kind::drop, name, -1)); }

void Kept::expect_beats(bool is_due) {
  if (pulse_ != nullptr && pulse_->is_due.exchange(is_due) != is_due && is_due) {
    static_cast<void>(say(Word::Kind::look, "pulse", -1));
  }
}

void Kept::beat() {
  if (pulse_ != nullptr) {
    pulse_->beats.fetch_add(1, std::memory_order_relaxed);
  }
}

int Kept::try_successor() {
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return -1;
  }
  const bool is_said = say(Word::Kind::try_successor, "successor", ends[1]);
  ::close(ends[1]);
  if (!is_said) {
    ::close(ends[0]);
    return -1;
  }
  return ends[0];
}

void Kept::succeed() {
  if (say(Word::Kind::succeed, "successor", -1)) {
    // Nothing is done in between: no write is cut off, and nobody finds an engine in doubt.
    pollfd answered{way_, POLLIN, 0};
    char byte = 0;
    if (::poll(&answered, 1, succession_ms_max) == 1) {
      static_cast<void>(::recv(way_, &byte, 1, MSG_DONTWAIT));
    }
  }
}

void Kept::succeed_at_end(bool is_wanted) {
  static_cast<void>(say(is_wanted ? Word::Kind::succeed_at_end : Word::Kind::stay, "successor", -1));
}

void Kept::want_understudy(bool is_wanted) {
  static_cast<void>(say(is_wanted ? Word::Kind::understudy : Word::Kind::no_understudy, "understudy", -1));
}

void Kept::wait_for_turn(const std::function<bool()>& work) {
  pollfd called{way_, POLLIN, 0};
  while (::poll(&called, 1, work() ? between_pieces_ms : between_looks_ms) <= 0) {
  }
  for (const One& one : std::exchange(left_, {})) {
    ::close(one.descriptor);
  }
  // The holder says all at once: what is kept, and how the player begins.
  while (start_.is_understudy) {
    Word word;
    int descriptor = -1;
    const ssize_t size = receive(way_, word, descriptor, 0);
    if (size == static_cast<ssize_t>(sizeof word) && descriptor >= 0) {
      word.name.back() = '\0';
      left_.push_back({word.name.data(), descriptor});
    } else if (size == static_cast<ssize_t>(sizeof start_)) {
      std::memcpy(static_cast<void*>(&start_), &word, sizeof start_);
    } else if (size >= 0 || errno != EINTR) {
      std::_Exit(0);  // nobody needs it
    }
  }
}

bool Kept::say(Word::Kind kind, std::string_view name, int descriptor) {
  if (way_ < 0 || name.empty() || name.size() > name_bytes_max) {
    return false;
  }
  Word word;
  word.kind = kind;
  std::copy(name.begin(), name.end(), word.name.begin());
  // The holder does nothing but this: its socket has room but for an instant.
  return send(way_, word, descriptor);
}

bool send(int way, const Word& word, int descriptor) {
  iovec bytes{const_cast<Word*>(&word), sizeof word};  // sendmsg(2) changes none
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  ssize_t sent = -1;
  do {
    sent = ::sendmsg(way, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(sizeof word);
}

ssize_t receive(int way, Word& word, int& descriptor, int flags) {
  iovec bytes{&word, sizeof word};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = ::recvmsg(way, &message, flags | MSG_CMSG_CLOEXEC);
  const cmsghdr* header = size > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  descriptor = -1;
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  }
  return size;
}

}  // namespace kakehashi::holder
