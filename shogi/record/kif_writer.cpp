#include "shogi/record/kif.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/notation/ki2.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/record/ending_words.hpp"
#include "shogi/record/kif_fields.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::Millis;
using Lines = std::vector<std::string>;

constexpr int moves_a_line = 6;
/// As wide as the longest move, so that times stand in one column.
constexpr std::size_t move_columns = 13;

std::string comment_lines(const Lines& comments) {
  std::string text;
  for (const std::string& comment : comments) {
    text += "*" + base::one_line(comment, base::OtherBytes::replace) + "\n";
  }
  return text;
}

/// The starts that viewers know by name; the others are drawn.
bool has_known_name(std::string_view name) {
  return name != "三枚落ち" && name != "五枚落ち" && name != "左五枚落ち" && name != "左七枚落ち" &&
         name != "右七枚落ち";
}

std::string head(const Record& record) {
  std::string text;
  for (const auto& [key, value] : kif_fields(record)) {
    text += key + "：" + value + "\n";
  }
  const auto handicap = kif::handicap_name(record.start);
  if (handicap && has_known_name(*handicap)) {
    return text + "手合割：" + std::string(*handicap) + "\n";
  }
  return text + "手合割：その他\n" + kif::format_board(record.start);
}

/// "( 0:12/00:03:04)"; the total rounds down once, not with each move.
std::string times(Millis move, Millis total) {
  const auto move_s = std::max<std::int64_t>(move.count(), 0) / 1000;
  const auto total_s = std::max<std::int64_t>(total.count(), 0) / 1000;
  return fmt::format("({:2}:{:02}/{:02}:{:02}:{:02})", move_s / 60, move_s % 60, total_s / 3600, total_s / 60 % 60,
                     total_s % 60);
}

/// Columns that Japanese text takes: two for each character beyond ASCII.
std::size_t columns(std::string_view text) {
  std::size_t wide = 0;
  std::size_t narrow = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    narrow += byte < 0x80 ? 1 : 0;
    wide += byte >= 0xC0 ? 1 : 0;
  }
  return wide * 2 + narrow;
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t taken = columns(text);
  return text + std::string(taken < width ? width - taken : 0, ' ');
}

/// Walks through the moves of a record; the formats differ in what they make of each.
struct Walk {
  Position position;
  std::optional<Square> last = std::nullopt;
  Millis spent[2] = {Millis{0}, Millis{0}};
  std::size_t ply = 0;

  [[nodiscard]] Color mover() const { return position.side_to_move(); }
  /// The time of the side to move, this one included.
  Millis spend(Millis time) { return spent[static_cast<int>(mover())] += time; }
  void play(const Move& move) {
    position.play(move);
    last = move.to();
    ++ply;
  }
  [[nodiscard]] Lines comments_of(const RecordedMove& move, CommentStyle style) const {
    Lines lines = move.evaluation ? search_comment(style, *move.evaluation, position, last)
                                  : Lines{};
    lines.insert(lines.end(), move.comments.begin(), move.comments.end());
    return lines;
  }
};

Lines ending_comments(const Ending& ending) {
  Lines lines;
  if (const auto remark = ending_remark(ending); !remark.empty()) {
    lines.emplace_back(remark);
  }
  lines.insert(lines.end(), ending.comments.begin(), ending.comments.end());
  return lines;
}

std::string kif_line(Walk& walk, const std::string& what, std::optional<Millis> consumed) {
  std::string line = fmt::format("{:4} ", walk.ply + 1);
  if (consumed) {
    line += padded(what, move_columns) + times(*consumed, walk.spend(*consumed));
  } else {
    line += what;
  }
  return line + "\n";
}

/// A sentence that not every reader of KIF files knows would make the file unreadable to it.
bool has_kif_sentence(EndingKind kind) { return kind != EndingKind::kachi; }

}  // namespace

std::string write_kif(const Record& record, KifEncoding encoding, CommentStyle comments) {
  std::string text = std::string("#KIF version=2.0 encoding=") +
                     (encoding == KifEncoding::utf8 ? "UTF-8" : "Shift_JIS") + "\n";
  text += head(record);
  text += "手数----指手---------消費時間--\n";
  text += comment_lines(record.comments);
  Walk walk{record.start};
  for (const RecordedMove& move : record.moves) {
    text += kif_line(walk, kif::format_move(walk.position, move.move, walk.last), move.consumed);
    walk.play(move.move);
    text += comment_lines(walk.comments_of(move, comments));
  }
  if (record.ending) {
    const EndingKind kind = record.ending->kind;
    text += kif_line(walk, kif_word(kind, walk.mover()), record.ending->consumed);
    text += comment_lines(ending_comments(*record.ending));
    if (has_kif_sentence(kind)) {
      text += ending_sentence(kind, walk.mover(), walk.ply, side_names(record)) + "\n";
    }
  }
  return text;
}

std::string write_ki2(const Record& record, CommentStyle comments) {
  std::string text = head(record);
  text += comment_lines(record.comments);
  Walk walk{record.start};
  int in_line = 0;
  std::string previous;
  const auto end_line = [&] {
    text += in_line > 0 ? "\n" : "";
    in_line = 0;
  };
  for (const RecordedMove& move : record.moves) {
    if (in_line == moves_a_line) {
      end_line();
    }
    text += in_line > 0 ? std::string(columns(previous) < 12 ? 12 - columns(previous) : 1, ' ') : "";
    previous = ki2::format_move(walk.position, move.move, walk.last);
    text += previous;
    ++in_line;
    walk.play(move.move);
    if (const Lines said = walk.comments_of(move, comments); !said.empty()) {
      end_line();
      text += comment_lines(said);
    }
  }
  end_line();
  if (record.ending) {
    text += comment_lines(ending_comments(*record.ending));
    text += ending_sentence(record.ending->kind, walk.mover(), walk.ply, side_names(record)) + "\n";
  }
  return text;
}

}  // namespace kakehashi::shogi::record
