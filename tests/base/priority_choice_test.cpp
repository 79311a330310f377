#include "base/priority_choice.hpp"

#include <gtest/gtest.h>

namespace kakehashi::base {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime start{1h};
constexpr PriorityChoice::Waited none;

/// Each second, `waited` of it for a processor, in so many turns; what it came to at last.
class Machine {
 public:
  bool run(std::chrono::seconds seconds, std::chrono::nanoseconds waited, std::optional<SteadyTime> due = {},
           std::int64_t turns = 100) {
    bool before = false;
    for (auto left = seconds; left > 0s; left -= 1s) {
      now += 1s;
      total.time += is_before ? 0ns : waited;
      total.turns += turns;
      before = choice.look(now, total, due);
      changes += before != is_before ? 1 : 0;
      is_before = before;
    }
    return before;
  }

  PriorityChoice choice;
  SteadyTime now = start;
  PriorityChoice::Waited total;
  bool is_before = false;
  int changes = 0;
};

TEST(PriorityChoice, a_thread_with_processors_to_spare_is_an_ordinary_one) {
  Machine machine;
  EXPECT_FALSE(machine.run(3'600s, 300us));
  EXPECT_EQ(machine.changes, 0);
}

TEST(PriorityChoice, one_that_wakes_often_waits_a_little_each_time_and_has_processors_to_spare) {
  Machine machine;
  EXPECT_FALSE(machine.run(3'600s, 200ms, {}, 1'000));
  EXPECT_TRUE(machine.run(2s, 600ms, {}, 1'000));
}

TEST(PriorityChoice, one_whose_timer_rings_late_runs_before_others) {
  Machine machine;
  EXPECT_FALSE(machine.run(2s, 0ns));
  machine.now += 1ms;
  EXPECT_FALSE(machine.run(1s, 0ns));
  machine.now += 3ms;
  EXPECT_TRUE(machine.run(1s, 0ns));
}

TEST(PriorityChoice, what_was_waited_while_nobody_asked_tells_nothing) {
  Machine machine;
  EXPECT_FALSE(machine.run(2s, 300us));
  machine.choice.pause();
  machine.total.time += 10s;
  EXPECT_FALSE(machine.run(2s, 300us));
}

TEST(PriorityChoice, one_that_has_to_wait_runs_before_others_and_seldom_changes) {
  Machine machine;
  EXPECT_TRUE(machine.run(2s, 60ms));
  machine.run(3'600s, 60ms);
  EXPECT_LE(machine.changes, 30);
}

TEST(PriorityChoice, once_there_are_processors_again_it_is_ordinary_again) {
  Machine machine;
  EXPECT_TRUE(machine.run(2s, 60ms));
  EXPECT_FALSE(machine.run(31s, 0ns));
  EXPECT_EQ(machine.changes, 2);
}

TEST(PriorityChoice, it_runs_before_others_about_an_instant_that_decides_a_game) {
  Machine machine;
  const SteadyTime due = start + 10s;
  EXPECT_FALSE(machine.run(7s, 0ns, due));
  EXPECT_TRUE(machine.run(3s, 0ns, due));
  EXPECT_FALSE(machine.run(2s, 0ns));
}

TEST(PriorityChoice, an_instant_that_becomes_due_at_once_waits_for_no_look) {
  PriorityChoice choice;
  EXPECT_FALSE(choice.look(start, none, {}));
  EXPECT_FALSE(choice.expect(start, start + 49s));
  EXPECT_TRUE(choice.expect(start, start + 800ms));
  EXPECT_TRUE(choice.look(start + 1s, none, {}));
  EXPECT_FALSE(choice.look(start + 2s, none, {}));
}

TEST(PriorityChoice, where_the_system_does_not_tell_it_runs_before_others) {
  PriorityChoice choice;
  EXPECT_TRUE(choice.look(start, std::nullopt, {}));
  EXPECT_TRUE(choice.expect(start, start + 1h));
}

TEST(PriorityChoice, what_the_kernel_says_of_waiting_is_read) {
  const auto waited = PriorityChoice::Waited::read("18965124 109577391 197\n");
  ASSERT_TRUE(waited);
  EXPECT_EQ(waited->time, 109'577'391ns);
  EXPECT_EQ(waited->turns, 197);
}

TEST(PriorityChoice, what_is_no_such_line_tells_nothing) {
  for (const char* line : {"", "\n", "1 2\n", "1 2 x\n", "1 2 3 4\n"}) {
    EXPECT_FALSE(PriorityChoice::Waited::read(line)) << line;
  }
}

}  // namespace
}  // namespace kakehashi::base
