#include "daemon/book_loader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/system/scratch.hpp"

namespace kakehashi::daemon {
namespace {

using test::Scratch;
using test::write_text;
using testing::HasSubstr;

const std::string sorted =
    "#YANEURAOU-DB2016 1.00\n"
    "# a comment\n"
    "sfen a b - 1\n7g7f none 0 0 1\n2g2f none 0 0 1\n"
    "sfen b w - 5\n3c3d none 0 0 1\n"
    "sfen c b P 9\n";

config::Book book_in(const Scratch& scratch, const std::string& text, bool on_the_fly) {
  write_text(scratch.path("opening.db"), text);
  config::Book settings;
  settings.file = scratch.path("opening.db");
  settings.on_the_fly = on_the_fly;
  return settings;
}

TEST(BookFile, gives_the_lines_of_a_position_in_both_ways) {
  const Scratch scratch;
  for (const bool on_the_fly : {false, true}) {
    const BookFile book(book_in(scratch, sorted, on_the_fly));
    EXPECT_EQ(book.trouble(), "");
    EXPECT_EQ(book.lines_for("a b -"), "7g7f none 0 0 1\n2g2f none 0 0 1");
    EXPECT_EQ(book.lines_for("b w -"), "3c3d none 0 0 1");
    EXPECT_EQ(book.lines_for("c b P"), "");
    EXPECT_EQ(book.lines_for("b b -"), "");
  }
}

TEST(BookFile, a_book_is_the_same_until_its_settings_or_its_file_change) {
  const Scratch scratch;
  const auto settings = book_in(scratch, sorted, false);
  const BookFile book(settings);
  EXPECT_TRUE(book.is_still(settings));
  auto other = settings;
  other.on_the_fly = true;
  EXPECT_FALSE(book.is_still(other));
  other = settings;
  other.file = scratch.path("other.db");
  EXPECT_FALSE(book.is_still(other));
  EXPECT_TRUE(BookFile(config::Book{}).is_still(config::Book{}));
  EXPECT_FALSE(BookFile(other).is_still(other)) << "one that could not be opened is tried again";

  write_text(scratch.path("new.db"), sorted);
  std::filesystem::rename(scratch.path("new.db"), settings.file);
  EXPECT_FALSE(book.is_still(settings));
  const BookFile renewed(settings);
  EXPECT_TRUE(renewed.is_still(settings));
  write_text(settings.file, sorted + "sfen d b - 1\n7g7f none 0 0 1\n");
  EXPECT_FALSE(renewed.is_still(settings));
}

TEST(BookFile, of_a_position_with_two_plies_the_earlier_counts) {
  const Scratch scratch;
  const BookFile book(book_in(scratch,
                              "\xEF\xBB\xBF#YANEURAOU-DB2016 1.00\r\nsfen a b - 9\r\n9g9f\r\n"
                              "sfen a b - 3\r\n1g1f\r\nsfen a b - 5\r\n2g2f\r\n",
                              false));
  EXPECT_EQ(book.lines_for("a b -"), "1g1f\r");
}

TEST(BookFile, what_is_no_book_is_told) {
  const Scratch scratch;
  const auto trouble = [&](const std::string& text, bool on_the_fly) {
    const BookFile book(book_in(scratch, text, on_the_fly));
    EXPECT_EQ(book.lines_for("a b -"), "");
    return book.trouble();
  };
  EXPECT_THAT(trouble("", false), HasSubstr("only YaneuraOu's text format is read"));
  EXPECT_THAT(trouble("sfen a b - 1\n7g7f\n", false), HasSubstr("does not begin with"));
  EXPECT_THAT(trouble("#YANEURAOU-DB2016 1.00\n", false), HasSubstr("holds no position"));
  EXPECT_THAT(trouble("#YANEURAOU-DB2016 1.00\nsfen b b - 1\n7g7f\nsfen a b - 1\n7g7f\n", true),
              HasSubstr("is not sorted by its positions"));
  config::Book nowhere;
  nowhere.file = scratch.path("absent.db");
  EXPECT_THAT(BookFile(nowhere).trouble(), HasSubstr("No such file or directory"));
  nowhere.file = scratch.path();
  EXPECT_THAT(BookFile(nowhere).trouble(), HasSubstr("is not a regular file"));
  EXPECT_EQ(BookFile(config::Book{}).trouble(), "");
}

}  // namespace
}  // namespace kakehashi::daemon
