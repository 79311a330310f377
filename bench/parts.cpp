// What the parts of a move cost, each alone, by Google Benchmark; those that write files stand in
// parts_on_disk.cpp.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/line_splitter.hpp"
#include "bridge/game/thought.hpp"
#include "bridge/game/translate.hpp"
#include "csa/message.hpp"
#include "journal/journal.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/csa.hpp"
#include "usi/output_sieve.hpp"
#include "usi/message.hpp"

namespace kakehashi::bench {
namespace {

constexpr const char* info_line =
    "info depth 21 seldepth 34 score cp 152 nodes 10345678 nps 1234567 hashfull 321 time 8123 "
    "pv 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f";

/// One pipe's content.
std::string flood() {
  std::string bytes;
  while (bytes.size() + 256 < std::size_t{64} * 1024) {
    bytes += std::string(info_line) + "\n";
  }
  return bytes;
}

std::vector<std::string> principal_variation() {
  const auto message = usi::parse_line(info_line);
  return std::get<usi::InfoLine>(message).info.pv;
}

void split_lines(benchmark::State& state) {
  const std::string bytes = flood();
  base::LineSplitter splitter(std::size_t{64} * 1024);
  std::int64_t lines = 0;
  for (auto run : state) {
    lines += static_cast<std::int64_t>(splitter.feed(bytes).lines.size());
  }
  state.SetItemsProcessed(lines);
}
BENCHMARK(split_lines);

void split_and_sieve_a_flood(benchmark::State& state) {
  const std::string bytes = flood();
  base::LineSplitter splitter(std::size_t{64} * 1024);
  usi::OutputSieve sieve;
  std::int64_t lines = 0;
  for (auto run : state) {
    const auto fed = splitter.feed(bytes);
    benchmark::DoNotOptimize(sieve.sift(fed.lines, base::SteadyTime{}));
    lines += static_cast<std::int64_t>(fed.lines.size());
  }
  state.SetItemsProcessed(lines);
}
BENCHMARK(split_and_sieve_a_flood);

void parse_csa_move(benchmark::State& state) {
  for (auto run : state) {
    benchmark::DoNotOptimize(csa::parse_line("-3334FU,T12"));
  }
}
BENCHMARK(parse_csa_move);

void parse_usi_info(benchmark::State& state) {
  for (auto run : state) {
    benchmark::DoNotOptimize(usi::parse_line(info_line));
  }
}
BENCHMARK(parse_usi_info);

void parse_usi_bestmove(benchmark::State& state) {
  for (auto run : state) {
    benchmark::DoNotOptimize(usi::parse_line("bestmove 7g7f ponder 3c3d"));
  }
}
BENCHMARK(parse_usi_bestmove);

void judge_a_move(benchmark::State& state) {
  const auto position = shogi::Position::startpos();
  for (auto run : state) {
    benchmark::DoNotOptimize(bridge::read_choice(position, "7g7f"));
  }
}
BENCHMARK(judge_a_move);

std::uint64_t perft(const shogi::Position& position, int depth) {
  const auto moves = shogi::legal_moves(position);
  if (depth == 1) {
    return moves.size();
  }
  std::uint64_t leaves = 0;
  for (const shogi::Move& move : moves) {
    shogi::Position after = position;
    after.play(move);
    leaves += perft(after, depth - 1);
  }
  return leaves;
}

void perft_4(benchmark::State& state) {
  std::uint64_t leaves = 0;
  for (auto run : state) {
    leaves += perft(shogi::Position::startpos(), 4);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(leaves));
}
BENCHMARK(perft_4)->Unit(benchmark::kMillisecond);

void translate_a_pv(benchmark::State& state) {
  const auto position = shogi::Position::startpos();
  const std::vector<std::string> pv = principal_variation();
  for (auto run : state) {
    benchmark::DoNotOptimize(bridge::translate_pv(position, pv, bridge::comment_pv_moves_max));
  }
}
BENCHMARK(translate_a_pv);

void journal_an_event(benchmark::State& state) {
  const journal::Entry entry =
      journal::Happened{{}, bridge::ServerLine{"-3334FU,T12", false}};
  std::uint64_t number = 0;
  for (auto run : state) {
    benchmark::DoNotOptimize(journal::encode(entry, ++number));
  }
}
BENCHMARK(journal_an_event);

/// `position` is the longest line of all, and grows with the game.
void journal_a_position(benchmark::State& state) {
  std::string line = "position startpos moves";
  for (std::int64_t ply = 0; ply < state.range(0); ++ply) {
    line += " 7g7f";
  }
  const journal::Entry entry =
      bridge::Action(bridge::WriteEngine{bridge::EngineId{0, 1}, line});
  std::uint64_t number = 0;
  for (auto run : state) {
    benchmark::DoNotOptimize(journal::encode(entry, ++number));
  }
}
BENCHMARK(journal_a_position)->Arg(10)->Arg(1'000);

void record_a_game(benchmark::State& state) {
  shogi::record::Record record;
  shogi::Position position = record.start;
  for (int ply = 0; ply < 100; ++ply) {
    const shogi::Move move = shogi::legal_moves(position).front();
    record.moves.push_back({move, base::Millis{1'000}, std::nullopt, {"* 152 +2726FU -3334FU"}});
    position.play(move);
  }
  for (auto run : state) {
    benchmark::DoNotOptimize(
        shogi::record::CsaWriter::whole(record, shogi::record::CsaVersion::v2_2));
  }
  state.SetItemsProcessed(state.iterations() * 100);  // moves
}
BENCHMARK(record_a_game);

}  // namespace
}  // namespace kakehashi::bench

BENCHMARK_MAIN();
