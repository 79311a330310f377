// engine.limits and nice on the process that the program really starts: what the kernel says of it. The
// engines are shell scripts, so that no sanitizer of ours runs under the limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "base/io/clocks.hpp"
#include "base/io/priority.hpp"
#include "bridge/event.hpp"
#include "daemon/engines.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"
#include "usi/io/spawn.hpp"

namespace kakehashi {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// The last processor of those that we may run on ourselves.
std::string some_cpu() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    last = CPU_ISSET(static_cast<std::size_t>(cpu), &set) ? cpu : last;
  }
  return std::to_string(last);
}

/// Field 19 of proc(5)'s stat; the name in field 2 may hold anything.
std::string niceness_in(const std::string& stat) {
  std::istringstream fields(stat.substr(stat.rfind(") ") + 2));
  std::string field;
  for (int number = 3; number <= 19; ++number) {
    fields >> field;
  }
  return field;
}

class EngineLimits : public testing::Test {
 protected:
  EngineLimits() {
    test::write_text(scratch.path("engine.sh"), R"(#!/bin/sh
cat /proc/$$/limits /proc/$$/status > "$1.kernel"
cat /proc/$$/stat > "$1.stat"
while read word rest; do
  case $word in
    usi) echo "id name script"; echo usiok ;;
    isready) echo readyok ;;
    go) echo "bestmove 7g7f" ;;
    quit) exit 0 ;;
  esac
done
)");
    ::chmod(scratch.path("engine.sh").c_str(), 0700);
  }

  [[nodiscard]] std::string command(const std::string& name) const {
    return "command: [" + scratch.path("engine.sh") + ", " + scratch.path(name) + "]";
  }

  /// Starts both engines, the first one with these limits, and has them answer.
  void check(const std::string& limits) {
    test::write_text(scratch.path("bot.yaml"),
                     "server: {host: 127.0.0.1, port: 4081}\naccount: {name: mybot}\n"
                     "game: {name: test-600-10}\nengine: {" + command("first") + limits +
                         ", standby: {" + command("standby") + "}}\n");
    test::Program program(context, {"check", scratch.path("bot.yaml")}, "", scratch.path("stderr"));
    ASSERT_TRUE(test::run_until(context, [&] { return program.status.has_value(); }));
    EXPECT_EQ(program.status, 0) << test::read_text(scratch.path("stderr"));
  }

  test::Scratch scratch;
  boost::asio::io_context context{1};
};

TEST_F(EngineLimits, are_those_of_the_real_process_and_of_its_standby) {
  const std::string cpu = some_cpu();
  check(", limits: {memory: 2GB, address_space: 3GB, open_files: 100, nice: 19, cpus: '" + cpu + "'}");
  for (const char* name : {"first", "standby"}) {
    const std::string kernel = test::read_text(scratch.path(name + std::string(".kernel")));
    EXPECT_THAT(kernel, ContainsRegex("Max data size +2000000000 +2000000000 "));
    EXPECT_THAT(kernel, ContainsRegex("Max address space +3000000000 +3000000000 "));
    EXPECT_THAT(kernel, ContainsRegex("Max open files +100 +100 "));
    EXPECT_THAT(kernel, ContainsRegex("Max core file size +0 +0 "));
    EXPECT_THAT(kernel, ContainsRegex("Cpus_allowed_list:\t" + cpu + "\n"));
    EXPECT_EQ(niceness_in(test::read_text(scratch.path(name + std::string(".stat")))), "19");
  }
}

TEST_F(EngineLimits, without_any_the_engine_has_the_machine_as_the_bridge_has_it) {
  check("");
  const std::string kernel = test::read_text(scratch.path("first.kernel"));
  const std::string own = test::read_text("/proc/self/status");
  const auto cpus = own.find("Cpus_allowed_list:");
  ASSERT_NE(cpus, std::string::npos);
  EXPECT_THAT(kernel, testing::HasSubstr(own.substr(cpus, own.find('\n', cpus) - cpus + 1)));
  EXPECT_EQ(niceness_in(test::read_text(scratch.path("first.stat"))),
            niceness_in(test::read_text("/proc/self/stat")));
}

TEST(ProcessLimits, an_engine_of_a_bridge_that_stands_back_further_starts_all_the_same) {
  const pid_t child = ::fork();
  if (child == 0) {
    usi::ProcessLimits limits;
    limits.nice = 5;
    const bool is_well = ::setpriority(PRIO_PROCESS, 0, 19) == 0 && usi::io::apply(limits, {}) == 0;
    ::_exit(is_well ? ::getpriority(PRIO_PROCESS, 0) : 99);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 19);
}

TEST_F(EngineLimits, processors_that_the_machine_does_not_have_are_named) {
  usi::io::SpawnRequest request;
  request.command = {"/bin/true"};
  request.limits.cpus = "1000-1001";
  auto spawned = usi::io::spawn(request);
  ASSERT_TRUE(std::holds_alternative<usi::io::Spawned>(spawned));
  const auto& child = std::get<usi::io::Spawned>(spawned);
  int status = 0;
  ASSERT_EQ(::waitpid(child.process, &status, 0), child.process);
  EXPECT_THAT(usi::io::exec_failure(child, request), testing::HasSubstr(" the processors 1000-1001 (cpus): this machine has "));
}

TEST(EngineEnvironment, holds_what_is_passed_and_set_and_the_start_tells_what_not) {
  ::setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  ::setenv("SOME_TOKEN", "s3cret", 1);
  ::setenv("FOO_PATH", "/foo", 1);
  ::setenv("TZ", "Asia/Tokyo", 1);
  config::Engine settings;
  settings.command = {"/bin/sh", "-c", "echo \"$CUDA_VISIBLE_DEVICES,$SOME_TOKEN,$FOO_PATH,$TZ,$SET\""};
  settings.environment = {{"SET", "$HOME"}, {"TZ", "UTC"}};
  boost::asio::io_context context{1};
  std::string line;
  std::string withheld;
  bool has_ended = false;
  const auto happened = [&](const bridge::Event& event, bool) {
    if (const auto* started = std::get_if<bridge::EngineStarted>(&event)) {
      EXPECT_EQ(line, "") << "its start is told before its words";
      withheld = started->withheld;
    } else if (const auto* said = std::get_if<bridge::EngineLine>(&event)) {
      line = said->text;
    } else {
      has_ended = std::holds_alternative<bridge::EngineExited>(event);
    }
  };
  daemon::Engines engines(context, "bot", settings, happened, [](const bridge::Note&) {});
  engines.start(bridge::EngineId{0, 1});
  ASSERT_TRUE(test::run_until(context, [&] { return has_ended; }));
  EXPECT_EQ(line, "1,,,UTC,$HOME");
  EXPECT_THAT(withheld, ContainsRegex("FOO_PATH.*SOME_TOKEN"));
  EXPECT_THAT(withheld, Not(HasSubstr("s3cret")));
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "SOME_TOKEN", "FOO_PATH", "TZ"}) {
    ::unsetenv(name);
  }
}

TEST(EngineFlood, what_is_no_answer_is_left_out_on_both_streams_and_told_once) {
  config::Engine settings;
  settings.command = {"/bin/sh", "-c",
                      "yes 'debug: a node' | head -n 300000; yes 'debug: a node' | head -n 300000 >&2; echo bestmove 7g7f"};
  boost::asio::io_context context{1};
  std::size_t lines = 0;
  int answers = 0;
  std::vector<std::string> told;
  bool has_ended = false;
  const auto happened = [&](const bridge::Event& event, bool) {
    if (const auto* said = std::get_if<bridge::EngineLine>(&event)) {
      answers += said->text == "bestmove 7g7f" ? 1 : 0;
    }
    lines += std::holds_alternative<bridge::EngineLine>(event) || std::holds_alternative<bridge::EngineStderr>(event) ? 1 : 0;
    has_ended = has_ended || std::holds_alternative<bridge::EngineExited>(event);
  };
  daemon::Engines engines(context, "bot", settings, happened, [&](const bridge::Note& note) { told.push_back(note.code); });
  engines.start(bridge::EngineId{0, 1});
  ASSERT_TRUE(test::run_until(context, [&] { return has_ended; }));
  EXPECT_EQ(answers, 1);
  EXPECT_LT(lines, 30'000U) << "of 600,000";
  EXPECT_THAT(told, testing::ElementsAre("engine_floods"));
}

/// What a process comes to that runs `act`; -1 when it did not end by itself.
template <class Act>
int outcome_of(Act act) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(act());
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int policy() { return ::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK; }

/// The policy of who may run before others, if it may; these tests run under nice.
int best_policy() {
  return outcome_of([] {
    ::setpriority(PRIO_PROCESS, 0, 0);
    sched_param lowest{};
    lowest.sched_priority = 1;
    const bool stands_back = ::getpriority(PRIO_PROCESS, 0) > 0;
    return !stands_back && ::sched_setscheduler(0, SCHED_RR, &lowest) == 0 ? SCHED_RR : SCHED_OTHER;
  });
}

TEST(Priority, who_plays_runs_before_others_where_the_system_allows_it) {
  EXPECT_EQ(outcome_of([] {
              ::setpriority(PRIO_PROCESS, 0, 0);
              base::io::run_before_others(true);
              return policy();
            }),
            best_policy());
}

void share_a_processor_with_some_that_never_sleep() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(std::stoi(some_cpu())), &one);
  ::sched_setaffinity(0, sizeof one, &one);
  for (int i = 0; i < 8; ++i) {
    std::thread([] {
      for (volatile bool is_busy = true; is_busy;) {}
    }).detach();
  }
}

/// Ends where it has run by that policy at each of so many steps in a row, one a millisecond.
class Player {
 public:
  Player(int policy, int steps) : policy_(policy), steps_(steps) {}

  void play() {
    step(0);
    loop_.run();
  }

 private:
  void step(int in_a_row) {
    if (in_a_row == steps_) {
      loop_.stop();
      return;
    }
    base::io::Priority::of(loop_).play(this, base::io::read_clocks().steady + std::chrono::hours(1));
    timer_.expires_after(std::chrono::milliseconds(1));
    timer_.async_wait([this, in_a_row](boost::system::error_code) { step(policy() == policy_ ? in_a_row + 1 : 0); });
  }

  int policy_, steps_;
  boost::asio::io_context loop_{1};
  boost::asio::steady_timer timer_{loop_};
};

TEST(Priority, who_has_to_wait_for_a_processor_runs_before_others_and_keeps_to_it) {
  const int wanted = best_policy();
  EXPECT_EQ(outcome_of([wanted] {
              ::setpriority(PRIO_PROCESS, 0, 0);
              share_a_processor_with_some_that_never_sleep();
              Player(wanted, 1'200).play();
              return policy();
            }),
            wanted);
}

TEST(Priority, a_bridge_that_was_told_to_stand_back_asks_for_none) {
  EXPECT_EQ(outcome_of([] {
              ::setpriority(PRIO_PROCESS, 0, 5);
              base::io::run_before_others(true);
              return policy();
            }),
            SCHED_OTHER);
}

TEST(Priority, an_engine_has_none_and_cannot_ask_for_it) {
  EXPECT_EQ(outcome_of([] {
              base::io::run_before_others(true);
              return outcome_of([] {
                rlimit most{1, 1};
                const bool is_well = usi::io::apply({}, {}) == 0 && policy() == SCHED_OTHER &&
                                     ::getrlimit(RLIMIT_RTPRIO, &most) == 0 && most.rlim_max == 0;
                return is_well ? 0 : 1;
              });
            }),
            0);
}

}  // namespace
}  // namespace kakehashi
