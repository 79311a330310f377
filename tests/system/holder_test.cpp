// A player that dies is followed by another, which has all that the first had kept.
#include "holder/holder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

namespace kakehashi::holder {
namespace {

/// The exit status of a holder of that player.
int held(const Player& player) {
  const pid_t holder = ::fork();
  if (holder == 0) {
    ::unsetenv("NOTIFY_SOCKET");
    ::_exit(hold([&](Kept& kept) -> int { ::_exit(player(kept)); }));
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

TEST(Holder, a_player_that_dies_again_and_again_is_given_up) {
  const auto play = [](Kept& kept) -> int {
    kept.keep("something", STDERR_FILENO);
    die();
  };
  EXPECT_EQ(held(play), 128 + SIGKILL);
}

TEST(Holder, without_one_nothing_is_kept) {
  Kept kept;
  EXPECT_FALSE(kept.is_held());
  EXPECT_FALSE(kept.keep("something", STDERR_FILENO));
  EXPECT_EQ(kept.take("something"), -1);
}

}  // namespace
}  // namespace kakehashi::holder
