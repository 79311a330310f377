#include "shogi/record/kif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/record/csa.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/game_builder.hpp"

namespace kakehashi::shogi::record {

// --- the head

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

/// "15分", "2時間30分", "1分30秒"; "0秒" for none.
std::string duration_words(base::Millis time) {
  const auto seconds = time.count() / 1000;
  std::string text;
  text += seconds >= 3600 ? std::to_string(seconds / 3600) + "時間" : "";
  text += seconds / 60 % 60 != 0 ? std::to_string(seconds / 60 % 60) + "分" : "";
  const bool has_rest = seconds % 60 != 0 || time.count() % 1000 != 0 || text.empty();
  return text + (has_rest ? format_seconds(time - std::chrono::minutes{seconds / 60}) + "秒" : "");
}

/// For people: "15分、秒読み10秒", "5分、1手ごとに10秒加算".
std::string clock_words(const Clock& clock) {
  std::string text = duration_words(clock.total.value_or(base::Millis{0}));
  if (clock.byoyomi.count() > 0) {
    text += "、秒読み" + duration_words(clock.byoyomi);
  }
  if (clock.increment.count() > 0) {
    text += "、1手ごとに" + duration_words(clock.increment) + "加算";
  }
  return text;
}

void add(Fields& fields, const char* key, const std::string& value) {
  if (!value.empty()) {
    fields.emplace_back(key, base::one_line(value, base::OtherBytes::replace));
  }
}

void add_clocks(Fields& fields, const Record& record) {
  const auto& [black, white] = std::pair(record.black_clock, record.white_clock);
  if (black && black == white) {
    add(fields, "持ち時間", clock_words(*black));
  }
  if (black) {
    add(fields, "先手持ち時間", format_clock(*black));
  }
  if (white) {
    add(fields, "後手持ち時間", format_clock(*white));
  }
}

/// What another program wrote as 持ち時間: V3.0's "900+10+0", V2.2's "00:15+10". Words stay untold.
void read_time_limit(std::string_view value, Record& record) {
  auto clock = parse_clock(value);
  clock = clock ? clock : parse_limit(value);
  if (clock && !record.black_clock && !record.white_clock) {
    record.black_clock = record.white_clock = clock;
  }
}

}  // namespace

const shogi::kif::Handicap* known_handicap(const Position& start) {
  const auto* const found = shogi::kif::handicap_of(start);
  return found != nullptr && !found->is_rare ? found : nullptr;
}

SideNames side_names(const Record& record) {
  const bool is_handicap = shogi::kif::handicap_of(record.start) != nullptr && record.start.side_to_move() == Color::white;
  return is_handicap ? SideNames{"下手", "上手"} : SideNames{};
}

Fields kif_fields(const Record& record) {
  Fields fields;
  if (record.started) {
    add(fields, "開始日時", format_date(*record.started, record.utc_offset));
  }
  if (record.ended) {
    add(fields, "終了日時", format_date(*record.ended, record.utc_offset));
  }
  add(fields, "棋戦", record.event);
  add(fields, "場所", record.site);
  add_clocks(fields, record);
  if (record.max_moves) {
    add(fields, "最大手数", std::to_string(*record.max_moves));
  }
  add(fields, "持将棋", record.jishogi_rule);
  const SideNames names = side_names(record);
  add(fields, names.black, record.black_name);
  add(fields, names.white, record.white_name);
  return fields;
}

bool read_kif_field(std::string_view key, std::string_view value, Record& record) {
  if (key == "先手" || key == "下手") {
    record.black_name = value;
  } else if (key == "後手" || key == "上手") {
    record.white_name = value;
  } else if (key == "棋戦" || (key == "表題" && record.event.empty())) {
    record.event = value;
  } else if (key == "場所") {
    record.site = value;
  } else if (key == "開始日時" || (key == "対局日" && !record.started)) {
    record.started = parse_date(value, record.utc_offset);
  } else if (key == "終了日時") {
    record.ended = parse_date(value, record.utc_offset);
  } else if (key == "持ち時間") {
    read_time_limit(value, record);
  } else if (key == "先手持ち時間") {
    record.black_clock = parse_clock(value);
  } else if (key == "後手持ち時間") {
    record.white_clock = parse_clock(value);
  } else if (key == "最大手数") {
    read_field("MAX_MOVES:" + std::string(value), record);
  } else if (key == "持将棋") {
    record.jishogi_rule = value;
  } else {
    return false;
  }
  return true;
}

// --- reading

namespace {

using base::say;
using shogi::kif::take_word;
using shogi::kif::triangles;
using Trouble = GameBuilder::Trouble;

/// Digits at the front, with blanks around them.
std::optional<std::size_t> take_number(std::string_view& text) {
  std::string_view rest = text;
  shogi::kif::skip_blanks(rest);
  std::size_t digits = 0;
  std::size_t number = 0;
  while (digits < rest.size() && digits < 7 && rest[digits] >= '0' && rest[digits] <= '9') {
    number = number * 10 + static_cast<std::size_t>(rest[digits++] - '0');
  }
  if (digits == 0) {
    return std::nullopt;
  }
  rest.remove_prefix(digits);
  shogi::kif::skip_blanks(rest);
  text = rest;
  return number;
}

/// "( 0:12/00:03:04)" or "(0:12)" at the end of a move; hours may stand in front, a tenth behind.
std::optional<base::Millis> parse_time(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.find(')'));
  std::int64_t seconds = 0;
  for (const std::string_view part : base::split(text.substr(0, std::min(slash, text.size())), ':')) {
    const auto number = base::parse_int(base::trim(part));
    if (!number || *number < 0 || *number > 1'000'000) {
      return std::nullopt;
    }
    seconds = seconds * 60 + *number;
  }
  return seconds <= 1'000'000 ? std::optional(base::Millis{seconds * 1000}) : std::nullopt;
}

class Reader {
 public:
  Reader(std::chrono::minutes utc_offset, bool is_ki2) : game_(utc_offset), is_ki2_(is_ki2) {}

  [[nodiscard]] base::Result<Record> read(std::string_view text) {
    std::size_t number = 0;
    for (std::string_view line : base::split(text, '\n')) {
      game_.set_place(say("line {}", ++number));
      if (line.ends_with('\r')) {
        line.remove_suffix(1);
      }
      if (has_ended_main_line_) {
        break;
      }
      if (auto trouble = take_line(line)) {
        return base::fail(std::move(*trouble));
      }
    }
    if (!has_content_) {
      return base::fail(say("line {}: there is no game in it", 1));
    }
    if (auto trouble = begin()) {
      return base::fail(std::move(*trouble));
    }
    return game_.finish();
  }

 private:
  Trouble take_line(std::string_view line) {
    if (base::trim(line).empty() || line.starts_with('#') || line.starts_with('&')) {
      return std::nullopt;
    }
    if (line.starts_with('*')) {
      game_.add_comment(line.substr(1));
      return std::nullopt;
    }
    std::string_view rest = line;
    shogi::kif::skip_blanks(rest);
    if (take_word(rest, "変化：") || take_word(rest, "変化:")) {
      has_ended_main_line_ = game_.has_begun();
      return std::nullopt;
    }
    if (take_word(rest, "まで")) {
      has_content_ = true;
      return take_sentence(rest);
    }
    if (rest.starts_with("手数--") || rest.starts_with("盤面回転")) {
      return std::nullopt;
    }
    if (take_word(rest, "手数＝") || take_word(rest, "手数=")) {
      // Below a diagram, "手数＝12 △４二玉(51) まで": the move that led to it.
      plies_before_ = take_number(rest).value_or(0);
      return std::nullopt;
    }
    has_content_ = true;
    if (is_ki2_ && is_moves(rest)) {
      return take_ki2_moves(rest);
    }
    const auto ply = is_ki2_ ? std::nullopt : take_number(rest);
    return ply ? take_kif_move(*ply, rest) : take_head(line);
  }

  [[nodiscard]] static bool is_moves(std::string_view text) {
    return std::any_of(triangles.begin(), triangles.end(),
                       [&](std::string_view mark) { return text.starts_with(mark); });
  }

  Trouble take_head(std::string_view line) {
    if (line.starts_with('|')) {
      return fault(board_.feed_rank(line));
    }
    if (line.starts_with('+') || line.starts_with("  ９") || line.starts_with("  9")) {
      return std::nullopt;
    }
    if (line.starts_with("先手番") || line.starts_with("下手番")) {
      board_.set_side_to_move(Color::black);
      return std::nullopt;
    }
    if (line.starts_with("後手番") || line.starts_with("上手番")) {
      board_.set_side_to_move(Color::white);
      return std::nullopt;
    }
    const std::string_view wide = "：";
    const std::size_t at = std::min(line.find(wide), line.find(':'));
    if (at == std::string_view::npos) {
      return game_.at_place(say("what is {}?", base::quoted(line, 80)));
    }
    const std::string_view key = line.substr(0, at);
    const std::string_view value =
        line.substr(at + (line.substr(at).starts_with(wide) ? wide.size() : 1));
    if (key == "手合割") {
      handicap_ = shogi::kif::handicap_position(base::trim(value));
      return std::nullopt;
    }
    if (key == "先手の持駒" || key == "下手の持駒") {
      return fault(board_.feed_hand(Color::black, value));
    }
    if (key == "後手の持駒" || key == "上手の持駒") {
      return fault(board_.feed_hand(Color::white, value));
    }
    read_kif_field(key, base::trim(value), game_.record());
    return std::nullopt;
  }

  /// Nothing, or the reader's words with the line.
  [[nodiscard]] Trouble fault(const std::optional<base::ParseError>& error) const {
    return error ? Trouble(game_.at_place(error->what)) : std::nullopt;
  }

  /// The first move: from here on the start stands. A diagram counts more than a name.
  Trouble begin() {
    if (std::exchange(has_started_, true)) {
      return std::nullopt;
    }
    if (board_.has_board()) {
      return game_.start(board_.finish());
    }
    return game_.start(handicap_.value_or(Position::startpos()));
  }

  Trouble take_kif_move(std::size_t ply, std::string_view text) {
    if (auto trouble = begin()) {
      return trouble;
    }
    const std::size_t expected = game_.next_ply();
    if (expected == 1 && ply == plies_before_ + 1) {
      plies_behind_ = plies_before_;  // the numbers go on from the diagram's, and do not begin anew
    }
    ply -= std::min(ply, plies_behind_);
    if (ply != expected && !game_.record().ending) {
      return game_.at_place(say("move {} stands where move {} is due", ply, expected));
    }
    // The time stands in the last brackets; a source square has no colon.
    std::string_view move = base::trim(text);
    std::optional<base::Millis> time;
    const std::size_t bracket = text.rfind('(');
    if (bracket != std::string_view::npos && text.substr(bracket).find(':') != std::string_view::npos) {
      time = parse_time(text.substr(bracket + 1));
      move = text.substr(0, bracket);
    }
    if (move.ends_with('+')) {
      move.remove_suffix(1);  // variations branch off here; behind a time the mark is gone already
    }
    std::string_view word = move;
    if (const std::size_t blank = word.find("　"); blank != std::string_view::npos && blank > 0 &&
                                                    !word.starts_with("同")) {
      word = word.substr(0, blank);
    }
    word = base::trim(word);
    const auto kind = ending_of_kif_word(word, game_.turn_at_end());
    Trouble trouble = kind || !shogi::kif::begins_as_move(word)
                          ? game_.end_by(kind, word)
                          : game_.play(shogi::kif::parse_move(game_.reached(), move, game_.last()), base::trim(move));
    if (!trouble && time) {
      game_.set_consumed(*time);
    }
    return trouble;
  }

  Trouble take_ki2_moves(std::string_view text) {
    if (auto trouble = begin()) {
      return trouble;
    }
    while (!text.empty()) {
      std::size_t end = text.size();
      for (const std::string_view mark : triangles) {
        end = std::min(end, text.find(mark, 1));
      }
      std::string_view word = text.substr(0, end);
      text.remove_prefix(end);
      while (word.ends_with("　") || word.ends_with(' ')) {
        word.remove_suffix(word.ends_with(' ') ? 1 : std::string_view("　").size());
      }
      if (auto trouble = game_.play(ki2::parse_move(game_.reached(), word, game_.last()), word)) {
        return trouble;
      }
    }
    return std::nullopt;
  }

  /// "まで80手で先手の勝ち": the ending itself in KI2, in KIF a repetition of it.
  Trouble take_sentence(std::string_view text) {
    (void)take_word(text, "、");
    const auto plies = take_number(text);
    if (plies) {
      (void)take_word(text, "手");
    }
    (void)take_word(text, "で");
    if (auto trouble = begin()) {
      return trouble;
    }
    const std::size_t seen = game_.next_ply() - 1 + plies_behind_;
    if (plies && *plies != seen && !game_.record().ending) {
      return game_.at_place(seen == 1 ? say("the end comes after {} moves, but there is 1", *plies)
                                      : say("the end comes after {} moves, but there are {}", *plies, seen));
    }
    if (game_.record().ending) {
      return std::nullopt;
    }
    return game_.end_by(ending_of_sentence(text, game_.turn_at_end()), base::trim(text));
  }

  GameBuilder game_;
  bool is_ki2_;
  shogi::kif::BoardReader board_;
  std::optional<Position> handicap_;
  std::size_t plies_before_ = 0;  ///< as a diagram says
  std::size_t plies_behind_ = 0;  ///< so much the numbers of the moves are ahead
  bool has_content_ = false;      ///< more than comments
  bool has_started_ = false;
  bool has_ended_main_line_ = false;
};

}  // namespace

base::Result<Record> read_kif(std::string_view text, std::chrono::minutes utc_offset) {
  return Reader(utc_offset, false).read(base::without_byte_order_mark(text));
}

base::Result<Record> read_ki2(std::string_view text, std::chrono::minutes utc_offset) {
  return Reader(utc_offset, true).read(base::without_byte_order_mark(text));
}

// --- writing

namespace {

using base::Millis;
using Lines = std::vector<std::string>;

constexpr int moves_a_line = 6;
/// As wide as the longest move, so that times stand in one column.
constexpr std::size_t move_columns = 13;
constexpr std::size_t ki2_columns = 11;

std::string comment_lines(const Lines& comments) {
  std::string text;
  for (const std::string& comment : comments) {
    text += "*" + base::one_line(comment, base::OtherBytes::replace) + "\n";
  }
  return text;
}

std::string head(const Record& record) {
  std::string text;
  for (const auto& [key, value] : kif_fields(record)) {
    text += key + "：" + value + "\n";
  }
  if (const auto* const handicap = known_handicap(record.start)) {
    return text + "手合割：" + std::string(handicap->name) + "\n";
  }
  return text + "手合割：その他\n" + shogi::kif::format_board(record.start);
}

/// "( 0:12/00:03:04)"; the total rounds down once, not with each move.
std::string times(Millis move, Millis total) {
  const auto move_s = std::max<std::int64_t>(move.count(), 0) / 1000;
  const auto total_s = std::max<std::int64_t>(total.count(), 0) / 1000;
  return fmt::format("({:2}:{:02}/{:02}:{:02}:{:02})", move_s / 60, move_s % 60, total_s / 3600, total_s / 60 % 60,
                     total_s % 60);
}

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
    line += base::padded(what, move_columns) + times(*consumed, walk.spend(*consumed));
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
    text += kif_line(walk, shogi::kif::format_move(walk.position, move.move, walk.last), move.consumed);
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
    text += in_line > 0 ? base::padded(previous + " ", ki2_columns).substr(previous.size()) : "";
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
