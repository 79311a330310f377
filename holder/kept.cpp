#include "holder/kept.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
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
  Turn turn;
  while (!turn.start) {
    const Heard heard = receive(way_, 0);
    if (heard.size == 0) {
      std::_Exit(0);  // nobody needs it
    }
    if (!turn.take(heard.text(), heard.descriptor)) {
      std::raise(SIGKILL);  // it lacks something: the holder makes another one, which does not
    }
  }
  left_ = std::move(turn.left);
  start_ = *turn.start;
}

bool Turn::take(std::string_view message, int descriptor) {
  if (const auto word = word_of(message); word && word->kind == Word::Kind::keep && descriptor >= 0) {
    left.push_back({word->name.data(), descriptor});
    return true;
  }
  Said said{};
  if (message.size() != sizeof said || descriptor >= 0) {
    return false;
  }
  std::memcpy(said.data(), message.data(), sizeof said);
  start.emplace();
  start->stops = said[0];
  start->deaths = said[1];
  start->is_successor = said[2] != 0;
  start->is_to_be_succeeded = said[3] != 0;
  return true;
}

bool Turn::send(int way, const Kept::Start& start) {
  const Said said{start.stops, start.deaths, start.is_successor ? 1 : 0, start.is_to_be_succeeded ? 1 : 0};
  return ::send(way, said.data(), sizeof said, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof said);
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

std::optional<Word> word_of(std::string_view message) {
  Word word;
  if (message.size() != sizeof word) {
    return std::nullopt;
  }
  std::memcpy(static_cast<void*>(&word), message.data(), sizeof word);
  const bool is_known = word.kind >= Word::Kind::keep && word.kind <= Word::Kind::no_understudy;
  return is_known && word.name.front() != '\0' && word.name.back() == '\0' ? std::optional(word) : std::nullopt;
}

Heard receive(int way, int flags) {
  Heard heard;
  iovec bytes{heard.bytes.data(), heard.bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = CMSG_LEN(sizeof(int));  // the padding behind it would take a second one
  do {
    heard.size = ::recvmsg(way, &message, flags | MSG_CMSG_CLOEXEC);
  } while (heard.size < 0 && errno == EINTR);
  const cmsghdr* header = heard.size < 0 ? nullptr : CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    std::memcpy(&heard.descriptor, CMSG_DATA(header), sizeof heard.descriptor);
  }
  return heard;
}

}  // namespace kakehashi::holder
