#include "bridge/io/record_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/system/scratch.hpp"

namespace kakehashi::bridge::io {
namespace {

using test::read_text;
using test::Scratch;
using test::write_text;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(RecordWriter, a_record_grows_with_the_game_and_is_replaced_at_its_end) {
  const Scratch scratch;
  RecordWriter writer(scratch.path("deep/records"));

  const auto begun = writer.begin("game.csa", "V2.2\n");
  EXPECT_EQ(begun.why, "");
  EXPECT_EQ(begun.path, scratch.path("deep/records/game.csa"));
  EXPECT_EQ(writer.append("+7776FU\nT1\n").why, "");
  EXPECT_EQ(writer.append("%TORYO\n").why, "");
  EXPECT_EQ(read_text(begun.path), "V2.2\n+7776FU\nT1\n%TORYO\n");

  EXPECT_EQ(writer.finish("the whole\n").why, "");
  EXPECT_EQ(read_text(begun.path), "the whole\n");
  EXPECT_THAT(scratch.names("deep/records"), ElementsAre("game.csa"));
}

TEST(RecordWriter, a_record_never_overwrites_another) {
  const Scratch scratch;
  write_text(scratch.path("game.csa"), "of yesterday\n");
  RecordWriter writer(scratch.path());
  const auto second = writer.begin("game.csa", "second\n").path;
  EXPECT_EQ(writer.finish("second, whole\n").why, "");
  const auto third = writer.begin("game.csa", "third\n").path;

  EXPECT_EQ(second, scratch.path("game-2.csa"));
  EXPECT_EQ(third, scratch.path("game-3.csa"));
  EXPECT_EQ(read_text(scratch.path("game.csa")), "of yesterday\n");
  EXPECT_EQ(read_text(second), "second, whole\n");
  EXPECT_EQ(read_text(third), "third\n");
}

TEST(RecordWriter, a_link_that_stands_in_the_way_is_not_followed) {
  const Scratch scratch;
  write_text(scratch.path("precious"), "keep\n");
  std::filesystem::create_symlink(scratch.path("precious"), scratch.path("game.csa"));
  RecordWriter writer(scratch.path());
  EXPECT_EQ(writer.begin("game.csa", "x\n").path, scratch.path("game-2.csa"));
  EXPECT_EQ(read_text(scratch.path("precious")), "keep\n");
}

TEST(RecordWriter, the_same_name_while_the_game_runs_replaces_the_content) {
  const Scratch scratch;
  RecordWriter writer(scratch.path());
  const auto first = writer.begin("game.csa", "one\n");
  const auto again = writer.begin("game.csa", "two\n");
  EXPECT_EQ(again.path, first.path);
  EXPECT_EQ(read_text(first.path), "two\n");
}

TEST(RecordWriter, a_directory_that_cannot_be_made_is_told_and_nothing_more) {
  const Scratch scratch;
  write_text(scratch.path("file"), "");
  RecordWriter writer(scratch.path("file/records"));
  const auto begun = writer.begin("game.csa", "V2.2\n");
  EXPECT_THAT(begun.why, HasSubstr("cannot create the directory"));
  EXPECT_THAT(begun.why, HasSubstr("file/records"));
  EXPECT_EQ(begun.path, "");
  EXPECT_NE(writer.append("+7776FU\n").why, "");
  EXPECT_NE(writer.finish("whole\n").why, "");
  EXPECT_EQ(read_text(scratch.path("file")), "");
}

TEST(RecordWriter, a_record_that_could_not_be_begun_is_written_at_the_end) {
  const Scratch scratch;
  write_text(scratch.path("records"), "in the way");
  RecordWriter writer(scratch.path("records"));
  EXPECT_NE(writer.begin("game.csa", "V2.2\n").why, "");
  std::filesystem::remove(scratch.path("records"));
  const auto finished = writer.finish("whole\n");
  EXPECT_EQ(finished.why, "");
  EXPECT_EQ(read_text(finished.path), "whole\n");
}

TEST(RecordWriter, a_directory_that_vanishes_during_the_game_is_told) {
  const Scratch scratch;
  RecordWriter writer(scratch.path("records"));
  EXPECT_EQ(writer.begin("game.csa", "V2.2\n").why, "");
  std::filesystem::remove_all(scratch.path("records"));
  EXPECT_THAT(writer.append("+7776FU\n").why, HasSubstr("No such file or directory"));
  EXPECT_THAT(writer.finish("whole\n").why, HasSubstr("No such file or directory"));
}

TEST(RecordWriter, a_name_never_leads_out_of_the_directory) {
  EXPECT_EQ(safe_file_name("../../etc/passwd"), "_.._.._etc_passwd");
  EXPECT_EQ(safe_file_name(std::string_view("a\0b\nc", 5)), "a_b_c");
  EXPECT_EQ(safe_file_name(".hidden"), "_.hidden");
  EXPECT_EQ(safe_file_name(""), "_");
  EXPECT_EQ(safe_file_name("20261121_黒_白.csa"), "20261121_黒_白.csa");
  const auto cut = safe_file_name(std::string(1000, 'x') + ".csa");
  EXPECT_EQ(cut.size(), 200U);
  EXPECT_TRUE(cut.ends_with("x.csa"));
}

}  // namespace
}  // namespace kakehashi::bridge::io
