// Writes a corpus of generated games into a directory, for programs that are not ours to read back:
// game-N.v2.csa (V2.2) and game-N.v3.csa (V3.0), each with a .txt of what must come out, a fact a
// line: "black NAME", "white NAME", "event ID", "started SECONDS" (since 1970, local), "start
// SFEN", then for each move "move CSA MILLISECONDS", with "score CENTIPAWNS" behind it if it has
// one, then "final SFEN" and "ending KIND MILLISECONDS", the kind by its number. What the record's
// writer spells, it does not spell here: the reading side knows the words by itself.
//
//   records_tool DIRECTORY COUNT
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/csa.hpp"
#include "shogi/record/generated_game.hpp"

namespace record = kakehashi::shogi::record;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string fact(const std::string& name, const std::string& value) {
  return name + " " + value + "\n";
}

std::string expectation(const record::Record& game) {
  using kakehashi::shogi::usi::format_sfen;
  const std::chrono::sys_time<std::chrono::seconds> started =
      std::chrono::floor<std::chrono::seconds>(*game.started) + game.utc_offset;
  std::string text = fact("black", game.black_name) + fact("white", game.white_name) +
                     fact("event", game.event) +
                     fact("started", std::to_string(started.time_since_epoch().count())) +
                     fact("start", format_sfen(game.start));
  kakehashi::shogi::Position position = game.start;
  for (const record::RecordedMove& move : game.moves) {
    text += fact("move", kakehashi::shogi::csa::format_move(position, move.move) + " " +
                             std::to_string(move.consumed->count()));
    if (move.evaluation) {
      text += fact("score", std::to_string(move.evaluation->score));
    }
    position.play(move.move);
  }
  const auto consumed = game.ending->consumed.value_or(kakehashi::base::Millis{0});
  return text + fact("final", format_sfen(position)) +
         fact("ending", std::to_string(static_cast<int>(game.ending->kind)) + " " +
                            std::to_string(consumed.count()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: records_tool DIRECTORY COUNT\n";
    return 64;
  }
  const std::filesystem::path directory = argv[1];
  std::filesystem::create_directories(directory);
  const int count = std::atoi(argv[2]);
  for (int i = 0; i < count; ++i) {
    for (const bool is_v3 : {false, true}) {
      const auto version = is_v3 ? record::CsaVersion::v3_0 : record::CsaVersion::v2_2;
      const record::Record game = record::generate_game(static_cast<std::uint32_t>(i), version);
      const std::string name = "game-" + std::to_string(i) + (is_v3 ? ".v3" : ".v2");
      write(directory / (name + ".csa"), record::CsaWriter::whole(game, version));
      write(directory / (name + ".txt"), expectation(game));
    }
  }
  return 0;
}
