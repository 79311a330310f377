#include "shogi/record/ending.hpp"

#include <gtest/gtest.h>

namespace kakehashi::shogi::record {
namespace {

TEST(Ending, each_word_of_a_server_has_its_special_move) {
  const auto kind = [](const char* reason, std::optional<Color> loser, bool after_kachi = false) {
    return ending_of({reason, loser, Color::black, after_kachi});
  };
  EXPECT_EQ(kind("#RESIGN", Color::black), EndingKind::toryo);
  EXPECT_EQ(kind("#TIME_UP", Color::black), EndingKind::time_up);
  EXPECT_EQ(kind("#TIME_UP", std::nullopt), EndingKind::time_up);
  EXPECT_EQ(kind("#RESIGN", Color::white), EndingKind::chudan) << "who was not to move had vanished";
  EXPECT_EQ(kind("#TIME_UP", Color::white), EndingKind::chudan);
  EXPECT_EQ(kind("#ILLEGAL_MOVE", Color::black), EndingKind::illegal_move);
  EXPECT_EQ(kind("#ILLEGAL_MOVE", Color::black, true), EndingKind::illegal_action_by_black);
  EXPECT_EQ(kind("#ILLEGAL_MOVE", Color::white), EndingKind::illegal_action_by_white);
  EXPECT_EQ(kind("#ILLEGAL_ACTION", Color::white), EndingKind::illegal_action_by_white);
  EXPECT_EQ(kind("#OUTE_SENNICHITE", Color::black), EndingKind::illegal_action_by_black);
  EXPECT_EQ(kind("#ILLEGAL_MOVE", std::nullopt), EndingKind::illegal_move);
  EXPECT_EQ(kind("#ILLEGAL_MOVE", std::nullopt, true), EndingKind::illegal_action_by_black);
  EXPECT_EQ(kind("#OUTE_SENNICHITE", std::nullopt), EndingKind::error);
  EXPECT_EQ(kind("#SENNICHITE", std::nullopt), EndingKind::sennichite);
  EXPECT_EQ(kind("#JISHOGI", Color::white, true), EndingKind::kachi);
  EXPECT_EQ(kind("#JISHOGI", std::nullopt, true), EndingKind::kachi);
  EXPECT_EQ(kind("#JISHOGI", std::nullopt), EndingKind::jishogi);
  EXPECT_EQ(kind("#MAX_MOVES", std::nullopt), EndingKind::max_moves);
  EXPECT_EQ(kind("#CENSORED", std::nullopt), EndingKind::max_moves);
  EXPECT_EQ(kind("#CENSORED", Color::white), EndingKind::chudan);
  EXPECT_EQ(kind("#CHUDAN", std::nullopt), EndingKind::chudan);
  EXPECT_EQ(kind("#ABNORMAL", Color::white), EndingKind::chudan);
  EXPECT_EQ(kind("", std::nullopt), EndingKind::chudan);
}

TEST(Ending, each_summary_of_shogi_server_has_its_special_move) {
  EXPECT_EQ(ending_of_summary("toryo:a lose:b win"), EndingKind::toryo);
  EXPECT_EQ(ending_of_summary("time up:a win:b lose"), EndingKind::time_up);
  EXPECT_EQ(ending_of_summary("illegal move:a win:b lose"), EndingKind::illegal_move);
  EXPECT_EQ(ending_of_summary("uchifuzume:a win:b lose"), EndingKind::illegal_move);
  EXPECT_EQ(ending_of_summary("oute_kaihimore:a win:b lose"), EndingKind::illegal_move);
  EXPECT_EQ(ending_of_summary("kachi:a win:b lose"), EndingKind::kachi);
  EXPECT_EQ(ending_of_summary("illegal kachi:a lose:b win"), EndingKind::illegal_action_by_black);
  EXPECT_EQ(ending_of_summary("oute_sennichite:a win:b lose"), EndingKind::illegal_action_by_white);
  EXPECT_EQ(ending_of_summary("sennichite:a draw:b draw"), EndingKind::sennichite);
  EXPECT_EQ(ending_of_summary("max_moves:a draw:b draw"), EndingKind::max_moves);
  EXPECT_EQ(ending_of_summary("abnormal:a win:b lose"), EndingKind::chudan);
  EXPECT_EQ(ending_of_summary("danced:a win:b lose"), std::nullopt);
  EXPECT_EQ(ending_of_summary("toryo"), std::nullopt);
  EXPECT_EQ(ending_of_summary(""), std::nullopt);
}

}  // namespace
}  // namespace kakehashi::shogi::record
