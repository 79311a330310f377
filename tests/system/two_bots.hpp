// Two bots, alice and bob, that play each other on a server of the test's own: run by the program, so that it can be killed.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rehearse/server/io/server_shell.hpp"
#include "tests/places.hpp"
#include "tests/system/look_until.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"
#include "tests/system/witness.hpp"

namespace kakehashi::test {

class TwoBots : public testing::Test {
 protected:
  TwoBots() {
    const auto port = server.start();
    EXPECT_TRUE(port);
    server_port = port ? *port : std::uint16_t{0};
  }

  /// What a test adds to a bot's settings: words behind those of a section, and whole lines.
  struct More {
    std::string account{};
    std::string engine{};
    std::string records{};
    std::string journal{};
    std::string lines{};
    std::string mode = "csa";
  };
  void configure(const std::string& bot, const More& more) const {
    write_text(scratch.path(bot + ".yaml"),
               "server: {host: 127.0.0.1, port: " + std::to_string(server_port) + ", mode: " + more.mode + "}\n" +
                   "account: {name: " + bot + more.account + "}\n" + "game: {name: test-600-10, meet_own: true}\n" +
                   "engine: {command: [" + fake_engine_binary() + more.engine + "]}\n" +
                   "records: {directory: " + scratch.path(bot) + more.records + "}\n" +
                   "journal: {directory: " + scratch.path("journal") + more.journal + "}\n" + more.lines);
  }

  void start(const std::vector<std::string>& variables = {}, const std::vector<std::string>& bots = {"alice", "bob"}) {
    std::vector<std::string> arguments{"run"};
    for (const std::string& bot : bots) {
      arguments.push_back(scratch.path(bot + ".yaml"));
    }
    program.emplace(context, arguments, "", scratch.path("stderr"), variables);
  }
  /// Until so many more lines have passed the server; false: the program has ended.
  bool plays_on(int lines) {
    const int target = witness.lines + lines;
    return run_until(context, [&] { return witness.lines >= target || program->status; }) && !program->status;
  }
  void leave() {
    program->send_signal(SIGTERM);
    end_in_order();
  }
  /// Behind the signal.
  void end_in_order() {
    ASSERT_TRUE(run_until(context, [&] { return program->status.has_value(); })) << log();
    EXPECT_EQ(program->status, 0) << log();
  }
  /// A signal to the process that plays.
  void send_to_player(int number) {
    pid_t player = 0;  // which kill(2) would take for this process and all of its group
    ASSERT_TRUE(look_until(context, [&] { return (player = program->player()) != 0; })) << log();
    ::kill(player, number);
  }
  void kill_player() { send_to_player(SIGKILL); }

  [[nodiscard]] std::string log() const { return read_text(scratch.path("stderr")); }
  /// How often the log says so.
  [[nodiscard]] std::size_t logged(std::string_view what) const {
    const std::string text = log();
    std::size_t found = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
      ++found;
    }
    return found;
  }

  Scratch scratch;
  boost::asio::io_context context;
  Witness witness;
  std::uint16_t server_port = 0;
  rehearse::server::io::ServerShell server{
      context,
      {},
      {[this](const rehearse::server::GameReport& report) { witness.report(report); },
       [this](rehearse::server::ConnectionId connection, rehearse::server::io::Direction way,
              std::string_view text) { witness.line(connection, way, text); }}};
  std::optional<Program> program;
};

}  // namespace kakehashi::test
