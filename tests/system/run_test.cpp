// `kakehashi run` as a supervisor sees it: the program itself, its signals, its notify socket.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/datagram_protocol.hpp>
#include <csignal>
#include <string>
#include <vector>

#include "rehearsal/io/server_shell.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi {
namespace {

namespace asio = boost::asio;
using test::Program;
using test::read_text;
using test::run_until;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class RunTest : public testing::Test {
 protected:
  RunTest() {
    listen();
    const auto port = server.start();
    EXPECT_TRUE(port);
    for (const char* name : {"alice", "bob"}) {
      test::write_text(scratch.path(std::string(name) + ".yaml"),
                       "server: {host: 127.0.0.1, port: " + std::to_string(*port) + "}\n" +
                           "account: {name: " + name + "}\n" + "game: {name: test-600-10}\n" +
                           "engine: {command: [" + KAKEHASHI_FAKE_ENGINE + ", --think-ms, '20']}\n" +
                           "records: {directory: " + scratch.path("records") + "}\n");
    }
  }

  void listen() {
    notify.async_receive(asio::buffer(buffer),
                         [this](boost::system::error_code failed, std::size_t bytes) {
                           if (!failed) {
                             told.emplace_back(buffer.data(), bytes);
                             listen();
                           }
                         });
  }

  bool was_told(const std::string& state) {
    return std::find(told.begin(), told.end(), state) != told.end();
  }

  test::Scratch scratch;
  asio::io_context context;
  asio::local::datagram_protocol::socket notify{
      context, asio::local::datagram_protocol::endpoint(scratch.path("notify"))};
  std::array<char, 4096> buffer{};
  std::vector<std::string> told;
  int games_over = 0;
  rehearsal::io::ServerShell server{
      context,
      {},
      {[this](const rehearsal::GameReport& report) {
         games_over += std::holds_alternative<rehearsal::GameEnded>(report) ? 1 : 0;
       },
       {}}};
};

TEST_F(RunTest, a_bot_reports_to_its_supervisor_and_leaves_on_the_first_signal) {
  Program program(context, {"run", scratch.path("alice.yaml")}, scratch.path("notify"),
                  scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return was_told("READY=1") && was_told("WATCHDOG=1"); }))
      << read_text(scratch.path("stderr"));
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
  context.poll();
  EXPECT_THAT(told, Contains("STOPPING=1"));
  EXPECT_THAT(told, Contains(HasSubstr("STATUS=")));
  const auto log = read_text(scratch.path("stderr"));
  EXPECT_THAT(log, HasSubstr("signal_received: SIGTERM received"));
  EXPECT_THAT(log, HasSubstr("[alice] logged_in"));
}

TEST_F(RunTest, two_bots_in_one_process_finish_their_game_before_they_leave) {
  Program program(context,
                  {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml"), "--log-format",
                   "json"},
                  scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return was_told("READY=1"); }));
  program.send_signal(SIGHUP);
  ASSERT_TRUE(run_until(context, [&] { return games_over == 1; }));
  program.send_signal(SIGINT);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
  const auto log = read_text(scratch.path("stderr"));
  EXPECT_THAT(log, HasSubstr(R"("bot":"bob","code":"game_ended")"));
  EXPECT_THAT(log, HasSubstr(R"("code":"hangup_ignored")"));
  EXPECT_GE(scratch.names("records").size(), 2U);
}

TEST_F(RunTest, a_bad_configuration_starts_nothing_at_all) {
  test::write_text(scratch.path("bad.yaml"), "server: {prot: 1}\n");
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bad.yaml")},
                  scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 78);
  EXPECT_THAT(read_text(scratch.path("stderr")), HasSubstr("bad.yaml:1:"));
  EXPECT_THAT(read_text(scratch.path("stderr")), Not(HasSubstr("engine_ready")));
  EXPECT_TRUE(told.empty());
}

}  // namespace
}  // namespace kakehashi
