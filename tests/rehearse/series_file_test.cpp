// Results on the disk: what an interruption leaves, and what must not be counted together.
#include "rehearse/io/series_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/scratch.hpp"

namespace kakehashi::rehearse {
namespace {

using test::read_text;
using test::Scratch;
using test::write_text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const rehearse::io::SeriesSettings settings{{"--game-name", "test-10-1F"}, {"CONFIG engine.command", "./engine"}};
const SeriesResult won{1, csa::Outcome::win, "toryo", 87, 0xfeedfacecafebeefU};
const SeriesResult drawn{4, csa::Outcome::draw, "max_moves", 256, 0};

class SeriesFileTest : public testing::Test {
 protected:
  Scratch scratch;
  std::string path = scratch.path("results.jsonl");

  std::string refusal(const rehearse::io::SeriesSettings& with) {
    const auto opened = rehearse::io::SeriesFile::open(path, with);
    return opened ? "" : opened.error().english();
  }
};

TEST_F(SeriesFileTest, what_was_added_is_there_when_it_is_opened_again) {
  {
    auto opened = rehearse::io::SeriesFile::open(path, settings);
    ASSERT_TRUE(opened) << opened.error();
    EXPECT_THAT(opened->earlier(), IsEmpty());
    EXPECT_EQ(opened->add(won), "");
    EXPECT_EQ(opened->add(drawn), "");
  }
  const auto again = rehearse::io::SeriesFile::open(path, settings);
  ASSERT_TRUE(again) << again.error();
  EXPECT_THAT(again->earlier(), ElementsAre(won, drawn));
}

TEST_F(SeriesFileTest, a_line_that_a_crash_cut_short_is_as_if_the_game_had_not_ended) {
  {
    auto opened = rehearse::io::SeriesFile::open(path, settings);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->add(won), "");
  }
  const std::string whole = read_text(path);
  const std::string second = R"({"game":4,"outcome":"draw","reason":"max_moves","plies":256,"moves":"0"})" "\n";
  for (std::size_t bytes = 0; bytes < whole.size() + second.size(); bytes += bytes % 8 == 0 ? 1 : 7) {
    write_text(path, (whole + second).substr(0, bytes));
    auto opened = rehearse::io::SeriesFile::open(path, settings);
    ASSERT_TRUE(opened) << bytes << ": " << opened.error();
    const std::size_t expected = bytes >= whole.size() ? 1 : 0;
    ASSERT_EQ(opened->earlier().size(), expected) << bytes;
    EXPECT_EQ(opened->add(drawn), "");
    opened = rehearse::io::SeriesFile::open(scratch.path("another"), settings);  // lets go of the file
    const auto again = rehearse::io::SeriesFile::open(path, settings);
    ASSERT_TRUE(again) << bytes << ": " << again.error();
    EXPECT_EQ(again->earlier().size(), expected + 1) << bytes;
  }
}

TEST_F(SeriesFileTest, games_of_other_settings_are_not_counted_together_and_the_difference_is_told) {
  ASSERT_TRUE(rehearse::io::SeriesFile::open(path, settings));
  auto other = settings;
  other["--game-name"] = "test-20-1F";
  EXPECT_THAT(refusal(other), HasSubstr(R"(--game-name was "test-10-1F" and is "test-20-1F")"));
  other = settings;
  other["--openings"] = "3 positions";
  EXPECT_THAT(refusal(other), HasSubstr(R"(--openings was nothing and is "3 positions")"));
  other = settings;
  other.erase("CONFIG engine.command");
  EXPECT_THAT(refusal(other), HasSubstr(R"(CONFIG engine.command was "./engine" and is nothing)"));
  EXPECT_EQ(refusal(settings), "");
}

TEST_F(SeriesFileTest, two_processes_do_not_play_the_same_series) {
  const auto first = rehearse::io::SeriesFile::open(path, settings);
  ASSERT_TRUE(first);
  EXPECT_THAT(refusal(settings), HasSubstr("another process plays this series just now"));
}

TEST_F(SeriesFileTest, a_file_that_is_something_else_is_left_alone) {
  write_text(path, "a record of mine\nand more\n");
  EXPECT_THAT(refusal(settings), HasSubstr("it does not begin like the results of a rehearsal"));
  EXPECT_EQ(read_text(path), "a record of mine\nand more\n");
  write_text(path, R"({"rehearsal":1,"settings":{}})" "\n" R"({"game":0})" "\n");
  EXPECT_THAT(refusal({}), HasSubstr(":2: this is no result of a game"));
}

}  // namespace
}  // namespace kakehashi::rehearse
