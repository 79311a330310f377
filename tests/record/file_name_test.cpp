#include "shogi/record/file_name.hpp"

#include <gtest/gtest.h>

#include "shogi/record/ending.hpp"

namespace kakehashi::shogi::record {
namespace {

const FileNameParts parts{.date = "20261121",
                          .time = "030405",
                          .game_id = "wdoor+floodgate-300-10F+a+b+20261121030405",
                          .black = "a",
                          .white = "b",
                          .game_name = "floodgate-300-10F"};

TEST(FileName, placeholders_are_filled_in) {
  EXPECT_EQ(file_name("{date}-{time}_{black}_{white}", parts), "20261121-030405_a_b");
  EXPECT_EQ(file_name("{game_id}", parts), "wdoor+floodgate-300-10F+a+b+20261121030405");
  EXPECT_EQ(file_name("{game_name}", parts), "floodgate-300-10F");
}

TEST(FileName, a_hostile_game_id_stays_inside_the_directory) {
  FileNameParts hostile = parts;
  hostile.game_id = "../../etc/passwd";
  EXPECT_EQ(file_name("{game_id}", hostile), "_._.._etc_passwd");
  hostile.game_id = std::string("a\0b/c\\d\ne", 9);
  EXPECT_EQ(file_name("{game_id}", hostile), "a_b_c_d_e");
  hostile.game_id = "..";
  EXPECT_EQ(file_name("{game_id}", hostile), "_.");
}

TEST(FileName, it_is_never_empty_and_never_too_long) {
  FileNameParts odd = parts;
  odd.game_id.clear();
  EXPECT_EQ(file_name("{game_id}", odd), "game");
  for (int i = 0; i < 100; ++i) {
    odd.game_id += "将棋";
  }
  const std::string name = file_name("{game_id}", odd);
  EXPECT_LE(name.size(), 200U);
  EXPECT_EQ(name.size() % 3, 0U) << "cut between characters";
}

TEST(FileName, braces_that_are_no_placeholder_are_made_safe) {
  EXPECT_EQ(file_name("{nope}-{", parts), "_nope_-_");
}

TEST(Ending, each_word_of_a_server_has_its_special_move) {
  const auto kind = [](const char* reason, std::optional<Color> loser, bool after_kachi = false) {
    return ending_of({reason, loser, Color::black, after_kachi});
  };
  EXPECT_EQ(kind("#RESIGN", Color::black), EndingKind::toryo);
  EXPECT_EQ(kind("#TIME_UP", Color::black), EndingKind::time_up);
  EXPECT_EQ(kind("#ILLEGAL_MOVE", Color::black), EndingKind::illegal_move);
  EXPECT_EQ(kind("#ILLEGAL_MOVE", Color::black, true), EndingKind::illegal_action_by_black);
  EXPECT_EQ(kind("#ILLEGAL_MOVE", Color::white), EndingKind::illegal_action_by_white);
  EXPECT_EQ(kind("#ILLEGAL_ACTION", Color::white), EndingKind::illegal_action_by_white);
  EXPECT_EQ(kind("#OUTE_SENNICHITE", Color::black), EndingKind::illegal_action_by_black);
  EXPECT_EQ(kind("#SENNICHITE", std::nullopt), EndingKind::sennichite);
  EXPECT_EQ(kind("#JISHOGI", Color::white, true), EndingKind::kachi);
  EXPECT_EQ(kind("#MAX_MOVES", std::nullopt), EndingKind::max_moves);
  EXPECT_EQ(kind("#CENSORED", std::nullopt), EndingKind::max_moves);
  EXPECT_EQ(kind("#CENSORED", Color::white), EndingKind::chudan);
  EXPECT_EQ(kind("#CHUDAN", std::nullopt), EndingKind::chudan);
  EXPECT_EQ(kind("#ABNORMAL", Color::white), EndingKind::chudan);
  EXPECT_EQ(kind("", std::nullopt), EndingKind::chudan);
}

}  // namespace
}  // namespace kakehashi::shogi::record
