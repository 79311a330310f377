// The golden scripts: each file of tests/golden/scripts is one test, named by what it proves.
// KAKEHASHI_REFRESH=1 writes the outputs anew; read the change before it is committed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <string_view>
#include <variant>

#include "bridge/rescue_words.hpp"
#include "golden/script_files.hpp"
#include "support/performance.hpp"
#include "words/words.hpp"

namespace kakehashi {
namespace {

/// Whether two small words follow each other outside of quotes: no Japanese sentence has that.
bool has_english(const std::string& said) {
  // What engines, the system and settings say, what peers said, and what a script has happen: a shell would say that.
  static const std::regex quoted("\"([^\"\\\\]|\\\\.)*\"|bestmove win|go mate|color white|end of file|reset by peer|connection reset|"
                                 "[Nn]o such file( or directory)?|no memory|[Tt]ext file busy|closed by the server|exit status|cannot run|"
                                 "[Nn]o space left on device|[Cc]onnection timed out|nothing was heard for|a line of more than 65536 bytes");
  static const std::regex english("(^|[^A-Za-z0-9_./'-])[a-z]{2,} [a-z]{2,}([^A-Za-z0-9_./'-]|$)");
  return std::regex_search(std::regex_replace(said, quoted, "\"\""), english);
}

/// "…; playing a legal move, +7776FU": an archive has it without the move, in English.
void expect_to_be_known_in_the_archive(const base::Message& rescue) {
  const auto& why = std::get<base::Message>(rescue.parts().at(0).value);
  const auto& source = std::get<base::Message>(std::get<base::Message>(rescue.parts().at(1).value).parts().at(0).value);
  const base::Message stored = bridge::rescue_words(why, source);
  EXPECT_EQ(words::in(words::Language::japanese, bridge::archived_rescue(stored.english())),
            words::in(words::Language::japanese, stored));
}

class GoldenTest : public testing::Test {
 public:
  explicit GoldenTest(std::filesystem::path path) : path_(std::move(path)) {}

  void TestBody() override {
    const std::string text = golden::read_text(path_);
    ASSERT_TRUE(text.starts_with("# ")) << "a script opens with what it proves";
    const auto script = golden::read(path_);
    ASSERT_TRUE(script) << script.error().what;

    const support::Performance performance = support::perform(*script);

    for (const std::string& complaint : performance.complaints) {
      ADD_FAILURE() << complaint;
    }
    for (const bridge::Note& note : performance.notes) {
      const std::string said = words::in(words::Language::japanese, note.text);
      EXPECT_FALSE(has_english(said)) << note.code << ": " << note.text << "\n  in Japanese: " << said;
      if (note.code == std::string_view("rescue_move")) {
        expect_to_be_known_in_the_archive(note.text);
      }
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

}  // namespace

void golden::register_scripts() {
  for (const std::filesystem::path& path : golden::files()) {
    testing::RegisterTest("golden", path.stem().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [path]() -> testing::Test* { return new GoldenTest(path); });
  }
}

}  // namespace kakehashi

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  kakehashi::golden::register_scripts();
  kakehashi::golden::register_twins();
  kakehashi::golden::register_deaths();
  return RUN_ALL_TESTS();
}
