// How long a large archive takes to fill and to ask.
//
//   bench_archive FILE GAMES [MOVES]
//
// Fills FILE with GAMES games of MOVES moves (120), each of ours with an evaluation and a line of eight moves,
// then asks what the commands and the live page ask, and prints a table.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "games/io/archive.hpp"
#include "games/statistics.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/record/json.hpp"

namespace kakehashi::bench {
namespace {

using games::io::Archive;

constexpr int templates = 20;
constexpr std::size_t batch = 1000;

std::string random_game(int plies, std::mt19937_64& random) {
  shogi::record::Record record;
  record.black_name = "us";
  record.white_name = "opponent";
  record.started = base::WallTime(base::Millis{1'700'000'000'000});
  shogi::Position position = record.start;
  for (int ply = 0; ply < plies; ++ply) {
    const auto legal = shogi::legal_moves(position);
    if (legal.empty()) {
      break;
    }
    shogi::record::RecordedMove move{
        legal[random() % legal.size()],
        base::Millis{1'000 + static_cast<std::int64_t>(random() % 20) * 1'000}, {}, {}};
    if (ply % 2 == 0) {
      shogi::record::Evaluation thought;
      thought.score = static_cast<std::int64_t>(random() % 2000) - 1000;
      thought.depth = 20;
      thought.nodes = 12'345'678;
      shogi::Position ahead = position;
      ahead.play(move.move);
      for (int i = 0; i < 8; ++i) {
        const auto next = shogi::legal_moves(ahead);
        if (next.empty()) {
          break;
        }
        thought.pv.push_back(shogi::csa::format_move(ahead, next.front()));
        ahead.play(next.front());
      }
      move.evaluation = thought;
    }
    position.play(move.move);
    record.moves.push_back(std::move(move));
  }
  return shogi::record::write_jsonl(record);
}

games::ArchivedRecord make_game(std::int64_t number, const std::vector<std::string>& texts,
                                 std::mt19937_64& random) {
  games::ArchivedRecord archived;
  games::ArchivedGame& game = archived.game;
  game.bot = "bot" + std::to_string(number % 8);
  game.server = "wdoor.c.u-tokyo.ac.jp:4081";
  game.game_name = number % 3 == 0 ? "floodgate-600-10F" : "floodgate-300-10F";
  game.game_id = "wdoor+floodgate-300-10F+us+them+" + std::to_string(number);
  game.us = game.bot;
  game.opponent = "opponent" + std::to_string(random() % 500);
  game.engine = "An engine 9.21";
  game.is_black = random() % 2 == 0;
  game.clock = number % 3 == 0 ? "600+10F" : "300+10F";
  game.started_ms = 1'500'000'000'000 + number * 225'000;  // a million in seven years
  game.ended_ms = game.started_ms + 1'200'000;
  const auto dice = random() % 1000;
  game.outcome = dice < 520 ? "win" : dice < 960 ? "lose" : dice < 999 ? "draw" : "none";
  game.reason = dice % 40 == 0 ? "#TIME_UP" : "#RESIGN";
  game.plies = 120;
  game.our_time_ms = 500'000;
  game.their_time_ms = 500'000;
  game.time = games::TimeUse{900'000, 890'000, 480'000, 500'000, 20'000};
  game.ponder_searches = 50;
  game.ponder_hits = 30;
  game.ponder_gained_ms = 200'000;
  game.record_path = "/var/lib/kakehashi/records/" + std::to_string(number) + ".csa";
  archived.jsonl = texts[random() % texts.size()];
  return archived;
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void report(const char* what, const std::function<std::size_t()>& work) {
  std::size_t count = 0;
  const double first = seconds_of([&] { count = work(); });
  const double again = seconds_of([&] { count = work(); });
  std::printf("%-44s %9.1f ms %9.1f ms  (%zu games)\n", what, first * 1000, again * 1000, count);
}

void fill(games::io::Archive& archive, std::int64_t games, int plies) {
  std::mt19937_64 random(1);
  std::vector<std::string> texts;
  std::size_t bytes = 0;
  for (int i = 0; i < templates; ++i) {
    texts.push_back(random_game(plies, random));
    bytes += texts.back().size();
  }
  const double took = seconds_of([&] {
    std::vector<games::ArchivedRecord> waiting;
    for (std::int64_t i = 0; i < games; ++i) {
      waiting.push_back(make_game(i, texts, random));
      if (waiting.size() == batch || i + 1 == games) {
        const auto added = archive.add(waiting);
        if (!added) {
          std::printf("cannot be written: %s\n", added.error().english().c_str());
          return;
        }
        waiting.clear();
      }
    }
  });
  std::printf("%lld games of %zu bytes of moves each, %.0f a second\n", static_cast<long long>(games),
              bytes / templates, static_cast<double>(games) / took);
}

void ask(games::io::Archive& archive, std::int64_t games) {
  const auto list = [&](const games::GameFilter& filter) {
    const auto found = archive.list(filter);
    return found ? found->size() : std::size_t{0};
  };
  const auto with = [](const std::function<void(games::GameFilter&)>& change) {
    games::GameFilter filter;
    change(filter);
    return filter;
  };
  report("list: the latest 50", [&] { return list({}); });
  report("list: behind the first half", [&] { return list(with([&](auto& f) { f.before_id = games / 2; })); });
  report("list: one opponent", [&] { return list(with([](auto& f) { f.opponent = "opponent77"; })); });
  report("list: opponents by pattern", [&] { return list(with([](auto& f) { f.opponent = "*t77"; })); });
  report("list: a rare outcome, lost sight of", [&] { return list(with([](auto& f) { f.outcome = "none"; })); });
  report("list: one bot's losses as white", [&] {
    return list(with([](auto& f) { f.bot = "bot3"; f.outcome = "lose"; f.is_black = false; }));
  });
  report("list: nobody's games", [&] { return list(with([](auto& f) { f.opponent = "nobody"; })); });
  report("show: one game with its moves", [&] {
    const auto found = archive.find(games / 3);
    return found && *found ? std::size_t{1} : std::size_t{0};
  });
  const auto count = [&](const games::GameFilter& filter) {
    games::Statistics statistics;
    static_cast<void>(archive.each(filter, games::io::Archive::Order::any, [&](const games::ArchivedGame& game) {
      statistics.take(game);
      return true;
    }));
    return static_cast<std::size_t>(statistics.games());
  };
  report("stats: against one opponent", [&] { return count(with([](auto& f) { f.opponent = "opponent77"; })); });
  report("stats: the last thousandth of the time",
         [&] { return count(with([&](auto& f) { f.since_ms = 1'500'000'000'000 + games * 999 / 1000 * 225'000; })); });
  report("stats: all games", [&] { return count({}); });
}

}  // namespace
}  // namespace kakehashi::bench

int main(int argc, char** argv) {
  using namespace kakehashi;
  using games::io::Archive;
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: bench_archive FILE GAMES [MOVES]\n");
    return 64;
  }
  auto archive = Archive::open(argv[1], Archive::Access::write);
  if (!archive) {
    std::fprintf(stderr, "%s\n", archive.error().english().c_str());
    return 73;
  }
  const std::int64_t games = std::stoll(argv[2]);
  bench::fill(*archive, games, argc == 4 ? std::stoi(argv[3]) : 120);
  std::printf("the file has %.1f MB\n", static_cast<double>(std::filesystem::file_size(argv[1])) / 1e6);
  std::printf("%-44s %12s %12s\n", "", "first", "again");
  bench::ask(*archive, games);
  return 0;
}
