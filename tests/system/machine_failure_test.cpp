// What the machine can do to a bot in mid-game: no space, no descriptors, no name of the server, another
// time of day, a nap. The
// game goes on; only what cannot be written is missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "rehearse/server/io/server_shell.hpp"
#include "tests/places.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi {
namespace {

namespace asio = boost::asio;
using test::Program;
using test::read_text;
using test::run_until;
using testing::HasSubstr;

class MachineFailure : public testing::Test {
 protected:
  MachineFailure() {
    const auto port = server.start();
    EXPECT_TRUE(port);
    tick();
    for (const char* name : {"alice", "bob"}) {
      write_config(name, "127.0.0.1", *port);
    }
  }

  void write_config(const std::string& name, const std::string& host, std::uint16_t port) {
    test::write_text(scratch.path(name + ".yaml"),
                     "server: {host: " + host + ", port: " + std::to_string(port) + "}\n" +
                         "account: {name: " + name + "}\n" + "game: {name: test-600-10, meet_own: true}\n" +
                         "engine: {command: [" + test::fake_engine_binary() + ", --think-ms, '20']}\n" +
                         "records: {directory: " + scratch.path("records") + "}\n" +
                         "log: {level: warn}\n");
  }

  /// Appends text to a configuration, and changes one part of it.
  void add_settings(const std::string& name, const std::string& text,
                    const std::pair<std::string, std::string>& change) const {
    std::string all = read_text(scratch.path(name + ".yaml")) + text;
    const auto at = all.find(change.first);
    ASSERT_NE(at, std::string::npos) << all;
    all.replace(at, change.first.size(), change.second);
    test::write_text(scratch.path(name + ".yaml"), all);
  }

  void leave(Program& program) {
    program.send_signal(SIGTERM);
    ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
    EXPECT_EQ(program.status, 0) << log();
  }

  /// Keeps the loop turning, so that the log is looked at when nobody sends anything any more.
  void tick() {
    ticks.expires_after(std::chrono::milliseconds(50));
    ticks.async_wait([this](boost::system::error_code failed) {
      if (!failed) {
        tick();
      }
    });
  }

  void limit(const Program& program, __rlimit_resource resource, rlim_t most) {
    const rlimit limits{most, most};
    ASSERT_EQ(::prlimit(program.player(), resource, &limits, nullptr), 0);
  }

  std::string log() const { return read_text(scratch.path("stderr")); }

  test::Scratch scratch;
  asio::io_context context;
  asio::steady_timer ticks{context};
  int moves = 0;
  std::optional<rehearse::server::GameEnded> end;
  rehearse::server::io::ServerShell server{context,
                                    {},
                                    {[this](const rehearse::server::GameReport& report) {
                                       moves += std::holds_alternative<rehearse::server::MovePlayed>(report);
                                       if (const auto* over =
                                               std::get_if<rehearse::server::GameEnded>(&report)) {
                                         end = end ? end : std::optional(*over);
                                       }
                                     },
                                     {}}};
};

TEST_F(MachineFailure, a_disk_that_takes_no_more_costs_records_and_journal_only) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                  "", scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return moves >= 2; })) << log();
  limit(program, RLIMIT_FSIZE, 64);
  ASSERT_TRUE(run_until(context, [&] { return end.has_value(); }));
  EXPECT_EQ(end->reason, rehearse::server::EndReason::repetition);
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
}

TEST_F(MachineFailure, a_process_without_descriptors_finishes_its_game) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                  "", scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return moves >= 2; })) << log();
  limit(program, RLIMIT_NOFILE, 3);
  ASSERT_TRUE(run_until(context, [&] { return end.has_value(); }));
  EXPECT_EQ(end->reason, rehearse::server::EndReason::repetition);
  for (const char* code : {"retrying", "record_failed"}) {
    ASSERT_TRUE(run_until(context, [&] { return log().find(code) != std::string::npos; })) << log();
  }
  EXPECT_THAT(log(), HasSubstr("Too many open files"));
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
}

TEST_F(MachineFailure, a_directory_that_takes_nothing_costs_what_goes_there_only) {
  for (const char* name : {"alice", "bob"}) {
    add_settings(name, "journal: {directory: /proc/kakehashi/journal}\n"
                       "archive: {file: /proc/kakehashi/games.db}\n",
                 {scratch.path("records"), "/proc/kakehashi/records"});
  }
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                  "", scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return end.has_value(); })) << log();
  EXPECT_EQ(end->reason, rehearse::server::EndReason::repetition);
  for (const char* code : {"record_failed", "journal_failed", "archive_failed"}) {
    ASSERT_TRUE(run_until(context, [&] { return log().find(code) != std::string::npos; })) << log();
  }
  leave(program);
}

TEST_F(MachineFailure, a_machine_that_was_suspended_goes_on_with_its_game) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                  "", scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return moves >= 2; })) << log();
  program.send_signal(SIGSTOP);
  // Longer than the clocks' seconds and the bridge's own timers; nothing is to happen meanwhile.
  asio::steady_timer nap(context, std::chrono::seconds(3));
  bool is_over = false;
  nap.async_wait([&](boost::system::error_code) { is_over = true; });
  ASSERT_TRUE(run_until(context, [&] { return is_over; }));
  const int moves_before = moves;
  program.send_signal(SIGCONT);
  ASSERT_TRUE(run_until(context, [&] { return moves > moves_before; })) << log();
  ASSERT_TRUE(run_until(context, [&] { return end.has_value(); })) << log();
  EXPECT_EQ(end->reason, rehearse::server::EndReason::repetition);
  leave(program);
}

TEST_F(MachineFailure, a_system_without_room_for_what_is_sent_is_asked_again) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")}, "",
                  scratch.path("stderr"),
                  {std::string("LD_PRELOAD=") + test::full_buffers(),
                   "KAKEHASHI_FULL_BUFFERS=" + scratch.path("full")});
  ASSERT_TRUE(run_until(context, [&] { return moves >= 2; })) << log();
  test::write_text(scratch.path("full"), "");
  ASSERT_TRUE(run_until(context, [&] { return end.has_value(); })) << log();
  EXPECT_EQ(end->reason, rehearse::server::EndReason::repetition);
  EXPECT_FALSE(std::filesystem::exists(scratch.path("full"))) << "nothing was refused";
  leave(program);
}

TEST_F(MachineFailure, a_clock_on_the_wall_that_is_set_forward_or_back_changes_no_game) {
  for (const char* name : {"alice", "bob"}) {
    add_settings(name, "", {"meet_own: true", "meet_own: true, count: 1"});
  }
  for (const char* shift : {"86400", "-86400"}) {
    SCOPED_TRACE(shift);
    moves = 0;
    end.reset();
    test::write_text(scratch.path("shift"), "0");
    Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                    "", scratch.path("stderr"),
                    {std::string("LD_PRELOAD=") + test::clock_shift(),
                     "KAKEHASHI_CLOCK_SHIFT=" + scratch.path("shift")});
    ASSERT_TRUE(run_until(context, [&] { return moves >= 2; })) << log();
    test::write_text(scratch.path("shift"), shift);
    ASSERT_TRUE(run_until(context, [&] { return moves >= 6; })) << log();
    ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
    EXPECT_EQ(program.status, 0) << log();
    ASSERT_TRUE(end);
    EXPECT_EQ(end->reason, rehearse::server::EndReason::repetition);
    EXPECT_EQ(log(), "") << "it warns of something";
  }
  // The records and journals of both days stand side by side.
  EXPECT_EQ(scratch.names("records").size(), 5U) << "two of each game, and the archive";
}

TEST_F(MachineFailure, an_engine_without_memory_is_reported_and_given_up) {
  add_settings("alice", "",
               {test::fake_engine_binary() + ", --think-ms, '20']",
                "/usr/games/fairy-stockfish], options: {Hash: 4096}, limits: {address_space: 200MB}"});
  Program program(context, {"run", scratch.path("alice.yaml")}, "",
                  scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); })) << log();
  EXPECT_EQ(program.status, 69) << log();
  EXPECT_THAT(log(), HasSubstr("engine_given_up"));
}

TEST_F(MachineFailure, a_server_whose_name_is_unknown_is_tried_again) {
  write_config("alice", "no-such-server.invalid", 4081);
  Program program(context, {"run", scratch.path("alice.yaml")}, "",
                  scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return log().find("retrying") != std::string::npos; }));
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
}

}  // namespace
}  // namespace kakehashi
