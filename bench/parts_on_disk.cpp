// What it costs to write down what happened: a step of the journal, a move of the record, a finished
// game of the archive, each on the file system of the temporary files.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <future>
#include <string>
#include <system_error>

#include "games/io/archive.hpp"
#include "journal/io/journal_writer.hpp"
#include "journal/io/record_writer.hpp"
#include "shogi/legality.hpp"
#include "shogi/record/json.hpp"

namespace kakehashi::bench {
namespace {

namespace fs = std::filesystem;

/// Gone with the benchmark.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "kakehashi-parts-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), name);  // never to remove what is not ours
    }
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string path(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

/// The opponent's move with what came of it, until the system has it: the journal's thread writes it.
void journal_append(benchmark::State& state) {
  const Folder folder;
  config::BotConfig config;
  config.name = "bench";
  config.journal.directory = folder.path("journal");
  config.journal.bytes_max = 0;
  boost::asio::io_context context;
  journal::io::JournalWriter journal(config, context, [&](const bridge::Note& note, auto) { state.SkipWithError(note.text.english().c_str()); });
  journal.start(1, {}, {bridge::GameStarted{"game"}});
  const bridge::Event event = bridge::ServerLine{"-3334FU,T12", false};
  const bridge::Actions actions{
      bridge::WriteEngine{bridge::EngineId{0, 1}, "position startpos moves 7g7f 3c3d"},
      bridge::WriteEngine{bridge::EngineId{0, 1}, "go btime 888000 wtime 900000 binc 5000 winc 5000"},
      bridge::ArmTimer{}, bridge::AppendRecord{"-3334FU\nT12\n"}};
  for (auto run : state) {
    journal.step(event, {}, actions);
    std::promise<void> written;
    if (!journal.behind([&written](const std::string&) { written.set_value(); }, journal::io::JournalWriter::Pace::at_once)) {
      state.SkipWithError("the journal takes nothing");
      break;
    }
    written.get_future().wait();
  }
}
BENCHMARK(journal_append);

void record_append(benchmark::State& state) {
  const Folder folder;
  journal::io::RecordWriter records(folder.path("records"));
  benchmark::DoNotOptimize(records.begin({"game", {".csa"}, "V2.2\n"}));
  const bridge::AppendRecord move{"-3334FU\nT12\n"};
  for (auto run : state) {
    if (const auto written = records.append(move); !written.why.empty()) {
      state.SkipWithError(written.why.english().c_str());
    }
  }
}
BENCHMARK(record_append);

std::string finished_game() {
  shogi::record::Record record;
  shogi::Position position = record.start;
  for (int ply = 0; ply < 120; ++ply) {
    const shogi::Move move = shogi::legal_moves(position).front();
    record.moves.push_back({move, base::Millis{1'000}, std::nullopt, {"* 152 +2726FU -3334FU"}});
    position.play(move);
  }
  return shogi::record::write_jsonl(record);
}

/// One game of 120 moves in a transaction of its own, as at the end of each game.
void archive_insert(benchmark::State& state) {
  const Folder folder;
  auto games = games::io::Archive::open(folder.path("games.db"), games::io::Archive::Access::write);
  if (!games) {
    state.SkipWithError(games.error().english().c_str());
    return;
  }
  games::ArchivedRecord game;
  game.game.bot = "bench";
  game.game.us = "bench";
  game.game.opponent = "opponent";
  game.game.outcome = "win";
  game.game.reason = "#RESIGN";
  game.jsonl = finished_game();
  std::int64_t number = 0;
  for (auto run : state) {
    game.game.game_id = "game+" + std::to_string(++number);
    const auto added = games->add({game});
    if (!added || *added != 1) {
      state.SkipWithError(added ? "the game was there already" : added.error().english().c_str());
      break;
    }
  }
}
BENCHMARK(archive_insert)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace kakehashi::bench
