// Every fuzz target over its corpus, and over small changes of it that are the same in each run: what
// libFuzzer once found stays found, without libFuzzer. A finding crashes this program, or throws.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"
#include "tests/places.hpp"

namespace kakehashi::fuzz {
namespace {

/// Changed copies of each file of the corpus.
constexpr int changes_a_file = 40;
constexpr std::size_t bytes_max = 20'000;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::filesystem::path> corpus_of(const std::string& target) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::tests_dir() + "/fuzz/corpus/" + target)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// xorshift: the same numbers everywhere.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}
  std::size_t below(std::size_t bound) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return static_cast<std::size_t>(state_ % std::max<std::size_t>(bound, 1));
  }

 private:
  std::uint64_t state_;
};

/// Cuts out, doubles, overwrites, or splices in a piece of another file.
std::string changed(std::string text, const std::string& other, Numbers& numbers) {
  const std::size_t from = numbers.below(text.size() + 1);
  const std::size_t size = numbers.below(std::min<std::size_t>(text.size() - from, 64) + 1);
  switch (numbers.below(4)) {
    case 0: text.erase(from, size); break;
    case 1: text.insert(from, text.substr(from, size)); break;
    case 2:
      if (from < text.size()) {
        text[from] = static_cast<char>(numbers.below(256));
      }
      break;
    default: {
      const std::size_t there = numbers.below(other.size() + 1);
      text.insert(from, other.substr(there, numbers.below(200)));
      break;
    }
  }
  return text;
}

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, keeps_every_promise_whatever_is_done_to_it) {
  const Target target = GetParam();
  const auto files = corpus_of(target.name);
  ASSERT_FALSE(files.empty());
  std::vector<std::string> texts;
  for (const auto& file : files) {
    texts.push_back(read_file(file));
  }
  target.run("");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    SCOPED_TRACE(files[i].filename().string());
    EXPECT_NO_THROW(target.run(texts[i]));
    Numbers numbers(i);
    for (int change = 0; change < changes_a_file && texts[i].size() <= bytes_max; ++change) {
      std::string text = texts[i];
      for (std::size_t times = numbers.below(4) + 1; times > 0; --times) {
        text = changed(std::move(text), texts[numbers.below(texts.size())], numbers);
      }
      EXPECT_NO_THROW(target.run(text)) << "change " << change;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const testing::TestParamInfo<Target>& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace kakehashi::fuzz
