// Our spelling of UCI shogi, held against a UCI engine that plays it: in thousands of positions it
// must name the very moves that our rules allow, once they are spelled back.
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"
#include "usi/dialect.hpp"
#include "usi/io/engine_process.hpp"

namespace kakehashi::usi::io {
namespace {

struct Question {
  std::string line;              ///< "position …" in USI words
  std::set<std::string> legal;   ///< in USI words
  shogi::Position position;
  std::set<std::string> answer{};
};

/// Positions of games played at random, half of them as a start with moves, half as a board.
std::vector<Question> questions(std::size_t count) {
  std::mt19937 random(20261121);
  std::vector<Question> made;
  while (made.size() < count) {
    shogi::Position position = shogi::usi::parse_sfen(shogi::usi::startpos_sfen).value();
    std::string moves;
    for (int ply = 0; ply < 120 && made.size() < count; ++ply) {
      const std::vector<shogi::Move> legal = shogi::legal_moves(position);
      if (legal.empty()) {
        break;
      }
      Question question{ply % 2 == 0 ? "position startpos" + (moves.empty() ? "" : " moves" + moves)
                                     : "position sfen " + shogi::usi::format_sfen(position, ply + 1),
                        {},
                        position};
      for (const shogi::Move& move : legal) {
        question.legal.insert(shogi::usi::format_move(move));
      }
      made.push_back(std::move(question));
      const shogi::Move& next = legal[random() % legal.size()];
      moves += " " + shogi::usi::format_move(next);
      position.play(next);
    }
  }
  return made;
}

TEST(UciShogi, an_engine_names_the_moves_that_our_rules_allow_in_thousands_of_positions) {
  std::vector<Question> asked = questions(3'000);
  boost::asio::io_context context{1};
  boost::asio::steady_timer limit(context, std::chrono::seconds(120));
  limit.async_wait([&](boost::system::error_code) { context.stop(); });
  std::size_t at = 0;
  EngineProcess* engine = nullptr;
  const auto ask = [&] {
    engine->write(respell_position(dialect_of(Protocol::uci), asked[at].line));
    engine->write("go perft 1");
  };
  EngineProcess process(
      context,
      {.line =
           [&](const std::string& line, bool) {
             // "c3c4: 1" for each move, then "Nodes searched: 30".
             if (line.starts_with("Nodes searched")) {
               if (++at == asked.size()) {
                 context.stop();
               } else {
                 ask();
               }
             } else if (const auto colon = line.find(": 1"); colon != std::string::npos && colon <= 5) {
               asked[at].answer.insert(usi_move(line.substr(0, colon)));
             }
           },
       .stderr_line = {},
       .exited = [&](ProcessEnd) { context.stop(); },
       .keeps_all = true});
  engine = &process;
  ASSERT_EQ(process.start({.command = {"/usr/games/fairy-stockfish"}, .directory = "", .environment = {}}),
            "");
  process.write("uci");
  process.write("setoption name UCI_Variant value shogi");
  ask();
  context.run();
  ASSERT_EQ(at, asked.size());
  std::size_t moves = 0;
  for (Question& question : asked) {
    // The one known difference: it lists the pawn drops that mate, which are no moves in shogi.
    std::erase_if(question.answer, [&](const std::string& move) {
      return shogi::judge(question.position, shogi::usi::parse_move(move).value()) ==
             shogi::Verdict::drop_pawn_mate;
    });
    ASSERT_EQ(question.answer, question.legal) << question.line;
    moves += question.legal.size();
    for (const std::string& move : question.legal) {
      ASSERT_EQ(usi_move(uci_move(move)), move);
    }
  }
  EXPECT_GT(moves, 100'000U);
}

}  // namespace
}  // namespace kakehashi::usi::io
