#include "shogi/record/usi_line.hpp"

#include "shogi/notation/usi.hpp"

namespace kakehashi::shogi::record {

std::string write_usi_line(const Record& record) {
  std::string line = record.start == Position::startpos()
                         ? "position startpos"
                         : "position sfen " + usi::format_sfen(record.start);
  line += record.moves.empty() ? "" : " moves";
  for (const RecordedMove& move : record.moves) {
    line += " " + usi::format_move(move.move);
  }
  return line + "\n";
}

}  // namespace kakehashi::shogi::record
