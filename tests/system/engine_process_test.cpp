// Engine processes that misbehave towards the system: pipes, signals, memory, children. Each is a
// shell command, so that no sanitizer of ours runs in it.
#include "usi/io/engine_process.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/places.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::usi::io {
namespace {

using base::Millis;
using testing::ElementsAre;
using testing::HasSubstr;

/// 'S' sleeps, 'T' is stopped, 'Z' has ended and waits for somebody to collect it; '-': gone.
char state_of(int process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  const std::size_t end = std::getline(stat, text) ? text.rfind(") ") : std::string::npos;
  return end == std::string::npos ? '-' : text[end + 2];
}

bool gets_soon(int process, const std::string& states) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (states.find(state_of(process)) == std::string::npos &&
         std::chrono::steady_clock::now() < limit) {
    std::this_thread::sleep_for(Millis{5});
  }
  return states.find(state_of(process)) != std::string::npos;
}

/// What was killed needs a moment to be gone.
bool ends_soon(int process) { return gets_soon(process, "Z-"); }

class EngineProcessTest : public testing::Test {
 protected:
  void start(const std::string& script, ProcessLimits limits = {}) {
    SpawnRequest request;
    request.command = {"/bin/sh", "-c", script};
    request.limits = std::move(limits);
    start(request);
  }
  void start(const SpawnRequest& request) {
    EngineProcess::Callbacks callbacks;
    callbacks.started = [this] { is_started = true; };
    callbacks.failed = [this](const base::Message& why) { failure = why.english(); };
    callbacks.line = [this](std::string line, bool) { lines.push_back(std::move(line)); };
    callbacks.stderr_line = [this](std::string line, bool) {
      ++stderr_lines;
      last_words = std::move(line);
    };
    callbacks.exited = [this](ProcessEnd end) { status = in_words(end).english(); };
    callbacks.odd = [this](Oddity oddity) { odd.push_back(oddity); };
    engine.emplace(context, std::move(callbacks));
    ASSERT_EQ(engine->start(request), "");
  }
  bool hears(std::size_t count) {
    return test::run_until(context, [this, count] { return lines.size() >= count; });
  }
  bool ends() {
    return test::run_until(context, [this] { return status.has_value(); });
  }
  [[nodiscard]] bool is_odd(Oddity oddity) const {
    return std::find(odd.begin(), odd.end(), oddity) != odd.end();
  }

  boost::asio::io_context context{1};
  std::vector<std::string> lines;
  int stderr_lines = 0;
  std::string last_words;
  std::vector<Oddity> odd;
  std::optional<std::string> status;
  std::optional<std::string> failure;
  bool is_started = false;
  std::optional<EngineProcess> engine;
};

TEST_F(EngineProcessTest, lines_to_an_engine_that_closed_its_input_are_lost_and_nothing_else) {
  start("exec 0<&-; echo closed; sleep 300");
  ASSERT_TRUE(hears(1));
  for (int i = 0; i < 1000; ++i) {
    engine->write("position startpos");
  }
  context.poll();
  EXPECT_FALSE(status);
  engine->kill(Millis{0});
  ASSERT_TRUE(ends());
  EXPECT_EQ(*status, "signal 9 (Killed)");
}

TEST_F(EngineProcessTest, an_engine_that_reads_nothing_is_ended_when_too_much_waits_for_it) {
  start("echo deaf; exec sleep 300");
  ASSERT_TRUE(hears(1));
  const std::string line(1000, 'x');
  for (std::size_t sent = 0; sent < 2 * EngineProcess::queue_bytes_max; sent += line.size()) {
    engine->write(line);
  }
  ASSERT_TRUE(ends());
  EXPECT_THAT(*status, HasSubstr("signal"));
}

TEST_F(EngineProcessTest, a_closed_output_is_told_while_the_engine_lives) {
  start("echo last; exec 1>&-; sleep 300");
  ASSERT_TRUE(test::run_until(context, [this] { return is_odd(Oddity::output_closed); }));
  EXPECT_THAT(lines, ElementsAre("last"));
  EXPECT_FALSE(status);
}

TEST_F(EngineProcessTest, a_stopped_process_is_ended_all_the_same) {
  start("echo ready; kill -STOP $$; echo continued");
  ASSERT_TRUE(hears(1));
  ASSERT_TRUE(gets_soon(engine->process(), "T"));
  engine->kill(Millis{50});
  ASSERT_TRUE(ends());
  EXPECT_THAT(*status, HasSubstr("signal"));
  EXPECT_THAT(lines, ElementsAre("ready"));
}

TEST_F(EngineProcessTest, an_engine_that_wants_more_memory_than_its_limit_is_refused_it) {
  ProcessLimits limits;
  limits.memory = std::uint64_t{64} * 1024 * 1024;
  start("dd if=/dev/zero of=/dev/null bs=512M count=1 && echo taken", limits);
  ASSERT_TRUE(ends());
  EXPECT_NE(*status, "exit status 0");
  EXPECT_THAT(lines, testing::IsEmpty());
}

TEST_F(EngineProcessTest, what_a_wrapper_script_started_ends_with_it_when_it_is_killed) {
  start("sleep 300 & echo $!; wait");
  ASSERT_TRUE(hears(1));
  const int child = std::stoi(lines.front());
  EXPECT_NE(state_of(child), '-');
  engine->kill(Millis{0});
  ASSERT_TRUE(ends());
  EXPECT_TRUE(ends_soon(child));
}

TEST_F(EngineProcessTest, what_a_wrapper_script_started_ends_with_it_when_it_goes_by_itself) {
  start("sleep 300 & echo $!");
  ASSERT_TRUE(ends());
  EXPECT_EQ(*status, "exit status 0");
  EXPECT_TRUE(is_odd(Oddity::children_left));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(ends_soon(std::stoi(lines.front())));
}

TEST_F(EngineProcessTest, nothing_is_left_of_an_engine_whose_object_is_gone) {
  start("sleep 300 & echo $!; echo $$; wait");
  ASSERT_TRUE(hears(2));
  engine.reset();
  EXPECT_TRUE(ends_soon(std::stoi(lines[0])));
  EXPECT_TRUE(ends_soon(std::stoi(lines[1])));
}

TEST_F(EngineProcessTest, standard_error_is_drained_however_much_there_is) {
  start("head -c 2000000 /dev/zero | tr '\\0' x | fold -w 80 >&2; echo through; echo bye >&2");
  ASSERT_TRUE(ends());
  EXPECT_THAT(lines, ElementsAre("through"));
  EXPECT_GT(stderr_lines, 0);
  EXPECT_THAT(last_words, HasSubstr("bye"));
}

TEST_F(EngineProcessTest, a_last_line_without_its_end_is_told) {
  start("printf 'bestmove 7g7f'");
  ASSERT_TRUE(ends());
  EXPECT_THAT(lines, ElementsAre("bestmove 7g7f"));
  EXPECT_TRUE(is_odd(Oddity::unfinished_line));
}

TEST_F(EngineProcessTest, a_line_without_its_end_is_no_line_while_the_engine_lives) {
  start("printf 'bestmove 7g7f'; echo written >&2; sleep 300");
  ASSERT_TRUE(test::run_until(context, [this] { return stderr_lines == 1; }));
  context.poll();
  EXPECT_THAT(lines, testing::IsEmpty());
}

/// An engine that cannot be collected while `tracer` lives.
class EngineWhoseRemainsAreKept : public EngineProcessTest {
 protected:
  void SetUp() override {
    SpawnRequest request;
    request.command = {test::fake_engine_binary(), "--keep-remains"};
    start(request);
    ASSERT_TRUE(hears(1));
    ASSERT_NE(lines[0], "not traced");
    tracer = std::stoi(lines[0]);
    process = engine->process();
  }
  void TearDown() override {
    if (tracer > 0) {
      ::kill(tracer, SIGKILL);
      EXPECT_TRUE(gets_soon(process, "-")) << "it is collected as soon as it can be";
    }
  }

  int tracer = -1;
  int process = -1;
};

TEST_F(EngineWhoseRemainsAreKept, nobody_waits_for_it_when_it_is_torn_down) {
  engine.reset();
  EXPECT_TRUE(gets_soon(process, "Z"));
  EXPECT_NE(state_of(tracer), '-') << "the tracer has ended: somebody waited for it";
}

TEST_F(EngineWhoseRemainsAreKept, its_end_is_told_all_the_same) {
  engine->kill(Millis{0});
  ASSERT_TRUE(ends());
  EXPECT_THAT(*status, HasSubstr("traced"));
  EXPECT_NE(state_of(tracer), '-');
}

/// Opening a file on which somebody holds a lease takes as long as he likes (45 s at most by default), as on a disk
/// that hangs.
TEST_F(EngineProcessTest, a_program_on_a_disk_that_hangs_holds_up_nobody) {
  const test::Scratch scratch;
  const std::string program = scratch.path("engine");
  std::ofstream(program) << "#!/bin/sh\necho here\n";
  ASSERT_EQ(::chmod(program.c_str(), 0700), 0);
  const auto before = std::signal(SIGIO, SIG_IGN);
  const int file = ::open(program.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::fcntl(file, F_SETLEASE, F_WRLCK), 0) << std::strerror(errno);
  SpawnRequest request;
  request.command = {program};

  start(request);
  context.poll();
  EXPECT_FALSE(is_started);
  engine.reset();

  start(request);
  const int process = engine->process();
  context.poll();
  EXPECT_FALSE(is_started);
  EXPECT_NE(state_of(process), '-');
  ASSERT_EQ(::fcntl(file, F_SETLEASE, F_UNLCK), 0);
  ASSERT_TRUE(ends());
  EXPECT_TRUE(is_started);
  EXPECT_THAT(lines, ElementsAre("here"));
  ::close(file);
  std::signal(SIGIO, before);
}

TEST_F(EngineProcessTest, a_program_that_there_is_not_is_told_as_such_and_as_nothing_else) {
  SpawnRequest request;
  request.command = {"/no/such/engine"};
  request.directory = "/";
  start(request);
  ASSERT_TRUE(test::run_until(context, [this] { return failure.has_value(); }));
  EXPECT_EQ(*failure, "cannot run /no/such/engine: No such file or directory (ENOENT)");
  context.poll();
  EXPECT_FALSE(is_started);
  EXPECT_FALSE(status);
}

}  // namespace
}  // namespace kakehashi::usi::io
