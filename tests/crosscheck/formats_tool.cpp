// Writes a corpus of games into a directory in every format, for programs that are not ours to
// read back: NAME.csa, NAME.csa3, NAME.kifu, NAME.ki2u, NAME.jkf, NAME.usi, and NAME.kif and NAME.ki2
// in Shift_JIS, each game with a NAME.json of what must come out. Generated games come from ordinary, handicap (both customs) and
// resumed starts and have every kind of ending; the records of TRANSCRIPTS are a real server's.
//
// Reads what other programs wrote: of each NAME.WORD.foreign, WORD a format's word, the facts go to
// NAME.WORD.seen, in the same form, or the error.
//
//   formats_tool write DIRECTORY COUNT TRANSCRIPTS
//   formats_tool read DIRECTORY
#include <boost/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "base/encoding.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/csa.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/format.hpp"
#include "shogi/record/generated_game.hpp"

namespace fs = std::filesystem;
namespace json = boost::json;
namespace record = kakehashi::shogi::record;
namespace shogi = kakehashi::shogi;

namespace {

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// What must come out of any format; times only where the format has them.
json::object facts(const record::Record& game) {
  json::array moves;
  shogi::Position position = game.start;
  for (const record::RecordedMove& move : game.moves) {
    json::object entry{{"csa", shogi::csa::format_move(position, move.move)},
                       {"usi", shogi::usi::format_move(move.move)},
                       {"relative", shogi::ki2::relative(position, move.move)}};
    if (move.consumed) {
      entry["ms"] = move.consumed->count();
    }
    if (!move.comments.empty()) {
      entry["comments"] = json::value_from(move.comments);
    }
    if (move.evaluation) {
      entry["score"] = move.evaluation->score;
    }
    position.play(move.move);
    moves.push_back(std::move(entry));
  }
  json::object all{{"black", game.black_name},
                   {"white", game.white_name},
                   {"event", game.event},
                   {"comments", json::value_from(game.comments)},
                   {"start", shogi::usi::format_sfen(game.start)},
                   {"moves", std::move(moves)},
                   {"final", shogi::usi::format_sfen(position)}};
  if (game.ending) {
    all["ending"] = record::csa_word(game.ending->kind);
    if (game.ending->consumed) {
      all["ending_ms"] = game.ending->consumed->count();
    }
  }
  return all;
}

void write_all(const fs::path& directory, const std::string& name, const record::Record& game) {
  for (const record::FormatFacts& format : record::formats) {
    const auto text = record::write_record(game, format.format, record::CommentStyle::automatic);
    const auto path = directory / (name + "." + format.word);
    write(path, format.is_shift_jis ? kakehashi::base::to_cp932(text) : text);
  }
  write(directory / (name + ".json"), json::serialize(facts(game)));
}

/// Games of the customary handicaps, in which white gives pieces and moves first.
record::Record with_handicap(std::uint32_t seed) {
  constexpr std::array names{"香落ち",     "右香落ち", "角落ち",   "飛車落ち",   "飛香落ち",
                             "二枚落ち",   "三枚落ち", "四枚落ち", "五枚落ち",   "左五枚落ち",
                             "六枚落ち",   "左七枚落ち", "右七枚落ち", "八枚落ち", "十枚落ち"};
  return record::generate_game_from(*shogi::kif::handicap_position(names.at(seed % names.size())),
                                    seed, record::CsaVersion::v3_0);
}

int write_corpus(const fs::path& directory, std::uint32_t count, const fs::path& transcripts) {
  fs::create_directories(directory);
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool has_handicap = i % 4 == 3;
    write_all(directory, "game-" + std::to_string(i),
              has_handicap ? with_handicap(i / 4)
                           : record::generate_game(i, record::CsaVersion::v3_0));
  }
  int number = 0;
  for (const auto& entry : fs::recursive_directory_iterator(transcripts)) {
    if (entry.path().filename() == "record.csa") {
      const auto games = record::read_csa(read(entry.path()));
      if (!games) {
        std::cerr << entry.path() << ": " << games.error().what << "\n";
        return 65;
      }
      write_all(directory, "server-" + std::to_string(number++), games->front());
    }
  }
  return number > 0 ? 0 : 66;
}

int read_foreign(const fs::path& directory) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == ".foreign") {
      paths.push_back(entry.path());
    }
  }
  for (const fs::path& path : paths) {
    const std::string text = read(path);
    const auto format = record::format_of_word(path.stem().extension().string().substr(1));
    const auto games = record::read_records(text, *format, std::chrono::minutes{0});
    json::object seen = games ? facts(games->front()) : json::object{{"error", games.error().what.english()}};
    const auto detected = record::detect_format(text, "");
    seen["detected"] = detected ? record::facts_of(*detected).word : "nothing";
    write(fs::path(path).replace_extension(".seen"), json::serialize(seen));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string_view(argv[1]) == "write") {
    return write_corpus(argv[2], static_cast<std::uint32_t>(std::atoi(argv[3])), argv[4]);
  }
  if (argc == 3 && std::string_view(argv[1]) == "read") {
    return read_foreign(argv[2]);
  }
  std::cerr << "usage: formats_tool write DIRECTORY COUNT TRANSCRIPTS | read DIRECTORY\n";
  return 64;
}
