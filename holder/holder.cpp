#include "holder/holder.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kakehashi::holder {
namespace {

using Clock = std::chrono::steady_clock;

/// What people and supervisors send.
constexpr std::array passed_on{SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2};

sigset_t waited_for() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : passed_on) {
    sigaddset(&set, number);
  }
  sigaddset(&set, SIGCHLD);
  return set;
}

void complain(std::string_view text) { static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size())); }

void tell_of_death(int signal) {
  std::array<char, 128> text{};
  const char* name = ::sigabbrev_np(signal);
  const int size = std::snprintf(text.data(), text.size(), "kakehashi: the process that played was killed by SIG%s; another one goes on where it stood\n",
                                 name != nullptr ? name : "?");
  complain({text.data(), std::min(static_cast<std::size_t>(std::max(size, 0)), text.size() - 1)});
}

/// Only the terminal's present owner may give it away without being stopped for it.
void give_terminal_to(pid_t group) {
  if (::isatty(STDIN_FILENO) == 1) {
    ::signal(SIGTTOU, SIG_IGN);
    ::tcsetpgrp(STDIN_FILENO, group);
  }
}

/// Takes every process that has ended; what became of the player when it is among them (waitpid(2)).
std::optional<int> reap(pid_t player) {
  std::optional<int> status;
  for (;;) {
    int raw = 0;
    const pid_t ended = ::waitpid(-1, &raw, WNOHANG);
    if (ended == player) {
      status = raw;
    } else if (ended == 0 || (ended < 0 && errno != EINTR)) {
      return status;
    }
  }
}

/// What the player says to whoever supervises us (sd_notify(3)), heard on a socket of ours, and handed on.
class Notices {
 public:
  Notices() {
    const char* above = std::getenv("NOTIFY_SOCKET");
    if (above == nullptr || *above == '\0' || std::strlen(above) >= sizeof above_.sun_path) {
      return;
    }
    above_.sun_family = AF_UNIX;
    std::strcpy(above_.sun_path, above);
    above_bytes_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(above));
    if (above_.sun_path[0] == '@') {
      above_.sun_path[0] = '\0';
    }
    socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socklen_t length = sizeof(sa_family_t);  // the kernel chooses an abstract name
    if (socket_ >= 0 && ::bind(socket_, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &(length = sizeof address)) == 0) {
      name_.assign(address.sun_path, length - offsetof(sockaddr_un, sun_path));
      name_[0] = '@';
    }
  }
  ~Notices() {
    if (socket_ >= 0) {
      ::close(socket_);
    }
  }
  Notices(const Notices&) = delete;
  Notices& operator=(const Notices&) = delete;

  /// In the player: what was meant for its holder is meant for it.
  void hand_over() {
    const char* whose = std::getenv("WATCHDOG_PID");
    if (whose != nullptr && whose == std::to_string(::getppid())) {
      ::unsetenv("WATCHDOG_PID");
    }
    if (!name_.empty()) {
      ::setenv("NOTIFY_SOCKET", name_.c_str(), 1);
    }
    if (socket_ >= 0) {
      ::close(std::exchange(socket_, -1));
    }
  }

  [[nodiscard]] int descriptor() const { return socket_; }

  void listen() const {
    std::array<char, 4096> words{};
    for (;;) {
      const auto size = socket_ < 0 ? -1 : ::recv(socket_, words.data(), words.size(), 0);
      if (size < 0) {
        return;
      }
      static_cast<void>(::sendto(socket_, words.data(), static_cast<std::size_t>(size), MSG_DONTWAIT | MSG_NOSIGNAL,
                                 reinterpret_cast<const sockaddr*>(&above_), above_bytes_));
    }
  }

 private:
  sockaddr_un above_{};
  socklen_t above_bytes_ = 0;
  int socket_ = -1;
  std::string name_;
};

/// Whether the player's loop turns. Looks are counted, and not the time between two of them: a container that was frozen comes
/// back with the clock far ahead, and is not to blame.
class PulseWatch {
 public:
  PulseWatch() {
    void* memory = ::mmap(nullptr, sizeof(Pulse), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pulse_ = memory == MAP_FAILED ? nullptr : new (memory) Pulse;
  }
  ~PulseWatch() {
    if (pulse_ != nullptr) {
      ::munmap(pulse_, sizeof(Pulse));
    }
  }
  PulseWatch(const PulseWatch&) = delete;
  PulseWatch& operator=(const PulseWatch&) = delete;

  [[nodiscard]] Pulse* pulse() const { return pulse_; }

  /// Another player begins.
  void begin() {
    silent_looks_ = 0;
    if (pulse_ != nullptr) {
      pulse_->is_due.store(false);
      pulse_->beats.store(0);
    }
  }
  /// Since it began.
  [[nodiscard]] bool has_beaten() const { return pulse_ == nullptr || pulse_->beats.load() > 0; }
  /// For poll(2); -1: as long as it takes.
  [[nodiscard]] int until_look() const {
    return is_due() ? static_cast<int>(std::max<std::int64_t>(left().count(), 0)) : -1;
  }
  [[nodiscard]] bool is_lost() {
    if (!is_due()) {
      silent_looks_ = 0;
      return false;
    }
    if (left().count() > 0) {
      return false;
    }
    next_look_ = Clock::now() + look_interval;
    silent_looks_ = pulse_->beats.load() == std::exchange(beats_, pulse_->beats.load()) ? silent_looks_ + 1 : 0;
    return silent_looks_ >= silent_looks_max;
  }

 private:
  [[nodiscard]] bool is_due() const { return pulse_ != nullptr && pulse_->is_due.load(); }
  [[nodiscard]] base::Millis left() const { return std::chrono::ceil<base::Millis>(next_look_ - Clock::now()); }

  Pulse* pulse_ = nullptr;
  std::uint64_t beats_ = 0;
  int silent_looks_ = 0;
  Clock::time_point next_look_{};
};

/// What is kept for the player.
class Shelf {
 public:
  void take(const Word& word, int descriptor) {
    if (word.kind == Word::Kind::look) {
      return;  // whoever is waked looks
    }
    Place* place = find(word.name.data());
    if (word.kind == Word::Kind::drop) {
      if (place != nullptr) {
        ::close(std::exchange(place->descriptor, -1));
        place->name[0] = '\0';
      }
      if (descriptor >= 0) {
        ::close(descriptor);
      }
      return;
    }
    if (descriptor < 0) {
      return;
    }
    place = place != nullptr ? place : free_place();
    if (place == nullptr) {
      ::close(descriptor);
      return;
    }
    if (place->descriptor >= 0) {
      ::close(place->descriptor);
    }
    place->name = word.name;
    place->descriptor = descriptor;
  }

  [[nodiscard]] bool is_empty() const {
    return std::none_of(places_.get(), places_.get() + used_, [](const Place& place) { return place.descriptor >= 0; });
  }

  /// In the player, whose copies of the descriptors they are.
  [[nodiscard]] std::vector<Kept::One> hand_over() const {
    std::vector<Kept::One> all;
    for (std::size_t i = 0; i < used_; ++i) {
      if (places_[i].descriptor >= 0) {
        all.push_back({places_[i].name.data(), places_[i].descriptor});
      }
    }
    return all;
  }

 private:
  struct Place {
    std::array<char, name_bytes_max + 1> name;
    int descriptor;
  };

  Place* find(const char* name) {
    for (std::size_t i = 0; i < used_; ++i) {
      if (std::strcmp(places_[i].name.data(), name) == 0) {
        return &places_[i];
      }
    }
    return nullptr;
  }

  Place* free_place() {
    Place* place = find("");
    if (place == nullptr && used_ < kept_max) {
      place = &places_[used_++];
      place->descriptor = -1;
    }
    return place;
  }

  /// Not cleared: what is never used takes no memory.
  std::unique_ptr<Place[]> places_ = std::make_unique_for_overwrite<Place[]>(kept_max);
  std::size_t used_ = 0;
};

/// All words that have come. Nothing more may be read where the other end is gone.
void hear(int way, Shelf& shelf) {
  for (;;) {
    Word word;
    iovec bytes{&word, sizeof word};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t size = ::recvmsg(way, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (size <= 0) {
      return;
    }
    int descriptor = -1;
    const cmsghdr* header = CMSG_FIRSTHDR(&message);
    if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
      std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    }
    if (size == static_cast<ssize_t>(sizeof word)) {
      word.name.back() = '\0';
      shelf.take(word, descriptor);
    } else if (descriptor >= 0) {
      ::close(descriptor);
    }
  }
}

/// Whether another player is worth a try.
class Deaths {
 public:
  void begin() { begun_ = Clock::now(); }
  [[nodiscard]] bool are_few(bool was_alive) {
    still_births_ = was_alive ? 0 : still_births_ + 1;
    const auto life = Clock::now() - begun_;
    short_lives_ = life < short_life ? short_lives_ + 1 : 0;
    recent_ = life < recent_within ? recent_ + 1 : 1;
    return still_births_ < still_births_max && short_lives_ < short_lives_max;
  }
  /// One soon after the other.
  [[nodiscard]] int recent() const { return recent_; }

 private:
  Clock::time_point begun_{};
  int still_births_ = 0;
  int short_lives_ = 0;
  int recent_ = 0;
};

class Holder {
 public:
  explicit Holder(const Player& player) : player_(player) {
    const sigset_t ours = waited_for();
    ::sigprocmask(SIG_BLOCK, &ours, &before_);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // a player's engines outlive it
    signals_ = ::signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
  }

  int run() {
    if (!begin()) {
      ::sigprocmask(SIG_SETMASK, &before_, nullptr);
      return -1;
    }
    for (;;) {
      std::array<pollfd, 3> watched{pollfd{signals_, POLLIN, 0}, pollfd{notices_.descriptor(), POLLIN, 0},
                                    pollfd{way_, POLLIN, 0}};
      static_cast<void>(::poll(watched.data(), watched.size(), pulse_.until_look()));
      notices_.listen();
      hear(way_, shelf_);
      if (const auto status = take_signals()) {
        return *status;
      }
      if (pulse_.is_lost()) {
        complain("kakehashi: the bots' loop has given no sign of life for too long; it is killed\n");
        ::kill(process_, SIGKILL);
      }
    }
  }

 private:
  bool begin() {
    pulse_.begin();
    std::array<int, 2> ways{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ways.data()) != 0) {
      return false;
    }
    const pid_t parent = ::getpid();
    deaths_.begin();
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) {
        ::_exit(127);
      }
      ::setpgid(0, 0);
      ::close(ways[0]);
      become_player(ways[1]);
    }
    ::close(ways[1]);
    if (process_ < 0) {
      ::close(ways[0]);
      return false;
    }
    ::setpgid(process_, process_);  // in both: whichever runs first
    give_terminal_to(process_);
    way_ = ways[0];
    return true;
  }

  [[noreturn]] void become_player(int way) {
    ::close(signals_);
    notices_.hand_over();
    auto left = shelf_.hand_over();
    if (left.empty()) {
      ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    }  // else signals wait until somebody listens: no game is to end by one that comes too early
    int status = 0;
    {
      Kept kept(way, std::move(left), stops_, deaths_.recent(), pulse_.pulse());
      status = player_(kept);
    }
    ::exit(status);
  }

  /// The exit status, when the last player is gone.
  std::optional<int> take_signals() {
    signalfd_siginfo arrived{};
    while (::read(signals_, &arrived, sizeof arrived) == sizeof arrived) {
      const int number = static_cast<int>(arrived.ssi_signo);
      if (number != SIGCHLD) {
        stops_ += number == SIGTERM || number == SIGINT ? 1 : 0;
        ::kill(process_, number);
      } else if (const auto ended = reap(process_)) {
        if (const auto status = follow(*ended)) {
          return status;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<int> follow(int ended) {
    hear(way_, shelf_);  // its last words
    ::close(std::exchange(way_, -1));
    notices_.listen();
    const bool was_alive = pulse_.has_beaten();
    if (WIFEXITED(ended)) {
      return WEXITSTATUS(ended);
    }
    const int status = 128 + WTERMSIG(ended);
    if (shelf_.is_empty() || !deaths_.are_few(was_alive)) {
      return status;
    }
    tell_of_death(WTERMSIG(ended));
    return begin() ? std::nullopt : std::optional(status);
  }

  const Player& player_;
  Notices notices_;
  PulseWatch pulse_;
  Shelf shelf_;
  Deaths deaths_;
  sigset_t before_{};
  int signals_ = -1;
  int way_ = -1;
  pid_t process_ = -1;
  int stops_ = 0;
};

}  // namespace

bool is_first_process() { return ::getpid() == 1; }

int hold(const Player& player) {
  const auto holder = std::make_unique<Holder>(player);
  return holder->run();
}

}  // namespace kakehashi::holder
