// The clocks of a game that a server gives back.
#include "csa/resume_state.hpp"

#include <gtest/gtest.h>

#include <string>

namespace kakehashi::csa {
namespace {

using namespace std::chrono_literals;

TEST(ResumeReader, reads_turn_clocks_and_last_move) {
  ResumeReader reader;
  EXPECT_FALSE(reader.feed("Current_Turn:-"));
  EXPECT_FALSE(reader.feed("Black_Time_Remaining_Ms:599500"));
  EXPECT_FALSE(reader.feed("White_Time_Remaining_Ms: 600000 "));
  EXPECT_FALSE(reader.feed("Last_Move:+7776FU,T1"));
  EXPECT_FALSE(reader.feed("Something_New:1"));
  EXPECT_TRUE(reader.feed("END Reconnect_State"));
  EXPECT_EQ(reader.state().turn, shogi::Color::white);
  EXPECT_EQ(reader.state().black, 599'500ms);
  EXPECT_EQ(reader.state().white, 600'000ms);
  EXPECT_EQ(reader.state().last_move, "+7776FU");
}

TEST(ResumeReader, leaves_out_what_is_no_clock) {
  ResumeReader reader;
  for (const char* line : {"Black_Time_Remaining_Ms:-1", "White_Time_Remaining_Ms:soon",
                           "Current_Turn:*", "no colon", ""}) {
    EXPECT_FALSE(reader.feed(line));
  }
  EXPECT_EQ(reader.state().black, std::nullopt);
  EXPECT_EQ(reader.state().white, std::nullopt);
  EXPECT_EQ(reader.state().turn, std::nullopt);
}

TEST(ResumeReader, bounds_absurd_clocks_and_endless_blocks) {
  ResumeReader reader;
  EXPECT_FALSE(reader.feed("Black_Time_Remaining_Ms:9223372036854775807"));
  EXPECT_EQ(reader.state().black, 24h);
  int lines = 1;
  while (!reader.feed("x:y")) {
    ASSERT_LE(++lines, ResumeReader::lines_max);
  }
}

}  // namespace
}  // namespace kakehashi::csa
