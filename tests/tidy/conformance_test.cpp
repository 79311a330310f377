// The pages of conformance and security keep their word: every case once, every test that they name
// in the tree.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/places.hpp"

namespace kakehashi::tidy {
namespace {

namespace fs = std::filesystem;

const fs::path top = test::source_dir();

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// "Suite.name" of every test in the sources, "golden.name" of every script, "fuzz.name" of every fuzz
/// target, and "packaging.name" of every test that CMake adds.
std::set<std::string> tests_in_tree() {
  static const std::regex test(R"(TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\))");
  std::set<std::string> found;
  static const std::regex added(R"(add_test\(NAME (packaging\.\w+))");
  const std::string list = read(top / "tests" / "CMakeLists.txt");
  for (std::sregex_iterator at(list.begin(), list.end(), added), none; at != none; ++at) {
    found.insert((*at)[1]);
  }
  for (const auto& target : fs::directory_iterator(top / "tests" / "fuzz" / "corpus")) {
    found.insert("fuzz." + target.path().filename().string());
  }
  for (fs::recursive_directory_iterator it(top / "tests"), end; it != end; ++it) {
    if (it->path().filename() == "node_modules") {
      it.disable_recursion_pending();
    } else if (it->path().extension() == ".script") {
      found.insert("golden." + it->path().stem().string());
    } else if (it->path().extension() == ".cpp") {
      const std::string text = read(it->path());
      for (std::sregex_iterator at(text.begin(), text.end(), test), none; at != none; ++at) {
        found.insert((*at)[1].str() + "." + (*at)[2].str());
      }
    }
  }
  return found;
}

TEST(Tidy, the_conformance_page_has_every_case_once_and_names_tests_that_exist) {
  static const std::regex row(R"(^\| (\d+a?) \| .* \| (.*) \|$)");
  static const std::regex name(R"(`(\w+\.\w+)`)");
  const std::set<std::string> tests = tests_in_tree();
  std::map<std::string, int> cases;
  std::istringstream page(read(top / "docs" / "internals" / "conformance.md"));
  for (std::string line; std::getline(page, line);) {
    const std::string proof = line.substr(line.rfind('|', line.size() - 2) + 1);
    for (std::sregex_iterator at(proof.begin(), proof.end(), name), none; at != none; ++at) {
      EXPECT_TRUE(tests.contains((*at)[1])) << "there is no test " << (*at)[1];
    }
    std::smatch match;
    if (std::regex_match(line, match, row)) {
      ++cases[match[1]];
      EXPECT_TRUE(std::regex_search(proof, name)) << "case " << match[1] << " names no test";
    }
  }
  std::map<std::string, int> expected{{"53a", 1}};
  for (int i = 1; i <= 74; ++i) {
    expected[std::to_string(i)] = 1;
  }
  EXPECT_EQ(cases, expected);
}

TEST(Tidy, the_security_page_names_a_test_that_exists_for_every_threat) {
  static const std::regex name(R"(`(\w+\.\w+)`)");
  const std::set<std::string> tests = tests_in_tree();
  std::istringstream page(read(top / "docs" / "internals" / "security.md"));
  int threats = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ") || line.starts_with("| threat ") || line.starts_with("| ---")) {
      continue;
    }
    ++threats;
    const std::string proof = line.substr(line.rfind('|', line.size() - 2) + 1);
    EXPECT_TRUE(std::regex_search(proof, name)) << "no test is named: " << line;
    for (std::sregex_iterator at(proof.begin(), proof.end(), name), none; at != none; ++at) {
      EXPECT_TRUE(tests.contains((*at)[1])) << "there is no test " << (*at)[1];
    }
  }
  EXPECT_GE(threats, 40);
}

// "Interrupt" loses the game on shogi-server, which takes it for an illegal move.
TEST(Tidy, the_bridge_knows_no_way_to_say_chudan) {
  int seen = 0;
  for (const char* folder : {"csa", "bridge"}) {
    for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
      if (entry.is_regular_file()) {
        ++seen;
        EXPECT_EQ(read(entry.path()).find("%CHUDAN"), std::string::npos) << entry.path();
      }
    }
  }
  EXPECT_GT(seen, 50);
}

}  // namespace
}  // namespace kakehashi::tidy
