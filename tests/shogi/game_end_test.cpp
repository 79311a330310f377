#include "shogi/game_end.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/shogi/boards.hpp"

namespace kakehashi::shogi {

namespace {

struct Outcome {
  int plies = 0;  ///< until the game was decided
  Repetition repetition = Repetition::none;
};

// Plays an introduction and then a cycle of moves over and over, until the counter decides.
Outcome play(Position position, const std::vector<const char*>& introduction,
             const std::vector<const char*>& cycle) {
  constexpr int plies_max = 100;
  RepetitionCounter counter;
  for (int ply = 0; ply < plies_max; ++ply) {
    const auto at = static_cast<std::size_t>(ply);
    position.play(move(at < introduction.size()
                           ? introduction[at]
                           : cycle[(at - introduction.size()) % cycle.size()]));
    const Repetition repetition = counter.after_move(position);
    if (repetition != Repetition::none) {
      return {ply + 1, repetition};
    }
  }
  return {};
}

TEST(Repetition, the_initial_position_is_not_counted) {
  // Shuffling rooks from the start: the start itself comes up for the fourth time at ply 12, but
  // shogi-server ends the game at ply 13, when the position after ply 1 comes up for the fourth.
  const Outcome outcome = play(Position::startpos(), {}, {"2h3h", "8b7b", "3h2h", "7b8b"});
  EXPECT_EQ(outcome.repetition, Repetition::draw);
  EXPECT_EQ(outcome.plies, 13);
}

TEST(Repetition, occurrences_are_counted_per_position_and_side_to_move) {
  RepetitionCounter counter;
  Position position = Position::startpos();
  EXPECT_EQ(counter.occurrences(position), 0);
  for (int round = 1; round <= 3; ++round) {
    for (const char* text : {"2h3h", "8b7b", "3h2h", "7b8b"}) {
      position.play(move(text));
      EXPECT_EQ(counter.after_move(position), Repetition::none);
      EXPECT_EQ(counter.occurrences(position), round);
    }
  }
  position.set_side_to_move(Color::white);
  EXPECT_EQ(counter.occurrences(position), 0);
}

// Black's rook checks a king that goes to and fro between 5a and 4a.
const std::vector<const char*> checks_only{"5a4a", "5e4e", "4a5a", "4e5e"};

TEST(Repetition, a_side_that_checks_with_every_move_loses) {
  const Outcome outcome = play(board("4k4/9/9/9/R8/9/9/9/8K b - 1"), {"9e5e"}, checks_only);
  EXPECT_EQ(outcome.repetition, Repetition::perpetual_check_by_mover);
  EXPECT_EQ(outcome.plies, 13);
}

TEST(Repetition, white_may_be_the_checker) {
  const Outcome outcome =
      play(board("8k/9/9/9/r8/9/9/9/4K4 w - 1"), {"9e5e"}, {"5i4i", "5e4e", "4i5i", "4e5e"});
  EXPECT_EQ(outcome.repetition, Repetition::perpetual_check_by_mover);
  EXPECT_EQ(outcome.plies, 13);
}

TEST(Repetition, the_checked_side_wins_when_its_move_completes_the_fourth) {
  // The king's first step to 4a answers no check, so its position is one ahead of the checks: at
  // ply 13 it has come up four times, three of them within the run of checks.
  const Outcome outcome =
      play(board("6k2/9/9/9/4R4/9/9/9/8K w - 1"), {"3a4a"}, {"5e4e", "4a5a", "4e5e", "5a4a"});
  EXPECT_EQ(outcome.repetition, Repetition::perpetual_check_by_other);
  EXPECT_EQ(outcome.plies, 13);
}

TEST(Repetition, a_checked_side_that_came_back_only_twice_under_checks_draws) {
  // King on 4a, rook on 5e: at plies 1 and 5 no check was answered, at 9 and 13 one was.
  const Outcome outcome =
      play(board("6k2/9/9/9/4R4/9/9/9/8K w - 1"), {"3a4a", "5e6e", "4a3a", "6e5e", "3a4a"},
           {"5e4e", "4a5a", "4e5e", "5a4a"});
  EXPECT_EQ(outcome.repetition, Repetition::draw);
  EXPECT_EQ(outcome.plies, 13);
}

TEST(Repetition, a_quiet_move_in_each_round_makes_it_a_draw) {
  const Outcome outcome =
      play(board("4k4/9/9/9/R8/9/9/9/8K b - 1"), {}, {"9e5e", "5a4a", "5e9e", "4a5a"});
  EXPECT_EQ(outcome.repetition, Repetition::draw);
  EXPECT_EQ(outcome.plies, 13);
}

TEST(Repetition, one_quiet_move_before_the_last_three_checks_makes_it_a_draw) {
  // The rook on 5e checks at plies 1, 5, 9 and 13; the quiet move at ply 3 ended its first run.
  const Outcome outcome = play(board("4k4/9/9/9/R8/9/9/9/8K b - 1"),
                               {"9e5e", "5a4a", "5e9e", "4a5a", "9e5e"}, checks_only);
  EXPECT_EQ(outcome.repetition, Repetition::draw);
  EXPECT_EQ(outcome.plies, 13);
}

TEST(Repetition, a_decided_repetition_stays_decided) {
  RepetitionCounter counter;
  Position position = Position::startpos();
  Repetition last = Repetition::none;
  for (int round = 0; round < 5; ++round) {
    for (const char* text : {"2h3h", "8b7b", "3h2h", "7b8b"}) {
      position.play(move(text));
      last = counter.after_move(position);
    }
  }
  EXPECT_EQ(last, Repetition::draw);
  EXPECT_EQ(counter.occurrences(position), 5);
}

// Black's king and ten other pieces in the camp, 14 points on the board.
constexpr const char* camp = "1+P+PK+P+P3/+N+P+B+P1+P3/3+P5/9/9/9/9/9/4k4 b ";

Declaration declare(const std::string& hands) {
  return judge_declaration(board(camp + hands + " 1"), Color::black);
}

TEST(Declaration, big_pieces_count_five_promoted_or_not_others_one) {
  EXPECT_EQ(declare("-").points, 14);
  EXPECT_EQ(declare("R").points, 19);
  EXPECT_EQ(declare("RB").points, 24);
  EXPECT_EQ(declare("GSNLP").points, 19);
  EXPECT_EQ(declare("rgsnlp").points, 14) << "the opponent's hand does not count";
}

TEST(Declaration, black_needs_28_points) {
  EXPECT_FALSE(declare("2R3P").is_valid());
  EXPECT_EQ(declare("2R3P").points, 27);
  EXPECT_TRUE(declare("2R4P").is_valid());
  EXPECT_EQ(declare("2R4P").points_needed, 28);
}

TEST(Declaration, white_needs_27_points) {
  const auto white = [](const std::string& hands) {
    return judge_declaration(board("4K4/9/9/9/9/9/5+p3/3+p1+p+b+p+n/3+p+pk+p+p1 w " + hands + " 1"),
                             Color::white);
  };
  EXPECT_EQ(white("2r2p").points, 26);
  EXPECT_FALSE(white("2r2p").is_valid());
  EXPECT_EQ(white("2r3p").points, 27);
  EXPECT_TRUE(white("2r3p").is_valid());
}

TEST(Declaration, ten_pieces_without_the_king_must_stand_in_the_camp) {
  const Declaration nine = judge_declaration(
      board("1+P+PK+P+P3/+N+P+B+P1+P3/9/3+P5/9/9/9/9/4k4 b 2R8P 1"), Color::black);
  EXPECT_EQ(nine.pieces_in_camp, 9);
  EXPECT_EQ(nine.points, 31) << "a piece outside the camp has no points";
  EXPECT_FALSE(nine.is_valid());
  EXPECT_EQ(declare("2R4P").pieces_in_camp, 10);
}

TEST(Declaration, the_king_must_stand_in_the_camp) {
  const Declaration declaration = judge_declaration(
      board("1+P+P1+P+P3/+N+P+B+P1+P3/3+P5/3K5/9/9/9/9/4k4 b 2R4P 1"), Color::black);
  EXPECT_FALSE(declaration.king_in_camp);
  EXPECT_EQ(declaration.points, 28);
  EXPECT_FALSE(declaration.is_valid());
}

TEST(Declaration, a_king_in_check_cannot_declare) {
  const Declaration declaration = judge_declaration(
      board("1+P+PK1+P3/+N+P+B+P1+P3/3+P+P4/9/6b2/9/9/9/4k4 b 2R4P 1"), Color::black);
  EXPECT_FALSE(declaration.is_in_check);
  EXPECT_TRUE(declaration.is_valid());
  const Declaration checked = judge_declaration(
      board("1+P+PK1+P3/+N+P+B+P1+P3/3+P+P4/6b2/9/9/9/9/4k4 b 2R4P 1"), Color::black);
  EXPECT_EQ(checked.points, declaration.points);
  EXPECT_TRUE(checked.is_in_check);
  EXPECT_FALSE(checked.is_valid());
}

TEST(Declaration, it_is_made_on_the_own_turn) {
  Position position = board(std::string(camp) + "2R4P 1");
  position.set_side_to_move(Color::white);
  const Declaration declaration = judge_declaration(position, Color::black);
  EXPECT_FALSE(declaration.is_own_turn);
  EXPECT_FALSE(declaration.is_valid());
}

TEST(Declaration, nobody_declares_at_the_start) {
  for (const Color color : {Color::black, Color::white}) {
    const Declaration declaration = judge_declaration(Position::startpos(), color);
    EXPECT_FALSE(declaration.is_valid());
    EXPECT_EQ(declaration.pieces_in_camp, 0);
    EXPECT_EQ(declaration.points, 0);
  }
}

}  // namespace

}  // namespace kakehashi::shogi
