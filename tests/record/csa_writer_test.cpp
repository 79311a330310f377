#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "record/generated_game.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/record/csa_reader.hpp"
#include "shogi/record/csa_writer.hpp"

namespace kakehashi::shogi::record {
namespace {

using base::Millis;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

Record small_game() {
  Record record;
  record.event = "wdoor+floodgate-300-10F+a+b+20260102030405";
  record.black_name = "a";
  record.white_name = "b";
  record.started = std::chrono::sys_days{std::chrono::year{2026} / 1 / 2} + 3h + 4min + 5s;
  record.utc_offset = 9h;
  record.black_clock = record.white_clock = Clock{300s, 0s, 10s};
  record.max_moves = 256;
  record.jishogi_rule = "27";
  Position position = record.start;
  const Move first = *csa::parse_move(position, "+7776FU");
  record.moves.push_back({first, 4'500ms, Evaluation{52, {"-3334FU", "+2726FU"}, 12, 3456}, {}});
  position.play(first);
  record.moves.push_back({*csa::parse_move(position, "-3334FU"), 0ms, {}, {"a remark"}});
  record.ending = Ending{EndingKind::toryo, 7s};
  return record;
}

const char* const board = R"(P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA * 
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  * 
P5 *  *  *  *  *  *  *  *  * 
P6 *  *  *  *  *  *  *  *  * 
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI * 
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
)";

TEST(CsaWriter, version_2_2_is_spelled_so) {
  EXPECT_EQ(CsaWriter::whole(small_game(), CsaVersion::v2_2),
            "V2.2\nN+a\nN-b\n$EVENT:wdoor+floodgate-300-10F+a+b+20260102030405\n"
            "$START_TIME:2026/01/02 12:04:05\n$TIME_LIMIT:00:05+00\n'Max_Moves:256\n"
            "'Increment:10\n" +
                std::string(board) +
                "+\n+7776FU\nT4\n'** 52 -3334FU +2726FU\n-3334FU\nT0\n'a remark\n%TORYO\nT7\n");
}

TEST(CsaWriter, version_3_0_is_spelled_so) {
  EXPECT_EQ(CsaWriter::whole(small_game(), CsaVersion::v3_0),
            "'CSA encoding=UTF-8\nV3.0\nN+a\nN-b\n"
            "$EVENT:wdoor+floodgate-300-10F+a+b+20260102030405\n"
            "$START_TIME:2026/01/02 12:04:05\n$TIME:300+0+10\n$MAX_MOVES:256\n$JISHOGI:27\n" +
                std::string(board) +
                "+\n+7776FU\nT4.5\n'** 52 -3334FU +2726FU #3456\n-3334FU\nT0\n'a remark\n"
                "%TORYO\nT7\n");
}

TEST(CsaWriter, what_was_written_so_far_is_a_record_at_every_moment) {
  const Record record = generate_game(3, CsaVersion::v2_2);
  CsaWriter writer(CsaVersion::v2_2);
  std::string text = writer.begin(record);
  for (std::size_t i = 0; i <= record.moves.size(); ++i) {
    const auto read = read_csa(text);
    ASSERT_TRUE(read) << read.error().what;
    ASSERT_EQ(read->size(), 1U);
    ASSERT_EQ(read->front().moves.size(), i);
    if (i < record.moves.size()) {
      text += writer.add(record.moves[i]);
    }
  }
  text += writer.end(*record.ending);
  EXPECT_EQ(text, CsaWriter::whole(record, CsaVersion::v2_2));
}

TEST(CsaWriter, no_name_or_comment_can_begin_a_line_of_its_own) {
  Record record = small_game();
  record.black_name = "evil\n%KACHI\r\n+5556FU";
  record.event = std::string("x\n/\nV2\0y", 9);
  record.moves[1].comments = {"one\n%TORYO"};
  record.moves[0].evaluation->pv = {"-3334FU\n-8384FU"};
  record.comments = {"\r\nN-other"};
  record.ending->comments = {"\n/\n%KACHI"};
  const auto read = read_csa(CsaWriter::whole(record, CsaVersion::v2_2));
  ASSERT_TRUE(read) << read.error().what;
  ASSERT_EQ(read->size(), 1U);
  EXPECT_EQ(read->front().moves.size(), 2U);
  EXPECT_EQ(read->front().white_name, "b");
  EXPECT_EQ(read->front().black_name, "evil %KACHI  +5556FU");
  EXPECT_EQ(read->front().ending->kind, EndingKind::toryo);
}

TEST(CsaWriter, any_bytes_in_names_leave_the_lines_as_they_are) {
  std::mt19937 random(5);
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  for (int i = 0; i < 500; ++i) {
    Record record = small_game();
    for (std::string* text : {&record.event, &record.black_name, &record.white_name,
                              &record.jishogi_rule, &record.moves[1].comments[0]}) {
      text->assign(1 + random() % 40, '\0');
      std::generate(text->begin(), text->end(), [&] { return static_cast<char>(random() % 256); });
    }
    for (const CsaVersion version : {CsaVersion::v2_2, CsaVersion::v3_0}) {
      const std::string text = CsaWriter::whole(record, version);
      ASSERT_EQ(lines(text), lines(CsaWriter::whole(small_game(), version)));
      const auto read = read_csa(text);
      ASSERT_TRUE(read) << read.error().what;
      ASSERT_EQ(read->front().moves.size(), 2U);
      ASSERT_EQ(read->front().ending, record.ending);
    }
  }
}

TEST(CsaWriter, names_keep_their_bytes_in_version_2_and_are_utf8_in_version_3) {
  Record record = small_game();
  record.black_name = "\xCC\xF9,将棋";  // EUC-JP, a comma, UTF-8
  EXPECT_THAT(CsaWriter::whole(record, CsaVersion::v2_2), HasSubstr("\nN+\xCC\xF9,将棋\n"));
  EXPECT_THAT(CsaWriter::whole(record, CsaVersion::v3_0), HasSubstr("\nN+??,将棋\n"));
}

TEST(CsaWriter, a_long_name_is_cut_between_characters) {
  Record record = small_game();
  record.black_name.clear();
  for (int i = 0; i < 1'000; ++i) {
    record.black_name += "将";
  }
  const auto read = read_csa(CsaWriter::whole(record, CsaVersion::v3_0));
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->front().black_name, record.black_name.substr(0, 1'023));
}

TEST(CsaWriter, a_negative_time_is_written_as_none) {
  Record record = small_game();
  record.moves[0].consumed = -1ms;
  for (const CsaVersion version : {CsaVersion::v2_2, CsaVersion::v3_0}) {
    EXPECT_THAT(CsaWriter::whole(record, version), HasSubstr("+7776FU\nT0\n"));
  }
}

TEST(CsaWriter, every_ending_has_its_special_move) {
  const std::vector<std::pair<EndingKind, std::string>> words{
      {EndingKind::toryo, "%TORYO"},
      {EndingKind::chudan, "%CHUDAN"},
      {EndingKind::sennichite, "%SENNICHITE"},
      {EndingKind::time_up, "%TIME_UP"},
      {EndingKind::illegal_move, "%ILLEGAL_MOVE"},
      {EndingKind::illegal_action_by_black, "%+ILLEGAL_ACTION"},
      {EndingKind::illegal_action_by_white, "%-ILLEGAL_ACTION"},
      {EndingKind::jishogi, "%JISHOGI"},
      {EndingKind::kachi, "%KACHI"},
      {EndingKind::hikiwake, "%HIKIWAKE"},
      {EndingKind::max_moves, "%MAX_MOVES"},
      {EndingKind::tsumi, "%TSUMI"},
      {EndingKind::fuzumi, "%FUZUMI"},
      {EndingKind::error, "%ERROR"}};
  Record record = small_game();
  for (const auto& [kind, word] : words) {
    record.ending = Ending{kind, {}, {"why"}};
    const std::string text = CsaWriter::whole(record, CsaVersion::v3_0);
    EXPECT_TRUE(text.ends_with("\n'a remark\n" + word + "\n'why\n")) << text;
    const auto read = read_csa(text);
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(read->front().ending, record.ending);
  }
}

TEST(CsaWriter, what_a_time_limit_cannot_say_is_a_comment_in_version_2) {
  Record record = small_game();
  record.black_clock = record.white_clock = Clock{90s, 0s, 5s};
  EXPECT_THAT(CsaWriter::whole(record, CsaVersion::v2_2), HasSubstr("\n'$TIME:90+0+5\n"));
  record.white_clock = Clock{std::nullopt, 1'500ms, 0s};
  EXPECT_THAT(CsaWriter::whole(record, CsaVersion::v2_2),
              HasSubstr("\n'$TIME+:90+0+5\n'$TIME-:0+1.5+0\n"));
  record.white_clock.reset();
  EXPECT_THAT(CsaWriter::whole(record, CsaVersion::v3_0), HasSubstr("\n$TIME+:90+0+5\n$MAX"));
}

TEST(CsaWriter, both_clocks_are_told_apart_in_version_3) {
  Record record = small_game();
  record.white_clock = Clock{60s, 5'500ms, 0s};
  EXPECT_THAT(CsaWriter::whole(record, CsaVersion::v3_0),
              HasSubstr("$TIME+:300+0+10\n$TIME-:60+5.5+0\n"));
}

TEST(CsaWriter, a_draw_by_the_move_limit_has_a_word_in_each_version) {
  EXPECT_STREQ(csa_word(EndingKind::max_moves, CsaVersion::v2_2), "%HIKIWAKE");
  EXPECT_STREQ(csa_word(EndingKind::max_moves, CsaVersion::v3_0), "%MAX_MOVES");
}

}  // namespace
}  // namespace kakehashi::shogi::record
