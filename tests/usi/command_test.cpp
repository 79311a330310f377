#include "usi/command.hpp"

#include <gtest/gtest.h>

namespace kakehashi::usi {
namespace {

using namespace std::chrono_literals;

TEST(Command, go_gives_byoyomi_or_increments_and_never_both) {
  EXPECT_EQ(format_go({.btime = 60s, .wtime = 50s, .byoyomi = 10s}, false),
            "go btime 60000 wtime 50000 byoyomi 10000");
  EXPECT_EQ(format_go({.btime = 60s, .wtime = 50s, .binc = 5s, .winc = 4s}, false),
            "go btime 60000 wtime 50000 binc 5000 winc 4000");
  EXPECT_EQ(format_go({.btime = 1s, .wtime = 1s, .byoyomi = 0s, .binc = 5s, .winc = 5s}, true),
            "go ponder btime 1000 wtime 1000 byoyomi 0");
}

TEST(Command, no_time_is_negative) {
  EXPECT_EQ(format_times({.btime = -1s, .wtime = 0s, .byoyomi = -5ms}),
            "btime 0 wtime 0 byoyomi 0");
}

TEST(Command, a_button_has_no_value) {
  EXPECT_EQ(format_setoption({"Clear Hash", std::nullopt}), "setoption name Clear Hash");
  EXPECT_EQ(format_setoption({"Hash", "64"}), "setoption name Hash value 64");
  EXPECT_EQ(format_setoption({"Book", ""}), "setoption name Book value ");
}

TEST(Command, gameover_names_its_result) {
  EXPECT_EQ(format_gameover(GameOver::win), "gameover win");
  EXPECT_EQ(format_gameover(GameOver::lose), "gameover lose");
  EXPECT_EQ(format_gameover(GameOver::draw), "gameover draw");
}

}  // namespace
}  // namespace kakehashi::usi
