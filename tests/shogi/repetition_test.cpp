#include "shogi/repetition.hpp"

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

}  // namespace
}  // namespace kakehashi::shogi
