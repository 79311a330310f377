#include "shogi/notation/kif.hpp"

#include <gtest/gtest.h>

#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::shogi {
namespace {

std::string ki2_of(const char* sfen, const char* move) {
  return ki2::format_move(*shogi::usi::parse_sfen(sfen), *shogi::usi::parse_move(move), std::nullopt);
}

// The examples of the Japan Shogi Association's page on how to write moves.
TEST(Ki2, pieces_are_told_apart_as_the_association_prescribes) {
  EXPECT_EQ(ki2_of("9/2G3G2/9/9/9/9/9/9/9 b - 1", "7b8b"), "▲８二金");
  const char* golds = "9/3G1G3/9/9/9/9/9/9/9 b - 1";  // 62, 42
  EXPECT_EQ(ki2_of(golds, "6b5b"), "▲５二金左");
  EXPECT_EQ(ki2_of(golds, "4b5b"), "▲５二金右");
  const char* above = "9/9/9/9/4G4/5G3/9/9/9 b - 1";  // 55, 46 to 45
  EXPECT_EQ(ki2_of(above, "5e4e"), "▲４五金寄");
  EXPECT_EQ(ki2_of(above, "4f4e"), "▲４五金上");
  const char* three = "9/9/9/9/9/9/9/3GGG3/9 b - 1";  // 68, 58, 48 to 57
  EXPECT_EQ(ki2_of(three, "6h5g"), "▲５七金左");
  EXPECT_EQ(ki2_of(three, "5h5g"), "▲５七金直");
  EXPECT_EQ(ki2_of(three, "4h5g"), "▲５七金右");
  const char* silvers = "9/9/9/9/9/3S1S3/9/3S1S3/9 b - 1";  // 66, 46, 68, 48 to 57
  EXPECT_EQ(ki2_of(silvers, "6f5g"), "▲５七銀左引");
  EXPECT_EQ(ki2_of(silvers, "6h5g"), "▲５七銀左上");
  EXPECT_EQ(ki2_of(silvers, "4f5g"), "▲５七銀右引");
  EXPECT_EQ(ki2_of(silvers, "4h5g"), "▲５七銀右上");
  const char* dragons = "9/9/9/9/9/9/9/4+R3+R/9 b - 1";  // 58, 18
  EXPECT_EQ(ki2_of(dragons, "5h3h"), "▲３八龍左");
  EXPECT_EQ(ki2_of(dragons, "1h3h"), "▲３八龍右");
  const char* horses = "9/9/9/9/9/9/9/9/4+B1+B2 b - 1";  // 59, 39: one goes straight up, no 直
  EXPECT_EQ(ki2_of(horses, "5i5h"), "▲５八馬");
  const char* drop = "9/9/9/9/9/9/9/4G4/9 b G 1";
  EXPECT_EQ(ki2_of(drop, "G*5g"), "▲５七金打");
  EXPECT_EQ(ki2_of(drop, "G*5a"), "▲５一金");
  // White sees the board from the other side.
  EXPECT_EQ(ki2_of("9/9/3g1g3/9/9/9/9/9/9 w - 1", "6c5d"), "△５四金右");
}

TEST(Ki2, promotion_is_told_where_it_is_possible) {
  EXPECT_EQ(ki2_of("9/9/9/4S4/9/9/9/9/9 b - 1", "5d5c"), "▲５三銀不成");
  EXPECT_EQ(ki2_of("9/9/9/4S4/9/9/9/9/9 b - 1", "5d5c+"), "▲５三銀成");
  EXPECT_EQ(ki2_of("9/9/9/9/4S4/9/9/9/9 b - 1", "5e5d"), "▲５四銀");
  EXPECT_EQ(ki2_of("9/9/9/4+S4/9/9/9/9/9 b - 1", "5d5c"), "▲５三成銀");
}

TEST(Ki2, every_legal_move_of_crowded_boards_is_read_back) {
  int told = 0;
  for (const char* sfen : {"4k4/9/2+PGGG+P2/3+P1+P3/2+P+PG+P+P2/9/9/9/4K4 b 2R2B4S4N4L9p 1",
                           "4k4/9/9/1+b+R3+R+b1/3sss3/3s5/2nn1nn2/9/4K4 w 4g4l18p 1",
                           "4k4/9/1+B5+B1/4S4/3S1S3/1R5R1/4S4/9/4K4 b 4g4n4l18p 1"}) {
    const Position position = *shogi::usi::parse_sfen(sfen);
    for (const Move& move : legal_moves(position)) {
      const std::string text = ki2::format_move(position, move, move.to());
      const auto again = ki2::parse_move(position, text, move.to());
      ASSERT_TRUE(again) << text << ": " << again.error().what;
      EXPECT_EQ(*again, move) << text;
      told += ki2::relative(position, move).empty() ? 0 : 1;
      const auto kif = shogi::kif::parse_move(position, shogi::kif::format_move(position, move, {}), {});
      ASSERT_TRUE(kif);
      EXPECT_EQ(*kif, move);
    }
  }
  EXPECT_GT(told, 40);
}

std::string refusal(const char* sfen, const char* move) {
  const auto parsed = ki2::parse_move(*shogi::usi::parse_sfen(sfen), move, std::nullopt);
  return parsed ? "" : parsed.error().what.english();
}

TEST(Ki2, what_no_move_can_be_meant_by_is_refused_with_its_reason) {
  const char* golds = "9/3G1G3/9/9/9/9/9/9/9 b P 1";  // 62, 42, and a pawn in hand
  EXPECT_EQ(refusal(golds, "▲同　金"), "同 repeats a target, and no move came before");
  EXPECT_EQ(refusal(golds, "▲金"), "the target is no square");
  EXPECT_EQ(refusal(golds, "▲５二犬"), "unknown piece");
  EXPECT_EQ(refusal(golds, "▲５二金左へ"), "unknown words follow the move");
  EXPECT_EQ(refusal(golds, "▲５二金左(6x)"), "unknown words follow the move");
  EXPECT_EQ(refusal(golds, "▲５五銀打"), "no such piece is in hand");
  EXPECT_EQ(refusal(golds, "▲５五玉打"), "no such piece is in hand");
  EXPECT_EQ(refusal(golds, "▲５五銀"), "no such piece reaches the target");
  EXPECT_EQ(refusal(golds, "▲５二金直"), "no such piece reaches the target");
  EXPECT_EQ(refusal(golds, "▲６二金寄"), "no such piece reaches the target") << "it is its own";
  EXPECT_EQ(refusal(golds, "▲５二金"), "several such pieces reach the target");
  EXPECT_EQ(refusal(golds, "▲５二金(55)"), "another piece stands on the source");
  EXPECT_EQ(refusal(golds, "▲５二金(62)"), "") << "older files tell the source so";
  EXPECT_EQ(refusal(golds, "▲５五歩"), "")
      << "a drop need not be told where nothing else could move";
}

TEST(Kif, boards_and_handicaps_are_read_back) {
  for (const char* name : {"平手", "香落ち", "三枚落ち", "十枚落ち"}) {
    const auto position = shogi::kif::handicap_position(name);
    ASSERT_TRUE(position) << name;
    EXPECT_EQ(shogi::kif::handicap_of(*position)->name, name);
    shogi::kif::BoardReader reader;
    std::string text = shogi::kif::format_board(*position);
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      if (text.starts_with('|')) {
        EXPECT_EQ(reader.feed_rank(text.substr(0, end)), std::nullopt);
      }
      text.erase(0, end + 1);
    }
    reader.set_side_to_move(position->side_to_move());
    ASSERT_TRUE(reader.finish());
    EXPECT_EQ(*reader.finish(), *position);
  }
  EXPECT_EQ(shogi::kif::handicap_position("詰将棋"), std::nullopt);
}

}  // namespace
}  // namespace kakehashi::shogi
