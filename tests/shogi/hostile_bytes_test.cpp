// Whatever bytes a peer sends, the readers of positions and moves answer with an error or with
// something that the rest of the code can work with.
#include <gtest/gtest.h>

#include <random>

#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"
#include "tests/shogi/boards.hpp"

namespace kakehashi::shogi {
namespace {

using Random = std::mt19937_64;

// Bytes from `alphabet`, now and then any byte at all.
std::string bytes(Random& random, std::string_view alphabet, std::size_t size_max) {
  std::string text;
  for (std::size_t size = random() % (size_max + 1); size > 0; --size) {
    text += random() % 16 == 0 ? static_cast<char>(random() % 256)
                               : alphabet[random() % alphabet.size()];
  }
  return text;
}

// A good text with a few bytes changed, lost or doubled.
std::string damaged(Random& random, std::string text) {
  for (std::size_t times = 1 + random() % 3; times > 0 && !text.empty(); --times) {
    const std::size_t at = random() % text.size();
    switch (random() % 3) {
      case 0: text[at] = static_cast<char>(random() % 256); break;
      case 1: text.erase(at, 1); break;
      default: text.insert(at, 1, text[random() % text.size()]); break;
    }
  }
  return text;
}

void expect_workable(const Position& position) {
  const std::vector<Move> moves = legal_moves(position);
  for (const Move& one : moves) {
    Position following = position;
    EXPECT_NO_THROW(following.play(one)) << shogi::usi::format_sfen(position);
  }
  EXPECT_EQ(board(shogi::usi::format_sfen(position)), position);
}

TEST(HostileBytes, never_break_the_reading_of_moves) {
  Random random(17);
  const Position position = Position::startpos();
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string usi_text = i % 2 == 0 ? bytes(random, "123456789abcdefghiPLNSGBR*+", 6)
                                            : damaged(random, "8h2b+");
    if (const auto result = shogi::usi::parse_move(usi_text)) {
      (void)judge(position, *result);
      EXPECT_EQ(shogi::usi::format_move(*result), usi_text);
      ++read;
    }
    const std::string csa_text =
        i % 2 == 0 ? bytes(random, "+-0123456789FUKYKEGI", 8) : damaged(random, "+2726FU");
    if (const auto result = shogi::csa::parse_move(position, csa_text)) {
      (void)judge(position, *result);
      EXPECT_EQ(shogi::csa::format_move(position, *result), csa_text);
      ++read;
    }
  }
  EXPECT_GT(read, 100);
}

TEST(HostileBytes, never_break_the_reading_of_sfen) {
  Random random(19);
  const std::string good = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
  int read = 0;
  for (int i = 0; i < 5'000; ++i) {
    const std::string text =
        i % 4 == 0 ? bytes(random, "123456789/+plnsgbrkPLNSGBRK bw-", 90) : damaged(random, good);
    if (const auto position = shogi::usi::parse_sfen(text)) {
      expect_workable(*position);
      ++read;
    }
  }
  EXPECT_GT(read, 10);
}

TEST(HostileBytes, never_break_the_reading_of_a_csa_board) {
  Random random(23);
  const std::vector<std::string> good{"PI",
                                      "PI82HI22KA",
                                      "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY",
                                      "P2 * -HI *  *  *  *  * -KA * ",
                                      "P+59OU55TO00KI00FU",
                                      "P-51OU00AL",
                                      "P+"};
  int read = 0;
  for (int i = 0; i < 10'000; ++i) {
    shogi::csa::BoardReader reader;
    bool is_broken = false;
    for (std::size_t lines = 1 + random() % 4; lines > 0; --lines) {
      const std::string& line = good[random() % good.size()];
      switch (random() % 3) {
        case 0: is_broken |= reader.feed(line).has_value(); break;
        case 1: is_broken |= reader.feed(damaged(random, line)).has_value(); break;
        default:
          is_broken |=
              reader.feed("P" + bytes(random, "+-I0123456789FUKYKEGIALOU* ", 30)).has_value();
          break;
      }
    }
    const auto position = reader.finish();
    if (position && !is_broken) {
      expect_workable(*position);
      ++read;
    }
  }
  EXPECT_GT(read, 10);
}

}  // namespace
}  // namespace kakehashi::shogi
