// Whatever stands in a file, reading it ends, throws nothing, and refuses or accepts with a reason.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/config/settings.hpp"

namespace kakehashi::config {
namespace {

void expect_an_answer(const std::string& text, unsigned seed) {
  Loaded loaded;
  ASSERT_NO_THROW(loaded = load_text(text)) << "seed " << seed;
  ASSERT_EQ(loaded.bots.size(), 1U);
  ASSERT_EQ(loaded.places.size(), 1U);
  for (const Problem& problem : loaded.problems) {
    ASSERT_FALSE(problem.text.empty()) << "seed " << seed;
    ASSERT_LT(describe(problem).english().size(), 1'000U) << "seed " << seed;
  }
  // Without a problem, the least that a bot needs is there.
  if (loaded.problems.empty()) {
    ASSERT_FALSE(loaded.bots[0].server.host.empty()) << "seed " << seed;
    ASSERT_FALSE(loaded.bots[0].engine.command.empty()) << "seed " << seed;
  }
}

TEST(HostileBytes, random_bytes_are_answered) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    std::string text(random() % 400, ' ');
    for (char& c : text) {
      c = static_cast<char>(random() % 256);
    }
    expect_an_answer(text, seed);
  }
}

TEST(HostileBytes, random_marks_of_yaml_are_answered) {
  const std::string marks = "{}[]:,-?#&*!|>'\"%@` \n\t~<ab1.";
  for (unsigned seed = 0; seed < 1'000; ++seed) {
    std::mt19937 random(seed);
    std::string text;
    for (auto count = random() % 200; count > 0; --count) {
      text += marks[random() % marks.size()];
    }
    expect_an_answer(text, seed);
  }
}

TEST(HostileBytes, a_good_file_with_random_damage_is_answered) {
  const std::string good = yaml_of({"engine.options: {Threads: 4, Clear: }", "game.count: 3",
                                    "time.margin: 1.5s", "log.rotate_bytes: 10MB",
                                    "records.name: \"{date}\"", "engine.environment: {A: b}"});
  for (unsigned seed = 0; seed < 1'000; ++seed) {
    std::mt19937 random(seed);
    std::string text = good;
    for (auto count = 1 + random() % 4; count > 0; --count) {
      const auto at = random() % text.size();
      switch (random() % 3) {
        case 0: text[at] = static_cast<char>(random() % 128); break;
        case 1: text.erase(at, random() % 20); break;
        case 2: text.insert(at, text.substr(random() % text.size(), random() % 20)); break;
      }
    }
    expect_an_answer(text, seed);
  }
}

TEST(HostileBytes, an_example_cut_anywhere_is_answered) {
  const std::string whole = R"(# Ponder, please.
server: {host: wdoor.c.u-tokyo.ac.jp}
account: {name: mybot, password_file: /etc/kakehashi/mybot.password}
game: {name: floodgate-300-10F}
engine:
  command: [/opt/engine/YaneuraOu]
  options: {USI_Hash: 1024, Threads: 8, NetworkDelay2: 0}
ponder: early
)";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    expect_an_answer(whole.substr(0, size), static_cast<unsigned>(size));
  }
}

TEST(HostileBytes, anchors_upon_anchors_do_not_grow) {
  std::string text = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 100; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last + ", " + last + "]\n";
  }
  expect_an_answer(text, 0);
}

TEST(HostileBytes, a_million_brackets_are_answered) {
  for (const char* mark : {"[", "{", "- ", "? ", "&a ", "!", "'", "a: "}) {
    std::string text;
    while (text.size() < 200'000) {
      text += mark;
    }
    expect_an_answer(text, 0);
  }
}

}  // namespace
}  // namespace kakehashi::config
