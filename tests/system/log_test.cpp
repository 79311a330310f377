#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <string>

#include "bridge/io/log_line.hpp"
#include "bridge/io/log_sink.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::bridge::io {
namespace {

using test::read_text;
using test::Scratch;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const base::WallTime moment =
    std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + std::chrono::hours{3} +
    std::chrono::minutes{4} + std::chrono::milliseconds{5'678};

/// A pipe whose reading end nobody reads until asked.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int writing_end() const { return ends_[1]; }
  /// All that is in it now.
  [[nodiscard]] std::string drain() const {
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    std::string all;
    std::array<char, 4096> buffer;
    for (ssize_t count = 0; (count = ::read(ends_[0], buffer.data(), buffer.size())) > 0;) {
      all.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return all;
  }

 private:
  std::array<int, 2> ends_{};
};

Note game_started() {
  Note note;
  note.level = Level::info;
  note.code = "game_started";
  note.text = "game 1 of 3: \"alice\" (black) against \"bob\"";
  note.fields = {{"game_id", "x\"y"}, {"black", "alice"}};
  return note;
}

TEST(LogLine, people_see_time_level_bot_code_and_text) {
  LogLine line;
  line.time = moment;
  line.bot = "wdoor";
  line.code = "game_started";
  line.text = "game 1";
  EXPECT_EQ(format_text(line, base::Seconds{0}),
            "2026-11-21 03:04:05.678 info  [wdoor] game_started: game 1");
  EXPECT_EQ(format_text(line, base::Seconds{9 * 3600}),
            "2026-11-21 12:04:05.678 info  [wdoor] game_started: game 1");
}

TEST(LogLine, one_event_is_one_line_whoever_wrote_the_text) {
  LogLine line;
  line.time = moment;
  line.code = "engine_said";
  line.text = "hello\n2026-11-21 forged\x1b[2J";
  const auto text = format_text(line, base::Seconds{0});
  EXPECT_THAT(text, EndsWith("engine_said: hello\\x0A2026-11-21 forged\\x1B[2J"));
}

TEST(LogLine, machines_get_one_valid_json_object_whatever_the_bytes) {
  LogLine line;
  line.time = moment;
  line.level = Level::warn;
  line.bot = "a\\b";
  line.code = "odd";
  const std::string text = std::string("tab\t, quote\", bad \xff\xe3\x81, good 架\0", 32);
  line.text = text;
  const auto note = game_started();
  line.fields = &note.fields;

  const auto json = format_json(line);
  EXPECT_THAT(json, Not(HasSubstr("\n")));
  const auto parsed = boost::json::parse(json).as_object();
  EXPECT_EQ(parsed.at("time").as_string(), "2026-11-21T03:04:05.678Z");
  EXPECT_EQ(parsed.at("level").as_string(), "warn");
  EXPECT_EQ(parsed.at("bot").as_string(), "a\\b");
  EXPECT_EQ(parsed.at("code").as_string(), "odd");
  EXPECT_THAT(std::string(parsed.at("text").as_string()), HasSubstr("good 架"));
  EXPECT_EQ(parsed.at("fields").as_object().at("game_id").as_string(), "x\"y");
}

TEST(LogSink, a_note_becomes_a_line_and_lower_levels_are_left_out) {
  const Pipe pipe;
  LogSink sink(pipe.writing_end(), config::LogLevel::info, config::LogFormat::text);
  sink.note(moment, "wdoor", game_started());
  sink.traffic(moment, "wdoor", "server <", "+7776FU,T1");
  EXPECT_FALSE(sink.shows(Level::debug));
  EXPECT_THAT(pipe.drain(), EndsWith("info  [wdoor] game_started: game 1 of 3: \"alice\" (black) "
                                     "against \"bob\"\n"));
}

TEST(LogSink, traffic_is_shown_at_debug_quoted_and_cut) {
  const Pipe pipe;
  LogSink sink(pipe.writing_end(), config::LogLevel::debug, config::LogFormat::text);
  sink.traffic(moment, "b", "server <", "\x01+7776FU,T1");
  EXPECT_THAT(pipe.drain(), EndsWith("debug [b] server < \"\\x01+7776FU,T1\"\n"));
  sink.traffic(moment, "b", "engine <", std::string(60'000, 'x'));
  EXPECT_LT(pipe.drain().size(), 2'200U);
}

TEST(LogSink, a_reader_that_has_stopped_costs_lines_and_no_time) {
  const Pipe pipe;
  LogSink sink(pipe.writing_end(), config::LogLevel::info, config::LogFormat::text);
  for (int i = 0; i < 5'000; ++i) {  // far more than a pipe holds: a blocking write would hang here
    sink.note(moment, "b", game_started());
  }
  EXPECT_THAT(pipe.drain(), Not(HasSubstr("were lost")));
  sink.note(moment, "b", game_started());
  EXPECT_THAT(pipe.drain(), HasSubstr("log lines were lost"));
  sink.note(moment, "b", game_started());
  EXPECT_THAT(pipe.drain(), Not(HasSubstr("were lost")));
}

TEST(LogSink, a_closed_descriptor_is_survived) {
  int descriptor = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  LogSink sink(descriptor, config::LogLevel::info, config::LogFormat::text);
  ::close(descriptor);
  EXPECT_NO_THROW(sink.note(moment, "b", game_started()));
}

TEST(LogSink, a_file_is_rotated_at_its_size_and_only_so_many_are_kept) {
  const Scratch scratch;
  config::Log settings;
  settings.file = scratch.path("kakehashi.log");
  settings.rotate_bytes = 1'000;
  settings.rotate_keep = 2;
  LogSink sink(settings);
  EXPECT_EQ(sink.trouble(), "");
  for (int i = 0; i < 100; ++i) {
    sink.note(moment, "b", game_started());
  }
  EXPECT_EQ(scratch.names().size(), 3U);
  EXPECT_THAT(read_text(settings.file), EndsWith("against \"bob\"\n"));
}

TEST(LogSink, a_file_that_cannot_be_renamed_grows_and_says_so_once) {
  const Scratch scratch;
  // What the file would be renamed to is a directory: so that root meets the failure too.
  std::filesystem::create_directory(scratch.path("kakehashi.1.log"));
  config::Log settings;
  settings.file = scratch.path("kakehashi.log");
  settings.rotate_bytes = 1'000;
  settings.rotate_keep = 1;
  LogSink sink(settings);
  for (int i = 0; i < 100; ++i) {
    sink.note(moment, "b", game_started());
  }
  const std::string text = read_text(settings.file);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 101) << text;
  EXPECT_THAT(text, HasSubstr("(no new file is begun, this one grows: "));

  std::filesystem::remove(scratch.path("kakehashi.1.log"));
  for (int i = 0; i < 100; ++i) {
    sink.note(moment, "b", game_started());
  }
  EXPECT_LE(read_text(settings.file).size(), 1'000U) << "it is tried again";
}

TEST(LogSink, a_file_that_cannot_be_opened_is_told_and_standard_error_serves) {
  const Scratch scratch;
  test::write_text(scratch.path("file"), "");
  config::Log settings;
  settings.file = scratch.path("file/kakehashi.log");
  const LogSink sink(settings);
  EXPECT_THAT(sink.trouble(), HasSubstr("log.file"));
  EXPECT_THAT(sink.trouble(), HasSubstr("standard error"));
}

}  // namespace
}  // namespace kakehashi::bridge::io
