// What differs between the protocols, word by word.
#include "usi/dialect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/usi/words.hpp"
#include "usi/option.hpp"
#include "usi/session.hpp"

namespace kakehashi::usi {
namespace {

using usi::test::words;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

const Dialect& usi_dialect() { return dialect_of(Protocol::usi); }
const Dialect& uci_dialect() { return dialect_of(Protocol::uci); }
const Dialect& tei_dialect() { return dialect_of(Protocol::tei); }
const Dialect& ucgi_dialect() { return dialect_of(Protocol::ucgi); }

TEST(Dialect, every_row_of_the_table_stands_at_its_protocol) {
  for (const Protocol protocol :
       {Protocol::usi, Protocol::uci, Protocol::tei, Protocol::ucgi}) {
    EXPECT_EQ(dialect_of(protocol).protocol, protocol);
    EXPECT_EQ(protocol_named(dialect_of(protocol).name), protocol);
  }
  EXPECT_EQ(protocol_named("xboard"), std::nullopt);
}

TEST(Dialect, moves_are_mirrored_both_ways) {
  EXPECT_EQ(uci_move("7g7f"), "c3c4");
  EXPECT_EQ(uci_move("8h2b+"), "b2h8+");
  EXPECT_EQ(uci_move("P*5e"), "P@e5");
  EXPECT_EQ(usi_move("i9i8"), "1a1b");
  EXPECT_EQ(usi_move("b2h8+"), "8h2b+");
  EXPECT_EQ(usi_move("G@a1"), "G*9i");
}

TEST(Dialect, what_is_no_move_is_passed_on_for_the_guard) {
  for (const char* word : {"", "resign", "e1", "7g7f", "c3c0", "P@e5+", "j1a1", "c3c4q", "+@a1"}) {
    EXPECT_EQ(usi_move(word), word);
  }
}

TEST(Dialect, a_position_is_spelled_as_fen) {
  EXPECT_EQ(respell_position(uci_dialect(), "position startpos moves 7g7f P*5e"),
            "position startpos moves c3c4 P@e5");
  EXPECT_EQ(respell_position(uci_dialect(),
                             "position sfen lnsgkgsnl/9/9/9/9/9/9/9/LNSGKGSNL w R2b12p 8 moves 5a5b"),
            "position fen lnsgkgsnl/9/9/9/9/9/9/9/LNSGKGSNL[Rbbpppppppppppp] b - - 0 4 moves e9e8");
  EXPECT_EQ(respell_position(uci_dialect(), "position sfen 4k4/9/9/9/9/9/9/9/4K4 b -"),
            "position fen 4k4/9/9/9/9/9/9/9/4K4[] w - - 0 1");
  EXPECT_EQ(respell_position(tei_dialect(), "position startpos moves a1"),
            "position startpos moves a1");
}

TEST(Dialect, clocks_have_their_owners_names) {
  EXPECT_EQ(respell_go(uci_dialect(), "go btime 60000 wtime 50000 binc 5000 winc 4000"),
            "go wtime 60000 btime 50000 winc 5000 binc 4000");
  EXPECT_EQ(respell_go(tei_dialect(), "go btime 60000 wtime 50000"), "go wtime 60000 btime 50000");
  EXPECT_EQ(respell_go(ucgi_dialect(), "go btime 60000 wtime 50000 binc 10 winc 20"),
            "go 1time 60000 2time 50000 1inc 10 2inc 20");
  EXPECT_EQ(respell_go(usi_dialect(), "go btime 1 wtime 2 byoyomi 3"), "go btime 1 wtime 2 byoyomi 3");
}

TEST(Dialect, byoyomi_never_promises_more_than_this_move_has) {
  EXPECT_EQ(respell_go(uci_dialect(), "go btime 0 wtime 0 byoyomi 10000"), "go movetime 10000");
  EXPECT_EQ(respell_go(uci_dialect(), "go btime 60000 wtime 0 byoyomi 10000"),
            "go wtime 70000 btime 10000 winc 10000 binc 10000");
  EXPECT_EQ(respell_go(uci_dialect(), "go ponder btime 0 wtime 0 byoyomi 10000"),
            "go ponder wtime 10000 btime 10000 winc 10000 binc 10000");
  EXPECT_EQ(respell_go(uci_dialect(), "go btime 1000 wtime 1000 byoyomi 0"),
            "go wtime 1000 btime 1000");
}

TEST(Dialect, what_a_go_says_is_read_and_written) {
  for (const std::string line : {"go", "go infinite", "go ponder btime 1 wtime 2 binc 3 winc 4", "go btime 1 wtime 2 byoyomi 3"}) {
    EXPECT_EQ(format_go(usi_dialect(), parse_go(line)), line);
  }
  EXPECT_EQ(format_go(usi_dialect(), parse_go("go joho btime x")), "go");
  EXPECT_EQ(respell_go(uci_dialect(), "go infinite"), "go infinite");
}

TEST(Dialect, a_uci_engine_is_led_in_its_own_words) {
  Session session(uci_dialect());
  EXPECT_THAT(words(session.begin()), ElementsAre("> uci"));
  EXPECT_THAT(words(session.on_line("usiok")), ElementsAre("said usiok"));
  EXPECT_THAT(words(session.on_line("uciok")), ElementsAre("identified "));
  static_cast<void>(session.prepare({}));
  static_cast<void>(session.on_line("readyok"));
  EXPECT_THAT(words(session.new_game()), ElementsAre("> ucinewgame"));
  EXPECT_THAT(words(session.search({"position startpos moves 7g7f", "go btime 5 wtime 6", false})
                        .reaction),
              ElementsAre("> position startpos moves c3c4", "> go wtime 5 btime 6"));
  const Reaction info = session.on_line("info depth 3 score mate 3 currmove h8i9 pv i7i6 b2h8+ P@e5");
  const Info& heard = std::get<SearchInfo>(info.events.at(0)).info;
  EXPECT_THAT(heard.pv, ElementsAre("1c1d", "8h2b+", "P*5e"));
  EXPECT_EQ(heard.score, (Score{.is_mate = true, .value = 5})) << "three moves are five plies";
  EXPECT_THAT(words(session.on_line("bestmove i7i6 ponder c3c4")),
              ElementsAre("1 answered 1c1d expecting 7g7f"));
  EXPECT_THAT(words(session.game_over(GameOver::win)), IsEmpty()) << "UCI has no such word";
}

TEST(Dialect, a_mated_engine_has_no_move_and_resigns) {
  Session session(uci_dialect());
  static_cast<void>(session.begin());
  static_cast<void>(session.on_line("uciok"));
  static_cast<void>(session.prepare({}));
  static_cast<void>(session.on_line("readyok"));
  static_cast<void>(session.search({"position startpos", "go", false}));
  const Reaction info = session.on_line("info depth 0 score mate -2");
  EXPECT_EQ(std::get<SearchInfo>(info.events.at(0)).info.score,
            (Score{.is_mate = true, .value = -4, .mate_is_lost = true}));
  EXPECT_THAT(words(session.on_line("bestmove (none)")), ElementsAre("1 answered resign"));
}

TEST(Dialect, tei_and_ucgi_get_ready_again_behind_a_new_game) {
  for (const Protocol protocol : {Protocol::tei, Protocol::ucgi}) {
    const Dialect& dialect = dialect_of(protocol);
    Session session(dialect);
    static_cast<void>(session.begin());
    static_cast<void>(session.on_line(dialect.hello_answer));
    static_cast<void>(session.prepare({}));
    static_cast<void>(session.on_line("readyok"));
    EXPECT_THAT(session.new_game().lines, ElementsAre(dialect.new_game, "isready"));
    EXPECT_EQ(session.phase(), Session::Phase::preparing);
    static_cast<void>(session.on_line("readyok"));
    EXPECT_EQ(session.phase(), Session::Phase::ready);
  }
}

TEST(Settings, are_the_users_in_his_order_and_the_bridges_own) {
  const std::vector<Option> declared{
      {"UCI_Variant", OptionType::combo, "chess", {}, {}, {"chess", "shogi"}},
      {"Hash", OptionType::spin, "16", 1, 1024, {}},
      {"Ponder", OptionType::check, "false", {}, {}, {}}};
  const Settings settings =
      plan_settings(uci_dialect(), declared, {{"USI_Hash", "64"}, {"Hasch", "1"}, {"ponder", "true"}},
                    false);
  EXPECT_THAT(settings.lines,
              ElementsAre(OptionSetting{"UCI_Variant", "shogi"}, OptionSetting{"Hash", "64"},
                          OptionSetting{"Ponder", "true"}));
  EXPECT_THAT(settings.problems,
              ElementsAre("the engine declares no option \"Hasch\"; did you mean \"Hash\"?"));
}

TEST(Settings, usi_ponder_is_said_undeclared_and_only_when_it_is_on) {
  EXPECT_THAT(plan_settings(usi_dialect(), {}, {}, true).lines,
              ElementsAre(OptionSetting{"USI_Ponder", "true"}));
  EXPECT_THAT(plan_settings(usi_dialect(), {}, {}, false).lines, IsEmpty());
  EXPECT_THAT(plan_settings(uci_dialect(), {}, {}, true).lines, IsEmpty());
  EXPECT_THAT(plan_settings(tei_dialect(), {}, {}, true).lines, IsEmpty());
}

TEST(Settings, an_engine_of_many_games_without_shogi_is_a_problem) {
  const Settings settings = plan_settings(
      uci_dialect(), {{"UCI_Variant", OptionType::combo, "chess", {}, {}, {"chess"}}}, {}, false);
  EXPECT_THAT(settings.problems, ElementsAre("the engine's UCI_Variant does not offer shogi"));
  EXPECT_THAT(settings.lines, IsEmpty());
}

}  // namespace
}  // namespace kakehashi::usi
