// What is counted from notes.
#include "status/bot_state.hpp"

#include <gtest/gtest.h>

namespace kakehashi::status {
namespace {

bridge::Note note(bridge::Level level, std::string code, std::string text = "text") {
  bridge::Note made;
  made.level = level;
  made.code = std::move(code);
  made.text = std::move(text);
  return made;
}

bridge::Note game_ended(const std::string& outcome, const std::string& reason) {
  bridge::Note made = note(bridge::Level::info, "game_ended");
  made.fields = {{"outcome", outcome}, {"reason", reason}};
  return made;
}

TEST(BotState, counts_notes_by_their_code_and_leaves_traffic_out) {
  BotState state("mybot");
  state.take(note(bridge::Level::info, "connected"), {});
  state.take(note(bridge::Level::info, "connected"), {});
  state.take(note(bridge::Level::debug, "traffic"), {});
  EXPECT_EQ(state.count("connected"), 2U);
  EXPECT_EQ(state.count("traffic"), 0U);
  EXPECT_EQ(state.count("never"), 0U);
  EXPECT_EQ(state.lines().size(), 2U);
}

TEST(BotState, counts_games_by_outcome_and_known_reasons_only) {
  BotState state("mybot");
  state.take(game_ended("win", "#RESIGN"), {});
  state.take(game_ended("win", "#RESIGN"), {});
  state.take(game_ended("lose", "#\"}\nevil"), {});
  state.take(game_ended("no result", ""), {});
  const BotState::Games expected{
      {{"win", "RESIGN"}, 2}, {{"lose", "other"}, 1}, {{"none", "other"}, 1}};
  EXPECT_EQ(state.games(), expected);
}

TEST(BotState, keeps_the_last_lines_only) {
  BotState state("mybot");
  for (std::size_t i = 0; i < 3 * BotState::lines_kept; ++i) {
    state.take(note(bridge::Level::info, "connected", std::to_string(i)), {});
  }
  ASSERT_EQ(state.lines().size(), BotState::lines_kept);
  EXPECT_EQ(state.lines().back().text, std::to_string(3 * BotState::lines_kept - 1));
}

TEST(BotState, a_trouble_lasts_until_the_next_login) {
  BotState state("mybot");
  state.take(note(bridge::Level::warn, "retrying", "no connection"), {});
  EXPECT_EQ(state.trouble(), "no connection");
  state.take(note(bridge::Level::info, "logged_in"), {});
  EXPECT_EQ(state.trouble(), "");
}

}  // namespace
}  // namespace kakehashi::status
