// Archived games for people and programs.
#include "games/game_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "shogi/notation/csa.hpp"

namespace kakehashi::games {
namespace {

using base::Millis;
using testing::HasSubstr;
using testing::Not;

ArchivedGame game() {
  ArchivedGame made;
  made.id = 12;
  made.bot = "mybot";
  made.server = "wdoor.c.u-tokyo.ac.jp:4081";
  made.game_id = "wdoor+floodgate-300-10F+us+foe+20260102030405";
  made.us = "us";
  made.opponent = "<foe>";
  made.clock = "300+10F";
  made.started_ms = 1'767'323'045'000;
  made.ended_ms = made.started_ms + 61'000;
  made.outcome = "lose";
  made.reason = "#TIME_UP";
  made.plies = 2;
  made.rescues = 1;
  made.rescue_causes = "move 1: no move came in time";
  return made;
}

shogi::record::Record record() {
  shogi::record::Record made;
  shogi::Position position = made.start;
  for (const auto& [text, time] : {std::pair("+7776FU", 3'000), std::pair("-3334FU", 12'500)}) {
    const shogi::record::RecordedMove move{*shogi::csa::parse_move(position, text), Millis{time}, {}, {}};
    position.play(move.move);
    made.moves.push_back(move);
  }
  shogi::record::Evaluation thought;
  thought.score = 52;
  thought.depth = 18;
  thought.pv = {"-3334FU", "+2726FU"};
  made.moves[0].evaluation = thought;
  return made;
}

TEST(GameText, an_instant_is_utc) { EXPECT_EQ(instant_text(1'767'323'045'000), "2026-01-02 03:04"); }

TEST(GameText, a_list_has_a_line_for_each_game) {
  EXPECT_EQ(list_text({game()}, words::Language::english),
            "     id  started (UTC)     result  color   opponent              clock      moves  time had  reason\n"
            "     12  2026-01-02 03:04  lose    black   <foe>                 300+10F        2            #TIME_UP  "
            "(1 rescue moves)\n");
}

TEST(GameText, one_game_is_told_with_its_link_and_its_moves) {
  const std::string text = game_text(game(), record(), words::Language::english);
  EXPECT_THAT(text, HasSubstr("black     us (we)\n"));
  EXPECT_THAT(text, HasSubstr("rescue    move 1: no move came in time\n"));
  EXPECT_THAT(text, HasSubstr("http://wdoor.c.u-tokyo.ac.jp/shogi/view/2026/01/02/"));
  EXPECT_THAT(text, HasSubstr("   1  +7776FU     3.0       +52    18  -3334FU +2726FU\n"));
  EXPECT_THAT(text, HasSubstr("   2  -3334FU    12.5\n"));
}

TEST(GameText, a_rescue_is_told_in_the_language_of_the_reader_and_as_it_is_stored_where_it_is_not_known) {
  ArchivedGame rescued = game();
  rescued.rescue_causes = "move 37: the engine was lost in 3 searches in a row; playing a legal move\nmove 39: an earlier version's words";
  EXPECT_THAT(head_text(rescued, words::Language::english),
              HasSubstr("rescue    move 37: the engine was lost in 3 searches in a row; playing a legal move\n"
                        "rescue    move 39: an earlier version's words\n"));
  const std::string japanese = head_text(rescued, words::Language::japanese);
  EXPECT_THAT(japanese, HasSubstr("37 手目: 探索中に"));
  EXPECT_THAT(japanese, Not(HasSubstr("playing")));
  EXPECT_THAT(japanese, HasSubstr("39 手目: an earlier version's words\n"));
}

TEST(GameText, the_account_of_time_and_pondering_is_told_where_it_is_known) {
  const std::string without = game_text(game(), record(), words::Language::english);
  EXPECT_THAT(without, Not(HasSubstr("granted")));
  EXPECT_THAT(without, Not(HasSubstr("pondering")));
  ArchivedGame known = game();
  known.time.emplace();
  known.time->granted_ms = 90'000;
  known.time->had_ms = 80'000;
  known.time->used_ms = 70'000;
  known.ponder_searches = 4;
  known.ponder_hits = 3;
  known.members = {{"main", 1, 3, 2, 600}, {"gpu2", 0, 1, 1, 300}};
  const std::string text = game_text(known, record(), words::Language::english);
  EXPECT_THAT(text, HasSubstr("the engine had 88.8 % of the time granted, 1 min 20 s of 1 min 30 s\n"));
  EXPECT_THAT(list_text({known}, words::Language::english), HasSubstr("  88.8 %  #TIME_UP"));
  EXPECT_THAT(text, HasSubstr("3 hits of 4, gained "));
  EXPECT_THAT(text, HasSubstr("main: 1 move, 2 hits of 3, gained 600 ms\n"));
  EXPECT_THAT(text, HasSubstr("gpu2: 0 moves, 1 hits of 1, gained 300 ms\n"));
}

TEST(GameText, a_spreadsheet_takes_no_name_for_a_formula) {
  ArchivedGame one = game();
  one.opponent = "=HYPERLINK(\"http://x\",\"y\")";
  const std::string line = csv_line(one);
  EXPECT_THAT(line, HasSubstr("\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""));
  const auto columns = [](const std::string& text) { return std::count(text.begin(), text.end(), ','); };
  EXPECT_EQ(columns(csv_head()), columns(csv_line(game())));
}

TEST(GameText, json_holds_the_position_after_each_move) {
  const auto parsed = boost::json::parse(json_of(game(), record()));
  EXPECT_EQ(parsed.at("id").as_int64(), 12);
  EXPECT_EQ(parsed.at("color").as_string(), "black");
  EXPECT_EQ(parsed.at("moves").at(0).at("move").as_string(), "+7776FU");
  EXPECT_EQ(parsed.at("moves").at(0).at("score").as_int64(), 52);
  EXPECT_THAT(std::string(parsed.at("moves").at(1).at("sfen").as_string()), HasSubstr(" b - 1"));
  EXPECT_FALSE(parsed.at("moves").at(1).as_object().contains("score"));
  EXPECT_FALSE(parsed.as_object().contains("members"));
  EXPECT_EQ(parsed.at("moves").at(0).at("pv_japanese").at(1).as_string(), "▲２六歩");
  EXPECT_EQ(boost::json::parse(json_of(std::vector{game(), game()})).at("games").as_array().size(), 2U);
}

TEST(GameText, members_are_kept_as_an_array) {
  const std::vector<MemberUse> members = {{"main", 1, 3, 2, 600}, {"gpu \"2\"", 0, 1, 1, 300}};
  EXPECT_EQ(members_in(json_of(members)), members);
  ArchivedGame known = game();
  known.members = members;
  EXPECT_EQ(boost::json::parse(json_of(known)).at("members").at(1).at("hits").as_int64(), 1);
  for (const char* const torn : {"", "[", "{}", "[1]", "[{}]", R"([{"name":1}])"}) {
    EXPECT_TRUE(members_in(torn).empty()) << torn;
  }
}

TEST(GamePlot, a_picture_holds_every_move_and_no_foreign_mark_up) {
  const std::string svg = plot_svg(game(), record(), words::Language::japanese);
  EXPECT_THAT(svg, HasSubstr("&lt;foe&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("<foe>")));
  EXPECT_THAT(svg, HasSubstr("<title>1: 52</title>"));
  const std::string bar = "<rect x=";
  std::size_t bars = 0;
  for (auto at = svg.find(bar); at != std::string::npos; at = svg.find(bar, at + 1)) {
    ++bars;
  }
  EXPECT_EQ(bars, 2U);
}

TEST(GamePlot, a_game_without_moves_is_a_picture_too) {
  EXPECT_THAT(plot_svg(game(), {}, words::Language::english), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace kakehashi::games
