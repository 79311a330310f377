// The golden scripts: each file of tests/golden/scripts is one test, named by what it proves.
// KAKEHASHI_REFRESH=1 writes the outputs anew; read the change before it is committed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/performance.hpp"
#include "support/script.hpp"

namespace kakehashi {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class GoldenTest : public testing::Test {
 public:
  explicit GoldenTest(std::filesystem::path path) : path_(std::move(path)) {}

  void TestBody() override {
    const std::string text = read_file(path_);
    ASSERT_TRUE(text.starts_with("# ")) << "a script opens with what it proves";
    const auto script = support::read_script(path_.stem().string(), text);
    ASSERT_TRUE(script) << script.error().what;

    const support::Performance performance = support::perform(*script);

    for (const std::string& complaint : performance.complaints) {
      ADD_FAILURE() << complaint;
    }
    if (std::getenv("KAKEHASHI_REFRESH") != nullptr) {
      if (performance.text != text) {
        std::ofstream(path_, std::ios::binary) << performance.text;
      }
      return;
    }
    EXPECT_TRUE(performance.text == text)
        << "- as written, + as performed:\n"
        << support::describe_difference(text, performance.text);
  }

 private:
  std::filesystem::path path_;
};

void register_scripts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(KAKEHASHI_TESTS_DIR "/golden/scripts")) {
    if (entry.path().extension() == ".script") {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path& path : paths) {
    testing::RegisterTest("golden", path.stem().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [path]() -> testing::Test* { return new GoldenTest(path); });
  }
}

}  // namespace
}  // namespace kakehashi

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  kakehashi::register_scripts();
  return RUN_ALL_TESTS();
}
