// A player that dies is followed by another, which has all that the first had kept.
#include "holder/holder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

#include "tests/system/scratch.hpp"

namespace kakehashi::holder {
namespace {

/// The exit status of a holder of that player.
int held(const Player& player, const Program& program = {}) {
  const pid_t holder = ::fork();
  if (holder == 0) {
    ::unsetenv("NOTIFY_SOCKET");
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

TEST(Holder, without_one_nothing_is_kept) {
  Kept kept;
  EXPECT_FALSE(kept.is_held());
  EXPECT_FALSE(kept.keep("something", STDERR_FILENO));
  EXPECT_EQ(kept.take("something"), -1);
}

}  // namespace
}  // namespace kakehashi::holder
