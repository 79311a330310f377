// What becomes of a bot's games on disk, as plain structs. Part of bot_config, which holds them; what the
// formats are is shogi/record's business.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace kakehashi::config {

/// In the order of shogi/record/format.hpp; a test keeps them equal.
enum class RecordFormat { csa, csa3, kif, kifu, ki2, ki2u, jkf, usi, jsonl };

/// How records say what the engine thought; the styles of shogi/record/search_comment.hpp.
enum class RecordComments { automatic, floodgate, csa3, shogihome, shogigui, none };

enum class Newline { lf, crlf };

struct Records {
  bool enabled = true;
  std::string directory = "records";
  /// With the placeholders of shogi/record/file_name.hpp; made safe as a file name.
  std::string name = "{date}-{time}_{black}_{white}";
  /// At least one, none twice; csa and csa3 exclude each other.
  std::vector<RecordFormat> formats{RecordFormat::csa};
  RecordComments comments = RecordComments::automatic;
  Newline newline = Newline::lf;
  /// Whether each own move tells what time there was for it and what became of that.
  bool times = false;
  /// Of the zone in which records give dates; the shell fills it in from the machine's zone.
  std::chrono::minutes utc_offset{0};
};

}  // namespace kakehashi::config
