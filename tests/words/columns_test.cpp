#include "words/words.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kakehashi::words {
namespace {

using base::say;

TEST(Columns, a_label_stands_in_a_column_of_its_own_in_either_language) {
  const auto label = base::say_as("column", "engine");
  EXPECT_EQ(labelled(Language::english, label, base::verbatim("x")), "engine    x");
  EXPECT_EQ(labelled(Language::japanese, label, base::verbatim("x")), "エンジン  x");
  EXPECT_EQ(labelled(Language::japanese, label, base::verbatim("x"), 4), "エンジン x");
}

TEST(Columns, the_cells_of_a_row_are_as_wide_as_a_terminal_shows_them) {
  const std::vector<Cell> cells{{base::verbatim("将棋"), 6}, {base::verbatim("7"), 3, Side::right}, {say("{} games", 2), 20}};
  EXPECT_EQ(row(Language::english, cells), "将棋      7  2 games");
  EXPECT_EQ(row(Language::japanese, cells), "将棋      7  2 局");
}

}  // namespace
}  // namespace kakehashi::words
