// What is counted from facts.

#include <gtest/gtest.h>

#include "watch/report.hpp"

namespace kakehashi::watch {
namespace {

bridge::Note note(bridge::Level level, std::string code, std::string text = "text") {
  bridge::Note made;
  made.level = level;
  made.code = std::move(code);
  made.text = base::verbatim(std::move(text));
  return made;
}

TEST(BotState, counts_what_happens_and_nothing_by_its_note) {
  BotState state("mybot");
  state.take(note(bridge::Level::info, "connected"), {});
  state.take(note(bridge::Level::debug, "traffic"), {});
  EXPECT_EQ(state.count(bridge::Incident::connected), 0U);
  EXPECT_EQ(state.lines().size(), 1U) << "traffic is not kept";
  state.take(bridge::Occurred{bridge::Incident::connected});
  state.take(bridge::Occurred{bridge::Incident::connected});
  state.take(bridge::GameStarted{"id"});
  state.take(bridge::RescuePlayed{bridge::RescueCause::silent, base::verbatim("how")});
  EXPECT_EQ(state.count(bridge::Incident::connected), 2U);
  EXPECT_EQ(state.count(bridge::Incident::game_started), 1U);
  EXPECT_EQ(state.count(bridge::Incident::rescue_played), 1U);
  EXPECT_EQ(state.rescues(bridge::RescueCause::silent), 1U);
  EXPECT_EQ(state.rescues(bridge::RescueCause::gone), 0U);
  EXPECT_EQ(state.lines().size(), 1U);
}

TEST(BotState, counts_games_by_outcome_and_known_reasons_only) {
  BotState state("mybot");
  state.take(bridge::GameEnded{csa::Outcome::win, "#RESIGN", false, "foe", "g1", 9});
  state.take(bridge::GameEnded{csa::Outcome::win, "#RESIGN", false, "foe", "g1", 9});
  state.take(bridge::GameEnded{csa::Outcome::lose, "#\"}\nevil", false, "foe", "g1", 9});
  state.take(bridge::GameEnded{csa::Outcome::none, "", true, "foe", "g1", 9});
  const BotState::Games expected{
      {{"win", "RESIGN"}, 2}, {{"lose", "other"}, 1}, {{"none", "other"}, 1}};
  EXPECT_EQ(state.games(), expected);
  EXPECT_EQ(state.count(bridge::Incident::game_ended), 3U);
  EXPECT_EQ(state.count(bridge::Incident::game_lost_sight), 1U);
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
  state.take(bridge::Occurred{bridge::Incident::retrying, base::verbatim("no connection")});
  EXPECT_EQ(state.trouble(), "no connection");
  EXPECT_STREQ(state.trouble_code(), "retrying");
  state.take(bridge::Occurred{bridge::Incident::connected});
  EXPECT_EQ(state.trouble(), "no connection");
  state.take(bridge::Occurred{bridge::Incident::logged_in});
  EXPECT_EQ(state.trouble(), "");
  EXPECT_STREQ(state.trouble_code(), "");
}

}  // namespace
}  // namespace kakehashi::watch
