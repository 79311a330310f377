#include "shogi/record/csa.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "shogi/notation/csa.hpp"
#include "shogi/record/generated_game.hpp"
#include "tests/places.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::Millis;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The record that shogi-server wrote of a game.
std::string read_transcript(const std::string& folder) {
  return read_file(std::filesystem::path(test::tests_dir()) / "transcripts" / folder /
                   "record.csa");
}

/// The only record of a text that can be read.
Record read_one(const std::string& text) {
  const auto read = read_csa(text);
  if (!read || read->size() != 1) {
    ADD_FAILURE() << (read ? "not one record" : read.error().what.english()) << " in " << text;
    return {};
  }
  return read->front();
}

TEST(CsaReader, statements_may_share_a_line_and_files_may_hold_many_games) {
  const auto read =
      read_csa("V2.2\r\nPI\r\n+\r\n+7776FU,T12,-3334FU,T5\r\n%CHUDAN\r\n/\r\nPI\n+\n%TORYO\n");
  ASSERT_TRUE(read) << read.error().what;
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(read->front().moves.at(1).consumed, Millis{5'000});
  EXPECT_EQ(read->at(1).ending->kind, EndingKind::toryo);
}

TEST(CsaReader, names_and_fields_keep_their_commas_and_bytes) {
  const Record record = read_one("\xEF\xBB\xBFV2.2\nN+a, b\nN-\xCC\xF9\n$EVENT:x,y\nPI,+\n");
  EXPECT_EQ(record.black_name, "a, b");
  EXPECT_EQ(record.white_name, "\xCC\xF9");
  EXPECT_EQ(record.event, "x,y");
  EXPECT_EQ(record.start, Position::startpos());
}

TEST(CsaReader, a_comment_behind_a_statement_reaches_to_the_end_of_the_line) {
  const Record record = read_one("PI\n+\n+7776FU,T3,'** 30 -3334FU,+2726FU\n");
  ASSERT_EQ(record.moves.size(), 1U);
  EXPECT_EQ(record.moves[0].consumed, Millis{3'000});
  EXPECT_EQ(record.moves[0].evaluation->score, 30);
}

TEST(CsaReader, dates_are_local_to_the_offset) {
  const auto read = read_csa("$START_TIME:2026/01/02 03:04:05\n$END_TIME:2026/01/02\nPI\n+\n", 9h);
  ASSERT_TRUE(read) << read.error().what;
  const auto day = std::chrono::sys_days{std::chrono::year{2026} / 1 / 2};
  EXPECT_EQ(read->front().started, day - 9h + 3h + 4min + 5s);
  EXPECT_EQ(read->front().ended, day - 9h);
  for (const char* bad : {"2026/13/02", "2026/02/30", "-1/1/1", "2026/01/02 24:00:00", "2026",
                          "2026/01/02 3", "99999/01/02", "2026/01/02 03:04:05 x", ""}) {
    EXPECT_FALSE(read_one("$START_TIME:" + std::string(bad) + "\nPI\n+\n").started) << bad;
  }
}

TEST(CsaReader, clocks_come_from_the_fields_of_both_versions) {
  EXPECT_EQ(read_one("$TIME_LIMIT:01:30+60\nPI\n+\n").white_clock, (Clock{90min, 60s, 0s}));
  EXPECT_EQ(read_one("$TIME:5+0.5+10\nPI\n+\n").black_clock, (Clock{5s, 500ms, 10s}));
  EXPECT_EQ(read_one("$TIME-:5+0+1\nPI\n+\n").black_clock, std::nullopt);
  for (const char* bad : {"$TIME:5", "$TIME:5+x+1", "$TIME:-5+0+0", "$TIME:99999999+0+0",
                          "$TIME_LIMIT:1+2", "$TIME_LIMIT:00:60+1", "$TIME_LIMIT:+:", "$TIME"}) {
    EXPECT_EQ(read_one(bad + std::string("\nPI\n+\n")).black_clock, std::nullopt) << bad;
  }
}

TEST(CsaReader, a_limit_of_moves_is_positive) {
  EXPECT_EQ(read_one("$MAX_MOVES:320\nPI\n+\n").max_moves, 320);
  for (const char* none : {"0", "-1", "", "many", "99999999999"}) {
    EXPECT_EQ(read_one("$MAX_MOVES:" + std::string(none) + "\nPI\n+\n").max_moves, std::nullopt);
  }
}

TEST(CsaReader, an_illegal_move_is_fine_when_a_foul_follows_it) {
  const Record record = read_one("PI\n+\n+7776FU\nT1\n-3335FU\nT9\n%ILLEGAL_MOVE\n");
  EXPECT_EQ(record.moves.size(), 1U);
  EXPECT_EQ(record.moves[0].consumed, Millis{1'000});
  EXPECT_EQ(record.ending,
            (Ending{EndingKind::illegal_move, Millis{9'000}, {"ILLEGAL_MOVE(-3335FU)"}}));
  EXPECT_EQ(read_one("PI\n+\n+9999XX\n%+ILLEGAL_ACTION\n").ending->kind,
            EndingKind::illegal_action_by_black);
}

TEST(CsaReader, comments_alone_are_no_record) {
  const auto read = read_csa("'CSA encoding=UTF-8\n\n/\n/\n'end\n");
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_TRUE(read->empty());
}

TEST(CsaReader, a_game_that_was_broken_off_by_a_take_back_is_interrupted) {
  EXPECT_EQ(read_one("V2\nPI\n+\n+7776FU\n%MATTA\n").ending->kind, EndingKind::chudan);
}

TEST(CsaReader, what_is_wrong_is_told_with_its_line) {
  const auto what = [](std::string_view text) {
    const auto read = read_csa(text);
    return read ? std::string("fine") : read.error().what.english();
  };
  EXPECT_THAT(what("V2.2\nPI\n+\n+7775FU\n"), HasSubstr("line 4: \"+7775FU\" is not legal"));
  EXPECT_THAT(what("PI\n+\n+7775FU\n%TORYO\n"), HasSubstr("line 3: \"+7775FU\" is not legal"));
  EXPECT_THAT(what("PI\n+\n+7775FU\nT1\n-3334FU\n"), HasSubstr("line 3: \"+7775FU\" is not"));
  EXPECT_THAT(what("PI\n+\n+7775FU\n/\n"), HasSubstr("line 3: \"+7775FU\" is not legal"));
  EXPECT_THAT(what("V2.2\nPI\n+\n+77\n"), HasSubstr("line 4: "));
  EXPECT_THAT(what("V2.2\nP1-XX\n"), HasSubstr("line 2: "));
  EXPECT_THAT(what("P1-KY\n+\n"), HasSubstr("line 1: "));
  EXPECT_THAT(what("PI\n+\n+7776FU\nPI\n"), HasSubstr("line 4: the board stands after"));
  EXPECT_THAT(what("PI\n+\n+7775FU\n%DANCE\n"), HasSubstr("line 3: \"+7775FU\" is not legal"));
  EXPECT_THAT(what("PI\n+\n+7776FU\n%DANCE\n-3334FU\n"), HasSubstr("line 5: \"-3334FU\" stands after"));
  EXPECT_THAT(what("PI\n+\n%DANCE\n"), HasSubstr("line 3: \"%DANCE\" is no known ending"));
  EXPECT_THAT(what("PI\n+\n%TORYO\n%KACHI\n"), HasSubstr("line 4: a second ending"));
  EXPECT_THAT(what("PI\n+\n%TORYO\n+7776FU\n"), HasSubstr("line 4: \"+7776FU\" stands after"));
  EXPECT_THAT(what("PI\n+\n+7776FU\nTx\n"), HasSubstr("line 4: \"Tx\" is no time"));
  EXPECT_THAT(what("PI\n+\n/\nPI\n+\n+77\n"), HasSubstr("line 6: "));
  EXPECT_THAT(what("hello\n"), HasSubstr("line 1: what is"));
  EXPECT_EQ(what(""), "fine");
}

TEST(CsaReader, any_bytes_give_records_or_an_error) {
  std::mt19937 random(11);
  int errors = 0;
  std::array<std::string, 2> originals;
  for (const CsaVersion version : {CsaVersion::v2_2, CsaVersion::v3_0}) {
    originals[static_cast<std::size_t>(version)] =
        CsaWriter::whole(generate_game(3, version), version).substr(0, 900);
  }
  for (std::size_t i = 0; i < 3'000; ++i) {
    std::string text = originals[i % 2];
    for (int k = 0; k < 3; ++k) {
      text[random() % text.size()] = static_cast<char>(random() % 256);
    }
    errors += read_csa(text) ? 0 : 1;
  }
  EXPECT_GT(errors, 100);
  EXPECT_LT(errors, 3'000);
}

TEST(CsaReader, what_shogi_server_tells_in_comments_is_understood) {
  const Record won = read_one(read_transcript("endings/kachi_white"));
  EXPECT_EQ(won.ending->kind, EndingKind::kachi);
  EXPECT_EQ(won.ending->consumed, Millis{0});
  EXPECT_EQ(won.max_moves, 256);
  EXPECT_EQ(won.black_clock, (Clock{std::nullopt, 0s, 10s}));
  EXPECT_EQ(*won.ended - *won.started, 2s);
  // A wrong declaration reads %KACHI too, and lost.
  EXPECT_EQ(read_one(read_transcript("endings/win_illegal")).ending->kind,
            EndingKind::illegal_action_by_black);
  // For these the server writes no special move at all.
  EXPECT_EQ(read_one(read_transcript("endings/illegal_white")).ending->kind,
            EndingKind::illegal_move);
  EXPECT_EQ(read_one(read_transcript("endings/max_moves_20")).ending->kind, EndingKind::max_moves);
}

TEST(CsaReader, the_records_of_a_real_server_are_read) {
  namespace fs = std::filesystem;
  int records = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(test::tests_dir()) / "transcripts")) {
    if (entry.path().filename() != "record.csa") {
      continue;
    }
    const std::string text = read_file(entry.path());
    const auto read = read_csa(text);
    ASSERT_TRUE(read) << entry.path() << ": " << read.error().what;
    ASSERT_EQ(read->size(), 1U);
    EXPECT_TRUE(read->front().ending) << entry.path();
    std::size_t moves = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      moves += line.size() == 7 && (line.front() == '+' || line.front() == '-') ? 1 : 0;
    }
    EXPECT_EQ(read->front().moves.size(), moves) << entry.path();
    const auto again = read_csa(CsaWriter::whole(read->front(), CsaVersion::v3_0));
    ASSERT_TRUE(again) << entry.path() << ": " << again.error().what;
    EXPECT_EQ(again->front().moves, read->front().moves) << entry.path();
    EXPECT_EQ(again->front().black_clock, read->front().black_clock) << entry.path();
    EXPECT_EQ(again->front().max_moves, read->front().max_moves) << entry.path();
    EXPECT_EQ(again->front().ending, read->front().ending) << entry.path();
    ++records;
  }
  EXPECT_EQ(records, 12);
}

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
  const Move first = *shogi::csa::parse_move(position, "+7776FU");
  record.moves.push_back({first, 4'500ms, Evaluation{52, {"-3334FU", "+2726FU"}, 12, 3456}, {}});
  position.play(first);
  record.moves.push_back({*shogi::csa::parse_move(position, "-3334FU"), 0ms, {}, {"a remark"}});
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
  Record record = small_game();
  record.ending = Ending{EndingKind::max_moves, {}};
  EXPECT_THAT(CsaWriter::whole(record, CsaVersion::v2_2), testing::EndsWith("%HIKIWAKE\n"));
  EXPECT_THAT(CsaWriter::whole(record, CsaVersion::v3_0), testing::EndsWith("%MAX_MOVES\n"));
}

TEST(CsaRecord, generated_games_come_back_as_they_were) {
  for (std::uint32_t seed = 0; seed < 84; ++seed) {
    for (const CsaVersion version : {CsaVersion::v2_2, CsaVersion::v3_0}) {
      const Record record = generate_game(seed, version);
      const auto read = read_csa(CsaWriter::whole(record, version), record.utc_offset);
      ASSERT_TRUE(read) << "seed " << seed << ": " << read.error().what;
      ASSERT_EQ(read->size(), 1U);
      const Record& back = read->front();
      ASSERT_EQ(back.start, record.start) << "seed " << seed;
      ASSERT_EQ(back.moves, record.moves) << "seed " << seed;
      ASSERT_EQ(back.ending, record.ending) << "seed " << seed;
      ASSERT_EQ(back.started, record.started);
      ASSERT_EQ(back.ended, record.ended);
      ASSERT_EQ(back.black_clock, record.black_clock) << "seed " << seed;
      ASSERT_EQ(back.white_clock, record.white_clock) << "seed " << seed;
      ASSERT_EQ(back.max_moves, record.max_moves);
      ASSERT_EQ(back.jishogi_rule, record.jishogi_rule);
      ASSERT_EQ(back.black_name, record.black_name);
      ASSERT_EQ(back.white_name, record.white_name);
      ASSERT_EQ(back.event, record.event);
      ASSERT_EQ(back.site, record.site);
      ASSERT_EQ(back.comments, record.comments);
    }
  }
}

TEST(CsaRecord, the_corpus_has_every_kind_of_game) {
  int resumed_white = 0;
  std::set<EndingKind> endings;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Record record = generate_game(seed, CsaVersion::v3_0);
    endings.insert(record.ending->kind);
    resumed_white += record.start.side_to_move() == Color::white ? 1 : 0;
  }
  EXPECT_EQ(endings.size(), static_cast<std::size_t>(EndingKind::error) + 1);
  EXPECT_GT(resumed_white, 0);
}

}  // namespace

}  // namespace kakehashi::shogi::record
