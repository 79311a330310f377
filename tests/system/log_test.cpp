#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/text.hpp"
#include "daemon/log_sink.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::daemon {
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

bridge::Note game_started() {
  bridge::Note note;
  note.level = bridge::Level::info;
  note.code = "game_started";
  note.text = base::verbatim("game 1 of 3: \"alice\" (black) against \"bob\"");
  note.fields = {{"game_id", "x\"y"}, {"black", "alice"}};
  return note;
}

TEST(LogLine, people_see_time_level_bot_code_and_text) {
  LogLine line;
  line.time = moment;
  line.bot = "wdoor";
  line.code = "game_started";
  line.text = base::verbatim("game 1");
  EXPECT_EQ(format_text(line),
            "[wdoor] game_started: game 1");
  const Pipe pipe;
  LogSink sink(pipe.writing_end(), config::LogLevel::info, config::LogFormat::text);
  line.level = bridge::Level::warn;
  sink.write(line);
  sink.flush();
  EXPECT_THAT(pipe.drain(), testing::MatchesRegex("2026-11-2[01] [0-2][0-9]:[0-5]4:05[.]678 warn  .wdoor. game_started: game 1\n"));
}

TEST(LogLine, one_event_is_one_line_whoever_wrote_the_text) {
  LogLine line;
  line.time = moment;
  line.code = "engine_said";
  line.text = base::verbatim("hello\n2026-11-21 forged\x1b[2J");
  const auto text = format_text(line);
  EXPECT_THAT(text, EndsWith("engine_said: hello\\x0A2026-11-21 forged\\x1B[2J"));
}

TEST(LogLine, no_words_of_a_peer_command_a_terminal) {
  LogLine line;
  line.time = moment;
  line.code = "engine_said";
  line.text = base::verbatim("a\xC2\x9B" "2J \x9B" "2J \xC2\x80\xC2\x9F 架\xC2\xA0");
  EXPECT_THAT(format_text(line),
              EndsWith("a\\xC2\\x9B2J \\x9B2J \\xC2\\x80\\xC2\\x9F 架\\xC2\\xA0"));
  EXPECT_THAT(format_json(line), HasSubstr("a\xEF\xBF\xBD" "2J \xEF\xBF\xBD" "2J \xEF\xBF\xBD\xEF\xBF\xBD 架\\u00A0"));
}

TEST(LogLine, no_name_of_a_peer_reorders_or_hides_what_stands_beside_it) {
  const std::string name = "a\u202Eb\u2066c\u2028d\u200Be\U000E0041f 山田\u3000太郎";
  LogLine line;
  line.time = moment;
  line.code = "engine_said";
  line.text = base::verbatim(name);
  EXPECT_THAT(format_text(line), EndsWith("a\\xE2\\x80\\xAEb\\xE2\\x81\\xA6c\\xE2\\x80\\xA8d\\xE2\\x80\\x8Be"
                                          "\\xF3\\xA0\\x81\\x81f 山田\u3000太郎"));
  EXPECT_EQ(base::quote_for_log("a\u202Eb\u200B"), R"("a\xE2\x80\xAEb\xE2\x80\x8B")");
  const auto json = format_json(line);
  EXPECT_THAT(json, HasSubstr(R"(a\u202Eb\u2066c\u2028d\u200Be\uDB40\uDC41f 山田)"));
  EXPECT_EQ(boost::json::parse(json).at("text").as_string(), name) << "machines read the same as before";
}

TEST(LogLine, machines_get_one_valid_json_object_whatever_the_bytes) {
  LogLine line;
  line.time = moment;
  line.level = bridge::Level::warn;
  line.bot = "a\\b";
  line.code = "odd";
  const std::string text = std::string("tab\t, quote\", bad \xff\xe3\x81, good 架\0", 32);
  line.text = base::verbatim(text);
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

TEST(LogLine, machines_get_a_sentence_and_its_parts_whatever_the_language) {
  LogLine line;
  line.code = "connection_failed";
  line.text = base::say("{}; {}", base::say("no connection to {}: {}", base::quoted("a\"b"), std::string("refused")),
                        base::say("{} ms", 250));
  for (const auto language : {words::Language::english, words::Language::japanese}) {
    const auto json = boost::json::parse(format_json(line, language)).as_object();
    EXPECT_EQ(json.at("sentence").as_string(), "{}; {}");
    EXPECT_EQ(json.at("parts"), boost::json::parse(R"([{"sentence":"no connection to {}: {}","parts":["a\"b","refused"]},
                                                       {"sentence":"{} ms","parts":[250]}])"));
  }
  line.text = base::say("it stops");
  EXPECT_FALSE(boost::json::parse(format_json(line)).as_object().contains("parts"));
}

TEST(LogSink, a_note_becomes_a_line_and_lower_levels_are_left_out) {
  const Pipe pipe;
  LogSink sink(pipe.writing_end(), config::LogLevel::info, config::LogFormat::text);
  sink.note(moment, "wdoor", game_started());
  sink.traffic(moment, "wdoor", "server <", "+7776FU,T1");
  EXPECT_FALSE(sink.shows(bridge::Level::debug));
  sink.flush();
  EXPECT_THAT(pipe.drain(), EndsWith("info  [wdoor] game_started: game 1 of 3: \"alice\" (black) "
                                     "against \"bob\"\n"));
}

TEST(LogSink, traffic_is_shown_at_debug_quoted_and_cut) {
  const Pipe pipe;
  LogSink sink(pipe.writing_end(), config::LogLevel::debug, config::LogFormat::text);
  sink.traffic(moment, "b", "server <", "\x01+7776FU,T1");
  sink.flush();
  EXPECT_THAT(pipe.drain(), EndsWith("debug [b] server < \"\\x01+7776FU,T1\"\n"));
  sink.traffic(moment, "b", "engine <", std::string(60'000, 'x'));
  sink.flush();
  EXPECT_LT(pipe.drain().size(), 2'200U);
}

TEST(LogSink, a_reader_that_has_stopped_costs_lines_and_no_time) {
  const Pipe pipe;
  LogSink sink(pipe.writing_end(), config::LogLevel::info, config::LogFormat::text);
  // Far more than a pipe holds and than waits in memory: a blocking write would hang here.
  const std::size_t lines = LogSink::waiting_bytes_max / 50;
  for (std::size_t i = 0; i < lines; ++i) {
    sink.note(moment, "b", game_started());
  }
  std::string all;
  for (int i = 0; i < 60'000 && all.find("log_lines_lost") == std::string::npos; ++i) {
    all += pipe.drain();
    sink.note(moment, "b", game_started());
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  EXPECT_THAT(all, HasSubstr(" warn  log_lines_lost: "));
}

TEST(LogSink, a_reader_that_never_comes_back_holds_up_no_exit) {
  const Pipe pipe;
  const auto began = std::chrono::steady_clock::now();
  {
    LogSink sink(pipe.writing_end(), config::LogLevel::info, config::LogFormat::text);
    for (int i = 0; i < 5'000; ++i) {
      sink.note(moment, "b", game_started());
    }
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, 10 * LogSink::flush_max);
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
  for (int i = 0; i < 100; ++i) {
    sink.note(moment, "b", game_started());
  }
  sink.flush();
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
  sink.flush();
  const std::string text = read_text(settings.file);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 101) << text;
  EXPECT_THAT(text, HasSubstr(" warn  log_not_rotated: "));

  std::filesystem::remove(scratch.path("kakehashi.1.log"));
  for (int i = 0; i < 100; ++i) {
    sink.note(moment, "b", game_started());
  }
  sink.flush();
  EXPECT_LE(read_text(settings.file).size(), 1'000U) << "it is tried again";
}

/// What standard error gets while `run` runs.
std::string told_instead(const std::function<void()>& run) {
  testing::internal::CaptureStderr();
  run();
  return testing::internal::GetCapturedStderr();
}

config::Log to_file(const Scratch& scratch, const std::string& name = "kakehashi.log") {
  config::Log settings;
  settings.file = scratch.path(name);
  return settings;
}

TEST(LogSink, a_file_that_cannot_be_opened_is_told_and_standard_error_serves) {
  const Scratch scratch;
  test::write_text(scratch.path("file"), "");
  const std::string told = told_instead([&] {
    LogSink sink(to_file(scratch, "file/kakehashi.log"));
    sink.note(moment, "b", game_started());
  });
  EXPECT_THAT(told, HasSubstr("error log_file_failed: cannot open "));
  EXPECT_THAT(told, HasSubstr("(log.file): "));
  EXPECT_THAT(told, HasSubstr("; logging to standard error\n"));
  EXPECT_THAT(told, EndsWith("against \"bob\"\n"));
}

TEST(LogSink, a_log_in_japanese_has_the_same_codes_and_fields) {
  const Scratch scratch;
  auto settings = to_file(scratch);
  settings.language = config::LogLanguage::japanese;
  settings.format = config::LogFormat::json;
  settings.level = config::LogLevel::debug;
  LogSink sink(settings);
  bridge::Note note;
  note.code = "game_started";
  note.text = base::say("game {} started", base::quoted("the engine"));
  note.fields = {{"game_id", "the engine"}};
  sink.note(moment, "b", note);
  sink.traffic(moment, "b", "server <", "the engine");
  sink.flush();
  const std::string text = read_text(settings.file);
  EXPECT_THAT(text, HasSubstr(R"("code":"game_started","text":"対局 \"the engine\" が始まりました")"));
  EXPECT_THAT(text, HasSubstr(R"("fields":{"game_id":"the engine"}})"));
  EXPECT_THAT(text, HasSubstr(R"("text":"server < \"the engine\"")"));
}

TEST(LogSink, a_pipe_in_the_place_of_the_file_hangs_nothing_and_is_told) {
  const Scratch scratch;
  ASSERT_EQ(::mkfifo(scratch.path("kakehashi.log").c_str(), 0600), 0);
  const std::string told = told_instead([&] { LogSink sink(to_file(scratch)); });
  EXPECT_THAT(told, HasSubstr("log_file_failed"));
  EXPECT_THAT(told, HasSubstr("it is not a regular file"));
}

TEST(LogSink, a_second_writer_of_one_file_is_told_and_takes_no_line_from_the_first) {
  const Scratch scratch;
  auto settings = to_file(scratch);
  settings.rotate_bytes = 1'000;
  settings.rotate_keep = 1'000;
  LogSink first(settings);
  first.note(moment, "b", game_started());
  first.flush();
  const std::string told = told_instead([&] {
    LogSink second(settings);
    for (int i = 0; i < 50; ++i) {
      first.note(moment, "b", game_started());
      second.note(moment, "c", game_started());
    }
  });
  first.flush();
  EXPECT_THAT(told, HasSubstr("another process writes to it"));
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 51) << told;
  std::size_t lines = 0;
  for (const std::string& name : scratch.names()) {
    const std::string text = read_text(scratch.path(name));
    lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    EXPECT_THAT(text, Not(HasSubstr("[c]")));
  }
  EXPECT_EQ(lines, 51U);
}

TEST(LogSink, a_line_that_was_torn_by_a_crash_stays_alone) {
  const Scratch scratch;
  test::write_text(scratch.path("kakehashi.log"), "2026-11-21 half a li");
  { LogSink(to_file(scratch)).note(moment, "b", game_started()); }
  EXPECT_THAT(read_text(scratch.path("kakehashi.log")), testing::StartsWith("2026-11-21 half a li\n2026-"));
}

TEST(LogSink, on_a_disk_that_is_full_for_a_while_lines_are_whole_or_missing_and_counted) {
  const Scratch scratch;
  LogSink sink(to_file(scratch));
  sink.note(moment, "b", game_started());
  sink.flush();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit full = before;
  full.rlim_cur = read_text(scratch.path("kakehashi.log")).size() + 20;
  ::setrlimit(RLIMIT_FSIZE, &full);
  sink.note(moment, "b", game_started());
  sink.note(moment, "b", game_started());
  sink.flush();
  ::setrlimit(RLIMIT_FSIZE, &before);
  sink.note(moment, "c", game_started());
  sink.flush();
  const std::string text = read_text(scratch.path("kakehashi.log"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
  EXPECT_THAT(text, HasSubstr(" warn  log_lines_lost: 2 log lines were lost: File too large\n2026-"));
}

TEST(LogSink, what_the_log_says_of_itself_is_an_object_for_machines_too) {
  const Scratch scratch;
  auto settings = to_file(scratch);
  settings.format = config::LogFormat::json;
  LogSink sink(settings);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit full = before;
  full.rlim_cur = 20;
  ::setrlimit(RLIMIT_FSIZE, &full);
  sink.note(moment, "b", game_started());
  sink.flush();
  ::setrlimit(RLIMIT_FSIZE, &before);
  sink.note(moment, "c", game_started());
  sink.flush();
  std::vector<std::string> codes;
  std::istringstream lines(read_text(settings.file));
  for (std::string line; std::getline(lines, line);) {
    codes.emplace_back(boost::json::parse(line).at("code").as_string());
  }
  EXPECT_EQ(codes, (std::vector<std::string>{"log_lines_lost", "game_started"}));
}

TEST(LogSink, a_file_that_was_moved_away_is_begun_anew_when_asked) {
  const Scratch scratch;
  LogSink sink(to_file(scratch));
  sink.note(moment, "a", game_started());
  sink.flush();
  std::filesystem::rename(scratch.path("kakehashi.log"), scratch.path("moved"));
  sink.note(moment, "b", game_started());
  sink.reopen();
  sink.note(moment, "c", game_started());
  sink.flush();
  EXPECT_THAT(read_text(scratch.path("moved")), HasSubstr("[b]"));
  EXPECT_THAT(read_text(scratch.path("moved")), Not(HasSubstr("[c]")));
  EXPECT_THAT(read_text(scratch.path("kakehashi.log")), HasSubstr("[c]"));
}

TEST(LogSink, a_file_that_could_not_be_opened_is_used_when_it_can_be) {
  const Scratch scratch;
  std::filesystem::create_directory(scratch.path("kakehashi.log"));
  told_instead([&] {
    LogSink sink(to_file(scratch));
    sink.flush();
    std::filesystem::remove(scratch.path("kakehashi.log"));
    sink.reopen();
    sink.note(moment, "c", game_started());
  });
  EXPECT_THAT(read_text(scratch.path("kakehashi.log")), HasSubstr("[c]"));
}

}  // namespace
}  // namespace kakehashi::daemon
