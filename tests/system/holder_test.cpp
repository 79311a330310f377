// A player that dies is followed by another, which has all that the first had kept.
#include "holder/holder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "holder/shelf.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::holder {
namespace {

/// The exit status of a holder of that player, in whose process `prepare` is called before.
int held(const Player& player, const Program& program = {}, const std::function<void()>& prepare = [] {}) {
  const pid_t holder = ::fork();
  if (holder == 0) {
    ::unsetenv("NOTIFY_SOCKET");
    prepare();
    ::_exit(hold([&](Kept& kept) -> int { ::_exit(player(kept)); }, program));
  }
  int raw = 0;
  ::waitpid(holder, &raw, 0);
  return WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
}

[[noreturn]] void die() {
  ::raise(SIGKILL);
  ::_exit(99);
}

TEST(Holder, a_player_that_has_left_nothing_is_followed_by_none) {
  EXPECT_EQ(held([](Kept&) -> int { die(); }), 128 + SIGKILL);
}

TEST(Holder, what_was_kept_is_found_by_the_next_player_and_by_the_one_behind_it) {
  const auto play = [](Kept& kept) {
    const int left = kept.take("pipe");
    if (left < 0) {
      std::array<int, 2> pipe{};
      if (::pipe(pipe.data()) != 0 || ::write(pipe[1], "ab", 2) != 2 || !kept.keep("pipe", pipe[0])) {
        return 2;
      }
      die();
    }
    char byte = 0;
    if (::read(left, &byte, 1) != 1) {
      return 3;
    }
    if (byte == 'a') {
      die();
    }
    return kept.names("").empty() && byte == 'b' ? 42 : 4;
  };
  EXPECT_EQ(held(play), 42);
}

TEST(Holder, what_was_dropped_is_gone_with_its_other_end) {
  const auto play = [](Kept& kept) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0 || !kept.keep("pipe", pipe[1]) || ::close(pipe[1]) != 0) {
      return 2;
    }
    kept.drop("pipe");
    char byte = 0;
    return ::read(pipe[0], &byte, 1) == 0 ? 42 : 3;  // waits for the end
  };
  EXPECT_EQ(held(play), 42);
}

TEST(Holder, one_that_got_ready_plays_next_with_all_that_is_kept_at_the_end) {
  const auto play = [](Kept& kept) -> int {
    if (kept.start().is_understudy) {
      const int seen = kept.take("bot/legacy");
      if (seen < 0 || !kept.names("").empty()) {
        return 2;
      }
      kept.wait_for_turn([seen] { return ::write(seen, "r", 1) != 1; });
      return !kept.start().is_understudy && kept.start().deaths == 1 && kept.names("").size() == 2 && kept.take("late") >= 0 ? 42 : 3;
    }
    std::array<int, 2> pipe{};
    char ready = 0;
    if (::pipe(pipe.data()) != 0 || !kept.keep("bot/legacy", pipe[1]) || !kept.keep("early", pipe[0])) {
      return 4;
    }
    kept.want_understudy(true);
    if (::read(pipe[0], &ready, 1) != 1) {
      return 5;
    }
    kept.drop("early");
    kept.keep("late", pipe[0]);
    die();
  };
  EXPECT_EQ(held(play), 42);
}

TEST(Holder, one_that_got_ready_and_is_not_wanted_any_more_never_plays) {
  const auto play = [](Kept& kept) -> int {
    if (kept.start().is_understudy) {
      const int seen = kept.take("bot/legacy");
      kept.wait_for_turn([seen] { return ::write(seen, "r", 1) != 1; });
      return 2;
    }
    if (kept.start().deaths > 0) {
      return 42;
    }
    std::array<int, 2> pipe{};
    char ready = 0;
    if (::pipe(pipe.data()) != 0 || !kept.keep("bot/legacy", pipe[1])) {
      return 4;
    }
    kept.want_understudy(true);
    if (::read(pipe[0], &ready, 1) != 1) {
      return 5;
    }
    kept.want_understudy(false);
    die();
  };
  EXPECT_EQ(held(play), 42);
}

TEST(Holder, a_player_that_dies_again_and_again_is_given_up) {
  const auto play = [](Kept& kept) -> int {
    kept.keep("something", STDERR_FILENO);
    die();
  };
  EXPECT_EQ(held(play), 128 + SIGKILL);
}

TEST(Holder, one_that_stands_still_as_it_begins_is_followed_though_it_never_said_that_it_would_beat) {
  const auto play = [](Kept& kept) -> int {
    if (kept.names("").empty()) {
      kept.keep("first", STDERR_FILENO);
      kept.expect_beats(true);
      die();
    }
    while (kept.names("second").empty()) {
      kept.keep("second", STDERR_FILENO);
      ::pause();
    }
    return 42;
  };
  EXPECT_EQ(held(play), 42);
}

TEST(Holder, what_a_player_was_asked_for_as_it_died_the_next_one_is_asked_for_and_no_other) {
  const auto play = [](Kept& kept) -> int {
    sigset_t asked;
    sigemptyset(&asked);
    sigaddset(&asked, SIGHUP);
    sigaddset(&asked, SIGUSR1);
    ::sigprocmask(SIG_BLOCK, &asked, nullptr);
    const std::size_t lives = kept.names("").size();
    kept.keep(std::to_string(lives), STDERR_FILENO);
    if (lives < 2) {
      if (lives == 0) {
        ::kill(::getppid(), SIGHUP);
      }
      const timespec patience{60, 0};
      if (::sigtimedwait(&asked, nullptr, &patience) != SIGHUP) {
        return 2;
      }
      die();
    }
    ::kill(::getppid(), SIGUSR1);  // what comes before it has come
    return ::sigwaitinfo(&asked, nullptr) == SIGUSR1 ? 42 : 3;
  };
  EXPECT_EQ(held(play), 42);
}

/// What a file says that the player has tried, with the verdict behind it.
std::string trial_of(const std::string& text, mode_t mode = 0700) {
  const test::Scratch scratch;
  const std::string file = scratch.path("successor");
  test::write_text(file, text);
  ::chmod(file.c_str(), mode);
  test::write_text(scratch.path("said"), "");
  std::string word = "program";
  const std::array<char*, 2> words{word.data(), nullptr};
  const auto play = [&](Kept& kept) -> int {
    const int trial = kept.try_successor();
    std::string said;
    for (char byte = 0; ::read(trial, &byte, 1) == 1 && byte != '\0';) {
      said += byte;
    }
    test::write_text(scratch.path("said"), said);
    return 42;
  };
  EXPECT_EQ(held(play, {file, words.data()}), 42);
  return test::read_text(scratch.path("said"));
}

TEST(Holder, another_program_is_tried_and_only_one_that_knows_the_question_can_say_yes) {
  EXPECT_EQ(trial_of("#!/bin/sh\necho $1; exit 40"), std::string(trial_word) + "\nf");
  EXPECT_EQ(trial_of("#!/bin/sh\nexit 41"), "b");
  EXPECT_EQ(trial_of("#!/bin/sh\necho no >&2"), "no\nx");
  EXPECT_EQ(trial_of("#!/bin/sh\nkill -9 $$"), "x");
  EXPECT_EQ(trial_of("#!/bin/sh\nexit 40", 0600), "Permission deniedx");
}

TEST(Holder, another_program_that_does_not_end_its_trial_is_not_waited_for) {
  EXPECT_EQ(trial_of("#!/bin/sh\necho ready\nexec sleep 60"), "ready\ns");
}

TEST(Holder, another_program_has_what_was_kept_and_the_player_of_the_one_before_is_killed) {
  const test::Scratch scratch;
  const std::string file = scratch.path("successor");
  // It tells the number of its process, and has the memory with all that was kept.
  test::write_text(file, "#!/bin/sh\ntest -n \"$KAKEHASHI_WILL\" && test -e /proc/$$/fd/$KAKEHASHI_WILL && exit 43\n");
  ::chmod(file.c_str(), 0700);
  std::string word = "program";
  const std::array<char*, 2> words{word.data(), nullptr};
  const auto play = [](Kept& kept) -> int {
    kept.succeed();
    return 42;
  };
  EXPECT_EQ(held(play, {file, words.data()}), 43);
  EXPECT_EQ(held(play, {scratch.path("nothing"), words.data()}), 42);  // it goes on as before
}

TEST(Holder, another_program_begins_behind_one_that_ends_well) {
  const test::Scratch scratch;
  const std::string file = scratch.path("successor");
  test::write_text(file, "#!/bin/sh\nexit 43\n");
  ::chmod(file.c_str(), 0700);
  std::string word = "program";
  const std::array<char*, 2> words{word.data(), nullptr};
  const auto play_to = [&](int status, bool is_wanted) {
    return held([&](Kept& kept) -> int {
      kept.succeed_at_end(true);
      kept.succeed_at_end(is_wanted);
      return status;
    }, {file, words.data()});
  };
  EXPECT_EQ(play_to(0, true), 43);
  EXPECT_EQ(play_to(0, false), 0);
  EXPECT_EQ(play_to(5, true), 5);
}

// --- words that no player says

/// In a player: its end of the way.
int own_way() {
  for (int descriptor = STDERR_FILENO + 1;; ++descriptor) {
    int type = 0;
    socklen_t size = sizeof type;
    if (::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET) {
      return descriptor;
    }
  }
}

/// With these descriptors beside it.
bool send_raw(int way, std::string_view text, const std::vector<int>& descriptors) {
  alignas(cmsghdr) std::array<char, 1024> control{};
  iovec bytes{const_cast<char*>(text.data()), text.size()};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size() * sizeof(int));
  }
  return ::sendmsg(way, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

std::string raw(Word::Kind kind, std::string_view name) {
  Word word;
  word.kind = kind;
  std::copy(name.begin(), name.end(), word.name.begin());
  return {reinterpret_cast<const char*>(&word), sizeof word};
}

/// Whether nobody holds what is sent with that, soon.
bool is_closed_with(int way, const std::string& text, int descriptors = 1) {
  std::array<int, 2> pipe{};
  char byte = 0;
  return ::pipe(pipe.data()) == 0 && send_raw(way, text, std::vector<int>(static_cast<std::size_t>(descriptors), pipe[1])) &&
         ::close(pipe[1]) == 0 && ::read(pipe[0], &byte, 1) == 0 && ::close(pipe[0]) == 0;
}

std::size_t descriptors_of(pid_t process) {
  const std::filesystem::directory_iterator all("/proc/" + std::to_string(process) + "/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// Of its holder, when that has begun it and heard all that was said.
std::size_t descriptors_of_holder() { return is_closed_with(own_way(), raw(Word::Kind::look, "pulse")) ? descriptors_of(::getppid()) : 0; }

TEST(Holder, what_is_no_word_is_passed_over_with_all_that_came_beside_it) {
  const std::string keep = raw(Word::Kind::keep, "one");
  std::string endless = keep;
  std::fill(endless.begin() + 1, endless.end(), 'x');
  const auto play = [&](Kept& kept) -> int {
    if (kept.start().deaths > 0) {
      return kept.names("").size() == 1 && kept.take("two") >= 0 ? 42 : 6;
    }
    const int way = own_way();
    const std::size_t before = descriptors_of_holder();
    for (const std::string& text : {keep.substr(0, 1), keep.substr(0, keep.size() - 1), keep + " ", keep + std::string(5'000, 'x'),
                                    raw(static_cast<Word::Kind>(0), "one"), raw(static_cast<Word::Kind>(200), "one"),
                                    raw(Word::Kind::keep, ""), endless, raw(Word::Kind::drop, "one"), raw(Word::Kind::look, "one")}) {
      if (!is_closed_with(way, text) || !is_closed_with(way, text, 3)) {
        return 2;
      }
    }
    // Of several the first is kept, and no other stays anywhere.
    std::array<int, 2> pipe{};
    std::array<int, 2> other{};
    char byte = 0;
    if (::pipe(pipe.data()) != 0 || ::pipe(other.data()) != 0 ||
        !send_raw(way, raw(Word::Kind::keep, "two"), {pipe[0], other[1], other[1]}) || ::close(other[1]) != 0 ||
        ::read(other[0], &byte, 1) != 0) {
      return 3;
    }
    return descriptors_of_holder() == before + 1 ? (die(), 4) : 5;
  };
  EXPECT_EQ(held(play), 42);
}

TEST(Holder, one_that_has_closed_its_end_is_waited_for_and_followed) {
  for (const bool is_said : {false, true}) {  // an empty message is the end, too
    const auto play = [&](Kept& kept) -> int {
      if (kept.start().deaths > 0) {
        return kept.names("").size() == 1 ? 42 : 6;
      }
      const int way = own_way();
      const std::size_t before = descriptors_of_holder();
      if (!kept.keep("one", STDERR_FILENO) || (is_said && !is_closed_with(way, "")) || (!is_said && ::close(way) != 0)) {
        return 2;
      }
      while (descriptors_of(::getppid()) != before) {  // one more is kept, and it has closed its end
        ::usleep(1'000);
      }
      return !kept.keep("another", STDERR_FILENO) ? (die(), 3) : 4;
    };
    EXPECT_EQ(held(play), 42);
  }
}

// --- a machine that refuses

void limit(pid_t process, __rlimit_resource resource, rlim_t most) {
  rlimit limits{};
  ::prlimit(process, resource, nullptr, &limits);
  limits.rlim_cur = std::min(most, limits.rlim_max);
  ::prlimit(process, resource, &limits, nullptr);
}

/// Whom a limit of processes holds.
void become_ordinary() { static_cast<void>(::geteuid() == 0 ? ::setuid(65'534) : 0); }

TEST(Holder, where_no_child_can_be_made_nothing_is_run) {
  const auto play = [](Kept&) { return 42; };
  EXPECT_EQ(held(play, {}, [] { limit(0, RLIMIT_NOFILE, 3); }), 255);
  EXPECT_EQ(held(play, {}, [] { become_ordinary(); limit(0, RLIMIT_NPROC, 0); }), 255);
}

TEST(Holder, a_machine_that_has_no_room_for_a_process_is_asked_again) {
  const auto play = [](Kept& kept) -> int {
    if (kept.start().deaths > 0) {
      return kept.take("one") >= 0 ? 42 : 2;
    }
    kept.keep("one", STDERR_FILENO);
    const pid_t holder = ::getppid();
    const pid_t player = ::getpid();
    if (::fork() == 0) {
      while (::getppid() == player) {
        ::usleep(1'000);
      }
      ::usleep(300'000);
      limit(holder, RLIMIT_NPROC, RLIM_INFINITY);
      ::_exit(0);
    }
    limit(holder, RLIMIT_NPROC, 0);
    die();
  };
  EXPECT_EQ(held(play, {}, become_ordinary), 42);
}

TEST(Holder, without_room_for_a_descriptor_one_is_not_kept_and_nothing_else_changes) {
  const test::Scratch scratch;
  const std::string file = scratch.path("successor");
  test::write_text(file, "#!/bin/sh\nexit 40\n");
  ::chmod(file.c_str(), 0700);
  std::string word = "program";
  const std::array<char*, 2> words{word.data(), nullptr};
  const auto play = [](Kept& kept) -> int {
    if (kept.start().deaths > 0) {
      return kept.names("").size() == 1 && kept.take("early") >= 0 ? 42 : 6;
    }
    const pid_t holder = ::getppid();
    const auto verdict = [&kept] {
      const int trial = kept.try_successor();
      char byte = '-';
      while (::read(trial, &byte, 1) == 1 && byte != 'f' && byte != 'x') {
      }
      ::close(trial);
      return byte;
    };
    kept.keep("early", STDERR_FILENO);
    kept.keep("changed", STDERR_FILENO);
    if (verdict() != 'f') {
      return 2;
    }
    const std::size_t now = descriptors_of_holder();
    limit(holder, RLIMIT_NOFILE, now + 1);  // it hears who asks, and can write no will
    if (verdict() != 'x') {
      return 3;
    }
    limit(holder, RLIMIT_NOFILE, now);
    kept.keep("late", STDERR_FILENO);
    if (verdict() != '-') {
      return 4;
    }
    kept.succeed();  // cannot be
    kept.keep("changed", STDERR_FILENO);  // what had that name is of no use to anybody
    if (descriptors_of_holder() == 0) {
      return 5;
    }
    limit(holder, RLIMIT_NOFILE, 100);
    die();
  };
  EXPECT_EQ(held(play, {file, words.data()}, [] { ::close_range(STDERR_FILENO + 1, ~0U, 0); }), 42);  // numbers without a gap
}

TEST(Holder, a_will_that_is_none_is_not_taken) {
  const auto play = [](Kept& kept) { return kept.names("").empty() && ::getenv("KAKEHASHI_WILL") == nullptr ? 42 : 2; };
  for (const std::string text : {"", "short", "no such layout, but a text that is long enough for one, and for another one and one more behind it: "
                                              "no such layout, but a text that is long enough for one, and for another one and one more behind it"}) {
    EXPECT_EQ(held(play, {}, [&] {
      const int file = ::memfd_create("will", 0);
      ::setenv("KAKEHASHI_WILL", std::to_string(file).c_str(), 1);
      static_cast<void>(!::write(file, text.data(), text.size()) || ::lseek(file, 0, SEEK_SET) != 0);
    }), 42);
  }
  EXPECT_EQ(held(play, {}, [] { ::setenv("KAKEHASHI_WILL", "1", 1); }), 42);
}

TEST(Holder, a_standard_error_that_nobody_reads_stops_nothing) {
  const auto play = [](Kept& kept) -> int {
    if (kept.start().deaths > 0) {
      return 42;
    }
    kept.keep("one", STDIN_FILENO);
    die();
  };
  for (const bool is_closed : {true, false}) {
    EXPECT_EQ(held(play, {}, [&] {
      std::array<int, 2> pipe{};
      ::signal(SIGPIPE, SIG_DFL);
      static_cast<void>(!::pipe2(pipe.data(), O_NONBLOCK));
      const std::string text(4'096, 'x');
      while (::write(pipe[1], text.data(), text.size()) > 0) {
      }
      ::fcntl(pipe[1], F_SETFL, 0);
      ::dup2(pipe[1], STDERR_FILENO);
      ::close(pipe[1]);
      if (is_closed) {
        ::close(pipe[0]);
      }
    }), 42);
  }
}

// --- what is said to a supervisor

TEST(Holder, a_supervisor_hears_the_player_and_nobody_else) {
  const test::Scratch scratch;
  sockaddr_un above{};
  above.sun_family = AF_UNIX;
  std::strcpy(above.sun_path, scratch.path("notify").c_str());
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&above), sizeof above), 0);
  const auto say = [](std::string_view text) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = ::getenv("NOTIFY_SOCKET");
    std::copy(name.begin() + 1, name.end(), address.sun_path + 1);
    const int speaker = ::socket(AF_UNIX, SOCK_DGRAM, 0);
    ::sendto(speaker, text.data(), text.size(), 0, reinterpret_cast<const sockaddr*>(&address),
             static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size()));
    ::close(speaker);
  };
  const auto play = [&](Kept&) -> int {
    const pid_t stranger = ::fork();
    if (stranger == 0) {
      say("STOPPING=1");
      ::_exit(0);
    }
    ::waitpid(stranger, nullptr, 0);
    say("READY=1");
    return 42;
  };
  EXPECT_EQ(held(play, {}, [&] { ::setenv("NOTIFY_SOCKET", above.sun_path, 1); }), 42);
  std::array<char, 64> heard{};
  EXPECT_EQ(::recv(socket, heard.data(), heard.size(), 0), 7);
  EXPECT_STREQ(heard.data(), "READY=1");
  EXPECT_LT(::recv(socket, heard.data(), heard.size(), 0), 0);
  ::close(socket);
}

// --- a handing-over that is cut off

/// Kept by the first player, by numbers; the socket has room for some two hundred.
struct Cut {
  int kept = 0;
  int deaths = 0;              ///< that the one behind it is to know of
  std::string held_up_in;      ///< the system call of the holder in which the understudy is killed, as /proc tells it
};

/// The understudy is stopped when its turn comes, and killed.
int cut_off(const Cut& cut) {
  struct Shared {
    std::size_t descriptors;
  };
  auto* shared = static_cast<Shared*>(::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const auto play = [&](Kept& kept) -> int {
    const pid_t holder = ::getppid();
    if (kept.start().is_understudy) {
      const int seen = kept.take("bot/legacy");
      kept.wait_for_turn([seen] {
        const pid_t own = ::getpid();
        static_cast<void>(!::write(seen, &own, sizeof own));
        ::raise(SIGSTOP);
        return false;
      });
      return 2;
    }
    if (kept.start().deaths > 0) {
      bool is_whole = kept.start().deaths == cut.deaths && kept.names("number ").size() == static_cast<std::size_t>(cut.kept);
      for (int i = 0; i < cut.kept; ++i) {
        const int one = kept.take("number " + std::to_string(i));
        int said = -1;
        is_whole = is_whole && ::read(one, &said, sizeof said) == sizeof said && said == i && ::close(one) == 0;
      }
      return is_whole && descriptors_of_holder() == shared->descriptors ? 42 : 3;
    }
    std::array<int, 2> ready{};
    pid_t understudy = 0;
    if (::pipe2(ready.data(), O_CLOEXEC) != 0 || !kept.keep("bot/legacy", ready[1])) {
      return 4;
    }
    for (int i = 0; i < cut.kept; ++i) {
      std::array<int, 2> pipe{};
      if (::pipe(pipe.data()) != 0 || ::write(pipe[1], &i, sizeof i) != sizeof i || !kept.keep("number " + std::to_string(i), pipe[0])) {
        return 5;
      }
      ::close(pipe[0]);
      ::close(pipe[1]);
    }
    kept.want_understudy(true);
    if (::read(ready[0], &understudy, sizeof understudy) != sizeof understudy) {
      return 6;
    }
    shared->descriptors = descriptors_of_holder() - 1;  // without the way to the understudy
    const pid_t player = ::getpid();
    if (::fork() == 0) {
      while (::kill(player, 0) == 0) {  // until its holder has seen that it has died: it was in such a call before, too
        ::usleep(1'000);
      }
      for (std::string call; call != cut.held_up_in;) {
        ::usleep(1'000);
        std::ifstream("/proc/" + std::to_string(holder) + "/syscall") >> call;
      }
      ::kill(understudy, SIGKILL);
      ::_exit(0);
    }
    die();
  };
  const int status = held(play);
  ::munmap(shared, sizeof(Shared));
  return status;
}

TEST(Holder, one_that_dies_while_it_is_handed_all_that_is_kept_takes_nothing_with_it) {
  EXPECT_EQ(cut_off({450, 1, std::to_string(SYS_sendmsg)}), 42);
}

TEST(Holder, one_that_dies_before_it_has_read_what_it_was_handed_takes_nothing_with_it) {
  EXPECT_EQ(cut_off({5, 2, std::to_string(SYS_poll)}), 42);
}

TEST(Holder, one_that_has_no_room_for_all_that_is_kept_leaves_it_to_another) {
  const auto play = [](Kept& kept) -> int {
    if (kept.start().is_understudy) {
      const int seen = kept.take("bot/legacy");
      limit(0, RLIMIT_NOFILE, descriptors_of(::getpid()));
      kept.wait_for_turn([seen] { return ::write(seen, "r", 1) != 1; });
      return 2;
    }
    if (kept.start().deaths > 0) {
      return kept.names("").size() == 31 ? 42 : 3;
    }
    std::array<int, 2> pipe{};
    char ready = 0;
    if (::pipe(pipe.data()) != 0 || !kept.keep("bot/legacy", pipe[1])) {
      return 4;
    }
    for (int i = 0; i < 30; ++i) {
      kept.keep("number " + std::to_string(i), STDERR_FILENO);
    }
    kept.want_understudy(true);
    if (::read(pipe[0], &ready, 1) != 1) {
      return 5;
    }
    die();
  };
  EXPECT_EQ(held(play), 42);
}

// --- the shelf

TEST(Shelf, no_name_comes_twice_and_what_is_not_kept_is_given_back) {
  const auto name_of = [](int number) {
    Word::Name name{};
    const std::string text = std::to_string(number);
    std::copy(text.begin(), text.end(), name.begin());
    return name;
  };
  Shelf shelf;
  EXPECT_EQ(shelf.keep(name_of(0), 1'000'000), -1);
  EXPECT_EQ(shelf.keep(name_of(0), 0), 1'000'000);
  for (int i = 1; i < 600; ++i) {
    EXPECT_EQ(shelf.keep(name_of(i), i), -1);
  }
  EXPECT_EQ(shelf.drop(name_of(5)), 5);
  EXPECT_EQ(shelf.drop(name_of(5)), -1);
  EXPECT_EQ(shelf.keep(name_of(6), -1), 6);
  EXPECT_EQ(shelf.keep(name_of(6), -1), -1);
  EXPECT_EQ(shelf.places().size(), 600U);
  EXPECT_EQ(shelf.keep(name_of(5), 5), -1);
  EXPECT_EQ(shelf.places().size(), 600U);
  shelf.take_over(kept_max);
  for (Shelf::Place& place : shelf.room()) {
    place = {name_of(1), 1};
  }
  EXPECT_EQ(shelf.keep(name_of(2), 2), 2);
  EXPECT_EQ(shelf.keep(name_of(1), 3), 1);
}

TEST(Holder, without_one_nothing_is_kept) {
  Kept kept;
  EXPECT_FALSE(kept.is_held());
  EXPECT_FALSE(kept.keep("something", STDERR_FILENO));
  EXPECT_EQ(kept.take("something"), -1);
}

}  // namespace
}  // namespace kakehashi::holder
