#include "bridge/game/translate.hpp"

#include <gtest/gtest.h>

#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {
namespace {

using Kind = EngineChoice::Kind;
using shogi::Position;

Position at(std::string_view sfen) { return shogi::usi::parse_sfen(sfen).value(); }

shogi::Move move(std::string_view word) { return shogi::usi::parse_move(word).value(); }

TEST(PositionCommand, the_ordinary_start_has_a_short_word) {
  PositionCommand command(Position::startpos());
  EXPECT_EQ(command.text(), "position startpos");

  command.append(move("7g7f"));
  command.append(move("3c3d"));

  EXPECT_EQ(command.text(), "position startpos moves 7g7f 3c3d");
}

TEST(PositionCommand, any_other_start_is_an_sfen) {
  PositionCommand command(at("4k4/9/9/9/9/9/9/9/4K4 w R2Gr 1"));
  command.append(move("R*5e"));

  EXPECT_EQ(command.text(), "position sfen 4k4/9/9/9/9/9/9/9/4K4 w R2Gr 1 moves R*5e");
}

TEST(PositionCommand, one_more_move_for_pondering_leaves_the_line_as_it_is) {
  PositionCommand command(Position::startpos());

  EXPECT_EQ(command.with(move("7g7f")), "position startpos moves 7g7f");
  EXPECT_EQ(command.text(), "position startpos");
}

TEST(ReadChoice, a_legal_move_is_a_move) {
  const EngineChoice choice = read_choice(Position::startpos(), "7g7f");

  ASSERT_EQ(choice.kind, Kind::move);
  EXPECT_EQ(choice.move, move("7g7f"));
}

TEST(ReadChoice, resign_and_win_are_read_in_any_case) {
  const Position position = Position::startpos();

  EXPECT_EQ(read_choice(position, "resign").kind, Kind::resign);
  EXPECT_EQ(read_choice(position, "Resign").kind, Kind::resign);
  EXPECT_EQ(read_choice(position, "WIN").kind, Kind::declare);
}

TEST(ReadChoice, what_cannot_be_read_is_unusable_and_says_why) {
  for (const char* word :
       {"", "(none)", "0000", "null", "7g7", "7g7f7", "resigns", "wi", "P*", "七六歩"}) {
    const EngineChoice choice = read_choice(Position::startpos(), word);
    EXPECT_EQ(choice.kind, Kind::unusable) << word;
    EXPECT_FALSE(choice.why.empty()) << word;
  }
}

TEST(ReadChoice, a_move_that_the_rules_forbid_is_unusable_and_names_the_rule) {
  const EngineChoice far = read_choice(Position::startpos(), "7g7e");
  const EngineChoice nifu = read_choice(at("4k4/9/9/9/9/9/4P4/9/4K4 b P 1"), "P*5e");
  const EngineChoice theirs = read_choice(Position::startpos(), "3c3d");
  const EngineChoice check = read_choice(at("4k4/4r4/9/9/9/9/9/9/4K4 b P 1"), "P*1e");

  EXPECT_EQ(far.kind, Kind::unusable);
  EXPECT_EQ(nifu.kind, Kind::unusable);
  EXPECT_NE(nifu.why.english().find("nifu"), std::string::npos);
  EXPECT_EQ(theirs.kind, Kind::unusable);
  EXPECT_EQ(check.kind, Kind::unusable);
}

TEST(ReadChoice, a_promotion_that_must_be_is_demanded) {
  const Position position = at("9/4P4/9/9/9/9/9/9/k3K4 b - 1");

  EXPECT_EQ(read_choice(position, "5b5a").kind, Kind::unusable);
  EXPECT_EQ(read_choice(position, "5b5a+").kind, Kind::move);
}

TEST(TranslatePv, moves_alternate_and_name_the_piece_after_the_move) {
  EXPECT_EQ(translate_pv(Position::startpos(), {"7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"}, 20),
            "+7776FU -3334FU +8822UM -3122GI +0055KA");
}

TEST(TranslatePv, the_line_ends_at_the_first_move_that_is_not_legal) {
  EXPECT_EQ(translate_pv(Position::startpos(), {"7g7f", "3c3e", "2g2f"}, 20), "+7776FU");
  EXPECT_EQ(translate_pv(Position::startpos(), {"7g7f", "exit", "2g2f"}, 20), "+7776FU");
  EXPECT_EQ(translate_pv(Position::startpos(), {"resign"}, 20), "");
}

TEST(TranslatePv, the_line_is_no_longer_than_asked_for) {
  EXPECT_EQ(translate_pv(Position::startpos(), {"7g7f", "3c3d", "2g2f"}, 2), "+7776FU -3334FU");
  EXPECT_EQ(translate_pv(Position::startpos(), {"7g7f"}, 0), "");
  EXPECT_EQ(translate_pv(Position::startpos(), {}, 20), "");
}

}  // namespace
}  // namespace kakehashi::bridge
