// What one process leaves to the next: read here by a second object on the same memory, as another process would.
#include "base/io/legacy.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace kakehashi::base::io {
namespace {

using Stream = Legacy::Stream;

std::unique_ptr<Legacy> next_of(const Legacy& legacy) { return Legacy::take_over(::dup(legacy.descriptor())); }

void read_into(Stream& stream, std::string_view bytes) {
  const auto room = stream.room();
  ASSERT_GE(room.size(), bytes.size());
  std::memcpy(room.data(), bytes.data(), bytes.size());
  stream.filled(bytes.size());
}

TEST(Legacy, a_text_is_found_as_far_as_no_file_has_it) {
  const auto legacy = Legacy::create();
  ASSERT_TRUE(legacy);
  EXPECT_FALSE(next_of(*legacy)->is_whole());
  legacy->begin("", "", 0);
  legacy->add("one\n");
  legacy->set_path("/a/file");
  legacy->add("two\n");
  EXPECT_EQ(next_of(*legacy)->text(), "one\ntwo\n");
  EXPECT_EQ(next_of(*legacy)->path(), "/a/file");
  legacy->filed("/a/file");
  legacy->add("three\n");
  legacy->mark_done(3);
  const auto next = next_of(*legacy);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->text(), "three\n");
  EXPECT_EQ(next->done(), 3U);
  EXPECT_TRUE(next->is_whole());
}

TEST(Legacy, another_program_sees_what_is_left_and_changes_nothing) {
  const auto legacy = Legacy::create();
  ASSERT_TRUE(legacy);
  legacy->begin("/a/file", "one\n", 0);
  legacy->mark_done(1);
  legacy->add("two\n");
  const auto seen = Legacy::look(legacy->descriptor());
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->text, "one\ntwo\n");
  EXPECT_EQ(seen->path, "/a/file");
  EXPECT_EQ(seen->done, 1U);
  EXPECT_TRUE(seen->is_whole);
  EXPECT_FALSE(Legacy::look(STDERR_FILENO));
}

TEST(Legacy, a_text_without_room_is_no_whole_one_until_another_begins) {
  const auto legacy = Legacy::create();
  legacy->begin("", "", 0);
  const std::string long_text(Legacy::text_bytes_max, 'x');
  legacy->add(long_text);
  EXPECT_TRUE(next_of(*legacy)->is_whole());
  legacy->add("y");
  EXPECT_FALSE(next_of(*legacy)->is_whole());
  legacy->begin("", "", 0);
  EXPECT_TRUE(next_of(*legacy)->is_whole());
  EXPECT_EQ(next_of(*legacy)->text(), "");
}

TEST(Legacy, what_was_read_shows_by_itself_though_its_length_was_never_noted) {
  const auto legacy = Legacy::create();
  legacy->begin("", "", 0);
  Stream* stream = legacy->stream("line");
  const auto room = stream->room();
  std::memcpy(room.data(), "one\ntw", 6);  // and killed before filled()
  Stream* found = next_of(*legacy)->find("line");
  ASSERT_NE(found, nullptr);
  const auto next = next_of(*legacy);
  EXPECT_EQ(next->find("line")->left(), "one\ntw");
}

TEST(Legacy, what_was_worked_off_is_so_with_the_step_that_notes_it_and_not_before) {
  const auto legacy = Legacy::create();
  legacy->begin("", "", 0);
  Stream* stream = legacy->stream("line");
  read_into(*stream, "one\ntwo\n");
  stream->work_off(4);
  {
    const auto next = next_of(*legacy);
    EXPECT_EQ(next->find("line")->left(), "one\ntwo\n");
  }
  legacy->add("a step\n");
  const auto next = next_of(*legacy);
  EXPECT_EQ(next->find("line")->left(), "two\n");
  EXPECT_EQ(next->find("line")->end(), 8U);
}

TEST(Legacy, a_stream_of_any_length_has_room_and_keeps_what_is_not_worked_off) {
  const auto legacy = Legacy::create();
  legacy->begin("", "", 0);
  Stream* stream = legacy->stream("line");
  const std::string line(10'000, 'x');
  for (int i = 0; i < 200; ++i) {
    read_into(*stream, line + "\nrest");
    stream->work_off(stream->end() - 4);
    legacy->add("");
    ASSERT_EQ(stream->left(), "rest") << i;
    const auto next = next_of(*legacy);
    ASSERT_EQ(next->find("line")->left(), "rest") << i;
    ASSERT_EQ(next->find("line")->end(), stream->end()) << i;
  }
}

TEST(Legacy, a_stream_that_is_worth_nothing_gives_its_room_back) {
  const auto legacy = Legacy::create();
  legacy->begin("", "", 0);
  Stream* stream = legacy->stream("line");
  while (stream->room().size() >= Stream::room_bytes_min) {
    read_into(*stream, std::string(Stream::room_bytes_min, 'x'));
  }
  stream->skip();
  EXPECT_GE(stream->room().size(), Stream::room_bytes_min);
  EXPECT_EQ(stream->left(), "");
}

TEST(Legacy, of_a_write_that_was_cut_off_it_is_known_that_nothing_is) {
  const auto legacy = Legacy::create();
  Stream* stream = legacy->stream("engine");
  stream->begin_write(5);
  EXPECT_TRUE(next_of(*legacy)->find("engine")->is_in_doubt());
  stream->end_write(3);
  const auto next = next_of(*legacy);
  EXPECT_FALSE(next->find("engine")->is_in_doubt());
  EXPECT_EQ(next->find("engine")->written(), 3U);
}

TEST(Legacy, a_stream_that_was_dropped_leaves_its_place_empty_to_another) {
  const auto legacy = Legacy::create();
  legacy->begin("", "", 0);
  read_into(*legacy->stream("one"), "bytes");
  legacy->drop("one");
  EXPECT_EQ(legacy->find("one"), nullptr);
  Stream* other = legacy->stream("two");
  EXPECT_EQ(other->left(), "");
  EXPECT_EQ(other->end(), 0U);
  EXPECT_EQ(other->written(), 0U);
}

TEST(Legacy, there_are_so_many_streams_and_no_more) {
  const auto legacy = Legacy::create();
  for (std::size_t i = 0; i < Legacy::streams_max; ++i) {
    EXPECT_NE(legacy->stream("stream " + std::to_string(i)), nullptr);
  }
  EXPECT_EQ(legacy->stream("one more"), nullptr);
}

TEST(Legacy, what_is_none_is_not_taken_over) {
  const auto legacy = Legacy::create();
  EXPECT_EQ(Legacy::take_over(::dup(STDERR_FILENO)), nullptr);
  EXPECT_EQ(::ftruncate(legacy->descriptor(), 100), 0);
  EXPECT_EQ(Legacy::take_over(::dup(legacy->descriptor())), nullptr);
}

}  // namespace
}  // namespace kakehashi::base::io
