#include <gtest/gtest.h>

#include <set>
#include <string>

#include "shogi/legality.hpp"
#include "tests/shogi/boards.hpp"
#include "tests/support/known_positions.hpp"
#include "tests/support/random_games.hpp"

namespace kakehashi::shogi {
namespace {

std::vector<testing::KnownPosition> known_positions() {
  return testing::read_known_positions(KAKEHASHI_TESTS_DIR "/crosscheck/positions.txt");
}

std::uint64_t perft(const Position& position, int depth) {
  const std::vector<Move> moves = legal_moves(position);
  if (depth == 1) {
    return moves.size();
  }
  std::uint64_t leaves = 0;
  for (const Move& next : moves) {
    Position following = position;
    following.play(next);
    leaves += perft(following, depth - 1);
  }
  return leaves;
}

// Every move that can be written down: from each square, or of each kind in hand, to each square.
// `is_dense` false leaves out the moves from squares without an own piece, which are tried in a few
// positions only: they cost the most and say the least.
void expect_judge_to_agree(const Position& position, const std::vector<Move>& legal,
                           bool is_dense) {
  std::set<std::string> expected;
  for (const Move& one : legal) {
    EXPECT_TRUE(expected.insert(usi::format_move(one)).second) << "a move is listed twice";
  }
  std::set<std::string> judged;
  const auto ask = [&](const Move& one) {
    if (judge(position, one) == Verdict::legal) {
      judged.insert(usi::format_move(one));
    }
  };
  for (int to_index = 0; to_index < Square::count; ++to_index) {
    const Square to = Square::from_index(to_index);
    for (int from_index = 0; from_index < Square::count; ++from_index) {
      const Square from = Square::from_index(from_index);
      const std::optional<Piece> piece = position.at(from);
      if (is_dense || (piece && piece->color == position.side_to_move())) {
        ask(Move::board(from, to, false));
        ask(Move::board(from, to, true));
      }
    }
    for (int kind = 0; kind < hand_kind_count; ++kind) {
      ask(Move::drop(static_cast<PieceKind>(kind), to));
    }
  }
  EXPECT_EQ(judged, expected) << usi::format_sfen(position);
  EXPECT_EQ(has_legal_move(position), !legal.empty());
}

TEST(LegalMoves, their_numbers_are_the_known_ones) {
  constexpr std::uint64_t leaves_max = 500'000;
  for (const testing::KnownPosition& known : known_positions()) {
    for (std::size_t i = 0; i < known.leaves.size() && known.leaves[i] <= leaves_max; ++i) {
      EXPECT_EQ(perft(known.position, static_cast<int>(i) + 1), known.leaves[i])
          << known.name << ", depth " << i + 1;
    }
  }
}

TEST(LegalMoves, five_plies_from_the_start_are_19861490) {
  EXPECT_EQ(perft(Position::startpos(), 5), 19'861'490U);
}

TEST(LegalMoves, the_judgement_of_single_moves_agrees_in_known_positions) {
  for (const testing::KnownPosition& known : known_positions()) {
    expect_judge_to_agree(known.position, legal_moves(known.position), true);
  }
}

TEST(LegalMoves, the_judgement_of_single_moves_agrees_in_random_games) {
  std::mt19937_64 random(7);
  int positions = 0;
  int mates = 0;
  const std::vector<testing::KnownPosition> starts = known_positions();
  for (const testing::KnownPosition& start : starts) {
    testing::play_random_game(start.position, 30, random,
                              [&](const Position& position, const std::vector<Move>& legal) {
                                expect_judge_to_agree(position, legal, false);
                                ++positions;
                                mates += is_mated(position) ? 1 : 0;
                              });
  }
  EXPECT_GT(positions, 500);
  EXPECT_GT(mates, 0);
}

TEST(LegalMoves, come_in_the_same_order_every_time) {
  for (const testing::KnownPosition& known : known_positions()) {
    EXPECT_EQ(legal_moves(known.position), legal_moves(known.position));
  }
}

TEST(LegalMoves, of_a_position_turned_around_are_turned_around) {
  for (const testing::KnownPosition& known : known_positions()) {
    Position turned;
    for (int index = 0; index < Square::count; ++index) {
      if (const auto piece = known.position.at(Square::from_index(index))) {
        turned.put(Square::from_index(80 - index), {opposite(piece->color), piece->kind});
      }
    }
    for (int i = 0; i < hand_kind_count; ++i) {
      const auto kind = static_cast<PieceKind>(i);
      turned.set_hand(Color::black, kind, known.position.hand(Color::white, kind));
      turned.set_hand(Color::white, kind, known.position.hand(Color::black, kind));
    }
    turned.set_side_to_move(opposite(known.position.side_to_move()));

    std::set<std::string> expected;
    for (const Move& one : legal_moves(known.position)) {
      const Square to = Square::from_index(80 - one.to().index());
      expected.insert(usi::format_move(
          one.is_drop()
              ? Move::drop(one.dropped(), to)
              : Move::board(Square::from_index(80 - one.from().index()), to, one.promotes())));
    }
    std::set<std::string> actual;
    for (const Move& one : legal_moves(turned)) {
      actual.insert(usi::format_move(one));
    }
    EXPECT_EQ(actual, expected) << known.name;
  }
}

}  // namespace
}  // namespace kakehashi::shogi
