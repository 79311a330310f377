// Real bridges with real engines play on the embedded server over a bad way (chaos_proxy.hpp). No game
// may be lost by anything that the bridge answers for: on time, by an illegal move, or by being gone
// while its line still stood; and no move that was heard may be missing in a record.
//   KAKEHASHI_CHAOS_GAMES   how many games; the ordinary run plays some, scripts/chaos.sh a hundred
//   KAKEHASHI_CHAOS_SEED    what the way draws its evils from
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "chaos/chaos_proxy.hpp"
#include "rehearse/server/io/server_shell.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/record/csa.hpp"
#include "tests/places.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"
#include "tests/system/witness.hpp"

namespace kakehashi::test {
namespace {

using rehearse::server::EndReason;

/// Too long for any game, in the slowest build and on the busiest machine; it ends a hung test.
constexpr std::chrono::seconds game_max{150};
constexpr int max_moves = 40;

int number_from(const char* variable, int otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? otherwise : std::atoi(value);
}

/// Whether the side that lost by it was at fault or gone; none of these is a matter of chess.
bool is_bridge_matter(EndReason reason) {
  switch (reason) {
    case EndReason::resign:
    case EndReason::declaration:
    case EndReason::repetition:
    case EndReason::perpetual_check:
    case EndReason::max_moves: return false;
    case EndReason::time_up:
    case EndReason::illegal_move:
    case EndReason::drop_pawn_mate:
    case EndReason::king_left_in_check:
    case EndReason::wrong_declaration:
    case EndReason::abnormal:
    case EndReason::illegal_action: return true;
  }
  return true;
}

class Chaos : public testing::Test {
 protected:
  Chaos() {
    EXPECT_TRUE(server.start());
    proxy = std::make_unique<ChaosProxy>(context, server.port(), seed);
    for (const std::string name : {"alice", "bob"}) {
      write_text(scratch.path(name + ".yaml"),
                 "server: {host: 127.0.0.1, port: " + std::to_string(proxy->port()) +
                     ", retry_max: 2s}\n" + "account: {name: " + name + "}\n" +
                     "game: {name: test-60-0}\n" + "engine: {command: [" + test::fairy_stockfish() +
                     "], options: {Slow Mover: 10, nodestime: 20, Threads: 1, Hash: 16}}\n" +
                     "records: {directory: " + scratch.path(name) + "}\n" +
                     "archive: {enabled: false}\n");
    }
  }

  std::string log_of(const std::string& bot) const { return read_text(scratch.path(bot + ".log")); }

  /// One line of the account; a game that was lost by the bridge is a failure.
  std::string judge(const rehearse::server::GameEnded& end) {
    std::ostringstream line;
    line << end.game_id << ": " << end.names[0] << " and " << end.names[1] << ", "
         << end.moves.size() << " moves, " << rehearse::server::summary_word(end.reason);
    if (!end.winner) {
      line << ", draw";
    } else {
      const std::string& winner = end.names[*end.winner == shogi::Color::black ? 0 : 1];
      const std::string& loser = end.names[*end.winner == shogi::Color::black ? 1 : 0];
      line << ", " << winner << " won";
      if (is_bridge_matter(end.reason)) {
        const bool is_excused = end.reason == EndReason::abnormal && was_cut(loser, end.game_id);
        line << (is_excused ? " (the line was cut)" : " (LOST BY THE BRIDGE)");
        bridge_losses += is_excused ? 0 : 1;
        EXPECT_TRUE(is_excused) << line.str() << "\n" << log_of(loser);
      }
    }
    for (const std::string& name : end.names) {
      line << "; " << name << ":";
      for (const Suffered& one : proxy->suffered(name, end.game_id)) {
        line << " " << one.pieces << " pieces, " << one.delays << " delayed, " << one.stalls
             << " stalls" << (one.cut == Cut::none ? "" : ", ") << describe(one.cut);
      }
    }
    return line.str();
  }

  bool was_cut(const std::string& bot, const std::string& game) const {
    for (const Suffered& one : proxy->suffered(bot, game)) {
      if (one.cut != Cut::none) {
        return true;
      }
    }
    return false;
  }

  /// Each record tells a beginning of what was played, and all that its bot had heard.
  void judge_records(const std::string& bot) {
    std::map<std::string, std::size_t> recorded;
    for (const std::string& name : scratch.names(bot)) {
      const auto games = shogi::record::read_csa(read_text(scratch.path(bot + "/" + name)), {});
      ASSERT_TRUE(games && games->size() == 1) << name;
      const auto& game = games->front();
      EXPECT_TRUE(game.ending) << name << " has no end";
      const auto& played = witness.moves[game.event];
      ASSERT_LE(game.moves.size(), played.size()) << name;
      shogi::Position position = game.start;
      for (std::size_t i = 0; i < game.moves.size(); ++i) {
        EXPECT_EQ(shogi::csa::format_move(position, game.moves[i].move), played[i]) << name;
        position.play(game.moves[i].move);
      }
      recorded[game.event] = game.moves.size();
    }
    for (const auto& [whose, count] : witness.heard) {
      if (whose.first == bot && count > 0) {
        EXPECT_GE(recorded[whose.second], count) << bot << " in " << whose.second;
      }
    }
  }

  static rehearse::server::io::ShellOptions options() {
    rehearse::server::io::ShellOptions made;
    made.settings.max_moves = max_moves;
    return made;
  }

  Scratch scratch;
  boost::asio::io_context context;
  const std::uint64_t seed = static_cast<std::uint64_t>(number_from("KAKEHASHI_CHAOS_SEED", 1));
  Witness witness;
  std::vector<rehearse::server::GameEnded> ends;
  int bridge_losses = 0;
  rehearse::server::io::ServerShell server{
      context,
      options(),
      {[this](const rehearse::server::GameReport& report) {
         witness.report(report);
         if (const auto* end = std::get_if<rehearse::server::GameEnded>(&report)) {
           ends.push_back(*end);
         }
       },
       [this](rehearse::server::ConnectionId connection, rehearse::server::io::Direction way,
              std::string_view text) { witness.line(connection, way, text); }}};
  std::unique_ptr<ChaosProxy> proxy;
};

TEST_F(Chaos, no_game_is_lost_for_an_engine_on_a_bad_way) {
  const auto games = static_cast<std::size_t>(number_from("KAKEHASHI_CHAOS_GAMES", 3));
  Program alice(context, {"run", scratch.path("alice.yaml")}, "", scratch.path("alice.log"));
  Program bob(context, {"run", scratch.path("bob.yaml")}, "", scratch.path("bob.log"));
  std::size_t told = 0;
  while (ends.size() < games) {
    const std::size_t so_far = ends.size();
    ASSERT_TRUE(run_until(context, [&] { return ends.size() > so_far; }, game_max))
        << "seed " << seed << ": no game ended; alice:\n" << log_of("alice") << "bob:\n" << log_of("bob");
    for (; told < ends.size(); ++told) {
      std::cout << told + 1 << " " << judge(ends[told]) << std::endl;
    }
  }
  proxy->calm();
  alice.send_signal(SIGTERM);
  bob.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return alice.status && bob.status; }, game_max))
      << log_of("alice") << log_of("bob");
  EXPECT_EQ(alice.status, 0) << log_of("alice");
  EXPECT_EQ(bob.status, 0) << log_of("bob");
  judge_records("alice");
  judge_records("bob");
  const Sums sums = proxy->sums();
  std::cout << "seed " << seed << ": " << ends.size() << " games, " << bridge_losses
            << " lost by the bridge; " << sums.connections << " connections, " << sums.pieces
            << " pieces, " << sums.delays << " delays, " << sums.stalls << " stalls, " << sums.resets
            << " resets, " << sums.silences << " silences, " << sums.half_closes << " half-closes"
            << std::endl;
}

}  // namespace
}  // namespace kakehashi::test
