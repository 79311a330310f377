// Two complete bots, the embedded server, real TCP, real engine processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "cli/rehearsal_show.hpp"
#include "rehearse/io/rehearsal_pair.hpp"
#include "tests/system/bots.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::cli {
namespace {

using test::bot;
using test::fake_engine;
using test::read_text;
using test::Scratch;
using testing::AnyOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

/// A real engine that moves slowly thinks for tenths of a second on it; the rest is for a busy machine.
constexpr const char* spare_clock = "test-20-1F";

class WholeGame : public testing::Test {
 protected:
  void plan(std::vector<std::string> alice, std::vector<std::string> bob) {
    plan_.configs = {bot(scratch, "alice", std::move(alice)), bot(scratch, "bob", std::move(bob))};
    plan_.game_name = "test-600-10";
  }

  void play() {
    std::ostringstream out;
    watch::Look look;
    look.kanji = false;
    const Lines lines(out, words::Language::english);
    RehearsalShow show(lines, games_, false, look);
    rehearse::SeriesRules rules;
    rules.games = games_;
    rehearse::Series series(rules);
    status = rehearse::io::play_rehearsal(plan_, series, show, report);
    show.tell_results("alice", "bob");
    shown = out.str();
    log = read_text(scratch.path("kakehashi.log"));
  }

  std::vector<std::string> records() {
    std::vector<std::string> texts;
    for (const auto& name : scratch.names("records")) {
      texts.push_back(read_text(scratch.path("records/" + name)));
    }
    return texts;
  }

  Scratch scratch;
  rehearse::io::RehearsalPlan plan_;
  int games_ = 1;
  rehearse::RehearsalReport report;
  int status = -1;
  std::string shown;
  std::string log;
};

TEST_F(WholeGame, habits_and_faults_are_lived_through_and_reported) {
  plan(fake_engine({"--think-ms", "20"}), fake_engine({"--think-ms", "20"}));
  plan_.habits.agree_held = base::Millis{50};
  plan_.habits.rejected_pairings = 1;
  plan_.faults = {base::Millis{20}, true, true};
  play();
  EXPECT_EQ(status, 0) << log;
  const auto verdict = report.judge({"alice", "bob"}, 1, 1);
  EXPECT_THAT(verdict.problems, testing::IsEmpty()) << log;
  for (const char* text : {"1 of 1 finished", "fit to enter", "a pairing is rejected by the other side: 1",
                           "an engine is killed in mid-game: 1"}) {
    EXPECT_THAT(verdict.lines, testing::Contains(testing::Field(&rehearse::RehearsalReport::Line::text, text)));
  }
  EXPECT_THAT(log, HasSubstr("engine_lost: engine ended: signal 9"));
  EXPECT_THAT(log, HasSubstr("game_rejected"));
}

TEST_F(WholeGame, engines_that_move_to_and_fro_draw_by_repetition) {
  plan(fake_engine(), fake_engine());
  play();
  EXPECT_EQ(status, 0) << log;
  EXPECT_THAT(shown, HasSubstr("draw (#SENNICHITE) after"));
  ASSERT_THAT(records(), SizeIs(2));
  for (const auto& record : records()) {
    EXPECT_THAT(record, HasSubstr("%SENNICHITE"));
    EXPECT_THAT(record, HasSubstr("N+"));
  }
}

TEST_F(WholeGame, the_password_stands_in_no_log_and_in_no_record) {
  plan(fake_engine(), fake_engine({"--resign-on-go", "2"}));
  play();
  EXPECT_EQ(status, 0);
  EXPECT_THAT(log, HasSubstr("server > \"LOGIN alice"));
  EXPECT_THAT(log, Not(HasSubstr("rehearsal\"\n")));
  EXPECT_THAT(log, HasSubstr("test-600-10,****\""));
  for (const auto& record : records()) {
    EXPECT_THAT(record, Not(HasSubstr("do-not-tell")));
  }
}

TEST_F(WholeGame, an_engine_that_resigns_loses_that_game) {
  plan(fake_engine(), fake_engine({"--resign-on-go", "3"}));
  play();
  EXPECT_EQ(status, 0) << log;
  EXPECT_THAT(shown, HasSubstr("alice won (#RESIGN)"));
}

TEST_F(WholeGame, several_games_are_counted_and_each_has_its_own_record) {
  plan(fake_engine(), fake_engine({"--resign-on-go", "2"}));
  games_ = 3;
  play();
  EXPECT_EQ(status, 0) << log;
  EXPECT_THAT(shown, HasSubstr("game 3 of 3"));
  EXPECT_THAT(records(), SizeIs(6));
}

TEST_F(WholeGame, an_engine_that_dies_on_its_turn_is_replaced_and_the_game_goes_on) {
  plan(fake_engine({"--die-on-go", "3"}), fake_engine());
  play();
  EXPECT_EQ(status, 0) << log;
  EXPECT_THAT(log, HasSubstr("engine_lost"));
  EXPECT_THAT(shown, HasSubstr("draw (#SENNICHITE)"));
}

TEST_F(WholeGame, an_engine_that_closes_its_output_is_replaced_long_before_its_time_is_over) {
  plan(fake_engine({"--close-stdout-on-go", "3"}), fake_engine());
  play();
  EXPECT_EQ(status, 0) << log;
  EXPECT_THAT(log, HasSubstr("engine_lost"));
  EXPECT_THAT(shown, HasSubstr("draw (#SENNICHITE)"));
}

TEST_F(WholeGame, an_illegal_move_is_never_sent) {
  plan(fake_engine({"--illegal-on-go", "2"}), fake_engine());
  play();
  EXPECT_EQ(status, 0) << log;
  EXPECT_THAT(log, HasSubstr("unusable_bestmove"));
  EXPECT_THAT(log, Not(HasSubstr("#ILLEGAL_MOVE")));
}

TEST_F(WholeGame, an_engine_that_hangs_does_not_lose_on_time) {
  plan(fake_engine({"--hang-on-go", "2"}), fake_engine({"--resign-on-go", "3"}));
  // Half of each turn is kept back, so that a busy machine loses no game here.
  plan_.game_name = "test-0-10";
  for (auto& config : plan_.configs) {
    config.time.margin = base::Millis{5'000};
  }
  play();
  EXPECT_EQ(status, 0) << log;
  EXPECT_THAT(log, HasSubstr("rescue_move"));
  EXPECT_THAT(shown, HasSubstr("alice won (#RESIGN)"));
}

TEST_F(WholeGame, a_flood_of_words_and_late_answers_change_nothing) {
  plan(fake_engine({"--flood", "2000", "--bestmove-twice"}),
       fake_engine({"--ponder", "7g7f", "--late-ms", "20", "--stderr-flood"}));
  plan_.configs[1].ponder = config::Ponder::on;
  play();
  EXPECT_EQ(status, 0);
  EXPECT_THAT(shown, HasSubstr("draw (#SENNICHITE)"));
}

TEST_F(WholeGame, a_records_directory_that_cannot_be_written_costs_the_records_only) {
  plan(fake_engine(), fake_engine());
  test::write_text(scratch.path("file"), "");
  for (auto& config : plan_.configs) {
    config.records.directory = scratch.path("file/records");
  }
  play();
  EXPECT_EQ(status, 0) << log;
  EXPECT_THAT(shown, HasSubstr("draw (#SENNICHITE)"));
  EXPECT_THAT(log, HasSubstr("record_failed"));
}

TEST_F(WholeGame, an_engine_that_is_not_there_ends_the_rehearsal_as_unavailable) {
  plan({scratch.path("no-such-engine")}, fake_engine());
  play();
  EXPECT_EQ(status, 69) << log;
  EXPECT_THAT(log, HasSubstr("No such file or directory"));
}

TEST_F(WholeGame, a_real_engine_plays_legal_moves_in_time) {
  plan({"/usr/games/fairy-stockfish"}, fake_engine({"--resign-on-go", "8"}));
  plan_.configs[0].engine.options = {{"Slow Mover", "10"}};
  plan_.game_name = spare_clock;
  play();
  EXPECT_EQ(status, 0) << log;
  EXPECT_THAT(shown, AnyOf(HasSubstr("alice won (#RESIGN)"), HasSubstr("alice won (#ILLEGAL")))
      << log;
  EXPECT_THAT(log, Not(HasSubstr("rescue_move")));
}

TEST_F(WholeGame, a_uci_engine_plays_a_whole_game_of_shogi) {
  plan({"/usr/games/fairy-stockfish"}, {"/usr/games/fairy-stockfish"});
  plan_.configs[0].engine.protocol = usi::Protocol::uci;
  plan_.configs[0].engine.options = {{"USI_Hash", "8"}, {"Slow Mover", "10"}};
  plan_.configs[0].ponder = config::Ponder::on;
  plan_.configs[0].game.comments = true;
  plan_.configs[1].engine.options = {{"Skill Level", "-10"}, {"Slow Mover", "10"}};
  plan_.game_name = spare_clock;
  play();
  EXPECT_EQ(status, 0) << log;
  EXPECT_THAT(shown, HasSubstr("after")) << log;
  EXPECT_THAT(log, HasSubstr("engine < \"uciok\""));
  EXPECT_THAT(log, HasSubstr("engine > \"setoption name UCI_Variant value shogi\""));
  EXPECT_THAT(log, HasSubstr("engine > \"setoption name Hash value 8\""));
  EXPECT_THAT(log, HasSubstr("engine > \"position startpos moves "));
  EXPECT_THAT(log, HasSubstr("engine > \"go ponder wtime "));
  for (const char* trouble : {"unusable_bestmove", "rescue_move", "engine_lost", "engine_odd_line"}) {
    EXPECT_THAT(log, Not(ContainsRegex(std::string("\\[alice\\] ") + trouble)));
  }
  EXPECT_THAT(shown, Not(HasSubstr("alice lost (#TIME_UP)")));
  ASSERT_THAT(records(), SizeIs(2));
  for (const auto& record : records()) {
    EXPECT_THAT(record, Not(HasSubstr("%ILLEGAL_MOVE")));
  }
}

}  // namespace
}  // namespace kakehashi::cli
