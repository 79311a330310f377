#include "csa/game_summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/text.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::csa {

namespace {

using base::Millis;
using shogi::Color;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr std::string_view hirate = R"(P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA * 
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  * 
P5 *  *  *  *  *  *  *  *  * 
P6 *  *  *  *  *  *  *  *  * 
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI * 
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
)";

struct Text {
  std::string header =
      "Protocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\n"
      "Game_ID:wdoor+floodgate-300-10F+Black+White+20260102030405\nName+:Black\nName-:White\n"
      "Your_Turn:-\nRematch_On_Draw:NO\nTo_Move:+\nMax_Moves:256\n";
  std::string time =
      "BEGIN Time\nTime_Unit:1sec\nTotal_Time:300\nByoyomi:0\nIncrement:10\n"
      "Least_Time_Per_Move:0\nEND Time\n";
  std::string position = "BEGIN Position\n" + std::string(hirate) + "+\nEND Position\n";
  std::string rest;

  [[nodiscard]] std::string whole() const {
    return "BEGIN Game_Summary\n" + header + time + position + rest + "END Game_Summary\n";
  }
};

base::Result<GameSummary> read(const std::string& text) {
  SummaryReader reader;
  bool is_complete = false;
  for (const std::string_view line : base::split(text, '\n')) {
    if (!is_complete) {
      is_complete = reader.feed(line);
    }
  }
  EXPECT_TRUE(is_complete);
  return reader.finish();
}

GameSummary good(const Text& text) {
  auto summary = read(text.whole());
  EXPECT_TRUE(summary.has_value()) << (summary ? "" : summary.error().what.english());
  return summary ? *summary : GameSummary{};
}

std::string trouble(const Text& text) {
  const auto summary = read(text.whole());
  return summary ? "none" : summary.error().what.english();
}

// Conformance case 9.
TEST(GameSummary, the_block_of_shogi_server_is_read_whole) {
  const GameSummary summary = good({});
  EXPECT_EQ(summary.game_id, "wdoor+floodgate-300-10F+Black+White+20260102030405");
  EXPECT_EQ(summary.black_name, "Black");
  EXPECT_EQ(summary.white_name, "White");
  EXPECT_EQ(summary.our_color, Color::white);
  EXPECT_EQ(summary.max_moves, 256);
  EXPECT_EQ(summary.declaration, "Jishogi 1.1");
  EXPECT_EQ(summary.times.black, (TimeControl{.total = 300s, .increment = 10s}));
  EXPECT_EQ(summary.times.black, summary.times.white);
  EXPECT_EQ(summary.start, shogi::Position::startpos());
  EXPECT_THAT(summary.remarks, ::testing::IsEmpty());
}

// Conformance case 11.
TEST(GameSummary, order_and_unknown_keys_do_not_matter) {
  Text text;
  text.rest = "Entering_King_Rule:CSARule27\nReconnect_Token:0123abcd\nKIOU_Extra:1\n"
              "BEGIN Something\nYour_Turn:+\nBEGIN Deeper\nTo_Move:-\nEND Deeper\nEND Something\n";
  std::swap(text.header, text.position);
  const GameSummary summary = good(text);
  EXPECT_EQ(summary.our_color, Color::white) << "a field inside an unknown block is none";
  EXPECT_EQ(summary.entering_king_rule, "CSARule27");
  EXPECT_EQ(summary.reconnect_token, "0123abcd");
  EXPECT_EQ(summary.remarks.size(), 2U);
}

TEST(GameSummary, a_token_that_no_line_can_carry_is_none) {
  for (const char* rest : {"Reconnect_Token:01\r23\n", "Reconnect_Token:01\n"}) {
    Text text;
    text.rest = rest;
    const bool is_sound = std::string_view(rest).find('\r') == std::string_view::npos;
    const GameSummary summary = good(text);
    EXPECT_EQ(summary.reconnect_token.has_value(), is_sound);
    EXPECT_EQ(summary.remarks.size(), is_sound ? 0U : 1U);
  }
}

TEST(GameSummary, spaces_around_a_value_are_no_part_of_it) {
  Text text;
  text.header = "Game_ID: g \nYour_Turn: -\nName+: Black\nMax_Moves: 256 \n";
  const GameSummary summary = good(text);
  EXPECT_EQ(summary.game_id, "g");
  EXPECT_EQ(summary.our_color, Color::white);
  EXPECT_EQ(summary.black_name, "Black");
  EXPECT_EQ(summary.max_moves, 256);
}

TEST(GameSummary, of_a_field_that_is_given_twice_the_first_counts) {
  Text text;
  text.header += "Game_ID:other\nMax_Moves:512\nMax_Moves:256\n";
  const GameSummary summary = good(text);
  EXPECT_EQ(summary.game_id, "wdoor+floodgate-300-10F+Black+White+20260102030405");
  EXPECT_EQ(summary.max_moves, 256);
  EXPECT_THAT(summary.remarks,
              ElementsAre("the field \"Game_ID\" is given twice; the first counts",
                          "the field \"Max_Moves\" is given twice; the first counts"));
}

TEST(GameSummary, sides_that_contradict_each_other_are_refused) {
  Text text;
  text.header += "Your_Turn:+\n";
  EXPECT_EQ(trouble(text), "Your_Turn is given twice, as \"-\" and as \"+\"");
}

TEST(GameSummary, the_game_id_of_a_nested_block_is_not_the_games) {
  Text text;
  text.header = "BEGIN Previous\nGame_ID:old\nEND Previous\n" + text.header;
  const std::string block = text.whole();
  SummaryReader reader;
  for (const std::string_view line : base::split(block, '\n')) {
    static_cast<void>(reader.feed(line));
  }
  EXPECT_EQ(reader.game_id(), "wdoor+floodgate-300-10F+Black+White+20260102030405");
}

// Conformance case 12.
TEST(GameSummary, missing_fields_have_their_defaults) {
  Text text;
  text.header = "Name+:a\nName-:b\nYour_Turn:+\n";
  const GameSummary summary = good(text);
  EXPECT_EQ(summary.max_moves, std::nullopt);
  EXPECT_EQ(summary.declaration, "");
  EXPECT_EQ(summary.game_id, "");
}

// Conformance case 13.
TEST(GameSummary, zero_moves_at_most_means_no_limit) {
  Text text;
  text.header += "Max_Moves:0\n";
  text.header.replace(text.header.find("Max_Moves:256\n"), 14, "");
  EXPECT_EQ(good(text).max_moves, std::nullopt);
}

// Conformance case 14.
TEST(GameSummary, without_a_time_block_the_game_is_untimed) {
  Text text;
  text.time.clear();
  const GameSummary summary = good(text);
  EXPECT_TRUE(summary.times.black.is_untimed());
  EXPECT_TRUE(summary.times.white.is_untimed());
}

struct UnitCase {
  const char* block;
  TimeControl expected;
};

// Conformance cases 15, 16 and 17.
TEST(GameSummary, the_unit_applies_to_the_whole_block_wherever_it_stands) {
  const UnitCase cases[] = {
      {"Time_Unit:1msec\nTotal_Time:900000\nIncrement:5000\n", {.total = 900s, .increment = 5s, .unit = 1ms}},
      {"Time_Unit:1min\nTotal_Time:15\nByoyomi:1\n", {.total = 900s, .byoyomi = 60s, .unit = 60s}},
      {"Time_Unit:200msec\nTotal_Time:10\n", {.total = 2s, .unit = 200ms}},
      {"Total_Time:3\nTime_Unit:10sec\nLeast_Time_Per_Move:1\n",
       {.total = 30s, .least_time_per_move = 10s, .unit = 10s}},
      {"Byoyomi:30\nDelay:2\nTime_Roundup:YES\n",
       {.byoyomi = 30s, .delay = 2s, .rounds_up = true}},
  };
  for (const UnitCase& unit_case : cases) {
    Text text;
    text.time = std::string("BEGIN Time\n") + unit_case.block + "END Time\n";
    EXPECT_EQ(good(text).times.black, unit_case.expected) << unit_case.block;
  }
}

// Conformance case 18.
TEST(GameSummary, each_side_may_have_its_own_clock) {
  Text text;
  text.time = "BEGIN Time+\nTotal_Time:600\nByoyomi:10\nEND Time+\n"
              "BEGIN Time-\nTotal_Time:60\nIncrement:5\nEND Time-\n";
  const GameSummary summary = good(text);
  EXPECT_EQ(summary.times.black, (TimeControl{.total = 600s, .byoyomi = 10s}));
  EXPECT_EQ(summary.times.white, (TimeControl{.total = 60s, .increment = 5s}));
}

TEST(GameSummary, a_side_without_a_clock_beside_one_with_it_is_unlimited) {
  Text text;
  text.time = "BEGIN Time+\nTotal_Time:600\nEND Time+\n";
  const GameSummary summary = good(text);
  EXPECT_EQ(summary.times.black.total, Millis{600s});
  EXPECT_TRUE(summary.times.white.is_untimed());
}

TEST(GameSummary, a_stop_watch_game_of_shogi_server_counts_seconds) {
  Text text;
  text.header.replace(text.header.find("floodgate-300-10F"), 17, "test-900-060");
  text.time = "BEGIN Time\nTime_Unit:1min\nTotal_Time:900\nByoyomi:60\nIncrement:0\nEND Time\n";
  const GameSummary summary = good(text);
  EXPECT_EQ(summary.times.black,
            (TimeControl{.total = 900s, .byoyomi = 60s, .is_stop_watch = true}));
  EXPECT_THAT(summary.remarks, ::testing::ElementsAre(HasSubstr("stop-watch")));
}

TEST(GameSummary, numbers_in_a_game_id_that_are_not_the_clocks_make_no_stop_watch) {
  for (const char* name : {"CSA-2026-05-03", "test-15-01x", "test-14-01", "test-15-02"}) {
    Text text;
    text.header.replace(text.header.find("floodgate-300-10F"), 17, name);
    text.time = "BEGIN Time\nTime_Unit:1min\nTotal_Time:15\nByoyomi:1\nEND Time\n";
    EXPECT_EQ(good(text).times.black.total, Millis{15min}) << name;
    EXPECT_EQ(good(text).times.black.byoyomi, Millis{1min}) << name;
  }
}

// Conformance case 19.
TEST(GameSummary, listed_moves_lead_to_the_position_of_the_start) {
  Text text;
  text.position = "BEGIN Position\n" + std::string(hirate) +
                  "+\n+7776FU,T12\n-3334FU,T5\n+2726FU\nT7\n-8384FU\nEND Position\n";
  const GameSummary summary = good(text);
  ASSERT_EQ(summary.moves.size(), 4U);
  EXPECT_EQ(summary.moves[0].consumed, Millis{12s});
  EXPECT_EQ(summary.moves[2].consumed, Millis{7s}) << "a time on a line of its own";
  EXPECT_EQ(summary.moves[3].consumed, std::nullopt);
  EXPECT_EQ(summary.moves[3].mover, Color::white);
  EXPECT_EQ(shogi::usi::format_sfen(summary.position(), 5),
            "lnsgkgsnl/1r5b1/p1pppp1pp/1p4p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 5");
}

// Conformance case 20.
TEST(GameSummary, any_position_with_hands_can_be_the_start) {
  Text text;
  text.header.replace(text.header.find("To_Move:+"), 9, "To_Move:-");
  text.position =
      "BEGIN Position\nP+59OU\nP-51OU\nP+00KI00FU\nP-00HI\n-\nEND Position\n";
  const GameSummary summary = good(text);
  EXPECT_EQ(shogi::usi::format_sfen(summary.position()), "4k4/9/9/9/9/9/9/9/4K4 w GPr 1");
}

// Conformance case 21.
TEST(GameSummary, a_handicap_may_be_given_by_what_is_missing) {
  Text text;
  text.position = "BEGIN Position\nPI82HI22KA\n-\nEND Position\n";
  EXPECT_EQ(shogi::usi::format_sfen(good(text).position()),
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
}

// Conformance case 22.
TEST(GameSummary, empty_hand_lines_are_allowed) {
  Text text;
  text.position = "BEGIN Position\n" + std::string(hirate) + "P+\nP-\n+\nEND Position\n";
  EXPECT_EQ(good(text).start, shogi::Position::startpos());
}

// Conformance case 23.
TEST(GameSummary, an_impossible_position_is_refused_with_the_line_that_is_wrong) {
  Text unknown_piece;
  unknown_piece.position.replace(unknown_piece.position.find("-OU"), 3, "-XX");
  EXPECT_THAT(trouble(unknown_piece), HasSubstr("P1-KY-KE-GI-KI-XX"));

  Text illegal_move;
  illegal_move.position = "BEGIN Position\n" + std::string(hirate) + "+\n+7775FU\nEND Position\n";
  EXPECT_THAT(trouble(illegal_move), HasSubstr("+7775FU"));

  Text no_king;
  no_king.position = "BEGIN Position\nP-51OU\n+\nEND Position\n";
  EXPECT_THAT(trouble(no_king), HasSubstr("king"));

  Text no_position;
  no_position.position.clear();
  EXPECT_NE(trouble(no_position), "none");
}

TEST(GameSummary, a_game_that_is_not_ours_to_play_is_refused) {
  Text no_turn;
  no_turn.header.replace(no_turn.header.find("Your_Turn:-\n"), 12, "");
  EXPECT_EQ(trouble(no_turn), "Your_Turn is missing");

  Text direct;
  direct.header.replace(direct.header.find("Server"), 6, "Direct");
  EXPECT_THAT(trouble(direct), HasSubstr("Protocol_Mode"));

  Text chess;
  chess.header.replace(chess.header.find("Shogi 1.0"), 9, "Chess 1.0");
  EXPECT_THAT(trouble(chess), HasSubstr("Chess 1.0"));
}

TEST(GameSummary, the_position_counts_when_to_move_contradicts_it) {
  Text text;
  text.header.replace(text.header.find("To_Move:+"), 9, "To_Move:-");
  const GameSummary summary = good(text);
  EXPECT_EQ(summary.position().side_to_move(), Color::black);
  EXPECT_THAT(summary.remarks, ::testing::ElementsAre(HasSubstr("To_Move")));
}

// Conformance case 8.
TEST(GameSummary, blank_lines_and_comments_inside_are_left_out) {
  Text text;
  text.position = "BEGIN Position\n\n'a comment\n" + std::string(hirate) + "\n+\n\nEND Position\n\n";
  EXPECT_EQ(good(text).start, shogi::Position::startpos());
}

TEST(GameSummary, its_size_is_bounded) {
  Text text;
  for (std::size_t i = 0; i < SummaryReader::lines_max; ++i) {
    text.rest += "Junk:" + std::to_string(i) + "\n";
  }
  EXPECT_THAT(trouble(text), HasSubstr("4096"));
  Text long_name;
  long_name.header = "Your_Turn:-\nName+:" + std::string(5'000, 'x') + "\n";
  EXPECT_EQ(good(long_name).black_name.size(), 1024U);
  Text many_oddities;
  for (int i = 0; i < 100; ++i) {
    many_oddities.rest += "Junk:" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(good(many_oddities).remarks.size(), 32U);
}

TEST(GameSummary, mutilated_blocks_give_a_summary_or_an_error_and_nothing_worse) {
  std::mt19937 random(7);
  const std::string original = Text{}.whole();
  int unusable = 0;
  for (int i = 0; i < 3'000; ++i) {
    std::string text = original;
    for (int k = 0; k < 4; ++k) {
      const std::size_t at = 20 + random() % (text.size() - 40);
      switch (random() % 3) {
        case 0: text[at] = static_cast<char>(random() % 256); break;
        case 1: text.erase(at, random() % 20); break;
        default: text.insert(at, text.substr(20 + random() % 200, random() % 60)); break;
      }
    }
    SummaryReader reader;
    bool is_complete = false;
    for (const std::string_view line : base::split(text, '\n')) {
      is_complete = is_complete || reader.feed(line);
    }
    unusable += reader.finish() ? 0 : 1;
  }
  EXPECT_GT(unusable, 100);
  EXPECT_LT(unusable, 2'900);
}

TEST(ResumeReader, reads_turn_and_clocks) {
  ResumeReader reader;
  EXPECT_FALSE(reader.feed("Current_Turn:-"));
  EXPECT_FALSE(reader.feed("Black_Time_Remaining_Ms:599500"));
  EXPECT_FALSE(reader.feed("White_Time_Remaining_Ms: 600000 "));
  EXPECT_FALSE(reader.feed("Last_Move:+7776FU,T1"));
  EXPECT_FALSE(reader.feed("Something_New:1"));
  EXPECT_TRUE(reader.feed("END Reconnect_State"));
  EXPECT_EQ(reader.state().turn, shogi::Color::white);
  EXPECT_EQ(reader.state().black, 599'500ms);
  EXPECT_EQ(reader.state().white, 600'000ms);
}

TEST(ResumeReader, leaves_out_what_is_no_clock) {
  ResumeReader reader;
  for (const char* line : {"Black_Time_Remaining_Ms:-1", "White_Time_Remaining_Ms:soon",
                           "Current_Turn:*", "no colon", ""}) {
    EXPECT_FALSE(reader.feed(line));
  }
  EXPECT_EQ(reader.state().black, std::nullopt);
  EXPECT_EQ(reader.state().white, std::nullopt);
  EXPECT_EQ(reader.state().turn, std::nullopt);
}

TEST(ResumeReader, bounds_absurd_clocks_and_endless_blocks) {
  ResumeReader reader;
  EXPECT_FALSE(reader.feed("Black_Time_Remaining_Ms:9223372036854775807"));
  EXPECT_EQ(reader.state().black, 24h);
  int lines = 1;
  while (!reader.feed("x:y")) {
    ASSERT_LE(++lines, ResumeReader::lines_max);
  }
}

}  // namespace

}  // namespace kakehashi::csa
