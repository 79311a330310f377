// Two bots on a server that holds them to the protocol 1.2.1: plain passwords, one connection for all
// games, not a byte that the protocol does not have.
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <string>
#include <vector>

#include "rehearse/server/io/server_shell.hpp"
#include "tests/places.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi {
namespace {

using test::Program;
using test::read_text;
using test::run_until;

TEST(StrictServer, bots_play_their_games_without_a_breach) {
  const test::Scratch scratch;
  boost::asio::io_context context;
  std::vector<rehearse::server::GameEnded> ended;
  int logins = 0;
  std::string said;
  rehearse::server::io::ShellOptions options;
  options.settings.is_strict = true;
  options.settings.max_moves = 40;
  rehearse::server::io::ServerShell server(
      context, options,
      {[&](const rehearse::server::GameReport& report) {
         if (const auto* game = std::get_if<rehearse::server::GameEnded>(&report)) {
           ended.push_back(*game);
         }
       },
       [&](rehearse::server::ConnectionId, rehearse::server::io::Direction way, std::string_view line) {
         said += (way == rehearse::server::io::Direction::from_client ? "> " : "< ") + std::string(line) + "\n";
         logins += line.starts_with("LOGIN ") ? 1 : 0;
       }});
  const auto port = server.start();
  ASSERT_TRUE(port);
  std::vector<std::string> command{"run"};
  for (const std::string name : {"alice", "bob"}) {
    test::write_text(scratch.path(name + ".password"), "secret-of-" + name + "\n");
    ::chmod(scratch.path(name + ".password").c_str(), 0600);
    test::write_text(scratch.path(name + ".yaml"),
                     "server: {host: 127.0.0.1, port: " + std::to_string(*port) + "}\n" +
                         "account: {name: " + name + ", password_file: " +
                         scratch.path(name + ".password") + "}\n" + "game: {count: 2, meet_own: true}\n" +
                         "ponder: on\n" + "engine: {command: [" + test::fake_engine_binary() +
                         ", --score, '12']}\n" + "records: {enabled: false}\n" +
                         "journal: {enabled: false}\n" + "archive: {enabled: false}\n");
    command.push_back(scratch.path(name + ".yaml"));
  }

  Program program(context, command, "", scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));

  EXPECT_EQ(program.status, 0) << read_text(scratch.path("stderr"));
  ASSERT_EQ(ended.size(), 2U);
  for (const rehearse::server::GameEnded& game : ended) {
    EXPECT_NE(game.reason, rehearse::server::EndReason::illegal_action) << game.last_line;
    EXPECT_NE(game.reason, rehearse::server::EndReason::abnormal) << game.last_line;
    EXPECT_GE(game.moves.size(), 10U);
  }
  EXPECT_EQ(logins, 2) << "one connection for all games:\n" << said << read_text(scratch.path("stderr"));
}

}  // namespace
}  // namespace kakehashi
