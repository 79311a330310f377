#include "bridge/time_tally.hpp"

#include <gtest/gtest.h>

namespace kakehashi::bridge {
namespace {

using base::Millis;

TEST(TimeTally, sums_up_what_became_of_the_time) {
  TimeTally tally;
  EXPECT_EQ(tally.share_permille(), 0);
  tally.take({Millis{10'000}, Millis{9'700}, Millis{3'100}, Millis{3'000}});
  tally.take({Millis{10'000}, Millis{9'600}, Millis{4'900}, Millis{5'000}});

  EXPECT_EQ(tally.share_permille(), 965);
  EXPECT_EQ(tally.lost, Millis{100}) << "what a rounded charge hides is not set off";
  EXPECT_EQ(describe(tally),
            "in 2 moves the engine was offered 96.5 % of the time granted; used 8 s, charged 8 s, "
            "lost on the link 100 ms");
}

TEST(TimeTally, a_move_is_told_in_one_line) {
  EXPECT_EQ(describe(MoveTime{Millis{10'000}, Millis{9'700}, Millis{3'100}, Millis{3'000}}),
            "granted 10 s, offered 9.7 s, used 3.1 s, charged 3 s, lost on the link 0 ms");
}

}  // namespace
}  // namespace kakehashi::bridge
