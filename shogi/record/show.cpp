#include "shogi/record/show.hpp"

#include "base/utf8.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/record/csa.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/kif.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::Millis;

std::string indented(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += "    " + base::one_line(line, base::OtherBytes::replace) + "\n";
  }
  return text;
}

std::string head(const Record& record) {
  std::string text;
  for (const auto& [key, value] : kif_fields(record)) {
    text += key + "：" + value + "\n";
  }
  return text + indented(record.comments);
}

/// Also of other formats, whose records know no side's total.
std::string times(std::optional<Millis> time, Millis total, const Said& said) {
  return time ? "  " + said(base::say("{} s (total {} s)", format_seconds(*time), format_seconds(total))) : "";
}

std::string move_line(std::size_t ply, const RecordedMove& move, const Position& before,
                      std::optional<Square> last, Millis total, const Said& said) {
  return std::to_string(ply) + "  " + ki2::format_move(before, move.move, last) +
         times(move.consumed, total, said) + "\n";
}

}  // namespace

std::string show_record(const Record& record, std::optional<std::size_t> ply, const Said& said) {
  std::string text = head(record);
  if (!ply || *ply == 0) {
    text += "\n" + shogi::kif::format_board(record.start);
  }
  Position position = record.start;
  std::optional<Square> last;
  Millis spent[2] = {Millis{0}, Millis{0}};
  std::size_t number = 0;
  for (const RecordedMove& move : record.moves) {
    ++number;
    Millis& total = spent[static_cast<int>(position.side_to_move())];
    total += move.consumed.value_or(Millis{0});
    const std::string line = move_line(number, move, position, last, total, said);
    position.play(move.move);
    last = move.move.to();
    if (ply && *ply != number) {
      continue;
    }
    text += "\n" + line;
    if (move.evaluation) {
      text += indented(search_comment(CommentStyle::shogihome, *move.evaluation, position, last));
    }
    text += indented(move.comments) + shogi::kif::format_board(position);
  }
  if (record.ending && (!ply || *ply == number)) {
    const Ending& ending = *record.ending;
    const Color mover = position.side_to_move();
    Millis& total = spent[static_cast<int>(mover)];
    total += ending.consumed.value_or(Millis{0});
    text += "\n" + ending_sentence(ending.kind, mover, number, side_names(record)) + " (" +
            csa_word(ending.kind, CsaVersion::v3_0) +
            (ending.reason.empty() ? "" : ", " + base::one_line(ending.reason, base::OtherBytes::replace)) + ")" +
            times(ending.consumed, total, said) + "\n" + indented(ending.comments);
  }
  return text;
}

}  // namespace kakehashi::shogi::record
