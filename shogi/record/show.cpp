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

}  // namespace

std::string show_record(const Record& record, std::optional<std::size_t> ply, const Said& said) {
  std::string text = head(record);
  if (!ply || *ply == 0) {
    text += "\n" + shogi::kif::format_board(record.start);
  }
  Walk walk{record.start};
  for (const RecordedMove& move : record.moves) {
    const Millis total = walk.spend(move.consumed.value_or(Millis{0}));
    const std::string line = std::to_string(walk.ply + 1) + "  " + ki2::format_move(walk.position, move.move, walk.last) +
                             times(move.consumed, total, said) + "\n";
    walk.play(move.move);
    if (ply && *ply != walk.ply) {
      continue;
    }
    text += "\n" + line + indented(walk.comments_of(move, CommentStyle::shogihome)) + shogi::kif::format_board(walk.position);
  }
  if (record.ending && (!ply || *ply == walk.ply)) {
    const Ending& ending = *record.ending;
    const Millis total = walk.spend(ending.consumed.value_or(Millis{0}));
    text += "\n" + ending_sentence(ending.kind, walk.mover(), walk.ply, side_names(record)) + " (" +
            csa_word(ending.kind) +
            (ending.reason.empty() ? "" : ", " + base::one_line(ending.reason, base::OtherBytes::replace)) + ")" +
            times(ending.consumed, total, said) + "\n" + indented(ending.comments);
  }
  return text;
}

}  // namespace kakehashi::shogi::record
