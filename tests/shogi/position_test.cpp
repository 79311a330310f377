#include "shogi/position.hpp"

#include <gtest/gtest.h>

#include <unordered_map>

#include "tests/shogi/boards.hpp"
#include "tests/support/random_games.hpp"

namespace kakehashi::shogi {
namespace {

TEST(Square, knows_its_file_and_rank_and_index) {
  for (int index = 0; index < Square::count; ++index) {
    const Square square = Square::from_index(index);
    EXPECT_EQ(square.index(), index);
    EXPECT_EQ(Square(square.file(), square.rank()), square);
  }
  EXPECT_EQ(Square(1, 1).index(), 0);
  EXPECT_EQ(Square(7, 6).index(), 59);
}

TEST(Square, off_the_board_is_a_programmer_error) {
  EXPECT_THROW(Square(0, 5), base::CheckFailure);
  EXPECT_THROW(Square(10, 5), base::CheckFailure);
  EXPECT_THROW(Square(5, 10), base::CheckFailure);
  EXPECT_THROW((void)Square::from_index(-1), base::CheckFailure);
  EXPECT_THROW((void)Square::from_index(81), base::CheckFailure);
}

TEST(Square, its_rank_is_counted_from_the_far_side) {
  EXPECT_EQ(relative_rank(Square(5, 1), Color::black), 1);
  EXPECT_EQ(relative_rank(Square(5, 1), Color::white), 9);
}

TEST(Piece, a_promoted_kind_goes_back_to_what_it_was) {
  int promotable = 0;
  for (int i = 0; i < piece_kind_count; ++i) {
    const auto kind = static_cast<PieceKind>(i);
    if (const auto higher = promoted(kind)) {
      ++promotable;
      EXPECT_TRUE(is_promoted(*higher));
      EXPECT_EQ(unpromoted(*higher), kind);
      EXPECT_FALSE(promoted(*higher));
    }
  }
  EXPECT_EQ(promotable, 6);
}

TEST(Move, only_its_own_parts_can_be_read) {
  const Move drop = Move::drop(PieceKind::gold, Square(5, 2));
  EXPECT_THROW((void)drop.from(), base::CheckFailure);
  EXPECT_THROW((void)Move::board(Square(7, 7), Square(7, 6), false).dropped(), base::CheckFailure);
  EXPECT_THROW((void)Move::drop(PieceKind::king, Square(5, 2)), base::CheckFailure);
}

TEST(Position, the_start_is_the_customary_one) {
  EXPECT_EQ(shogi::usi::format_sfen(Position::startpos()), shogi::usi::startpos_sfen);
  EXPECT_EQ(Position::startpos().king(Color::black), Square(5, 9));
  EXPECT_EQ(Position::startpos().king(Color::white), Square(5, 1));
}

TEST(Position, an_empty_board_has_no_king_and_nothing_in_hand) {
  const Position empty;
  EXPECT_FALSE(empty.king(Color::black));
  EXPECT_FALSE(empty.at(Square(5, 5)));
  EXPECT_EQ(empty.hand(Color::white, PieceKind::pawn), 0);
  EXPECT_EQ(shogi::usi::format_sfen(empty), "9/9/9/9/9/9/9/9/9 b - 1");
}

TEST(Position, a_captured_piece_goes_to_hand_as_what_it_was_before_promotion) {
  const Position position = after(Position::startpos(), "7g7f", "3c3d", "8h2b+", "3a2b");
  EXPECT_EQ(position.hand(Color::black, PieceKind::bishop), 1);
  EXPECT_EQ(position.hand(Color::white, PieceKind::bishop), 1);
  EXPECT_EQ(position.at(Square(2, 2)), (Piece{Color::white, PieceKind::silver}));
  EXPECT_FALSE(position.at(Square(8, 8)));
}

TEST(Position, a_drop_takes_the_piece_from_hand) {
  const Position position = after(board("4k4/9/9/9/9/9/9/9/4K4 b 2P 1"), "P*5e");
  EXPECT_EQ(position.hand(Color::black, PieceKind::pawn), 1);
  EXPECT_EQ(position.at(Square(5, 5)), (Piece{Color::black, PieceKind::pawn}));
  EXPECT_EQ(position.side_to_move(), Color::white);
}

TEST(Position, a_moved_king_is_found_on_its_new_square) {
  Position position = after(Position::startpos(), "5i5h");
  EXPECT_EQ(position.king(Color::black), Square(5, 8));
  position.clear(Square(5, 8));
  EXPECT_FALSE(position.king(Color::black));
}

TEST(Position, a_captured_king_leaves_the_game) {
  const Position position = after(board("4k4/4R4/9/9/9/9/9/9/4K4 b - 1"), "5b5a");
  EXPECT_FALSE(position.king(Color::white));
  EXPECT_EQ(shogi::usi::format_sfen(position), "4R4/9/9/9/9/9/9/9/4K4 w - 1");
}

TEST(Position, playing_what_cannot_be_played_is_a_programmer_error) {
  for (const char* impossible : {"5e5d", "3c3d", "9i9g", "P*5e", "4i3h+"}) {
    Position position = Position::startpos();
    EXPECT_THROW(position.play(move(impossible)), base::CheckFailure) << impossible;
  }
  Position position;
  EXPECT_THROW(position.set_hand(Color::black, PieceKind::pawn, 19), base::CheckFailure);
  EXPECT_THROW(position.set_hand(Color::black, PieceKind::king, 1), base::CheckFailure);
}

TEST(Position, the_key_does_not_depend_on_the_way_there) {
  const Position one = after(Position::startpos(), "7g7f", "3c3d", "2g2f");
  const Position other = after(Position::startpos(), "2g2f", "3c3d", "7g7f");
  EXPECT_EQ(one, other);
  EXPECT_EQ(one.key(), other.key());
}

TEST(Position, the_key_tells_the_side_to_move_and_the_hands_apart) {
  Position position = Position::startpos();
  const std::uint64_t at_start = position.key();
  position.set_side_to_move(Color::white);
  EXPECT_NE(position.key(), at_start);
  position.set_side_to_move(Color::black);
  EXPECT_EQ(position.key(), at_start);

  const Position black_holds = board("4k4/9/9/9/9/9/9/9/4K4 b P 1");
  const Position white_holds = board("4k4/9/9/9/9/9/9/9/4K4 b p 1");
  const Position black_holds_two = board("4k4/9/9/9/9/9/9/9/4K4 b 2P 1");
  EXPECT_NE(black_holds.key(), white_holds.key());
  EXPECT_NE(black_holds.key(), black_holds_two.key());
}

TEST(Position, equal_keys_mean_equal_positions_and_a_key_kept_up_is_a_key_made_anew) {
  std::mt19937_64 random(3);
  std::unordered_map<std::uint64_t, Position> by_key;
  for (int game = 0; game < 20; ++game) {
    support::play_random_game(
        Position::startpos(), 120, random, [&](const Position& position, const auto&) {
          EXPECT_EQ(board(shogi::usi::format_sfen(position)).key(), position.key());
          const auto [found, is_new] = by_key.emplace(position.key(), position);
          EXPECT_EQ(found->second, position);
        });
  }
  EXPECT_GT(by_key.size(), 1500U);
}

}  // namespace
}  // namespace kakehashi::shogi
