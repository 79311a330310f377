// The first process of a container: signals reach the program, orphans are reaped, and the exit
// status is the program's.
#include "daemon/own_process.hpp"
#include "holder/holder.hpp"

#include <gtest/gtest.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>

namespace kakehashi::cli {
namespace {

/// `program` tended by a process to which orphans fall as to PID 1; its wait status. The program
/// gets `told`, the end of a pipe, to say one byte to `hears`, which is called with the tender.
int tended(const std::function<int(holder::Kept& kept, int told)>& program,
           const std::function<void(pid_t tender)>& hears = {}) {
  int pipe[2];
  EXPECT_EQ(::pipe(pipe), 0);
  const pid_t tender = ::fork();
  if (tender == 0) {
    ::close(pipe[0]);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::unsetenv("NOTIFY_SOCKET");
    ::_exit(holder::hold([&](holder::Kept& kept) { ::_exit(program(kept, pipe[1])); return 0; }));
  }
  ::close(pipe[1]);
  char byte = 0;
  if (hears && ::read(pipe[0], &byte, 1) == 1) {
    hears(tender);
  }
  ::close(pipe[0]);
  int raw = 0;
  ::waitpid(tender, &raw, 0);
  return raw;
}

TEST(FirstProcess, standard_descriptors_that_were_closed_are_held_by_nothing_that_takes_a_word) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::close_range(0, ~0U, 0);  // what the one who runs the tests left open counts too
    daemon::hold_standard_descriptors();
    const int next = ::open("/dev/null", O_RDWR);
    char byte = 0;
    const bool is_mute = ::read(0, &byte, 1) < 0 && ::write(1, "x", 1) < 0 && ::write(2, "x", 1) < 0;
    ::_exit(next == 3 && is_mute ? 0 : 1);
  }
  int raw = 0;
  ::waitpid(child, &raw, 0);
  EXPECT_TRUE(WIFEXITED(raw) && WEXITSTATUS(raw) == 0);
}

TEST(FirstProcess, standard_descriptors_that_are_open_stay_as_they_are) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipe[1], 2);
    daemon::hold_standard_descriptors();
    ::_exit(::write(2, "x", 1) == 1 ? 0 : 1);
  }
  char byte = 0;
  EXPECT_EQ(::read(pipe[0], &byte, 1), 1);
  int raw = 0;
  ::waitpid(child, &raw, 0);
  EXPECT_TRUE(WIFEXITED(raw) && WEXITSTATUS(raw) == 0);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(FirstProcess, the_exit_status_of_the_program_is_its_own) {
  const int raw = tended([](holder::Kept&, int) { return 75; });
  ASSERT_TRUE(WIFEXITED(raw));
  EXPECT_EQ(WEXITSTATUS(raw), 75);
}

TEST(FirstProcess, a_program_that_was_killed_is_told_as_a_shell_tells_it) {
  const int raw = tended([](holder::Kept&, int) { return ::raise(SIGKILL); });
  ASSERT_TRUE(WIFEXITED(raw));
  EXPECT_EQ(WEXITSTATUS(raw), 128 + SIGKILL);
}

TEST(FirstProcess, signals_are_passed_on_to_the_program) {
  const int raw = tended(
      [](holder::Kept&, int told) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        ::sigprocmask(SIG_BLOCK, &set, nullptr);
        EXPECT_EQ(::write(told, "r", 1), 1);
        int number = 0;
        ::sigwait(&set, &number);
        return number;
      },
      [](pid_t tender) { ::kill(tender, SIGTERM); });
  ASSERT_TRUE(WIFEXITED(raw));
  EXPECT_EQ(WEXITSTATUS(raw), SIGTERM);
}

TEST(FirstProcess, orphans_are_reaped_while_the_program_runs) {
  const int raw = tended([](holder::Kept&, int) {
    int pipe[2];
    int gate[2];
    if (::pipe(pipe) != 0 || ::pipe(gate) != 0) {
      return 2;
    }
    const pid_t child = ::fork();
    if (child == 0) {
      const pid_t orphan = ::fork();
      if (orphan == 0) {
        char byte = 0;
        (void)!::read(gate[0], &byte, 1);
        ::_exit(0);
      }
      (void)!::write(pipe[1], &orphan, sizeof orphan);
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    pid_t orphan = 0;
    if (::read(pipe[0], &orphan, sizeof orphan) != sizeof orphan) {
      return 3;
    }
    (void)!::write(gate[1], "g", 1);  // its parent has been waited for: it is an orphan now
    // A process that has ended and was not reaped still takes signals; one that was does not.
    while (::kill(orphan, 0) == 0) {
      ::sched_yield();
    }
    return 0;
  });
  ASSERT_TRUE(WIFEXITED(raw));
  EXPECT_EQ(WEXITSTATUS(raw), 0);
}

TEST(FirstProcess, a_program_that_falls_silent_is_killed_so_that_the_container_ends) {
  const int raw = tended([](holder::Kept& kept, int) {
    kept.expect_beats(true);
    kept.beat();
    for (;;) {
      ::pause();
    }
    return 0;
  });
  ASSERT_TRUE(WIFEXITED(raw));
  EXPECT_EQ(WEXITSTATUS(raw), 128 + SIGKILL);
}

TEST(FirstProcess, a_program_of_which_nothing_is_expected_any_more_may_be_silent) {
  const int raw = tended([](holder::Kept& kept, int) {
    kept.expect_beats(true);
    kept.beat();
    kept.expect_beats(false);
    return ::usleep(static_cast<useconds_t>(2 * holder::silent_looks_max * 1'000 * holder::look_interval.count()));
  });
  ASSERT_TRUE(WIFEXITED(raw));
  EXPECT_EQ(WEXITSTATUS(raw), 0);
}

}  // namespace
}  // namespace kakehashi::cli
