// Every ending of a game, with the exact lines for both sides, in order.
#include "rehearse/server/game_room.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shogi/notation/csa.hpp"

namespace kakehashi::rehearse::server {

namespace {

using base::Millis;
using Lines = std::vector<std::string>;
using shogi::Color;
using testing::ElementsAre;
using testing::IsEmpty;

shogi::Position board(std::initializer_list<const char*> lines, Color to_move = Color::black) {
  shogi::csa::BoardReader reader;
  for (const char* line : lines) {
    EXPECT_EQ(reader.feed(line), std::nullopt);
  }
  auto position = reader.finish();
  EXPECT_TRUE(position);
  position->set_side_to_move(to_move);
  return *position;
}

/// A game that both have agreed to, under virtual time.
class Game {
 public:
  explicit Game(shogi::Position start = shogi::Position::startpos(),
                const char* game_name = "test-60-10", int max_moves = 256)
      : room_(setup(std::move(start), game_name, max_moves)) {
    (void)room_.agree(Color::black, now());
    (void)room_.agree(Color::white, now());
  }

  Game& play(std::string_view line) { return take(room_.play(line, now())); }
  Game& play_all(std::initializer_list<const char*> lines) {
    for (const char* line : lines) {
      EXPECT_FALSE(room_.is_over()) << "before " << line;
      play(line);
    }
    return *this;
  }
  Game& pass(Millis time) {
    time_ += time;
    return *this;
  }
  Game& look_at_clock() { return take(room_.look_at_clock(now())); }
  Game& leave(Color side) { return take(room_.leave(side)); }

  /// The lines of the last step.
  [[nodiscard]] Lines black() const { return to(Color::black); }
  [[nodiscard]] Lines white() const { return to(Color::white); }
  [[nodiscard]] const GameRoom& room() const { return room_; }
  [[nodiscard]] const GameEnded& ended() const { return std::get<GameEnded>(output_.reports.back()); }

 private:
  static GameSetup setup(shogi::Position start, const char* game_name, int max_moves) {
    GameSetup setup;
    setup.id = "id";
    setup.names = {"b", "w"};
    setup.clock = parse_game_name(game_name)->clock;
    setup.max_moves = max_moves;
    setup.start = std::move(start);
    return setup;
  }
  [[nodiscard]] base::Now now() const { return {base::SteadyTime(time_), {}}; }
  Game& take(RoomOutput output) {
    output_ = std::move(output);
    return *this;
  }
  [[nodiscard]] Lines to(Color side) const {
    Lines lines;
    for (const auto& line : output_.lines) {
      if (line.to == side) {
        lines.push_back(line.line);
      }
    }
    return lines;
  }

  GameRoom room_;
  Millis time_{0};
  RoomOutput output_;
};

void expect_illegal(std::string_view line, EndReason reason, shogi::Position start) {
  Game game(std::move(start));
  game.play(line);
  EXPECT_THAT(game.black(), ElementsAre("#ILLEGAL_MOVE", "#LOSE")) << line;
  EXPECT_THAT(game.white(), ElementsAre("#ILLEGAL_MOVE", "#WIN")) << line;
  EXPECT_EQ(game.ended().reason, reason) << line;
  EXPECT_EQ(game.ended().last_line, line);
  EXPECT_THAT(game.ended().moves, IsEmpty()) << line;
}

TEST(GameRoom, a_move_is_echoed_to_both_sides_with_its_time) {
  Game game;
  game.pass(Millis(3'500)).play("+7776FU,'* 30 -3334FU");
  EXPECT_THAT(game.black(), ElementsAre("+7776FU,T3"));
  EXPECT_THAT(game.white(), ElementsAre("+7776FU,T3"));
  EXPECT_TRUE(game.room().is_turn(Color::white));
}

TEST(GameRoom, resignation) {
  Game game;
  game.play("%TORYO,'* bye");
  EXPECT_THAT(game.black(), ElementsAre("%TORYO", "#RESIGN", "#LOSE"));
  EXPECT_THAT(game.white(), ElementsAre("%TORYO", "#RESIGN", "#WIN"));
  EXPECT_EQ(game.ended().reason, EndReason::resign);
  EXPECT_EQ(game.ended().winner, Color::white);
}

TEST(GameRoom, illegal_moves_are_not_echoed) {
  const auto start = shogi::Position::startpos();
  for (const char* line : {"+7775FU", "-3334FU", "+7776TO", "+0055FU", "+7776FU ,'* 1", "+9999XX",
                           "+7776fu", "+7776F", "+7776FUX", "+x", "%CHUDAN", "%MATTA", "%JISHOGI"}) {
    expect_illegal(line, EndReason::illegal_move, start);
  }
}

TEST(GameRoom, two_pawns_on_a_file_are_illegal) {
  expect_illegal("+0075FU", EndReason::illegal_move, board({"P+77FU59OU00FU", "P-51OU"}));
}

TEST(GameRoom, mate_by_a_dropped_pawn_is_uchifuzume) {
  expect_illegal("+0012FU", EndReason::drop_pawn_mate, board({"P+32KI24KE59OU00FU", "P-11OU"}));
}

TEST(GameRoom, a_king_left_in_check_is_oute_kaihimore) {
  expect_illegal("+9796FU", EndReason::king_left_in_check, board({"P+59OU97FU", "P-51HI11OU"}));
}

TEST(GameRoom, a_late_line_is_not_even_looked_at) {
  for (const char* line : {"+7776FU", "%TORYO", "%KACHI", "+junk"}) {
    Game game(shogi::Position::startpos(), "test-0-10");
    game.pass(Millis(10'000)).play(line);
    EXPECT_THAT(game.black(), ElementsAre("#TIME_UP", "#LOSE")) << line;
    EXPECT_THAT(game.white(), ElementsAre("#TIME_UP", "#WIN")) << line;
    EXPECT_EQ(game.ended().reason, EndReason::time_up);
  }
}

TEST(GameRoom, a_silent_mover_loses_when_the_clock_is_looked_at) {
  Game game(shogi::Position::startpos(), "test-0-10");
  game.pass(Millis(9'999)).look_at_clock();
  EXPECT_FALSE(game.room().is_over());
  EXPECT_EQ(game.room().expiry(), base::SteadyTime(Millis(10'000)));
  game.pass(Millis(1)).look_at_clock();
  EXPECT_THAT(game.black(), ElementsAre("#TIME_UP", "#LOSE"));
}

TEST(GameRoom, a_valid_declaration) {
  Game game(board({"P+51OU21HI31RY41KA61KA13FU23FU33FU43FU53FU63FU73FU83FU", "P-99OU"}));
  game.pass(Millis(2'000)).play("%KACHI");
  EXPECT_THAT(game.black(), ElementsAre("%KACHI,T2", "%KACHI", "#JISHOGI", "#WIN"));
  EXPECT_THAT(game.white(), ElementsAre("%KACHI,T2", "%KACHI", "#JISHOGI", "#LOSE"));
  EXPECT_EQ(game.ended().reason, EndReason::declaration);
}

TEST(GameRoom, an_invalid_declaration) {
  Game game;
  game.play("%KACHI");
  EXPECT_THAT(game.black(), ElementsAre("%KACHI,T0", "%KACHI", "#ILLEGAL_MOVE", "#LOSE"));
  EXPECT_THAT(game.white(), ElementsAre("%KACHI,T0", "%KACHI", "#ILLEGAL_MOVE", "#WIN"));
  EXPECT_EQ(game.ended().reason, EndReason::wrong_declaration);
}

TEST(GameRoom, the_fourth_time_after_a_played_move_is_repetition) {
  Game game;
  for (int i = 0; i < 3; ++i) {
    game.play_all({"+2838HI", "-8272HI", "+3828HI", "-7282HI"});
  }
  EXPECT_FALSE(game.room().is_over()) << "the initial position is not counted";
  game.play("+2838HI");
  EXPECT_THAT(game.black(), ElementsAre("+2838HI,T0", "#SENNICHITE", "#DRAW"));
  EXPECT_THAT(game.white(), ElementsAre("+2838HI,T0", "#SENNICHITE", "#DRAW"));
  EXPECT_EQ(game.ended().winner, std::nullopt);
  EXPECT_EQ(game.ended().moves.size(), 13U);
}

TEST(GameRoom, perpetual_check_loses_when_the_checker_completes_it) {
  Game game(board({"P+29HI99OU", "P-11OU"}));
  for (int i = 0; i < 3; ++i) {
    game.play_all({"+2919HI", "-1121OU", "+1929HI", "-2111OU"});
  }
  game.play("+2919HI");
  EXPECT_THAT(game.black(), ElementsAre("+2919HI,T0", "#OUTE_SENNICHITE", "#LOSE"));
  EXPECT_THAT(game.white(), ElementsAre("+2919HI,T0", "#OUTE_SENNICHITE", "#WIN"));
  EXPECT_EQ(game.ended().reason, EndReason::perpetual_check);
}

TEST(GameRoom, perpetual_check_loses_when_the_other_side_completes_it) {
  Game game(board({"P+19HI99OU", "P-11OU"}, Color::white));
  for (int i = 0; i < 3; ++i) {
    game.play_all({"-1121OU", "+1929HI", "-2111OU", "+2919HI"});
  }
  game.play("-1121OU");
  EXPECT_THAT(game.black(), ElementsAre("-1121OU,T0", "#OUTE_SENNICHITE", "#LOSE"));
  EXPECT_THAT(game.white(), ElementsAre("-1121OU,T0", "#OUTE_SENNICHITE", "#WIN"));
}

TEST(GameRoom, the_move_limit) {
  Game game(shogi::Position::startpos(), "test-60-10", 2);
  game.play_all({"+7776FU", "-3334FU"});
  EXPECT_THAT(game.black(), ElementsAre("-3334FU,T0", "#MAX_MOVES", "#CENSORED"));
  EXPECT_THAT(game.white(), ElementsAre("-3334FU,T0", "#MAX_MOVES", "#CENSORED"));
  EXPECT_EQ(game.ended().reason, EndReason::max_moves);
}

TEST(GameRoom, repetition_on_the_last_move_goes_before_the_limit) {
  Game game(shogi::Position::startpos(), "test-60-10", 13);
  for (int i = 0; i < 3; ++i) {
    game.play_all({"+2838HI", "-8272HI", "+3828HI", "-7282HI"});
  }
  game.play("+2838HI");
  EXPECT_EQ(game.ended().reason, EndReason::repetition);
}

TEST(GameRoom, the_mover_that_leaves_has_resigned) {
  Game game;
  game.leave(Color::black);
  EXPECT_THAT(game.white(), ElementsAre("%TORYO", "#RESIGN", "#WIN"));
  EXPECT_EQ(game.ended().reason, EndReason::abnormal);
}

TEST(GameRoom, one_that_leaves_off_turn_is_missed_at_the_next_line_whatever_it_is) {
  const auto after_leaving = [](std::string_view line) {
    Game game;
    game.leave(Color::white);
    EXPECT_THAT(game.black(), IsEmpty());
    game.play(line);
    EXPECT_EQ(game.ended().reason, EndReason::abnormal);
    return game.black();
  };
  EXPECT_THAT(after_leaving("+7776FU"), ElementsAre("+7776FU,T0", "%TORYO", "#RESIGN", "#WIN"));
  EXPECT_THAT(after_leaving("+7775FU"), ElementsAre("%TORYO", "#RESIGN", "#WIN"));
  EXPECT_THAT(after_leaving("%TORYO"), ElementsAre("%TORYO", "#RESIGN", "#WIN"));
}

TEST(GameRoom, even_the_mover_that_is_too_late_wins_against_one_that_left) {
  Game game(shogi::Position::startpos(), "test-0-10");
  game.leave(Color::white);
  game.pass(Millis(60'000)).play("+7776FU");
  EXPECT_THAT(game.black(), ElementsAre("%TORYO", "#RESIGN", "#WIN"));
}

TEST(GameRoom, the_next_turn_begins_when_the_last_line_was_judged) {
  Game game(shogi::Position::startpos(), "test-0-10");
  game.pass(Millis(9'000)).play("+7776FU");
  game.pass(Millis(9'000)).play("-3334FU");
  EXPECT_THAT(game.black(), ElementsAre("-3334FU,T9"));
}

TEST(GameRoom, every_reason_has_the_word_of_the_record) {
  EXPECT_STREQ(summary_word(EndReason::resign), "toryo");
  EXPECT_STREQ(summary_word(EndReason::time_up), "time up");
  EXPECT_STREQ(summary_word(EndReason::illegal_move), "illegal move");
  EXPECT_STREQ(summary_word(EndReason::drop_pawn_mate), "uchifuzume");
  EXPECT_STREQ(summary_word(EndReason::king_left_in_check), "oute_kaihimore");
  EXPECT_STREQ(summary_word(EndReason::declaration), "kachi");
  EXPECT_STREQ(summary_word(EndReason::wrong_declaration), "illegal kachi");
  EXPECT_STREQ(summary_word(EndReason::repetition), "sennichite");
  EXPECT_STREQ(summary_word(EndReason::perpetual_check), "oute_sennichite");
  EXPECT_STREQ(summary_word(EndReason::max_moves), "max_moves");
  EXPECT_STREQ(summary_word(EndReason::abnormal), "abnormal");
}

constexpr auto black = shogi::Color::black;

ClockRules rules(const char* game_name) { return parse_game_name(game_name)->clock; }

/// What black is charged for a turn of that length; nothing: lost.
std::optional<std::int64_t> turn(ChessClock& clock, Millis length) {
  const base::SteadyTime began(Millis(5'000));
  const auto seconds = clock.judge(black, began, began + length);
  if (seconds) {
    clock.charge(black, *seconds);
  }
  return seconds;
}

TEST(ChessClock, whole_seconds_are_charged_and_fractions_are_free) {
  ChessClock clock(rules("t-60-10"));
  EXPECT_EQ(turn(clock, Millis(999)), 0);
  EXPECT_EQ(turn(clock, Millis(1'000)), 1);
  EXPECT_EQ(turn(clock, Millis(2'999)), 2);
  EXPECT_EQ(clock.main_time_s(black), 57);
  EXPECT_EQ(clock.main_time_s(shogi::Color::white), 60);
}

TEST(ChessClock, reaching_the_limit_exactly_loses) {
  ChessClock clock(rules("t-0-10"));
  EXPECT_EQ(turn(clock, Millis(9'999)), 9);
  EXPECT_EQ(turn(clock, Millis(10'000)), std::nullopt);
}

TEST(ChessClock, byoyomi_comes_on_top_of_the_main_time) {
  ChessClock clock(rules("t-5-10"));
  EXPECT_EQ(turn(clock, Millis(14'999)), 14);
  EXPECT_EQ(clock.main_time_s(black), 0);
  EXPECT_EQ(turn(clock, Millis(10'000)), std::nullopt);
}

TEST(ChessClock, the_increment_counts_for_the_move_that_is_played) {
  ChessClock clock(rules("t-2-2F"));
  EXPECT_EQ(turn(clock, Millis(4'000)), std::nullopt);
  EXPECT_EQ(turn(clock, Millis(3'999)), 3);
  EXPECT_EQ(clock.main_time_s(black), 1);  // 2 + 2 - 3
  EXPECT_EQ(turn(clock, Millis(2'999)), 2);
  EXPECT_EQ(clock.main_time_s(black), 1);
  EXPECT_EQ(turn(clock, Millis(3'000)), std::nullopt);
}

TEST(ChessClock, without_byoyomi_the_main_time_is_all) {
  ChessClock clock(rules("t-3-0"));
  EXPECT_EQ(turn(clock, Millis(2'000)), 2);
  EXPECT_EQ(turn(clock, Millis(1'000)), std::nullopt);
}

TEST(ChessClock, all_zero_is_untimed) {
  ChessClock clock(rules("t-0-0"));
  EXPECT_EQ(turn(clock, std::chrono::hours(30)), 108'000);
  EXPECT_EQ(clock.expiry(black, {}), std::nullopt);
}

TEST(ChessClock, a_least_time_is_charged_and_can_lose) {
  auto least = rules("t-3-0");
  least.least_time_s = 2;
  ChessClock clock(least);
  EXPECT_EQ(turn(clock, Millis(10)), 2);
  EXPECT_EQ(clock.main_time_s(black), 1);
  EXPECT_EQ(turn(clock, Millis(10)), std::nullopt);
  EXPECT_EQ(clock.expiry(black, {}), base::SteadyTime());
}

TEST(ChessClock, a_stop_watch_charges_whole_slices) {
  ChessClock clock(rules("t-120-060"));
  EXPECT_EQ(turn(clock, Millis(59'999)), 0);
  EXPECT_EQ(turn(clock, Millis(60'000)), 60);
  EXPECT_EQ(clock.main_time_s(black), 60);
  EXPECT_EQ(turn(clock, Millis(59'999)), 0);
  EXPECT_EQ(turn(clock, Millis(60'000)), std::nullopt);
}

TEST(ChessClock, a_clock_that_seems_to_run_backwards_charges_nothing) {
  ChessClock clock(rules("t-60-10"));
  EXPECT_EQ(turn(clock, Millis(-5'000)), 0);
}

TEST(ChessClock, expiry_is_the_first_instant_that_loses) {
  for (const char* name : {"t-60-10", "t-0-2", "t-2-2F", "t-7-0", "t-100-060", "t-120-060"}) {
    const ChessClock clock(rules(name));
    const base::SteadyTime began(Millis(123));
    const auto expiry = clock.expiry(black, began);
    ASSERT_TRUE(expiry) << name;
    EXPECT_FALSE(clock.judge(black, began, *expiry)) << name;
    EXPECT_TRUE(clock.judge(black, began, *expiry - Millis(1))) << name;
  }
}

}  // namespace

}  // namespace kakehashi::rehearse::server
