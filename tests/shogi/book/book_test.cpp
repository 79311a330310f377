#include "shogi/book/book.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "shogi/notation/usi.hpp"

namespace kakehashi::shogi::book {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Book, a_position_is_known_without_its_ply) {
  EXPECT_EQ(key_of(*shogi::usi::parse_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")),
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -");
  EXPECT_EQ(key_in("sfen 9/9 b - 12"), "9/9 b -");
  EXPECT_EQ(key_in("sfen 9/9 b -"), "9/9 b -");
  EXPECT_EQ(key_in("sfen 9/9 b 2P\r"), "9/9 b 2P");
  EXPECT_EQ(key_in("sfen 9/9"), "9/9");
  EXPECT_EQ(key_in("#sfen 9/9 b - 1"), std::nullopt);
  EXPECT_EQ(key_in(""), std::nullopt);
  EXPECT_EQ(ply_in("sfen 9/9 b - 12"), 12);
  EXPECT_EQ(ply_in("sfen 9/9 b -"), 0);
}

TEST(Book, moves_are_read_up_to_the_next_position) {
  EXPECT_THAT(read_moves("7g7f 3c3d 52 30 12\n"
                         "# a comment\n"
                         "2g2f none none none\r\n"
                         "P*5e none -120 8\n"
                         "8h2b+ 3a2b  \n"
                         "sfen 9/9 b - 1\n"
                         "9g9f none 0 0 0\n"),
              ElementsAre(Move{"7g7f", 52, 12}, Move{"2g2f", std::nullopt, std::nullopt},
                          Move{"P*5e", -120, std::nullopt},
                          Move{"8h2b+", std::nullopt, std::nullopt}));
}

TEST(Book, what_is_no_move_is_skipped_and_numbers_are_bounded) {
  EXPECT_THAT(read_moves("resign none 0\n7g7f\nK*5e x\n0a1b x\n7g7fx\n\n \n7g7f x 99999999999 1 -5\n"),
              ElementsAre(Move{"7g7f", std::nullopt, std::nullopt}, Move{"7g7f", 1'000'000, -5}));
  std::string many;
  for (int i = 0; i < 1000; ++i) {
    many += "7g7f none 0 0 1\n";
  }
  EXPECT_EQ(read_moves(many).size(), moves_max);
  EXPECT_THAT(read_moves(std::string(100'000, '\xFF')), IsEmpty());
}

std::map<std::size_t, int> chosen(const std::vector<Move>& moves, Rule rule, int temperature) {
  std::mt19937_64 random(1);
  std::map<std::size_t, int> times;
  for (int i = 0; i < 10'000; ++i) {
    ++times[*choose(moves, rule, temperature, random())];
  }
  return times;
}

TEST(BookChoice, best_is_the_first) {
  EXPECT_EQ(choose(std::vector<Move>{{"a", 1, 1}, {"b", 9, 9}}, Rule::best, 100, 77), 0U);
  EXPECT_EQ(choose({}, Rule::best, 100, 77), std::nullopt);
}

TEST(BookChoice, counts_are_weights) {
  auto times = chosen({{"a", {}, 1}, {"b", {}, 0}, {"c", {}, 3}, {"d", {}, {}}}, Rule::by_count, 100);
  EXPECT_NEAR(times[0], 2'500, 200);
  EXPECT_EQ(times[1], 0);
  EXPECT_NEAR(times[2], 7'500, 200);
  EXPECT_EQ(times[3], 0);
}

TEST(BookChoice, a_score_behind_by_the_temperature_counts_a_third) {
  auto times = chosen({{"a", -500, {}}, {"b", -400, {}}, {"c", {}, {}}}, Rule::by_score, 100);
  EXPECT_NEAR(times[0], 2'689, 200);  // exp(-1) / (1 + exp(-1))
  EXPECT_NEAR(times[1], 7'311, 200);
  EXPECT_EQ(times[2], 0);
}

TEST(BookChoice, without_any_weight_the_first_is_played) {
  EXPECT_EQ(chosen({{"a", {}, {}}, {"b", {}, 0}}, Rule::by_count, 100)[0], 10'000);
  EXPECT_EQ(chosen({{"a", {}, {}}, {"b", {}, 5}}, Rule::by_score, 100)[0], 10'000);
}

struct Sorted {
  std::string text;
  std::map<std::string, std::uint64_t> behind;  ///< the truth
  mutable int reads = 0;

  [[nodiscard]] std::optional<std::uint64_t> find(const std::string& key) const {
    reads = 0;
    return find_in_sorted(
        [this](std::uint64_t offset, std::size_t bytes) {
          ++reads;
          return offset < text.size() ? text.substr(offset, bytes) : std::string();
        },
        text.size(), key);
  }
};

Sorted generated(unsigned seed, int positions, std::size_t comment_bytes_max) {
  std::mt19937 random(seed);
  std::map<std::string, std::string> entries;
  while (static_cast<int>(entries.size()) < positions) {
    std::string key;
    for (int i = 0; i < 4; ++i) {
      key += static_cast<char>('a' + random() % 5);
    }
    entries[key + " b " + (random() % 2 == 0 ? "-" : "P")] = "7g7f none 0 0 1\n";
  }
  Sorted book;
  book.text = std::string(header) + "\n";
  for (const auto& [key, moves] : entries) {
    book.text += "sfen " + key + " " + std::to_string(random() % 100) + "\n";
    book.behind[key] = book.text.size();
    book.text += moves;
    if (comment_bytes_max > 0) {
      book.text += "#" + std::string(random() % comment_bytes_max, 'x') + "\n";
    }
  }
  return book;
}

TEST(SortedBook, every_position_is_found_and_no_other) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Sorted book = generated(seed, 1 + static_cast<int>(seed) * 5, seed % 2 == 0 ? 0 : 9'000);
    for (const auto& [key, behind] : book.behind) {
      ASSERT_EQ(book.find(key), behind) << key << " of book " << seed;
      ASSERT_EQ(book.find(key + "2"), std::nullopt);
      ASSERT_EQ(book.find(key.substr(1)), std::nullopt);
    }
    ASSERT_EQ(book.find(""), std::nullopt);
    ASSERT_EQ(book.find("~"), std::nullopt);
  }
}

TEST(SortedBook, a_large_one_takes_few_reads) {
  const Sorted book = generated(1, 1000, 500);
  ASSERT_GT(book.text.size(), 200'000U);
  (void)book.find(book.behind.rbegin()->first);
  EXPECT_LE(book.reads, 25);
}

TEST(SortedBook, books_of_any_bytes_end_the_search) {
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    Sorted book;
    book.text.resize(random() % 20'000);
    for (char& c : book.text) {
      c = random() % 50 == 0 ? '\n' : "sfen b-\x00\xFF"[random() % 9];
    }
    (void)book.find("s b -");
    EXPECT_LT(book.reads, 400);
  }
  EXPECT_EQ(Sorted{}.find("x"), std::nullopt);
}

}  // namespace
}  // namespace kakehashi::shogi::book
