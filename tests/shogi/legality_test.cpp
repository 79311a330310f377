#include "shogi/legality.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/places.hpp"
#include "tests/shogi/boards.hpp"
#include "tests/support/known_positions.hpp"
#include "tests/support/random_games.hpp"

namespace kakehashi::shogi {

namespace {

Verdict verdict(std::string_view sfen, std::string_view text) {
  return judge(board(sfen), move(text));
}

TEST(Legality, a_piece_of_the_side_to_move_must_stand_on_the_source) {
  EXPECT_EQ(judge(Position::startpos(), move("5e5d")), Verdict::no_piece_there);
  EXPECT_EQ(judge(Position::startpos(), move("3c3d")), Verdict::no_piece_there);
  EXPECT_EQ(judge(Position::startpos(), move("P*5e")), Verdict::no_piece_there);
}

TEST(Legality, the_target_must_not_hold_an_own_piece_nor_a_drop_any_piece) {
  EXPECT_EQ(judge(Position::startpos(), move("9i9g")), Verdict::own_piece_on_target);
  EXPECT_EQ(judge(Position::startpos(), move("7g7g")), Verdict::own_piece_on_target);
  EXPECT_EQ(verdict("4k4/9/9/9/4p4/9/9/9/4K4 b G 1", "G*5e"), Verdict::own_piece_on_target);
}

TEST(Legality, each_kind_moves_in_its_own_way) {
  // Every kind alone on 5e, with the targets it reaches on an otherwise empty board.
  struct Case {
    const char* piece;
    int targets;
  };
  for (const Case& c : {Case{"P", 1}, Case{"L", 4}, Case{"N", 2}, Case{"S", 5}, Case{"G", 6},
                        Case{"B", 16}, Case{"R", 16}, Case{"K", 8}, Case{"+P", 6}, Case{"+L", 6},
                        Case{"+N", 6}, Case{"+S", 6}, Case{"+B", 20}, Case{"+R", 20}}) {
    Position position = board("9/9/9/9/4" + std::string(c.piece) + "4/9/9/9/9 b - 1");
    for (const Color color : {Color::black, Color::white}) {
      const Piece piece{color, position.at(Square(5, 5))->kind};
      position.put(Square(5, 5), piece);
      position.set_side_to_move(color);
      std::set<int> targets;
      for (int index = 0; index < Square::count; ++index) {
        const Square to = Square::from_index(index);
        if (is_legal(position, Move::board(Square(5, 5), to, false)) ||
            is_legal(position, Move::board(Square(5, 5), to, true))) {
          targets.insert(index);
        }
      }
      EXPECT_EQ(targets.size(), static_cast<std::size_t>(c.targets)) << c.piece;
    }
  }
}

TEST(Legality, white_moves_down_the_board) {
  EXPECT_EQ(verdict("9/9/9/9/4n4/9/9/9/9 w - 1", "5e4g"), Verdict::legal);
  EXPECT_EQ(verdict("9/9/9/9/4n4/9/9/9/9 w - 1", "5e4c"), Verdict::piece_does_not_move_so);
  EXPECT_EQ(verdict("9/9/9/9/4s4/9/9/9/9 w - 1", "5e5f"), Verdict::legal);
  EXPECT_EQ(verdict("9/9/9/9/4s4/9/9/9/9 w - 1", "5e5d"), Verdict::piece_does_not_move_so);
}

TEST(Legality, nothing_but_a_knight_jumps) {
  EXPECT_EQ(judge(Position::startpos(), move("2h2c+")), Verdict::piece_does_not_move_so);
  EXPECT_EQ(judge(Position::startpos(), move("8h2b+")), Verdict::piece_does_not_move_so);
  EXPECT_EQ(verdict("4k4/9/9/9/9/2P6/3P5/2N6/4K4 b - 1", "7h6f"), Verdict::legal);
}

TEST(Legality, promotion_needs_a_promotable_piece_and_the_zone) {
  EXPECT_EQ(verdict("4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "2h2d+"), Verdict::cannot_promote);
  EXPECT_EQ(verdict("4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "2h2c+"), Verdict::legal);
  EXPECT_EQ(verdict("4k4/9/7R1/9/9/9/9/9/4K4 b - 1", "2c2h+"), Verdict::legal)
      << "leaving the zone counts";
  EXPECT_EQ(verdict("4k4/9/7G1/9/9/9/9/9/4K4 b - 1", "2c2b+"), Verdict::cannot_promote);
  EXPECT_EQ(verdict("4k4/9/7+R1/9/9/9/9/9/4K4 b - 1", "2c2b+"), Verdict::cannot_promote);
  EXPECT_EQ(verdict("9/9/4K4/9/9/9/9/9/4k4 b - 1", "5c5b+"), Verdict::cannot_promote);
  EXPECT_EQ(verdict("4k4/9/9/9/9/9/7r1/9/4K4 w - 1", "2g2f+"), Verdict::legal);
}

TEST(Legality, a_piece_without_a_further_move_must_promote) {
  EXPECT_EQ(verdict("4k4/7P1/9/9/9/9/9/9/4K4 b - 1", "2b2a"), Verdict::must_promote);
  EXPECT_EQ(verdict("4k4/7P1/9/9/9/9/9/9/4K4 b - 1", "2b2a+"), Verdict::legal);
  EXPECT_EQ(verdict("4k4/9/7L1/9/9/9/9/9/4K4 b - 1", "2c2a"), Verdict::must_promote);
  EXPECT_EQ(verdict("4k4/9/7L1/9/9/9/9/9/4K4 b - 1", "2c2b"), Verdict::legal);
  EXPECT_EQ(verdict("4k4/9/9/7N1/9/9/9/9/4K4 b - 1", "2d1b"), Verdict::must_promote);
  EXPECT_EQ(verdict("4k4/9/9/9/7N1/9/9/9/4K4 b - 1", "2e1c"), Verdict::legal);
  EXPECT_EQ(verdict("4k4/9/9/9/9/7n1/9/9/4K4 w - 1", "2f1h"), Verdict::must_promote);
}

TEST(Legality, a_piece_is_not_dropped_where_it_has_no_further_move) {
  const char* black = "9/4k4/9/9/9/9/9/4K4/9 b PLNSG 1";
  EXPECT_EQ(verdict(black, "P*9a"), Verdict::no_further_move);
  EXPECT_EQ(verdict(black, "L*9a"), Verdict::no_further_move);
  EXPECT_EQ(verdict(black, "N*9b"), Verdict::no_further_move);
  EXPECT_EQ(verdict(black, "N*9c"), Verdict::legal);
  EXPECT_EQ(verdict(black, "S*9a"), Verdict::legal);
  EXPECT_EQ(verdict("9/4k4/9/9/9/9/9/4K4/9 w pln 1", "N*9h"), Verdict::no_further_move);
}

TEST(Legality, two_unpromoted_pawns_on_a_file_are_forbidden) {
  EXPECT_EQ(verdict("4k4/9/9/9/9/9/P8/9/4K4 b P 1", "P*9d"), Verdict::two_pawns);
  EXPECT_EQ(verdict("4k4/9/9/9/9/9/+P8/9/4K4 b P 1", "P*9d"), Verdict::legal);
  EXPECT_EQ(verdict("4k4/9/p8/9/9/9/9/9/4K4 b P 1", "P*9d"), Verdict::legal);
}

TEST(Legality, the_own_king_must_not_be_left_in_check) {
  const char* pinned = "4k4/4r4/9/9/9/9/9/4G4/4K4 b - 1";
  EXPECT_EQ(verdict(pinned, "5h4h"), Verdict::king_left_in_check);
  EXPECT_EQ(verdict(pinned, "5h5g"), Verdict::legal);
  const char* checked = "4k4/4r4/9/9/9/9/9/9/4K4 b GP 1";
  EXPECT_EQ(verdict(checked, "G*4e"), Verdict::king_left_in_check);
  EXPECT_EQ(verdict(checked, "P*5e"), Verdict::legal);
  EXPECT_EQ(verdict(checked, "5i5h"), Verdict::king_left_in_check);
  EXPECT_EQ(verdict(checked, "5i4i"), Verdict::legal);
}

TEST(Legality, a_king_that_steps_back_along_a_line_stays_in_check) {
  EXPECT_EQ(verdict("4k4/4r4/9/9/9/9/9/4K4/9 b - 1", "5h5i"), Verdict::king_left_in_check);
}

TEST(Legality, a_dropped_pawn_must_not_mate) {
  EXPECT_EQ(verdict("7nk/9/7G1/9/9/9/9/9/4K4 b P 1", "P*1b"), Verdict::drop_pawn_mate);
  EXPECT_EQ(verdict("4k4/9/9/9/9/9/1g7/9/KN7 w p 1", "P*9h"), Verdict::drop_pawn_mate);
}

TEST(Legality, a_pushed_pawn_or_another_dropped_piece_may_mate) {
  EXPECT_EQ(verdict("7nk/9/7GP/9/9/9/9/9/4K4 b - 1", "1c1b+"), Verdict::legal);
  EXPECT_EQ(verdict("7nk/9/7GP/9/9/9/9/9/4K4 b - 1", "1c1b"), Verdict::legal);
  EXPECT_TRUE(is_mated(after(board("7nk/9/7GP/9/9/9/9/9/4K4 b - 1"), "1c1b")));
  EXPECT_EQ(verdict("7nk/9/7G1/9/9/9/9/9/4K4 b L 1", "L*1b"), Verdict::legal);
}

TEST(Legality, a_dropped_pawn_that_can_be_captured_does_not_mate) {
  EXPECT_EQ(verdict("7nk/r8/7G1/9/9/9/9/9/4K4 b P 1", "P*1b"), Verdict::legal)
      << "the rook captures from afar";
  EXPECT_EQ(verdict("6gnk/7g1/7S1/7N1/9/9/9/9/4K4 b P 1", "P*1b"), Verdict::legal)
      << "the gold captures";
}

TEST(Legality, a_pinned_piece_does_not_save_from_a_pawn_drop_mate) {
  EXPECT_EQ(verdict("7nk/7g1/6B1R/9/9/9/9/9/4K4 b P 1", "P*1b"), Verdict::drop_pawn_mate)
      << "the gold is pinned, the king cannot take a protected pawn";
  EXPECT_EQ(verdict("7nk/7g1/8R/9/9/9/9/9/4K4 b P 1", "P*1b"), Verdict::legal)
      << "unpinned, the gold captures";
}

TEST(Legality, check_and_mate_are_seen) {
  EXPECT_FALSE(is_in_check(Position::startpos(), Color::black));
  const Position checked = board("4k4/9/9/9/4l4/9/9/9/4K4 b - 1");
  EXPECT_TRUE(is_in_check(checked, Color::black));
  EXPECT_FALSE(is_in_check(checked, Color::white));
  EXPECT_FALSE(is_mated(checked));
  EXPECT_TRUE(is_mated(board("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")));
}

TEST(Legality, no_legal_move_without_check_is_no_mate) {
  const Position stuck = board("8k/9/9/9/9/9/9/7r1/K1r6 b - 1");
  EXPECT_TRUE(is_in_check(stuck, Color::black));
  const Position stalemate = board("k8/9/1R7/9/9/9/9/9/2R1K4 w - 1");
  EXPECT_TRUE(has_legal_move(stalemate));
  const Position none = board("k8/2G6/1G7/9/9/9/9/9/4K4 w - 1");
  EXPECT_FALSE(is_in_check(none, Color::white));
  EXPECT_TRUE(legal_moves(none).empty());
  EXPECT_FALSE(has_legal_move(none));
  EXPECT_FALSE(is_mated(none));
}

TEST(Legality, a_side_without_a_king_is_never_in_check) {
  EXPECT_FALSE(is_in_check(board("4k4/9/4l4/9/9/9/9/9/9 b G 1"), Color::black));
}

TEST(Legality, every_verdict_has_words_of_its_own) {
  std::set<std::string> words;
  for (int i = 0; i <= static_cast<int>(Verdict::king_left_in_check); ++i) {
    words.insert(describe(static_cast<Verdict>(i)).english());
  }
  EXPECT_EQ(words.size(), 10U);
  EXPECT_FALSE(words.contains(""));
}

std::vector<support::KnownPosition> known_positions() {
  return support::read_known_positions(test::tests_dir() + "/crosscheck/positions.txt");
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
    EXPECT_TRUE(expected.insert(shogi::usi::format_move(one)).second) << "a move is listed twice";
  }
  std::set<std::string> judged;
  const auto ask = [&](const Move& one) {
    if (judge(position, one) == Verdict::legal) {
      judged.insert(shogi::usi::format_move(one));
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
  EXPECT_EQ(judged, expected) << shogi::usi::format_sfen(position);
  EXPECT_EQ(has_legal_move(position), !legal.empty());
}

TEST(LegalMoves, their_numbers_are_the_known_ones) {
  constexpr std::uint64_t leaves_max = 500'000;
  for (const support::KnownPosition& known : known_positions()) {
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
  for (const support::KnownPosition& known : known_positions()) {
    expect_judge_to_agree(known.position, legal_moves(known.position), true);
  }
}

TEST(LegalMoves, the_judgement_of_single_moves_agrees_in_random_games) {
  std::mt19937_64 random(7);
  int positions = 0;
  int mates = 0;
  const std::vector<support::KnownPosition> starts = known_positions();
  for (const support::KnownPosition& start : starts) {
    support::play_random_game(start.position, 30, random,
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
  for (const support::KnownPosition& known : known_positions()) {
    EXPECT_EQ(legal_moves(known.position), legal_moves(known.position));
  }
}

TEST(LegalMoves, of_a_position_turned_around_are_turned_around) {
  for (const support::KnownPosition& known : known_positions()) {
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
      expected.insert(shogi::usi::format_move(
          one.is_drop()
              ? Move::drop(one.dropped(), to)
              : Move::board(Square::from_index(80 - one.from().index()), to, one.promotes())));
    }
    std::set<std::string> actual;
    for (const Move& one : legal_moves(turned)) {
      actual.insert(shogi::usi::format_move(one));
    }
    EXPECT_EQ(actual, expected) << known.name;
  }
}

}  // namespace

}  // namespace kakehashi::shogi
