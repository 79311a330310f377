#include "csa/message.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace kakehashi::csa {
namespace {

using base::Millis;
using base::Seconds;
using shogi::Color;

template <class T>
T read(std::string_view line) {
  const ServerMessage message = parse_line(line);
  EXPECT_TRUE(std::holds_alternative<T>(message)) << line;
  return std::holds_alternative<T>(message) ? std::get<T>(message) : T{};
}

// Conformance case 2.
TEST(ParseLine, a_login_is_accepted_in_spite_of_a_carriage_return) {
  EXPECT_EQ(read<LoginAccepted>("LOGIN:mybot OK\r").name, "mybot");
}

TEST(ParseLine, the_echoed_name_may_hold_anything) {
  EXPECT_EQ(read<LoginAccepted>("LOGIN:my bot+x@y OK").name, "my bot+x@y");
}

// Conformance case 3.
TEST(ParseLine, a_plain_refusal_has_no_detail) {
  const auto refused = read<LoginRefused>("LOGIN:incorrect");
  EXPECT_EQ(refused.detail, "");
  EXPECT_EQ(refused.retry_after, std::nullopt);
}

// Conformance case 4.
TEST(ParseLine, a_refusal_may_say_when_to_come_back) {
  const auto refused = read<LoginRefused>("LOGIN:incorrect rate_limited retry_after=30");
  EXPECT_EQ(refused.detail, "rate_limited retry_after=30");
  EXPECT_EQ(refused.retry_after, Seconds{30});
}

TEST(ParseLine, a_nonsensical_retry_time_is_left_out_and_a_huge_one_is_cut) {
  EXPECT_EQ(read<LoginRefused>("LOGIN:incorrect retry_after=soon").retry_after, std::nullopt);
  EXPECT_EQ(read<LoginRefused>("LOGIN:incorrect retry_after=-5").retry_after, std::nullopt);
  EXPECT_EQ(read<LoginRefused>("LOGIN:incorrect retry_after=99999999").retry_after,
            Seconds{86'400});
}

// Conformance case 8.
TEST(ParseLine, blank_lines_are_blank) {
  for (const char* line : {"", "\r", " ", " \t "}) {
    static_cast<void>(read<Blank>(line));
  }
}

// Conformance cases 15 and 32: T is in seconds, decimals allowed, or missing.
TEST(ParseLine, a_move_carries_its_time_in_seconds) {
  const auto move = read<MoveConfirmed>("+7776FU,T12");
  EXPECT_EQ(move.mover, Color::black);
  EXPECT_EQ(move.move, "+7776FU");
  EXPECT_EQ(move.consumed, Millis{12'000});
  EXPECT_EQ(read<MoveConfirmed>("-3334FU,T3.5").consumed, Millis{3'500});
  EXPECT_EQ(read<MoveConfirmed>("-3334FU,T1.").consumed, Millis{1'000});
  EXPECT_EQ(read<MoveConfirmed>("-3334FU").consumed, std::nullopt);
}

// Conformance case 33.
TEST(ParseLine, fields_behind_a_moves_time_are_ignored) {
  const auto move = read<MoveConfirmed>("-3334FU,T5,'x");
  EXPECT_EQ(move.comment, "x");
  EXPECT_EQ(move.mover, Color::white);
  EXPECT_EQ(move.move, "-3334FU");
  EXPECT_EQ(move.consumed, Millis{5'000});
}

// Conformance case 48.
TEST(ParseLine, an_unreadable_move_is_passed_on_as_it_is) {
  EXPECT_EQ(read<MoveConfirmed>("+9999XX,T1").move, "+9999XX");
}

TEST(ParseLine, a_sign_alone_makes_no_move_of_a_line) {
  for (const char* line : {"+OK", "-", "+7776FU2", "+7776fu", "-77a6FU,T1", "%", "%,T1"}) {
    EXPECT_EQ(read<Unknown>(line).text, line);
  }
}

// Conformance case 42.
TEST(ParseLine, special_moves_come_with_and_without_their_time) {
  EXPECT_EQ(read<SpecialMove>("%TORYO").consumed, std::nullopt);
  EXPECT_EQ(read<SpecialMove>("%TORYO,T4").consumed, Millis{4'000});
  EXPECT_EQ(read<SpecialMove>("%KACHI,T8").word, "%KACHI");
}

TEST(ParseLine, results_are_words_with_a_number_sign) {
  EXPECT_EQ(read<ResultWord>("#TIME_UP").word, "#TIME_UP");
  EXPECT_EQ(read<ResultWord>("#WIN ").word, "#WIN");
}

// Conformance case 65.
TEST(ParseLine, extended_lines_are_not_results) {
  EXPECT_TRUE(read<Extended>("##[ERROR] unknown command: foo").is_error);
  EXPECT_FALSE(read<Extended>("##[CHAT][x] hi").is_error);
  EXPECT_FALSE(read<Extended>("##").is_error);
}

TEST(ParseLine, starts_and_rejections_name_their_game) {
  EXPECT_EQ(read<GameStarts>("START:wdoor+a-300-10F+x+y+20260102030405").game_id,
            "wdoor+a-300-10F+x+y+20260102030405");
  const auto rejected = read<GameRejected>("REJECT:id by the Server (timed out)");
  EXPECT_EQ(rejected.game_id, "id");
  EXPECT_EQ(rejected.by, "the Server (timed out)");
  EXPECT_EQ(read<GameRejected>("REJECT:id").by, "");
}

TEST(ParseLine, other_known_lines_are_known) {
  static_cast<void>(read<SummaryBegins>("BEGIN Game_Summary"));
  static_cast<void>(read<LogoutCompleted>("LOGOUT:completed"));
  static_cast<void>(read<ChallengeAccepted>("CHALLENGE ACCEPTED"));
  EXPECT_EQ(read<Unknown>("hello").text, "hello");
}

TEST(ParseConsumed, only_times_are_times) {
  for (const char* bad : {"", "T", "Tx", "T-1", "T1x", "T.5", "12", "'T5", "T1.2.3"}) {
    EXPECT_EQ(parse_consumed(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(parse_consumed("T0"), Millis{0});
  EXPECT_EQ(parse_consumed("T0.1234"), Millis{123});
  EXPECT_EQ(parse_consumed("T99999999999999999999"), Millis{86'400'000'000});
}

TEST(ParseLine, any_bytes_give_some_message) {
  std::mt19937 random(20261121);
  const std::string alphabet = "+-%#,T0123456789.FUKAIBEGNLOJRPST: \r\t[]'\x80\xFF\x01";
  for (int i = 0; i < 20'000; ++i) {
    std::string line;
    const std::size_t length = random() % 40;
    for (std::size_t k = 0; k < length; ++k) {
      line += alphabet[random() % alphabet.size()];
    }
    const ServerMessage message = parse_line(line);
    if (const auto* move = std::get_if<MoveConfirmed>(&message)) {
      ASSERT_TRUE(line.front() == '+' || line.front() == '-') << line;
      ASSERT_LE(move->move.size(), line.size());
    }
  }
}

TEST(PlainestLine, holds_what_a_game_needs_and_no_chatter) {
  EXPECT_EQ(plainest("+7776FU,T3,'* 52 -3334FU"), "+7776FU,T3");
  EXPECT_EQ(plainest("-3334FU"), "-3334FU");
  EXPECT_EQ(plainest("%TORYO,T12,x"), "%TORYO,T12");
  EXPECT_EQ(plainest("#RESIGN"), "#RESIGN");
  EXPECT_EQ(plainest("START:a+b,c,d"), "START:a+b,c,d");
  EXPECT_EQ(plainest("##[CHAT][a] +7776FU"), std::nullopt);
  EXPECT_EQ(plainest("'* 30"), std::nullopt);
}

}  // namespace
}  // namespace kakehashi::csa
