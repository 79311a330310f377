// Writes a corpus of generated games into a directory, for programs that are not ours to read back:
// game-N.csa (V2.2), game-N.v3.csa (V3.0), and game-N.txt with what must come out: the number of
// moves, then one line "<CSA move> <milliseconds>" each, then the ending's word.
//
//   records_tool DIRECTORY COUNT
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "record/generated_game.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/record/csa_writer.hpp"

namespace record = kakehashi::shogi::record;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string expectation(const record::Record& game, record::CsaVersion version) {
  std::string text = std::to_string(game.moves.size()) + "\n";
  kakehashi::shogi::Position position = game.start;
  for (const record::RecordedMove& move : game.moves) {
    text += kakehashi::shogi::csa::format_move(position, move.move) + " " +
            std::to_string(move.consumed->count()) + "\n";
    position.play(move.move);
  }
  return text + csa_word(game.ending->kind, version) + "\n";
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
      const record::Record game =
          record::generate_game(static_cast<std::uint32_t>(i), !is_v3);
      const std::string name = "game-" + std::to_string(i) + (is_v3 ? ".v3" : ".v2");
      write(directory / (name + ".csa"), record::CsaWriter::whole(game, version));
      write(directory / (name + ".txt"), expectation(game, version));
    }
  }
  return 0;
}
