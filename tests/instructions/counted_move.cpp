// Plays one long game through the core, and one of its moves inside the function that an instruction
// counter watches: the opponent's move in, `position` and `go` out, three info lines and `bestmove`
// in, our move out, its echo in, each with the journal line that production writes.
//
//   counted_move PLY    an odd ply, up to 1,001; says how often memory was taken for that move, and how many bytes
//                       were written for it (lines to server and engine, and the journal)
//   counted_move game PLIES   the game's beginning, a move a line, in both languages
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "bridge/bot/bot.hpp"
#include "journal/journal.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"
#include "support/stage.hpp"
#include "support/summary_block.hpp"

namespace {

std::size_t allocations = 0;

}  // namespace

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* taken = std::malloc(bytes)) {
    return taken;
  }
  throw std::bad_alloc();
}
void operator delete(void* taken) noexcept { std::free(taken); }
void operator delete(void* taken, std::size_t) noexcept { std::free(taken); }

namespace kakehashi {
namespace {

struct Ply {
  std::string csa;
  std::string usi;
};

/// The beginning of a legal game without a plan, always the same one.
std::vector<Ply> long_game(int plies) {
  std::mt19937_64 random(9);  // one that lasts beyond ply 1,002
  shogi::Position position = shogi::Position::startpos();
  std::vector<Ply> game;
  while (static_cast<int>(game.size()) < plies) {
    const std::vector<shogi::Move> moves = shogi::legal_moves(position);
    if (moves.empty()) {
      std::fprintf(stderr, "counted_move: the game ends at ply %zu\n", game.size());
      std::exit(70);
    }
    const shogi::Move& move = moves[random() % moves.size()];
    game.push_back({shogi::csa::format_move(position, move), shogi::usi::format_move(move)});
    position.play(move);
  }
  return game;
}

class Table {
 public:
  explicit Table(std::vector<Ply> game) : game_(std::move(game)), bot_(support::stage_config(), 1) {
    static_cast<void>(bot_.start(now()));
    happens(bridge::EngineStarted{engine, 4711});
    happens(bridge::EngineLine{engine, "usiok"});
    happens(bridge::ClockRecalled{engine, {usi::ClockReading::adds, false}});
    happens(bridge::EngineLine{engine, "readyok"});
    happens(bridge::ServerConnected{base::verbatim("192.0.2.1:4081")});
    happens(bridge::ServerLine{"LOGIN:mybot OK", false});
    const auto summary = support::write_summary_block("your_turn=- total=100000 byoyomi=10");
    if (!summary) {
      std::fprintf(stderr, "counted_move: %s\n", summary.error().what.english().c_str());
      std::exit(70);
    }
    for (const std::string& line : *summary) {
      happens(bridge::ServerLine{line, line != summary->back()});
    }
    happens(bridge::ServerLine{"START:" + game_id(), false});
  }

  /// The opponent's move at this index, and our answer to it.
  void play_move(std::size_t index) {
    const Ply& theirs = game_[index];
    const Ply& ours = game_[index + 1];
    happens(bridge::ServerLine{theirs.csa + ",T1", false});
    for (const char* depth : {"19", "20", "21"}) {
      happens(bridge::EngineLine{engine, std::string("info depth ") + depth +
                                             " seldepth 34 score cp 152 nodes 10345678 nps "
                                             "1234567 hashfull 321 time 8123 pv " + ours.usi});
    }
    happens(bridge::EngineLine{engine, "bestmove " + ours.usi});
    happens(bridge::ServerLine{ours.csa + ",T1", false});
  }

  [[nodiscard]] bool is_playing() const { return bot_.view().phase == bridge::Phase::playing; }
  [[nodiscard]] std::size_t moves_sent() const { return moves_sent_; }
  [[nodiscard]] std::size_t bytes_written() const { return bytes_written_; }

 private:
  static constexpr bridge::EngineId engine{0, 1};

  static std::string game_id() {
    const auto summary = support::write_summary_block("");
    for (const std::string& line : *summary) {
      if (line.starts_with("Game_ID:")) {
        return line.substr(8);
      }
    }
    return {};
  }

  [[nodiscard]] base::Now now() {
    at_ += base::Millis{1};
    return {base::SteadyTime(std::chrono::hours(1000)) + at_, base::WallTime(at_)};
  }

  void happens(const bridge::Event& event) {
    const base::Now instant = now();
    write(journal::Happened{instant, event});
    for (const bridge::Action& action : bot_.step(event, instant)) {
      write(action);
      const auto* write = std::get_if<bridge::WriteServer>(&action);
      moves_sent_ += write != nullptr && write->line.starts_with('-') ? 1 : 0;
      bytes_written_ += write != nullptr ? write->line.size() : 0;
      const auto* asks = std::get_if<bridge::WriteEngine>(&action);
      bytes_written_ += asks != nullptr ? asks->line.size() : 0;
    }
  }

  void write(const journal::Entry& entry) {
    bytes_written_ += journal::encode(entry, ++entries_).size();
  }

  std::vector<Ply> game_;
  bridge::Bot bot_;
  base::Millis at_{0};
  std::uint64_t entries_ = 0;
  std::size_t moves_sent_ = 0;
  std::size_t bytes_written_ = 0;
};

}  // namespace
}  // namespace kakehashi

// A plain name, so that the counter can be told of it.
extern "C" [[gnu::noinline]] void counted_move(kakehashi::Table* table, std::size_t index) {
  table->play_move(index);
}

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "game") {
    for (const kakehashi::Ply& ply : kakehashi::long_game(std::atoi(argv[2]))) {
      std::printf("%s %s\n", ply.csa.c_str(), ply.usi.c_str());
    }
    return 0;
  }
  const int ply = argc == 2 ? std::atoi(argv[1]) : 0;
  if (ply < 1 || ply % 2 == 0 || ply > 1'001) {
    std::fprintf(stderr, "counted_move: give an odd ply from 1 to 1001\n");
    return 64;
  }
  kakehashi::Table table(kakehashi::long_game(ply + 1));
  for (int at = 1; at < ply; at += 2) {
    table.play_move(static_cast<std::size_t>(at - 1));
  }
  const std::size_t allocations_before = allocations;
  const std::size_t bytes_before = table.bytes_written();
  counted_move(&table, static_cast<std::size_t>(ply - 1));
  std::printf("%zu %zu\n", allocations - allocations_before, table.bytes_written() - bytes_before);
  const auto expected = static_cast<std::size_t>(ply + 1) / 2;
  if (!table.is_playing() || table.moves_sent() != expected) {
    std::fprintf(stderr, "counted_move: %zu of %zu moves were sent\n", table.moves_sent(), expected);
    return 70;
  }
  return 0;
}
