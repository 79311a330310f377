#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

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
  const Record record = generate_game(3, true);
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
  record.comments = {"\r\nN-other"};
  const auto read = read_csa(CsaWriter::whole(record, CsaVersion::v2_2));
  ASSERT_TRUE(read) << read.error().what;
  ASSERT_EQ(read->size(), 1U);
  EXPECT_EQ(read->front().moves.size(), 2U);
  EXPECT_EQ(read->front().white_name, "b");
  EXPECT_EQ(read->front().black_name, "evil %KACHI  +5556FU");
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

TEST(CsaRecord, generated_games_come_back_as_they_were) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    for (const CsaVersion version : {CsaVersion::v2_2, CsaVersion::v3_0}) {
      const Record record = generate_game(seed, version == CsaVersion::v2_2);
      const auto read = read_csa(CsaWriter::whole(record, version));
      ASSERT_TRUE(read) << "seed " << seed << ": " << read.error().what;
      ASSERT_EQ(read->size(), 1U);
      const Record& back = read->front();
      ASSERT_EQ(back.start, record.start) << "seed " << seed;
      ASSERT_EQ(back.moves, record.moves) << "seed " << seed;
      ASSERT_EQ(back.ending, record.ending) << "seed " << seed;
      ASSERT_EQ(back.started, record.started);
      ASSERT_EQ(back.ended, record.ended);
      ASSERT_EQ(back.black_clock, record.black_clock);
      ASSERT_EQ(back.black_name, record.black_name);
      ASSERT_EQ(back.event, record.event);
    }
  }
}

TEST(CsaReader, statements_may_share_a_line_and_files_may_hold_many_games) {
  const auto read = read_csa("V2.2\r\nPI\r\n+\r\n+7776FU,T12,-3334FU,T5\r\n%CHUDAN\r\n/\r\nPI\n+\n%TORYO\n");
  ASSERT_TRUE(read) << read.error().what;
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(read->front().moves.at(1).consumed, Millis{5'000});
  EXPECT_EQ(read->at(1).ending->kind, EndingKind::toryo);
}

TEST(CsaReader, what_is_wrong_is_told_with_its_line) {
  const auto what = [](std::string_view text) {
    const auto read = read_csa(text);
    return read ? std::string("fine") : read.error().what;
  };
  EXPECT_THAT(what("V2.2\nPI\n+\n+7775FU\n"), HasSubstr("line 4: \"+7775FU\" is not legal"));
  EXPECT_THAT(what("V2.2\nPI\n+\n+77\n"), HasSubstr("line 4: "));
  EXPECT_THAT(what("V2.2\nP1-XX\n"), HasSubstr("line 2: "));
  EXPECT_THAT(what("PI\n+\n%DANCE\n"), HasSubstr("line 3: \"%DANCE\" is no known ending"));
  EXPECT_THAT(what("PI\n+\n+7776FU\nTx\n"), HasSubstr("line 4: Tx is no time"));
  EXPECT_THAT(what("hello\n"), HasSubstr("line 1: what is"));
  EXPECT_EQ(what(""), "fine");
}

TEST(CsaReader, any_bytes_give_records_or_an_error) {
  std::mt19937 random(11);
  const std::string original = CsaWriter::whole(small_game(), CsaVersion::v3_0);
  int errors = 0;
  for (int i = 0; i < 3'000; ++i) {
    std::string text = original;
    for (int k = 0; k < 3; ++k) {
      text[random() % text.size()] = static_cast<char>(random() % 256);
    }
    errors += read_csa(text) ? 0 : 1;
  }
  EXPECT_GT(errors, 100);
  EXPECT_LT(errors, 3'000);
}

TEST(CsaReader, the_records_of_a_real_server_are_read) {
  namespace fs = std::filesystem;
  int records = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(KAKEHASHI_TESTS_DIR) / "transcripts")) {
    if (entry.path().filename() != "record.csa") {
      continue;
    }
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const auto read = read_csa(text.str());
    ASSERT_TRUE(read) << entry.path() << ": " << read.error().what;
    std::size_t moves = 0;
    std::istringstream lines(text.str());
    for (std::string line; std::getline(lines, line);) {
      moves += line.size() == 7 && (line.front() == '+' || line.front() == '-') ? 1 : 0;
    }
    EXPECT_EQ(read->front().moves.size(), moves) << entry.path();
    ++records;
  }
  EXPECT_EQ(records, 12);
}

}  // namespace
}  // namespace kakehashi::shogi::record
