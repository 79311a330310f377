// What systemctl status shows of a bot, from its views.
#include "daemon/systemd.hpp"

#include <gtest/gtest.h>

namespace kakehashi::daemon {
namespace {

base::Now at(int second) {
  return {base::SteadyTime{std::chrono::seconds(1000 + second)}, base::WallTime{}};
}

bridge::View playing(std::size_t moves, std::int64_t score) {
  bridge::View view;
  view.phase = bridge::Phase::playing;
  view.game.emplace();
  view.game->black_name = "opponent";
  view.game->white_name = "mybot";
  view.game->our_color = shogi::Color::white;
  view.game->moves.resize(moves);
  view.game->score = bridge::ViewedScore{false, score, 18, ""};
  return view;
}

TEST(ServiceStatus, a_game_is_told_with_its_move_and_the_evaluation_from_our_side) {
  EXPECT_EQ(describe_for_service(playing(37, -123), "14:03"),
            "playing \"opponent\" as white, move 37, +123 at depth 18");
}

TEST(ServiceStatus, a_wait_is_told_with_its_beginning) {
  bridge::View view;
  view.phase = bridge::Phase::waiting;
  EXPECT_EQ(describe_for_service(view, "14:03"), "waiting for a game since 14:03");
  view.games_finished = 2;
  EXPECT_EQ(describe_for_service(view, "14:03"),
            "waiting for a game since 14:03, 2 games finished");
}

TEST(ServiceStatus, a_line_is_told_once_and_looked_for_once_a_second) {
  ServiceStatus status;
  EXPECT_TRUE(status.is_due(at(0).steady));
  EXPECT_TRUE(status.observe(playing(1, 10), at(0)));
  EXPECT_FALSE(status.is_due(at(0).steady));
  EXPECT_FALSE(status.observe(playing(1, 10), at(0)));
  EXPECT_TRUE(status.is_due(at(1).steady));
  EXPECT_TRUE(status.observe(playing(2, 20), at(1)));
}

}  // namespace
}  // namespace kakehashi::daemon
