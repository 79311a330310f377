#include "journal/io/record_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "tests/system/scratch.hpp"

namespace kakehashi::journal::io {
namespace {

using test::read_text;
using test::Scratch;
using test::write_text;
using testing::ElementsAre;
using testing::HasSubstr;

/// A game whose only record is in CSA.
bridge::BeginRecord csa(const char* text) { return {"game", {".csa"}, text}; }

TEST(RecordWriter, a_record_grows_with_the_game_and_is_replaced_at_its_end) {
  const Scratch scratch;
  RecordWriter writer(scratch.path("deep/records"));

  const auto begun = writer.begin(csa("V2.2\n"));
  EXPECT_EQ(begun.why, "");
  EXPECT_EQ(begun.path, scratch.path("deep/records/game.csa"));
  EXPECT_EQ(writer.append({"+7776FU\nT1\n"}).why, "");
  EXPECT_EQ(writer.append({"%TORYO\n"}).why, "");
  EXPECT_EQ(read_text(begun.path), "V2.2\n+7776FU\nT1\n%TORYO\n");

  EXPECT_EQ(writer.finish({{{".csa", "the whole\n"}}}).why, "");
  EXPECT_EQ(read_text(begun.path), "the whole\n");
  EXPECT_THAT(scratch.names("deep/records"), ElementsAre("game.csa"));
}

TEST(RecordWriter, a_record_never_overwrites_another) {
  const Scratch scratch;
  write_text(scratch.path("game.csa"), "of yesterday\n");
  RecordWriter writer(scratch.path());
  const auto second = writer.begin(csa("second\n")).path;
  EXPECT_EQ(writer.finish({{{".csa", "second, whole\n"}}}).why, "");
  const auto third = writer.begin(csa("third\n")).path;

  EXPECT_EQ(second, scratch.path("game-2.csa"));
  EXPECT_EQ(third, scratch.path("game-3.csa"));
  EXPECT_EQ(read_text(scratch.path("game.csa")), "of yesterday\n");
  EXPECT_EQ(read_text(second), "second, whole\n");
  EXPECT_EQ(read_text(third), "third\n");
}

TEST(RecordWriter, a_file_that_a_killed_process_made_and_did_not_note_is_gone_on_in) {
  const Scratch scratch;
  write_text(scratch.path("game.csa"), "of yesterday\n");
  write_text(scratch.path("game-2.csa"), "V2.2\n");
  RecordWriter writer(scratch.path());
  EXPECT_EQ(writer.go_on(csa("V2.2\n+7776FU\n"), "").path, scratch.path("game-2.csa"));
  EXPECT_EQ(read_text(scratch.path("game-2.csa")), "V2.2\n+7776FU\n");
  EXPECT_EQ(RecordWriter(scratch.path()).go_on(csa("another\n"), "").path, scratch.path("game-3.csa"));
}

TEST(RecordWriter, a_link_that_stands_in_the_way_is_not_followed) {
  const Scratch scratch;
  write_text(scratch.path("precious"), "keep\n");
  std::filesystem::create_symlink(scratch.path("precious"), scratch.path("game.csa"));
  RecordWriter writer(scratch.path());
  EXPECT_EQ(writer.begin(csa("x\n")).path, scratch.path("game-2.csa"));
  EXPECT_EQ(read_text(scratch.path("precious")), "keep\n");
}

TEST(RecordWriter, a_link_or_a_pipe_put_in_the_place_of_a_growing_record_gets_none_of_it) {
  const Scratch scratch;
  write_text(scratch.path("precious"), "keep\n");
  RecordWriter writer(scratch.path());
  const std::string path = writer.begin(csa("V2.2\n")).path;
  std::filesystem::remove(path);
  std::filesystem::create_symlink(scratch.path("precious"), path);
  EXPECT_NE(writer.append({"+7776FU\n"}).why, "");
  EXPECT_EQ(read_text(scratch.path("precious")), "keep\n");
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_NE(writer.append({"-3334FU\n"}).why, "") << "nobody reads it, and it does not wait";
  EXPECT_EQ(writer.finish({{{".csa", "whole\n"}}}).why, "");
  EXPECT_EQ(read_text(path), "whole\n");
  EXPECT_EQ(read_text(scratch.path("precious")), "keep\n");
}

TEST(RecordWriter, the_same_name_while_the_game_runs_replaces_the_content) {
  const Scratch scratch;
  RecordWriter writer(scratch.path());
  const auto first = writer.begin(csa("one\n"));
  const auto again = writer.begin(csa("two\n"));
  EXPECT_EQ(again.path, first.path);
  EXPECT_EQ(read_text(first.path), "two\n");
}

TEST(RecordWriter, a_directory_that_cannot_be_made_is_told_and_nothing_more) {
  const Scratch scratch;
  write_text(scratch.path("file"), "");
  RecordWriter writer(scratch.path("file/records"));
  const auto begun = writer.begin(csa("V2.2\n"));
  EXPECT_THAT(begun.why, HasSubstr("cannot create the directory"));
  EXPECT_THAT(begun.why, HasSubstr("file/records"));
  EXPECT_EQ(begun.path, "");
  EXPECT_NE(writer.append({"+7776FU\n"}).why, "");
  EXPECT_NE(writer.finish({{{".csa", "whole\n"}}}).why, "");
  EXPECT_EQ(read_text(scratch.path("file")), "");
}

TEST(RecordWriter, a_record_that_could_not_be_begun_is_written_at_the_end) {
  const Scratch scratch;
  write_text(scratch.path("records"), "in the way");
  RecordWriter writer(scratch.path("records"));
  EXPECT_NE(writer.begin(csa("V2.2\n")).why, "");
  std::filesystem::remove(scratch.path("records"));
  const auto finished = writer.finish({{{".csa", "whole\n"}}});
  EXPECT_EQ(finished.why, "");
  EXPECT_EQ(read_text(finished.path), "whole\n");
}

TEST(RecordWriter, a_directory_that_vanishes_during_the_game_is_told) {
  const Scratch scratch;
  RecordWriter writer(scratch.path("records"));
  EXPECT_EQ(writer.begin(csa("V2.2\n")).why, "");
  std::filesystem::remove_all(scratch.path("records"));
  EXPECT_THAT(writer.append({"+7776FU\n"}).why, HasSubstr("No such file or directory"));
  EXPECT_THAT(writer.finish({{{".csa", "whole\n"}}}).why, HasSubstr("No such file or directory"));
}

TEST(RecordWriter, all_formats_of_a_game_have_one_stem) {
  const Scratch scratch;
  write_text(scratch.path("game.kif"), "of yesterday\n");
  RecordWriter writer(scratch.path());
  EXPECT_EQ(writer.begin({"game", {".csa", ".kif", ".jkf"}, "V2.2\n"}).path,
            scratch.path("game-2.csa"));
  EXPECT_THAT(scratch.names(), ElementsAre("game-2.csa", "game.kif"))
      << "the others exist only when they are whole";
  const auto written =
      writer.finish({{{".csa", "whole\n"}, {".kif", "先手\n", true}, {".jkf", "{}\n"}}});

  EXPECT_EQ(written.why, "");
  EXPECT_EQ(written.path, scratch.path("game-2.csa"));
  EXPECT_THAT(scratch.names(), ElementsAre("game-2.csa", "game-2.jkf", "game-2.kif", "game.kif"));
  EXPECT_EQ(read_text(scratch.path("game-2.kif")), "\x90\xe6\x8e\xe8\n") << "Shift_JIS";
  EXPECT_EQ(read_text(scratch.path("game.kif")), "of yesterday\n");
}

TEST(RecordWriter, without_a_format_that_grows_an_empty_file_keeps_the_name) {
  const Scratch scratch;
  write_text(scratch.path("game.kifu"), "of yesterday\n");
  RecordWriter writer(scratch.path());
  const auto begun = writer.begin({"game", {".kifu", ".usi"}, ""});
  EXPECT_EQ(begun.path, scratch.path("game-2.kifu"));
  EXPECT_EQ(writer.append({"", "{}\n"}).why, "");
  EXPECT_EQ(read_text(begun.path), "");
  const auto written = writer.finish({{{".kifu", "a\n"}, {".usi", "b\n"}}});
  EXPECT_EQ(written.why, "");
  EXPECT_EQ(written.path, begun.path);
  EXPECT_EQ(read_text(begun.path), "a\n");
  EXPECT_THAT(scratch.names(), ElementsAre("game-2.kifu", "game-2.usi", "game.kifu"));
}

TEST(RecordWriter, a_stem_that_is_known_at_the_end_only_renames_all_files) {
  const Scratch scratch;
  write_text(scratch.path("game_75.jkf"), "of yesterday\n");
  RecordWriter writer(scratch.path());
  EXPECT_EQ(writer.begin({"game", {".csa", ".jkf"}, "V2.2\n"}).path, scratch.path("game.csa"));
  const auto written = writer.finish({{{".csa", "whole\n"}, {".jkf", "{}\n"}}, "game_75"});
  EXPECT_EQ(written.why, "");
  EXPECT_EQ(written.path, scratch.path("game_75-2.csa"));
  EXPECT_EQ(writer.path(), written.path);
  EXPECT_THAT(scratch.names(), ElementsAre("game_75-2.csa", "game_75-2.jkf", "game_75.jkf"));
  EXPECT_EQ(read_text(written.path), "whole\n");
}

TEST(RecordWriter, lines_end_as_configured) {
  const Scratch scratch;
  RecordWriter writer(scratch.path(), config::Newline::crlf);
  const auto path = writer.begin({"game", {".csa", ".kif"}, "V2.2\n"}).path;
  EXPECT_EQ(writer.append({"+7776FU\nT1\n"}).why, "");
  EXPECT_EQ(read_text(path), "V2.2\r\n+7776FU\r\nT1\r\n");
  EXPECT_EQ(writer.finish({{{".csa", "a\nb\n"}, {".kif", "先手\n", true}}}).why, "");
  EXPECT_EQ(read_text(path), "a\r\nb\r\n");
  EXPECT_EQ(read_text(scratch.path("game.kif")), "\x90\xe6\x8e\xe8\r\n");
}

TEST(RecordWriter, a_name_that_was_taken_in_between_costs_that_file_a_number) {
  const Scratch scratch;
  RecordWriter writer(scratch.path());
  EXPECT_EQ(writer.begin({"game", {".csa", ".kif"}, "V2.2\n"}).why, "");
  write_text(scratch.path("game.kif"), "of another process\n");
  EXPECT_EQ(writer.finish({{{".csa", "a\n"}, {".kif", "b\n"}}}).why, "");
  EXPECT_EQ(read_text(scratch.path("game.kif")), "of another process\n");
  EXPECT_EQ(read_text(scratch.path("game-2.kif")), "b\n");
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
}  // namespace kakehashi::journal::io
