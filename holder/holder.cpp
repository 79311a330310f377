#include "holder/holder.hpp"

#include <fcntl.h>
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
#include <tuple>
#include <utility>
#include <vector>

#include "holder/shelf.hpp"

namespace kakehashi::holder {
namespace {

using Clock = std::chrono::steady_clock;

/// For an understudy to take its turn.
constexpr int turn_s_max = 5;

/// A machine that has no room for another process may have it again soon.
constexpr int tries_max = 50;
constexpr int between_tries_ms = 100;

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

/// What nobody has room for is not said: a pipe whose reader has stopped must stop no game.
void complain(std::string_view text) {
  pollfd room{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&room, 1, 0) == 1 && room.revents == POLLOUT) {
    static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
  }
}

void tell_of_death(int signal) {
  std::array<char, 128> text{};
  const char* name = ::sigabbrev_np(signal);
  const int size = std::snprintf(text.data(), text.size(), "kakehashi: the process that played was killed by SIG%s; another one follows it\n",
                                 name != nullptr ? name : "?");
  complain({text.data(), std::min(static_cast<std::size_t>(std::max(size, 0)), text.size() - 1)});
}

/// To one player behind the other, if it was ours: in the background of a shell it is the shell's.
void give_terminal(pid_t before, pid_t group) {
  const pid_t owner = ::isatty(STDIN_FILENO) == 1 ? ::tcgetpgrp(STDIN_FILENO) : -1;
  if (owner > 0 && (owner == ::getpgrp() || owner == before)) {
    ::signal(SIGTTOU, SIG_IGN);  // only its present owner may give it away without being stopped for it
    ::tcsetpgrp(STDIN_FILENO, group);
  }
}

/// What became of those that are waited for (waitpid(2)).
struct Ended {
  std::optional<int> player;
  std::optional<int> trial;
  bool is_understudy = false;
};

/// Takes every process that has ended.
Ended reap(pid_t player, pid_t trial, pid_t understudy) {
  Ended all;
  for (;;) {
    int raw = 0;
    const pid_t ended = ::waitpid(-1, &raw, WNOHANG);
    if (ended <= 0) {
      return all;
    }
    if (ended == player) {
      all.player = raw;
    } else if (ended == trial) {
      all.trial = raw;
    } else if (ended == understudy) {
      all.is_understudy = true;
    }
  }
}

/// What the player, and nobody else, says to whoever supervises us (sd_notify(3)), heard on a socket of ours, and handed on.
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
    socklen_t length = sizeof(sa_family_t);  // the kernel chooses an abstract name, to which any process of the machine may send
    const int is_wanted = 1;
    if (socket_ >= 0 && ::setsockopt(socket_, SOL_SOCKET, SO_PASSCRED, &is_wanted, sizeof is_wanted) == 0 &&
        ::bind(socket_, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
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

  void listen(pid_t player) const {
    std::array<char, 4096> words;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control{};
    iovec bytes{words.data(), words.size()};
    for (;;) {
      msghdr message{};
      message.msg_iov = &bytes;
      message.msg_iovlen = 1;
      message.msg_control = control.data();
      message.msg_controllen = control.size();  // and no descriptor of anybody's
      const auto size = socket_ < 0 ? -1 : ::recvmsg(socket_, &message, MSG_CMSG_CLOEXEC);
      if (size < 0) {
        return;
      }
      const cmsghdr* header = CMSG_FIRSTHDR(&message);
      ucred sender{};
      if (header != nullptr && header->cmsg_type == SCM_CREDENTIALS) {
        std::memcpy(&sender, CMSG_DATA(header), sizeof sender);
      }
      if (sender.pid == player) {
        static_cast<void>(::sendto(socket_, words.data(), static_cast<std::size_t>(size), MSG_DONTWAIT | MSG_NOSIGNAL,
                                   reinterpret_cast<const sockaddr*>(&above_), above_bytes_));
      }
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

  /// Another player begins. Where one was to beat, it has to come to something too, though that may take its time.
  void begin() {
    is_beginning_ = is_due();
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
    is_beginning_ = is_beginning_ && !pulse_->is_due.load();
    return silent_looks_ == (is_beginning_ ? beginning_looks_max : silent_looks_max);  // once
  }

 private:
  [[nodiscard]] bool is_due() const { return pulse_ != nullptr && (is_beginning_ || pulse_->is_due.load()); }
  [[nodiscard]] base::Millis left() const { return std::chrono::ceil<base::Millis>(next_look_ - Clock::now()); }

  Pulse* pulse_ = nullptr;
  std::uint64_t beats_ = 0;
  int silent_looks_ = 0;
  bool is_beginning_ = false;
  Clock::time_point next_look_{};
};

// --- what is kept

void close_all(Shelf& shelf) {
  for (const Shelf::Place& place : shelf.places()) {
    ::close(place.descriptor);
  }
  shelf.clear();
}

/// In the player, whose copies of the descriptors they are; the others' are closed in it.
std::vector<Kept::One> handed_over(const Shelf& shelf, std::string_view ending = "") {
  std::vector<Kept::One> all;
  for (const Shelf::Place& place : shelf.places()) {
    if (place.descriptor >= 0 && std::string_view(place.name.data()).ends_with(ending)) {
      all.push_back({place.name.data(), place.descriptor});
    } else {
      ::close(place.descriptor);
    }
  }
  return all;
}

/// To a process that has none of it. False: not all could be said.
bool hand_over(const Shelf& shelf, int way) {
  const auto places = shelf.places();
  return std::all_of(places.begin(), places.end(), [way](const Shelf::Place& place) {
    return place.descriptor < 0 || send(way, {Word::Kind::keep, place.name}, place.descriptor);
  });
}

/// For a program that is executed, which finds them by their numbers.
void set_inherited(const Shelf& shelf, bool is_inherited) {
  for (const Shelf::Place& place : shelf.places()) {
    ::fcntl(place.descriptor, F_SETFD, is_inherited ? 0 : FD_CLOEXEC);
  }
}

bool write_all(int file, const void* bytes, std::size_t size) { return ::write(file, bytes, size) == static_cast<ssize_t>(size); }

/// What one holder leaves to the program that is executed in its place, and a program that is tried finds too: in a file
/// without a name, of whose descriptor the environment tells; behind it stand the places of the shelf.
struct Will {
  std::uint64_t layout = layout_number;
  pid_t player = -1;  ///< -1: none any more
  int way = -1;       ///< to that
  int stops = 0;
  int is_to_be_succeeded = 0;
  sigset_t signals{};  ///< that were blocked before any holder began

  /// Of this, the shelf's places and Word: who changes any counts it up.
  static constexpr std::uint64_t layout_number = 0x6b616b6568610002;
  static constexpr const char* variable = "KAKEHASHI_WILL";

  /// Its descriptor; -1: no memory for it.
  [[nodiscard]] int write_with(const Shelf& shelf) const {
    const int file = ::memfd_create("will", 0);
    if (file >= 0 && write_all(file, this, sizeof *this) && write_all(file, shelf.places().data(), shelf.places().size_bytes()) &&
        ::lseek(file, 0, SEEK_SET) == 0) {
      return file;
    }
    ::close(file);
    return -1;
  }

  /// Nothing: there is none, or none that this version understands.
  [[nodiscard]] static std::optional<Will> read_with(Shelf& shelf) {
    const char* number = std::getenv(variable);
    if (number == nullptr) {
      return std::nullopt;
    }
    const int file = static_cast<int>(std::strtol(number, nullptr, 10));
    ::unsetenv(variable);
    Will will;
    if (file <= STDERR_FILENO) {
      return std::nullopt;
    }
    const bool is_known = ::read(file, &will, sizeof will) == static_cast<ssize_t>(sizeof will) && will.layout == layout_number;
    const ssize_t size = is_known ? ::read(file, shelf.room().data(), shelf.room().size_bytes()) : -1;
    ::close(file);
    if (size < 0) {
      return std::nullopt;
    }
    shelf.take_over(static_cast<std::size_t>(size) / sizeof(Shelf::Place));
    set_inherited(shelf, false);
    return will;
  }
};

/// The program's file of now, as it is to be executed: all is ready for it before anybody asks.
class Successor {
 public:
  explicit Successor(const Program& program) : file_(program.file) {
    for (char* const* variable = environ; *variable != nullptr; ++variable) {
      if (!std::string_view(*variable).starts_with(Will::variable)) {
        environment_.push_back(*variable);
      }
    }
    environment_.push_back(will_.data());
    environment_.push_back(nullptr);
    for (char* const* word = program.words; word != nullptr && *word != nullptr; ++word) {
      words_.push_back(*word);
      trial_words_.push_back(*word);
      if (trial_words_.size() == 1) {
        trial_words_.push_back(const_cast<char*>(trial_word));  // execve(2) changes none
      }
    }
    words_.push_back(nullptr);
    trial_words_.push_back(nullptr);
  }
  Successor(const Successor&) = delete;
  Successor& operator=(const Successor&) = delete;

  [[nodiscard]] bool is_known() const { return !file_.empty(); }

  /// Returns when it cannot be done; errno says why.
  void execute(int will, bool is_trial) {
    std::snprintf(will_.data(), will_.size(), "%s=%d", Will::variable, will);
    ::execve(file_.c_str(), is_trial ? trial_words_.data() : words_.data(), environment_.data());
  }

 private:
  std::string file_;
  std::array<char, 32> will_{};
  std::vector<char*> environment_;
  std::vector<char*> words_;
  std::vector<char*> trial_words_;
};

/// All words that have come. False: no more will, the other end is gone.
template <class Take>
bool hear(int way, const Take& take) {
  for (;;) {
    const Heard heard = receive(way, MSG_DONTWAIT);
    if (const auto word = word_of(heard.text())) {
      take(*word, heard.descriptor);
    } else if (heard.descriptor >= 0) {
      ::close(heard.descriptor);
    }
    if (heard.size <= 0) {
      return heard.size < 0;
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

/// Signals that ask a player for something: to one that has died they may have come too late.
class Asked {
 public:
  void pass(int number, pid_t player) {
    ::kill(player, number);
    for (One& one : asked_) {
      if (one.number == number) {
        one = {number, Clock::now(), true};
      }
    }
  }
  /// What the one before was asked for last, once: what it died of is not asked for again and again.
  void pass_again(pid_t player) {
    for (One& one : asked_) {
      if (std::exchange(one.is_open, false) && Clock::now() - one.since < recent_within) {
        ::kill(player, one.number);
      }
    }
  }

 private:
  struct One {
    int number;
    Clock::time_point since{};
    bool is_open = false;
  };
  std::array<One, 3> asked_{One{SIGHUP}, One{SIGUSR1}, One{SIGUSR2}};
};

class Holder {
 public:
  Holder(const Player& player, const Program& program) : player_(player), successor_(program) {
    const sigset_t ours = waited_for();
    sigset_t blocked = ours;
    sigaddset(&blocked, SIGPIPE);  // of standard error
    ::sigprocmask(SIG_BLOCK, &blocked, &before_);
    const bool is_executed_by_another = std::getenv(Will::variable) != nullptr;
    if (const auto will = Will::read_with(shelf_)) {
      inherit(*will);
    } else if (is_executed_by_another) {
      ::sigemptyset(&before_);
    }
    is_successor_ = is_executed_by_another;
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // a player's engines outlive it
    signals_ = ::signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
  }

  int run() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);  // of the program before; it waits for it, and another one follows
    } else if (signals_ < 0 || !begin(1)) {
      ::close(signals_);
      ::prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
      ::sigprocmask(SIG_SETMASK, &before_, nullptr);
      return -1;
    }
    for (;;) {
      std::array<pollfd, 3> watched{pollfd{signals_, POLLIN, 0}, pollfd{notices_.descriptor(), POLLIN, 0},
                                    pollfd{way_, POLLIN, 0}};
      static_cast<void>(::poll(watched.data(), watched.size(), until_look()));
      notices_.listen(process_);
      if (!hear(way_, [this](const Word& word, int descriptor) { take(word, descriptor); })) {
        ::close(std::exchange(way_, -1));  // it says nothing more, though it may live on for a while
      }
      end_long_trial();
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
  void inherit(const Will& will) {
    process_ = will.player;
    is_taking_over_ = process_ > 0;
    way_ = will.way;
    stops_ = will.stops;
    is_to_be_succeeded_ = will.is_to_be_succeeded != 0;
    before_ = will.signals;
    if (way_ >= 0) {
      ::fcntl(way_, F_SETFD, FD_CLOEXEC);
    }
  }

  void take(const Word& word, int descriptor) {
    switch (word.kind) {
      case Word::Kind::keep:
        descriptor = shelf_.keep(word.name, descriptor);
        break;
      case Word::Kind::drop:
        ::close(shelf_.drop(word.name));
        break;
      case Word::Kind::try_successor:
        if (trial_ < 0 && successor_.is_known() && descriptor >= 0) {
          report_ = descriptor;
          begin_trial();
          return;
        }
        break;
      case Word::Kind::succeed:
        succeed();
        break;
      case Word::Kind::understudy:
        begin_understudy();
        break;
      case Word::Kind::no_understudy:
        end_understudy();
        break;
      case Word::Kind::look:
        break;  // whoever is waked looks
      case Word::Kind::succeed_at_end:
      case Word::Kind::stay:
        is_to_be_succeeded_ = word.kind == Word::Kind::succeed_at_end;
        break;
    }
    if (descriptor >= 0) {
      ::close(descriptor);
    }
  }

  // --- another program

  void begin_trial() {
    const int will = Will{}.write_with(shelf_);
    const pid_t parent = ::getpid();
    trial_ = will < 0 ? -1 : ::fork();
    if (trial_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::setpgid(0, 0);
      if (::getppid() == parent && ::dup2(report_, STDOUT_FILENO) >= 0 && ::dup2(report_, STDERR_FILENO) >= 0) {
        set_inherited(shelf_, true);  // in this process
        ::sigprocmask(SIG_SETMASK, &before_, nullptr);
        successor_.execute(will, true);
        complain(::strerrordesc_np(errno));
      }
      ::_exit(127);
    }
    if (will >= 0) {
      ::close(will);
    }
    trial_ends_ = Clock::now() + trial_max;
    if (trial_ < 0) {
      end_trial(Verdict::fails);
    }
  }

  void end_long_trial() {
    if (trial_ > 0 && Clock::now() >= trial_ends_) {
      ::kill(-trial_, SIGKILL);
      ::kill(trial_, SIGKILL);  // before it had a group of its own
      end_trial(Verdict::is_silent);
    }
  }

  void judge_trial(int ended) {
    const int status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    end_trial(status == exit_can_follow  ? Verdict::can_follow
              : status == exit_can_begin ? Verdict::can_begin
                                         : Verdict::fails);
  }

  void end_trial(Verdict verdict) {
    const std::array<char, 2> said{static_cast<char>(verdict), '\0'};
    static_cast<void>(::send(report_, said.data(), said.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
    ::close(std::exchange(report_, -1));
    trial_ = -1;
  }

  /// Returns when it could not be executed: all goes on as before then.
  void succeed() {
    end_understudy();
    const Will will{Will::layout_number, way_ < 0 ? -1 : process_, way_, stops_, is_to_be_succeeded_ ? 1 : 0, before_};
    if (const int file = successor_.is_known() ? will.write_with(shelf_) : -1; file >= 0) {
      set_inherited(shelf_, true);
      if (way_ >= 0) {
        ::fcntl(way_, F_SETFD, 0);
      }
      successor_.execute(file, false);
      set_inherited(shelf_, false);
      ::close(file);
    }
    complain("kakehashi: the new program could not be executed; the one before goes on\n");
    if (way_ >= 0) {
      ::fcntl(way_, F_SETFD, FD_CLOEXEC);
      static_cast<void>(::send(way_, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT));
    }
  }

  // --- the player

  /// For poll(2).
  [[nodiscard]] int until_look() const {
    const int look = pulse_.until_look();
    if (trial_ < 0) {
      return look;
    }
    const auto left = std::chrono::ceil<base::Millis>(trial_ends_ - Clock::now()).count();
    const int trial = static_cast<int>(std::max<std::int64_t>(left, 0));
    return look < 0 ? trial : std::min(look, trial);
  }

  bool begin(int tries = tries_max) {
    pulse_.begin();
    deaths_.begin();
    const pid_t before = process_;
    if (!give_turn()) {
      make_player();
      for (; process_ < 0 && tries > 1; --tries) {
        ::poll(nullptr, 0, between_tries_ms);
        make_player();
      }
    }
    if (process_ < 0) {
      return false;
    }
    give_terminal(before, process_);
    if (!shelf_.is_empty()) {  // else it does not keep them back until it listens
      asked_.pass_again(process_);
    }
    return true;
  }

  void make_player() {
    std::tie(process_, way_) = make_process([this](int way) { become_player(way, start_of_player(), handed_over(shelf_)); });
  }

  /// A child that does `deed` with its end of a way to it, and ours; -1, -1: there is none.
  template <class Deed>
  [[nodiscard]] std::pair<pid_t, int> make_process(const Deed& deed) {
    std::array<int, 2> ways{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ways.data()) != 0) {
      return {-1, -1};
    }
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) {
        ::_exit(127);
      }
      ::setpgid(0, 0);
      ::close(ways[0]);
      deed(ways[1]);
    }
    ::close(ways[1]);
    if (process < 0) {
      ::close(ways[0]);
      return {-1, -1};
    }
    ::setpgid(process, process);  // in both: whichever runs first
    return {process, ways[0]};
  }

  [[nodiscard]] Kept::Start start_of_player() const {
    return {stops_, is_successor_, is_to_be_succeeded_, false, false, deaths_.recent()};
  }

  [[noreturn]] void become_player(int way, Kept::Start start, std::vector<Kept::One> left) {
    ::close(signals_);
    ::close(report_);
    ::close(way_);
    ::close(understudy_way_);
    notices_.hand_over();
    if (left.empty() && !start.is_understudy) {
      ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    }  // else signals wait until somebody listens: no game is to end by one that comes too early
    int status = 0;
    {
      Kept kept(way, std::move(left), start, pulse_.pulse());
      status = player_(kept);
    }
    ::exit(status);
  }

  // --- the understudy, which gets ready while the player plays

  void begin_understudy() {
    if (understudy_ > 0 || shelf_.is_empty()) {
      return;
    }
    std::tie(understudy_, understudy_way_) = make_process([this](int way) {
      Kept::Start start;
      start.is_understudy = true;
      become_player(way, start, handed_over(shelf_, seen_by_understudy));
    });
    const timeval patience{turn_s_max, 0};  // it may be at work
    ::setsockopt(understudy_way_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }

  void end_understudy() {
    if (understudy_ > 0) {
      ::kill(std::exchange(understudy_, -1), SIGKILL);
      ::close(std::exchange(understudy_way_, -1));
    }
  }

  /// It becomes the player. False: there is none that could.
  bool give_turn() {
    if (understudy_ < 0 || !hand_over(shelf_, understudy_way_) || !Turn::send(understudy_way_, start_of_player())) {
      end_understudy();
      return false;
    }
    process_ = std::exchange(understudy_, -1);
    way_ = std::exchange(understudy_way_, -1);
    return true;
  }

  /// The exit status, when the last player is gone.
  std::optional<int> take_signals() {
    signalfd_siginfo arrived{};
    while (::read(signals_, &arrived, sizeof arrived) == sizeof arrived) {
      const int number = static_cast<int>(arrived.ssi_signo);
      if (number != SIGCHLD) {
        stops_ += number == SIGTERM || number == SIGINT ? 1 : 0;
        is_to_be_succeeded_ = is_to_be_succeeded_ && stops_ == 0;
        asked_.pass(number, process_);
        continue;
      }
      const Ended ended = reap(process_, trial_, understudy_);
      if (ended.is_understudy) {
        understudy_ = -1;
        ::close(std::exchange(understudy_way_, -1));
      }
      if (ended.trial) {
        judge_trial(*ended.trial);
      }
      if (const auto status = ended.player ? follow(*ended.player) : std::nullopt) {
        return status;
      }
    }
    return std::nullopt;
  }

  std::optional<int> follow(int ended) {
    hear(way_, [this](const Word& word, int descriptor) {  // its last words
      if (word.kind != Word::Kind::succeed) {
        take(word, descriptor);
      } else {
        ::close(descriptor);
      }
    });
    ::close(std::exchange(way_, -1));
    notices_.listen(process_);
    const bool was_alive = pulse_.has_beaten();
    if (WIFEXITED(ended)) {
      if (WEXITSTATUS(ended) != 0 || !std::exchange(is_to_be_succeeded_, false)) {
        return WEXITSTATUS(ended);
      }
      close_all(shelf_);  // it begins anew
      succeed();
      return begin() ? std::nullopt : std::optional(0);
    }
    const int status = 128 + WTERMSIG(ended);
    if (!std::exchange(is_taking_over_, false)) {
      if (shelf_.is_empty() || !deaths_.are_few(was_alive)) {
        return status;
      }
      is_successor_ = false;
      tell_of_death(WTERMSIG(ended));
    }
    return begin() ? std::nullopt : std::optional(status);
  }

  const Player& player_;
  Successor successor_;
  Notices notices_;
  PulseWatch pulse_;
  Shelf shelf_;
  Deaths deaths_;
  Asked asked_;
  sigset_t before_{};
  int signals_ = -1;
  int way_ = -1;
  pid_t process_ = -1;
  pid_t understudy_ = -1;
  int understudy_way_ = -1;
  int stops_ = 0;
  bool is_successor_ = false;
  bool is_taking_over_ = false;  ///< the player of the program before is killed for it
  bool is_to_be_succeeded_ = false;
  pid_t trial_ = -1;
  int report_ = -1;  ///< where its outcome is told
  Clock::time_point trial_ends_{};
};

}  // namespace

Program own_program(char* const* words) {
  std::array<char, 4096> file{};
  const ssize_t size = ::readlink("/proc/self/exe", file.data(), file.size());
  const bool is_whole = size > 0 && static_cast<std::size_t>(size) < file.size();
  return {is_whole ? std::string(file.data(), static_cast<std::size_t>(size)) : "", words};
}

int try_on(const Player& player) {
  Shelf shelf;
  const bool is_understood = Will::read_with(shelf).has_value();
  Kept::Start start;
  start.is_trial = true;
  Kept kept(-1, is_understood ? handed_over(shelf) : std::vector<Kept::One>(), start);
  return player(kept);
}

bool is_first_process() { return ::getpid() == 1; }

int hold(const Player& player, const Program& program) {
  const auto holder = std::make_unique<Holder>(player, program);
  return holder->run();
}

}  // namespace kakehashi::holder
