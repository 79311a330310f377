// A finished game as a row of the archive.
#include "games/archived_game.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <tuple>

#include "games/game_text.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/record/json.hpp"

namespace kakehashi::games {
namespace {

using base::Millis;
using shogi::record::EndingKind;

shogi::record::Record record_of_two_moves() {
  shogi::record::Record record;
  record.event = "wdoor+floodgate-300-10F+us+foe+20260102030405";
  record.black_name = "us";
  record.white_name = "foe";
  record.started = base::WallTime(Millis{1'700'000'000'000});
  record.ended = base::WallTime(Millis{1'700'000'060'000});
  record.black_clock = {Millis{300'000}, Millis{0}, Millis{10'000}};
  record.white_clock = record.black_clock;
  shogi::Position position = record.start;
  for (const auto& [text, time] : {std::pair("+7776FU", 3'000), std::pair("-3334FU", 5'000)}) {
    const auto move = shogi::csa::parse_move(position, text);
    record.moves.push_back({*move, Millis{time}, {}, {}});
    position.play(*move);
  }
  record.ending.emplace().kind = EndingKind::toryo;
  return record;
}

bridge::FinishedGame finished_game() {
  bridge::FinishedGame game;
  game.bot = "mybot";
  game.server = "wdoor.c.u-tokyo.ac.jp:4081";
  game.game_name = "floodgate-300-10F";
  game.engine = "engine";
  game.our_color = shogi::Color::white;
  game.end = {csa::Outcome::win, "#RESIGN", "#WIN"};
  game.record = record_of_two_moves();
  game.ponder = {4, 3, Millis{900}};
  game.members = {{.name = "main", .engine = "One", .moves = 1, .ponder = {3, 2, Millis{600}}},
                  {.name = "gpu2", .engine = "Two", .ponder = {1, 1, Millis{300}}}};
  game.rescues = {{2, base::verbatim("no move came in time; playing a legal move")}};
  return game;
}

TEST(ArchivedGame, a_finished_game_is_seen_from_our_side) {
  const auto [game, jsonl] = archived(finished_game(), "records/a.csa");
  EXPECT_EQ(game.us, "foe");
  EXPECT_EQ(game.opponent, "us");
  EXPECT_FALSE(game.is_black);
  EXPECT_EQ(game.clock, "300+10F");
  EXPECT_EQ(game.outcome, "win");
  EXPECT_EQ(game.reason, "#RESIGN");
  EXPECT_EQ(game.plies, 2);
  EXPECT_EQ(game.our_time_ms, 5'000);
  EXPECT_EQ(game.their_time_ms, 3'000);
  EXPECT_EQ(game.ended_ms - game.started_ms, 60'000);
  EXPECT_EQ(game.rescues, 1);
  EXPECT_EQ(game.rescue_causes, "move 2: no move came in time; playing a legal move");
  EXPECT_EQ(game.ponder_hits, 3);
  EXPECT_THAT(game.members, testing::ElementsAre(MemberUse{"main", 1, 3, 2, 600}, MemberUse{"gpu2", 0, 1, 1, 300}));
  EXPECT_EQ(game.record_path, "records/a.csa");
  EXPECT_FALSE(game.time) << "no clocked move was accounted for";
  const auto back = shogi::record::read_jsonl(jsonl);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->front().moves.size(), 2U);
}

TEST(ArchivedGame, what_became_of_the_time_goes_along) {
  bridge::FinishedGame finished = finished_game();
  finished.time.take({.entitled = Millis{310'000},
                      .had = Millis{309'000},
                      .used = Millis{4'000},
                      .charged = Millis{5'000},
                      .added = Millis{310'000},
                      .left = Millis{305'000}});
  const auto game = archived(finished, "").game;
  ASSERT_TRUE(game.time);
  EXPECT_EQ(game.time->granted_ms, 310'000);
  EXPECT_EQ(game.time->had_ms, 308'000);
  EXPECT_EQ(game.time->lost_ms, 1'000);
}

TEST(ArchivedGame, bytes_of_peers_become_text) {
  bridge::FinishedGame finished = finished_game();
  finished.record.black_name = "foe\xFF\n\x1b[2J";
  const auto game = archived(finished, "").game;
  EXPECT_EQ(game.opponent.find('\n'), std::string::npos);
  EXPECT_EQ(game.opponent.find('\xFF'), std::string::npos);
}

TEST(ArchivedGame, an_imported_record_tells_its_outcome_by_its_ending) {
  auto record = record_of_two_moves();
  const auto lost = imported(record, "us", "a.csa");
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->game.outcome, "lose") << "black was to move, and resigned";
  EXPECT_EQ(lost->game.reason, "#RESIGN");
  EXPECT_EQ(lost->game.game_name, "floodgate-300-10F");
  EXPECT_EQ(imported(record, "foe", "a.csa")->game.outcome, "win");
  EXPECT_EQ(lost->game.clock, "300+10F");
  record.black_clock.reset();
  record.white_clock.reset();
  EXPECT_EQ(imported(record, "us", "a.csa")->game.clock, "unknown");
  record.ending->kind = EndingKind::kachi;
  EXPECT_EQ(imported(record, "us", "a.csa")->game.outcome, "win");
  record.ending->kind = EndingKind::sennichite;
  EXPECT_EQ(imported(record, "us", "a.csa")->game.outcome, "draw");
  record.ending.reset();
  EXPECT_EQ(imported(record, "us", "a.csa")->game.outcome, "none");
  EXPECT_FALSE(imported(record, "someone", "a.csa"));
}

TEST(ArchivedGame, floodgate_shows_its_games_by_day_and_id) {
  const auto game = archived(finished_game(), "").game;
  EXPECT_EQ(floodgate_link(game),
            "http://wdoor.c.u-tokyo.ac.jp/shogi/view/2026/01/02/"
            "wdoor%2Bfloodgate-300-10F%2Bus%2Bfoe%2B20260102030405.csa");
  auto other = game;
  other.server = "example.org:4081";
  EXPECT_EQ(floodgate_link(other), "");
  other = game;
  other.game_id = "wdoor+a+b";
  EXPECT_EQ(floodgate_link(other), "");
}

TEST(ArchivedGame, each_ending_of_a_record_says_who_won) {
  // Two moves were played: "us" has black and is to move.
  using Row = std::tuple<EndingKind, std::string, std::string>;
  for (const auto& [kind, outcome, reason] :
       {Row{EndingKind::toryo, "lose", "#RESIGN"}, Row{EndingKind::time_up, "lose", "#TIME_UP"},
        Row{EndingKind::tsumi, "lose", "#TSUMI"},
        Row{EndingKind::illegal_move, "lose", "#ILLEGAL_MOVE"},
        Row{EndingKind::kachi, "win", "#JISHOGI"},
        Row{EndingKind::illegal_action_by_black, "lose", "#ILLEGAL_ACTION"},
        Row{EndingKind::illegal_action_by_white, "win", "#ILLEGAL_ACTION"},
        Row{EndingKind::sennichite, "draw", "#SENNICHITE"},
        Row{EndingKind::jishogi, "draw", "#JISHOGI"},
        Row{EndingKind::max_moves, "draw", "#MAX_MOVES"},
        Row{EndingKind::hikiwake, "draw", "#MAX_MOVES"}, Row{EndingKind::chudan, "", "#CHUDAN"},
        Row{EndingKind::fuzumi, "", ""}, Row{EndingKind::error, "", "#ABNORMAL"}}) {
    shogi::record::Record record = record_of_two_moves();
    record.ending->kind = kind;
    const auto archived = imported(record, "us", "a.csa");
    ASSERT_TRUE(archived);
    EXPECT_EQ(archived->game.reason, reason) << static_cast<int>(kind);
    if (!outcome.empty()) {
      EXPECT_EQ(archived->game.outcome, outcome) << reason;
    } else {
      EXPECT_NE(archived->game.outcome, "win") << reason;
      EXPECT_NE(archived->game.outcome, "lose") << reason;
    }
  }
}

TEST(ArchivedGame, what_another_program_left_in_a_row_is_taken_as_we_would_have_written_it) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  ArchivedGame stored;
  stored.opponent = "foe\xff\x1b[2J\n";
  stored.rescue_causes = "move 2: a\xfe\nmove 4: b";
  stored.started_ms = least;
  stored.ended_ms = most;
  stored.plies = most;
  stored.time = TimeUse{-1, least, most, most, most};
  stored.members = {{"main\r", most, 0, 0, least}};
  const ArchivedGame game = as_we_write(stored);
  EXPECT_EQ(game.opponent, "foe? [2J ");
  EXPECT_EQ(game.rescue_causes, "move 2: a?\nmove 4: b");
  EXPECT_EQ(game.started_ms, 0);
  EXPECT_EQ(instant_text(game.ended_ms), "9999-12-31 23:59");
  EXPECT_EQ(game.plies, 1'000'000'000'000);
  EXPECT_EQ(game.time->had_ms, -1'000'000'000'000);
  EXPECT_EQ(game.members.front().name, "main ");
  EXPECT_EQ(game.members.front().ponder_gained_ms, -1'000'000'000'000);
  const std::string left = list_text({game}, words::Language::english) + head_text(game, words::Language::english) + csv_line(game) + json_of(game);
  EXPECT_EQ(left.find('\x1b'), std::string::npos);
}

TEST(ArchivedGame, what_we_write_ourselves_is_left_as_it_is) {
  const ArchivedGame game = archived(finished_game(), "records/a.csa").game;
  EXPECT_EQ(as_we_write(game), game);
}

}  // namespace
}  // namespace kakehashi::games
