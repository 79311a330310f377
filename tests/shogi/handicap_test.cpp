#include "shogi/notation/handicap.hpp"

#include <gtest/gtest.h>

#include "tests/shogi/boards.hpp"

namespace kakehashi::shogi {
namespace {

TEST(Handicap, is_given_by_black_who_moves_first) {
  struct Case {
    const char* name;
    const char* back_ranks;
  };
  for (const Case& c :
       {Case{"hclance", "1B5R1/1NSGKGSNL"}, Case{"hcbishop", "7R1/LNSGKGSNL"},
        Case{"hcrook", "1B7/LNSGKGSNL"}, Case{"hcrooklance", "1B7/1NSGKGSNL"},
        Case{"hc2p", "9/LNSGKGSNL"}, Case{"hc4p", "9/1NSGKGSN1"}, Case{"hc6p", "9/2SGKGS2"},
        Case{"hc8p", "9/3GKG3"}, Case{"hc10p", "9/4K4"}}) {
    const auto position = handicap_start(c.name);
    ASSERT_TRUE(position) << c.name;
    EXPECT_EQ(usi::format_sfen(*position),
              "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/" + std::string(c.back_ranks) + " b - 1");
  }
}

TEST(Handicap, of_another_name_is_unknown) {
  for (const char* name : {"", "hc", "hc3p", "HC2P", "hc2p_game", "floodgate"}) {
    EXPECT_FALSE(handicap_start(name)) << name;
  }
}

}  // namespace
}  // namespace kakehashi::shogi
