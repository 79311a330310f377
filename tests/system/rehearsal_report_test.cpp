// What a rehearsal came to, and its verdict.
#include "rehearse/rehearsal_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rehearse/io/fault_proxy.hpp"
#include "rehearse/io/rehearsal_pair.hpp"

namespace kakehashi::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::array<std::string, 2> names{"alice", "bob"};

bridge::View finished_game(const char* id, int had_s) {
  bridge::View view;
  view.game.emplace();
  view.game->game_id = id;
  view.game->end = csa::GameEnd{};
  view.game->time.moves = 1;
  view.game->time.granted = base::Millis{100'000};
  view.game->time.gone = base::Millis{(100 - had_s) * 1000};
  return view;
}

std::vector<std::string> words_of(const rehearse::RehearsalReport::Verdict& verdict) {
  std::vector<std::string> words;
  for (const auto& [about, text] : verdict.lines) {
    words.push_back(about.english() + " " + text.english());
  }
  return words;
}

TEST(RehearsalReport, a_clean_rehearsal_is_fit) {
  rehearse::RehearsalReport report;
  report.observe(0, finished_game("one", 99));
  report.take(0, bridge::Occurred{bridge::Incident::game_ended});
  const auto verdict = report.judge(names, 1, 1);
  EXPECT_THAT(verdict.problems, IsEmpty());
  EXPECT_EQ(words_of(verdict).front(), "games 1 of 1 finished");
  EXPECT_EQ(words_of(verdict).back(), "verdict fit to enter");
}

TEST(RehearsalReport, what_loses_games_is_unfit_and_names_its_code) {
  rehearse::RehearsalReport report;
  report.take(1, bridge::Occurred{bridge::Incident::lost_by_fault});
  report.take(1, bridge::Occurred{bridge::Incident::rescue_played});
  EXPECT_THAT(report.judge(names, 2, 1).problems,
              ElementsAre("not all games were finished",
                          "bob: games lost by the clock, a foul or an illegal move: 1 (lost_by_fault)",
                          "bob: moves played without the engine: 1 (rescue_move)"));
}

TEST(RehearsalReport, an_engine_that_the_rehearsal_killed_is_no_fault_of_the_set_up) {
  rehearse::RehearsalReport lost_by_itself;
  lost_by_itself.take(0, bridge::Occurred{bridge::Incident::engine_lost});
  EXPECT_THAT(lost_by_itself.judge(names, 1, 1).problems, Contains(HasSubstr("engine_lost")));
  rehearse::RehearsalReport killed;
  killed.take(0, bridge::Occurred{bridge::Incident::engine_lost});
  killed.engine_killed(0);
  const auto verdict = killed.judge(names, 1, 1);
  EXPECT_THAT(verdict.problems, IsEmpty());
  EXPECT_THAT(words_of(verdict), Contains("injected an engine is killed in mid-game: 1"));
}

TEST(RehearsalReport, a_margin_that_takes_too_much_is_unfit_and_a_game_counts_once) {
  rehearse::RehearsalReport report;
  report.observe(0, finished_game("one", 90));
  report.observe(0, finished_game("one", 90));
  EXPECT_THAT(report.judge(names, 1, 1).problems,
              ElementsAre("alice: the engine had only 90.0 % of the time granted, the margin takes the rest: "
                          "leave time.margin at auto, or lower time.margin_min where the server is near "
                          "(docs/guard.md)"));
}

TEST(RehearsalReport, what_is_kept_back_against_an_injected_delay_is_no_fault_of_the_set_up) {
  rehearse::RehearsalReport report;
  report.observe(0, finished_game("one", 97));
  report.observe(0, finished_game("two", 90));
  const base::Millis wild = rehearse::io::faults_of("wild")->delay_max;
  EXPECT_THAT(report.judge(names, 2, 2, wild).problems, IsEmpty());
  EXPECT_THAT(report.judge(names, 2, 2).problems, Contains(HasSubstr("only 93.5 %")));
}

TEST(RehearsalReport, a_margin_far_beyond_the_injected_delay_is_unfit) {
  rehearse::RehearsalReport report;
  report.observe(0, finished_game("one", 50));
  EXPECT_THAT(report.judge(names, 1, 1, rehearse::io::faults_of("wild")->delay_max).problems,
              Contains(HasSubstr("only 50.0 %")));
}

TEST(RehearsalReport, a_rescue_behind_a_kill_is_no_fault_of_the_set_up_and_another_one_is) {
  rehearse::RehearsalReport report;
  report.engine_killed(0);
  report.take(0, bridge::Occurred{bridge::Incident::engine_lost});
  report.take(0, bridge::Occurred{bridge::Incident::rescue_played});
  EXPECT_THAT(report.judge(names, 1, 1).problems, IsEmpty());
  report.take(0, bridge::Occurred{bridge::Incident::rescue_played});
  EXPECT_THAT(report.judge(names, 1, 1).problems, Contains(HasSubstr("rescue_move")));
}

TEST(RehearsalPair, its_journals_stand_apart_so_that_no_archive_takes_its_games_for_real_ones) {
  rehearse::io::RehearsalPlan plan;
  plan.configs[0].account.name = plan.configs[1].account.name = "alice";
  plan.configs[1].journal.directory = "/var/lib/kakehashi/journal";
  const auto configs = rehearse::io::prepare_configs(plan, 4081);
  EXPECT_EQ(configs[0].journal.directory, "journal/rehearsal");
  EXPECT_EQ(configs[1].journal.directory, "/var/lib/kakehashi/journal/rehearsal");
  EXPECT_EQ(configs[1].account.name, "alice-2");
}

TEST(RehearsalPair, speaks_straight_to_the_embedded_server_however_its_own_is_reached) {
  rehearse::io::RehearsalPlan plan;
  plan.configs[0].server.tls.enabled = true;
  plan.configs[1].server.websocket.enabled = true;
  plan.configs[1].server.proxy.emplace();
  const auto configs = rehearse::io::prepare_configs(plan, 4081);
  EXPECT_FALSE(configs[0].server.tls.enabled);
  EXPECT_FALSE(configs[1].server.websocket.enabled);
  EXPECT_FALSE(configs[1].server.proxy);
}

TEST(RehearsalEvent, events_and_faults_are_known_by_their_words) {
  EXPECT_EQ(rehearse::io::habits_of("wcsc")->max_moves, 320);
  EXPECT_EQ(rehearse::io::habits_of("denryu")->max_moves, 512);
  EXPECT_TRUE(rehearse::io::habits_of("floodgate")->pair_every);
  EXPECT_FALSE(rehearse::io::habits_of("chess"));
  EXPECT_TRUE(rehearse::io::faults_of("wild")->kills_engines);
  EXPECT_FALSE(rehearse::io::faults_of("mild")->kills_engines);
  EXPECT_FALSE(rehearse::io::faults_of("mad"));
}

}  // namespace
}  // namespace kakehashi::cli
