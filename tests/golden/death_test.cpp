// The player's deaths: each golden script is played again, and at some steps the process that plays dies: behind the step,
// between reading and step, between step and writing. Another follows from what it left. The server, the engines, the record and
// the log must see the script, to the letter: nothing twice, and nothing left out.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "golden/script_files.hpp"
#include "support/performance.hpp"

namespace kakehashi {
namespace {

using support::Death;
using Deaths = support::Stage::Deaths;

constexpr std::array ways{Death::behind_step, Death::before_step, Death::before_writing};

class DeathTest : public testing::Test {
 public:
  DeathTest(std::filesystem::path path, bool at_each_step) : path_(std::move(path)), at_each_step_(at_each_step) {}

  void TestBody() override {
    const auto script = golden::read(path_);
    ASSERT_TRUE(script) << script.error().what;
    if (at_each_step_) {
      for (std::size_t first = 0; first < ways.size(); ++first) {
        play(*script, [first](std::uint64_t step) { return std::optional(ways[(step + first) % ways.size()]); });
      }
      return;
    }
    std::seed_seq seed(script->name.begin(), script->name.end());
    std::mt19937_64 random(seed);
    const std::uint64_t steps = support::perform(*script).steps;
    std::map<std::uint64_t, Death> drawn;
    for (const Death way : ways) {
      drawn[random() % steps] = way;
    }
    play(*script, [&](std::uint64_t step) {
      const auto found = drawn.find(step);
      return found == drawn.end() ? std::nullopt : std::optional(found->second);
    });
  }

 private:
  void play(const support::Script& script, const Deaths& deaths) {
    const support::Performance performance = support::perform(script, deaths);
    for (const std::string& complaint : performance.complaints) {
      ADD_FAILURE() << complaint;
    }
    const std::string text = golden::read_text(path_);
    EXPECT_TRUE(performance.text == text) << "- as written, + as performed by those that follow:\n"
                                          << support::describe_difference(text, performance.text);
  }

  std::filesystem::path path_;
  bool at_each_step_;
};

}  // namespace

void golden::register_deaths() {
  for (const std::filesystem::path& path : golden::files()) {
    const auto add = [&](const char* suite, bool at_each_step) {
      testing::RegisterTest(suite, path.stem().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [path, at_each_step]() -> testing::Test* { return new DeathTest(path, at_each_step); });
    };
    add("golden_player_dies", false);
    add("golden_player_dies_at_each_step", true);
  }
}

}  // namespace kakehashi
