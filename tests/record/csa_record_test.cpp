#include <gtest/gtest.h>

#include <set>

#include "record/generated_game.hpp"
#include "shogi/record/csa_reader.hpp"
#include "shogi/record/csa_writer.hpp"

namespace kakehashi::shogi::record {
namespace {

TEST(CsaRecord, generated_games_come_back_as_they_were) {
  for (std::uint32_t seed = 0; seed < 84; ++seed) {
    for (const CsaVersion version : {CsaVersion::v2_2, CsaVersion::v3_0}) {
      const Record record = generate_game(seed, version);
      const auto read = read_csa(CsaWriter::whole(record, version), record.utc_offset);
      ASSERT_TRUE(read) << "seed " << seed << ": " << read.error().what;
      ASSERT_EQ(read->size(), 1U);
      const Record& back = read->front();
      ASSERT_EQ(back.start, record.start) << "seed " << seed;
      ASSERT_EQ(back.moves, record.moves) << "seed " << seed;
      ASSERT_EQ(back.ending, record.ending) << "seed " << seed;
      ASSERT_EQ(back.started, record.started);
      ASSERT_EQ(back.ended, record.ended);
      ASSERT_EQ(back.black_clock, record.black_clock) << "seed " << seed;
      ASSERT_EQ(back.white_clock, record.white_clock) << "seed " << seed;
      ASSERT_EQ(back.max_moves, record.max_moves);
      ASSERT_EQ(back.jishogi_rule, record.jishogi_rule);
      ASSERT_EQ(back.black_name, record.black_name);
      ASSERT_EQ(back.white_name, record.white_name);
      ASSERT_EQ(back.event, record.event);
      ASSERT_EQ(back.site, record.site);
      ASSERT_EQ(back.comments, record.comments);
    }
  }
}

TEST(CsaRecord, the_corpus_has_every_kind_of_game) {
  int resumed_white = 0;
  std::set<EndingKind> endings;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Record record = generate_game(seed, CsaVersion::v3_0);
    endings.insert(record.ending->kind);
    resumed_white += record.start.side_to_move() == Color::white ? 1 : 0;
  }
  EXPECT_EQ(endings.size(), static_cast<std::size_t>(EndingKind::error) + 1);
  EXPECT_GT(resumed_white, 0);
}

}  // namespace
}  // namespace kakehashi::shogi::record
