#include "usi/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/check.hpp"
#include "tests/usi/words.hpp"

namespace kakehashi::usi {
namespace {

using Phase = Session::Phase;
using usi::test::words;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Engine {
  Session session;

  Engine() {
    static_cast<void>(session.begin());
    static_cast<void>(session.on_line("id name Fake"));
    static_cast<void>(session.on_line("usiok"));
    static_cast<void>(session.prepare({}));
    static_cast<void>(session.on_line("readyok"));
  }
  std::vector<std::string> says(std::string_view line) { return words(session.on_line(line)); }
  std::vector<std::string> search(const std::string& position, bool is_ponder = false) {
    return words(
        session.search({position, is_ponder ? "go ponder" : "go", is_ponder}).reaction);
  }
};

TEST(Session, the_handshake_leads_to_ready_with_options_in_order) {
  Session session;
  EXPECT_THAT(words(session.begin()), ElementsAre("> usi"));
  EXPECT_THAT(words(session.on_line("Fake 1.0 by nobody")), ElementsAre("said Fake 1.0 by nobody"));
  EXPECT_THAT(words(session.on_line("id name Fake")), IsEmpty());
  EXPECT_THAT(words(session.on_line("")), IsEmpty());
  EXPECT_THAT(words(session.on_line("option name A type check default false")), IsEmpty());
  EXPECT_THAT(words(session.on_line("usiok")), ElementsAre("identified Fake"));
  EXPECT_EQ(session.options().size(), 1U);
  EXPECT_THAT(words(session.prepare({{"B", "1"}, {"A B", "x y"}, {"Clear", std::nullopt}})),
              ElementsAre("> setoption name B value 1", "> setoption name A B value x y",
                          "> setoption name Clear", "> isready"));
  EXPECT_THAT(words(session.on_line("readyok")), ElementsAre("ready"));
  EXPECT_EQ(session.phase(), Phase::ready);
  EXPECT_THAT(words(session.new_game()), ElementsAre("> usinewgame"));
}

TEST(Session, a_search_is_numbered_and_answered) {
  Engine engine;
  EXPECT_THAT(engine.search("position a"), ElementsAre("> position a", "> go"));
  EXPECT_THAT(engine.says("info depth 1"), ElementsAre("info of 1"));
  EXPECT_THAT(engine.says("bestmove 7g7f ponder 3c3d"),
              ElementsAre("1 answered 7g7f expecting 3c3d"));
  EXPECT_EQ(engine.session.phase(), Phase::ready);
}

TEST(Session, a_second_bestmove_is_swallowed) {
  Engine engine;
  static_cast<void>(engine.search("position a"));
  static_cast<void>(engine.says("bestmove 7g7f"));
  EXPECT_THAT(engine.says("bestmove 7g7f"), ElementsAre("swallowed bestmove 7g7f"));
}

TEST(Session, the_next_search_waits_for_the_answer_to_the_abandoned_one) {
  Engine engine;
  static_cast<void>(engine.search("position a", true));
  EXPECT_THAT(words(engine.session.abandon()), ElementsAre("> stop"));
  EXPECT_THAT(engine.search("position b"), IsEmpty()) << "never position while searching";
  EXPECT_EQ(engine.session.current_search(), SearchId{2});
  EXPECT_THAT(engine.says("info depth 9"), IsEmpty());
  EXPECT_THAT(engine.says("bestmove resign"),
              ElementsAre("swallowed bestmove resign", "> position b", "> go"));
  EXPECT_THAT(engine.says("bestmove 7g7f"), ElementsAre("2 answered 7g7f"));
}

TEST(Session, a_queued_search_is_replaced_by_a_newer_one) {
  Engine engine;
  static_cast<void>(engine.search("position a"));
  static_cast<void>(engine.session.abandon());
  static_cast<void>(engine.search("position b"));
  EXPECT_THAT(words(engine.session.abandon()), IsEmpty()) << "stop is sent once";
  static_cast<void>(engine.search("position c"));
  EXPECT_THAT(engine.says("bestmove 1a1b"),
              ElementsAre("swallowed bestmove 1a1b", "> position c", "> go"));
}

TEST(Session, ponderhit_makes_the_answer_count) {
  Engine engine;
  static_cast<void>(engine.search("position a", true));
  EXPECT_TRUE(engine.session.is_pondering());
  EXPECT_THAT(words(engine.session.ponderhit("")), ElementsAre("> ponderhit"));
  EXPECT_FALSE(engine.session.is_pondering());
  EXPECT_THAT(engine.says("bestmove 7g7f"), ElementsAre("1 answered 7g7f"));
}

TEST(Session, ponderhit_may_carry_times) {
  Engine engine;
  static_cast<void>(engine.search("position a", true));
  EXPECT_THAT(words(engine.session.ponderhit("btime 1 wtime 2")),
              ElementsAre("> ponderhit btime 1 wtime 2"));
}

TEST(Session, a_bestmove_before_ponderhit_is_kept_and_used_on_a_hit) {
  Engine engine;
  static_cast<void>(engine.search("position a", true));
  EXPECT_THAT(engine.says("bestmove 7g7f"), ElementsAre("parked"));
  EXPECT_EQ(engine.session.current_search(), SearchId{1});
  EXPECT_THAT(words(engine.session.ponderhit("")), ElementsAre("1 answered 7g7f"));
  EXPECT_EQ(engine.session.current_search(), std::nullopt);
}

TEST(Session, a_bestmove_before_ponderhit_is_dropped_on_a_miss) {
  Engine engine;
  static_cast<void>(engine.search("position a", true));
  static_cast<void>(engine.says("bestmove 7g7f"));
  EXPECT_THAT(words(engine.session.abandon()), IsEmpty()) << "nothing is owed: no stop";
  EXPECT_THAT(engine.search("position b"), ElementsAre("> position b", "> go"));
}

TEST(Session, hurry_sends_one_stop_and_the_answer_counts) {
  Engine engine;
  static_cast<void>(engine.search("position a"));
  EXPECT_THAT(words(engine.session.hurry()), ElementsAre("> stop"));
  EXPECT_THAT(words(engine.session.hurry()), IsEmpty());
  EXPECT_THAT(engine.says("bestmove 7g7f"), ElementsAre("1 answered 7g7f"));
}

TEST(Session, a_hurried_search_that_was_still_queued_is_stopped_when_it_starts) {
  Engine engine;
  static_cast<void>(engine.search("position a"));
  static_cast<void>(engine.session.abandon());
  static_cast<void>(engine.search("position b"));
  EXPECT_THAT(words(engine.session.hurry()), IsEmpty());
  EXPECT_THAT(engine.says("bestmove 1a1b"),
              ElementsAre("swallowed bestmove 1a1b", "> position b", "> go", "> stop"));
  EXPECT_THAT(engine.says("bestmove 7g7f"), ElementsAre("2 answered 7g7f"));
}

TEST(Session, a_hurried_search_can_still_be_abandoned) {
  Engine engine;
  static_cast<void>(engine.search("position a"));
  static_cast<void>(engine.session.hurry());
  EXPECT_THAT(words(engine.session.abandon()), IsEmpty());
  EXPECT_THAT(engine.says("bestmove 7g7f"), ElementsAre("swallowed bestmove 7g7f"));
}

TEST(Session, gameover_waits_for_the_stopped_search) {
  Engine engine;
  static_cast<void>(engine.search("position a"));
  EXPECT_THAT(words(engine.session.game_over(GameOver::lose)), ElementsAre("> stop"));
  EXPECT_THAT(engine.says("bestmove resign"),
              ElementsAre("swallowed bestmove resign", "> gameover lose"));
}

TEST(Session, gameover_goes_at_once_to_an_idle_engine) {
  Engine engine;
  EXPECT_THAT(words(engine.session.game_over(GameOver::win)), ElementsAre("> gameover win"));
}

TEST(Session, gameover_drops_a_parked_answer_and_a_queued_search) {
  Engine parked;
  static_cast<void>(parked.search("position a", true));
  static_cast<void>(parked.says("bestmove 7g7f"));
  EXPECT_THAT(words(parked.session.game_over(GameOver::draw)), ElementsAre("> gameover draw"));
  Engine queued;
  static_cast<void>(queued.search("position a"));
  static_cast<void>(queued.session.abandon());
  static_cast<void>(queued.search("position b"));
  static_cast<void>(queued.session.game_over(GameOver::win));
  EXPECT_THAT(queued.says("bestmove 1a1b"),
              ElementsAre("swallowed bestmove 1a1b", "> gameover win"));
}

TEST(Session, a_search_of_the_next_game_behind_the_end_of_the_last_is_announced) {
  Engine engine;
  static_cast<void>(engine.search("position a"));
  static_cast<void>(engine.session.game_over(GameOver::lose));
  static_cast<void>(engine.search("position b"));
  EXPECT_THAT(engine.says("bestmove 7g7f"),
              ElementsAre("swallowed bestmove 7g7f", "> gameover lose", "> usinewgame", "> position b", "> go"));
}

TEST(Session, words_out_of_place_are_complaints) {
  Engine engine;
  EXPECT_THAT(engine.says("usiok"), ElementsAre("complaint usiok came out of place"));
  EXPECT_THAT(engine.says("readyok"), ElementsAre("complaint readyok came out of place"));
}

TEST(Session, what_the_caller_must_not_do_is_checked) {
  Session fresh;
  EXPECT_THROW(static_cast<void>(fresh.new_game()), base::CheckFailure);
  EXPECT_THROW(static_cast<void>(fresh.search({"p", "go", false})), base::CheckFailure);
  EXPECT_THROW(static_cast<void>(fresh.prepare({})), base::CheckFailure);
  Engine engine;
  EXPECT_THROW(static_cast<void>(engine.session.begin()), base::CheckFailure);
  EXPECT_THROW(static_cast<void>(engine.session.ponderhit("")), base::CheckFailure);
  static_cast<void>(engine.search("position a"));
  EXPECT_THROW(static_cast<void>(engine.session.search({"p", "go", false})), base::CheckFailure);
  EXPECT_THROW(static_cast<void>(engine.session.new_game()), base::CheckFailure);
}

TEST(Session, the_options_it_keeps_are_bounded_and_that_is_told_once) {
  Session session;
  static_cast<void>(session.begin());
  int complaints = 0;
  for (std::size_t i = 0; i < 2 * Session::options_max; ++i) {
    const Reaction reaction =
        session.on_line("option name O" + std::to_string(i) + " type button");
    complaints += static_cast<int>(reaction.events.size());
  }
  EXPECT_EQ(session.options().size(), Session::options_max);
  EXPECT_EQ(complaints, 1);
}

TEST(Session, a_predicted_move_that_came_while_its_search_was_queued_is_told_when_it_starts) {
  Engine engine;
  static_cast<void>(engine.search("position a"));
  static_cast<void>(engine.session.abandon());
  static_cast<void>(engine.search("position b", true));
  EXPECT_TRUE(engine.session.is_pondering());
  EXPECT_THAT(words(engine.session.ponderhit("")), IsEmpty());
  EXPECT_FALSE(engine.session.is_pondering());
  EXPECT_THAT(engine.says("bestmove 1a1b"), ElementsAre("swallowed bestmove 1a1b", "> position b",
                                                        "> go ponder", "> ponderhit"));
  EXPECT_THAT(engine.says("bestmove 7g7f"), ElementsAre("2 answered 7g7f"));
}

TEST(Session, a_hurried_ponder_search_needs_no_ponderhit) {
  Engine engine;
  static_cast<void>(engine.search("position a", true));
  EXPECT_THAT(words(engine.session.hurry()), ElementsAre("> stop"));
  EXPECT_THAT(words(engine.session.ponderhit("")), IsEmpty());
  EXPECT_THAT(engine.says("bestmove 7g7f"), ElementsAre("1 answered 7g7f"));
}

TEST(Session, what_an_engine_says_while_it_loads_is_heard) {
  Session session;
  static_cast<void>(session.begin());
  static_cast<void>(session.on_line("usiok"));
  static_cast<void>(session.prepare({}));
  EXPECT_THAT(words(session.on_line("info string error: no evaluation file")),
              ElementsAre("said error: no evaluation file"));
}

TEST(Session, a_bestmove_without_a_move_is_an_answer_that_the_guard_must_judge) {
  Engine engine;
  static_cast<void>(engine.search("position a"));
  EXPECT_THAT(engine.says("bestmove"), ElementsAre("1 answered "));
  EXPECT_EQ(engine.session.owed(), 0U);
}

TEST(Session, settings_may_change_between_games) {
  Engine engine;
  static_cast<void>(engine.search("position a"));
  static_cast<void>(engine.session.game_over(GameOver::win));
  static_cast<void>(engine.says("bestmove 7g7f"));
  EXPECT_THAT(words(engine.session.prepare({{"Hash", "64"}})),
              ElementsAre("> setoption name Hash value 64", "> isready"));
  EXPECT_EQ(engine.session.phase(), Phase::preparing);
}

TEST(Session, several_lines_are_asked_for_before_the_search_and_the_usual_number_before_the_next) {
  Session session;
  static_cast<void>(session.begin());
  static_cast<void>(session.on_line("option name MultiPV type spin default 1 min 1 max 3"));
  static_cast<void>(session.on_line("usiok"));
  static_cast<void>(session.prepare({{"MultiPV", "2"}}));
  static_cast<void>(session.on_line("readyok"));

  EXPECT_THAT(words(session.search({"position a", "go infinite", false, 5}).reaction),
              ElementsAre("> setoption name MultiPV value 3", "> position a", "> go infinite"))
      << "more than it has is not asked for";
  EXPECT_THAT(words(session.abandon()), ElementsAre("> stop"));
  EXPECT_THAT(words(session.search({"position b", "go ponder", true}).reaction), IsEmpty()) << "an answer is owed";
  EXPECT_THAT(words(session.on_line("bestmove 3c3d")),
              ElementsAre(::testing::StartsWith("swallowed"), "> setoption name MultiPV value 2", "> position b", "> go ponder"));
}

TEST(Session, an_engine_without_several_lines_is_not_told_of_them) {
  Engine engine;
  EXPECT_THAT(words(engine.session.search({"position a", "go infinite", false, 5}).reaction),
              ElementsAre("> position a", "> go infinite"));
}

TEST(Session, a_registration_error_is_answered_and_a_copy_protection_error_is_final) {
  Engine engine;
  EXPECT_THAT(engine.says("registration checking"), IsEmpty());
  EXPECT_THAT(engine.says("registration error"),
              ElementsAre("complaint the engine is not registered, and may not use all its features",
                          "> register later"));
  EXPECT_THAT(engine.says("copyprotection ok"), IsEmpty());
  EXPECT_THAT(engine.says("copyprotection error"),
              ElementsAre("refused the engine reports a copy protection error"));
}

}  // namespace
}  // namespace kakehashi::usi
