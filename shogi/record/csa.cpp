#include "shogi/record/csa.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/read_calendar.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/game_builder.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

// --- values

namespace {

using base::Millis;
using base::say;

constexpr std::int64_t seconds_max = 1'000'000;

/// Digits only, 1 to `digits_max` of them.
std::optional<int> parse_digits(std::string_view text, std::size_t digits_max) {
  const bool are_digits =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || text.size() > digits_max || !are_digits) {
    return std::nullopt;
  }
  return static_cast<int>(*base::parse_int(text));
}

std::optional<int> parse_max_moves(std::string_view text) {
  const auto plies = base::parse_int(text);
  return plies && *plies > 0 && *plies < 1'000'000 ? std::optional(static_cast<int>(*plies))
                                                   : std::nullopt;
}

}  // namespace

std::string format_seconds(Millis time) {
  const auto millis = std::max<std::int64_t>(time.count(), 0);
  std::string text = std::to_string(millis / 1000);
  if (const auto rest = millis % 1000; rest != 0) {
    text += "." + std::to_string(1000 + rest).substr(1);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text;
}

std::optional<Millis> parse_seconds(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  const auto whole = parse_digits(text.substr(0, point), 7);
  if (!whole || *whole > seconds_max) {
    return std::nullopt;
  }
  Millis time = std::chrono::seconds{*whole};
  int digit_value = 100;
  for (const char c : text.substr(std::min(point + 1, text.size()))) {
    if (c < '0' || c > '9') {
      return std::nullopt;
    }
    time += Millis{(c - '0') * digit_value};
    digit_value /= 10;
  }
  return time;
}

std::string format_date(base::WallTime time, std::chrono::minutes utc_offset) {
  return fmt::format("{:%Y/%m/%d %H:%M:%S}", base::calendar(time + utc_offset));
}

std::optional<base::WallTime> parse_date(std::string_view text, std::chrono::minutes utc_offset) {
  const std::string words = base::join(base::split_words(text), " ");
  auto found = base::read_calendar(words, "%Y/%m/%d %H:%M:%S");
  found = found ? found : base::read_calendar(words, "%Y/%m/%d");
  constexpr base::WallTime first = std::chrono::sys_days{std::chrono::January / 1 / 1};
  return found && *found >= first ? std::optional(*found - utc_offset) : std::nullopt;
}

std::string format_clock(const Clock& clock) {
  return format_seconds(clock.total.value_or(Millis{0})) + "+" + format_seconds(clock.byoyomi) +
         "+" + format_seconds(clock.increment);
}

std::optional<Clock> parse_clock(std::string_view text) {
  const auto fields = base::split(text, '+');
  if (fields.size() != 3) {
    return std::nullopt;
  }
  const auto total = parse_seconds(fields[0]);
  const auto byoyomi = parse_seconds(fields[1]);
  const auto increment = parse_seconds(fields[2]);
  if (!total || !byoyomi || !increment) {
    return std::nullopt;
  }
  return Clock{*total, *byoyomi, *increment};
}

std::optional<Clock> parse_limit(std::string_view text) {
  const auto halves = base::split(text, '+');
  const auto total = base::split(halves.front(), ':');
  if (halves.size() != 2 || total.size() != 2) {
    return std::nullopt;
  }
  const auto hours = parse_digits(total[0], 4);
  const auto minutes = parse_digits(total[1], 2);
  const auto byoyomi = parse_seconds(halves[1]);
  if (!hours || !minutes || !byoyomi || *minutes > 59) {
    return std::nullopt;
  }
  return Clock{std::chrono::minutes{*hours * 60 + *minutes}, *byoyomi, Millis{0}};
}

void read_field(std::string_view field, Record& record) {
  const std::size_t colon = field.find(':');
  if (colon == std::string_view::npos) {
    return;
  }
  const std::string_view key = field.substr(0, colon);
  const std::string_view value = field.substr(colon + 1);
  if (key == "EVENT") {
    record.event = value;
  } else if (key == "SITE") {
    record.site = value;
  } else if (key == "START_TIME") {
    record.started = parse_date(value, record.utc_offset);
  } else if (key == "END_TIME") {
    record.ended = parse_date(value, record.utc_offset);
  } else if (key == "TIME") {
    record.black_clock = record.white_clock = parse_clock(value);
  } else if (key == "TIME+") {
    record.black_clock = parse_clock(value);
  } else if (key == "TIME-") {
    record.white_clock = parse_clock(value);
  } else if (key == "TIME_LIMIT") {
    record.black_clock = record.white_clock = parse_limit(value);
  } else if (key == "MAX_MOVES") {
    record.max_moves = parse_max_moves(value);
  } else if (key == "JISHOGI") {
    record.jishogi_rule = value;
  }
}

std::optional<Evaluation> parse_evaluation(std::string_view text) {
  const auto words = base::split_words(text);
  const auto score = words.empty() ? std::nullopt : base::parse_int(words.front());
  if (!score) {
    return std::nullopt;
  }
  Evaluation evaluation;
  evaluation.score = *score;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with('#')) {
      evaluation.nodes = base::parse_int(words[i].substr(1));
    } else {
      evaluation.pv.emplace_back(words[i]);
    }
  }
  return evaluation;
}

// --- reading

namespace {

/// "N+name" or "N-name".
void read_name(std::string_view statement, Record& record) {
  if (statement.starts_with("N+")) {
    record.black_name = statement.substr(2);
  } else if (statement.starts_with("N-")) {
    record.white_name = statement.substr(2);
  }
}

/// "Max_Moves:256", "Increment:10", "$TIME:90+0+5", a comment in front of the moves without its apostrophe: what
/// shogi-server and our V2.2 writer put into comments, since that version has no field for it. False when it is none of
/// these.
bool read_field_comment(std::string_view comment, Record& record) {
  if (comment.starts_with("$TIME")) {
    read_field(comment.substr(1), record);
    return true;
  }
  if (comment.starts_with("Max_Moves:")) {
    record.max_moves = parse_max_moves(comment.substr(10));
    return true;
  }
  if (comment.starts_with("Increment:")) {
    const auto increment = parse_seconds(comment.substr(10));
    if (increment && increment->count() > 0) {
      for (auto* clock : {&record.black_clock, &record.white_clock}) {
        *clock = clock->value_or(Clock{});  // what else is known of it stays
        (*clock)->increment = *increment;
      }
    }
    return true;
  }
  return false;
}

/// One record, line by line. Each step returns what is wrong, with the line's number.
class Reader {
 public:
  using Trouble = GameBuilder::Trouble;

  explicit Reader(std::chrono::minutes utc_offset) : game_(utc_offset) {}

  [[nodiscard]] Trouble take_line(std::string_view line, std::size_t number) {
    game_.set_place(say("line {}", number));
    if (line.starts_with('N') || line.starts_with('$')) {
      return take_statement(line);  // a comma is part of the name
    }
    while (!line.empty()) {
      if (line.front() == '\'') {
        take_comment(line.substr(1));
        return std::nullopt;
      }
      const std::size_t comma = std::min(line.find(','), line.size());
      if (auto trouble = take_statement(line.substr(0, comma))) {
        return trouble;
      }
      line.remove_prefix(std::min(comma + 1, line.size()));
    }
    return std::nullopt;
  }

  /// Comments alone are no record.
  [[nodiscard]] bool is_empty() const { return is_empty_; }

  [[nodiscard]] base::Result<Record> finish() {
    Trouble trouble = game_.unexplained();
    if (!trouble && !has_started_) {
      trouble = start(Color::black);
    }
    if (trouble) {
      return base::fail(*trouble);
    }
    game_.take_evaluations("*");
    return std::move(record());
  }

 private:
  [[nodiscard]] Record& record() { return game_.record(); }
  [[nodiscard]] base::Message at_line(base::Message what) const { return game_.at_place(std::move(what)); }

  Trouble take_statement(std::string_view statement) {
    if (base::trim(statement).empty()) {
      return std::nullopt;
    }
    is_empty_ = false;
    switch (statement.front()) {
      case 'V': return std::nullopt;
      case 'N': read_name(statement, record()); return std::nullopt;
      case '$': read_field(statement.substr(1), record()); return std::nullopt;
      case 'P': return take_board(statement);
      case '+':
      case '-': return take_move(base::trim(statement));
      case '%': return take_ending(base::trim(statement));
      case 'T': return take_time(base::trim(statement.substr(1)));
      default: return at_line(say("what is {}?", base::quoted(statement)));
    }
  }

  void take_comment(std::string_view text) {
    if (text.starts_with("$END_TIME:")) {
      read_field(text.substr(1), record());
    } else if (!has_started_ &&
               (text.starts_with("CSA encoding=") || read_field_comment(text, record()))) {
      return;
    } else if (record().ending) {
      take_ending_comment(text, *record().ending);
    } else {
      game_.add_comment(text);
    }
    if (has_started_ && text.starts_with("summary:")) {
      take_summary(text.substr(8));
    }
  }

  /// "#OUTE_SENNICHITE" tells which foul it was.
  static void take_ending_comment(std::string_view text, Ending& ending) {
    const bool may_have_reason = is_foul(ending.kind) || ending.kind == EndingKind::chudan;
    if (may_have_reason && text.starts_with('#') && ending.reason.empty()) {
      ending.reason = text;
    } else {
      ending.comments.emplace_back(text);
    }
  }

  void take_summary(std::string_view summary) {
    if (const auto kind = ending_of_summary(summary)) {
      record().ending = record().ending.value_or(Ending{});
      record().ending->kind = *kind;
    }
  }

  Trouble take_board(std::string_view statement) {
    if (has_started_) {
      return at_line(say("the board stands after the turn or a move"));
    }
    has_board_ = true;
    const auto trouble = board_.feed(statement);
    return trouble ? Trouble(at_line(trouble->what)) : std::nullopt;
  }

  Trouble start(Color mover) {
    base::Result<Position> position = has_board_ ? board_.finish() : Position::startpos();
    if (!position) {
      return at_line(position.error().what);
    }
    position->set_side_to_move(mover);
    has_started_ = true;
    return game_.start(position);
  }

  Trouble take_move(std::string_view statement) {
    if (!has_started_) {
      if (auto trouble = start(statement.front() == '+' ? Color::black : Color::white)) {
        return trouble;
      }
    }
    if (statement.size() == 1) {
      return std::nullopt;  // the turn line
    }
    return game_.play(shogi::csa::parse_move(game_.reached(), statement), statement);
  }

  Trouble take_ending(std::string_view statement) {
    if (!has_started_) {
      if (auto trouble = start(Color::black)) {
        return trouble;
      }
    }
    return game_.end_by(ending_of_special_move(statement), statement);
  }

  Trouble take_time(std::string_view seconds) {
    const auto time = parse_seconds(seconds);
    if (!time) {
      return at_line(say("{} is no time", base::quoted("T" + std::string(seconds.substr(0, 40)))));
    }
    game_.set_consumed(*time);
    return std::nullopt;
  }

  GameBuilder game_;
  shogi::csa::BoardReader board_;
  bool has_board_ = false;
  bool is_empty_ = true;
  bool has_started_ = false;  ///< with the turn or the first move
};

}  // namespace

base::Result<std::vector<Record>> read_csa(std::string_view text, std::chrono::minutes utc_offset) {
  text = base::without_byte_order_mark(text);
  std::vector<Record> records;
  Reader reader(utc_offset);
  const auto finish_record = [&]() -> Reader::Trouble {
    if (reader.is_empty()) {
      return std::nullopt;
    }
    base::Result<Record> record = reader.finish();
    if (!record) {
      return record.error().what;
    }
    records.push_back(std::move(*record));
    reader = Reader(utc_offset);
    return std::nullopt;
  };
  std::size_t number = 0;
  for (std::string_view line : base::split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    if (auto trouble = line == "/" ? finish_record() : reader.take_line(line, number)) {
      return base::fail(std::move(*trouble));
    }
  }
  if (auto trouble = finish_record()) {
    return base::fail(std::move(*trouble));
  }
  return records;
}

// --- writing

namespace {

std::string clean(std::string_view text, CsaVersion version) {
  return base::one_line(text, version == CsaVersion::v3_0 ? base::OtherBytes::replace : base::OtherBytes::keep);
}

std::string comment_lines(const std::vector<std::string>& comments, CsaVersion version) {
  std::string lines;
  for (const std::string& comment : comments) {
    lines += "'" + clean(comment, version) + "\n";
  }
  return lines;
}

/// V2.2 has whole seconds only, rounded down as servers do.
std::string consumed_line(const std::optional<Millis>& time, CsaVersion version) {
  if (!time) {
    return "";
  }
  const bool is_v3 = version == CsaVersion::v3_0;
  return "T" + format_seconds(is_v3 ? *time : std::chrono::floor<base::Seconds>(*time)) + "\n";
}

/// A clock whose main time nobody told, of a record that says its increment only, stays untold.
bool is_known(const std::optional<Clock>& clock) {
  return clock && (clock->total || clock->byoyomi.count() > 0);
}

/// "00:15+10" of $TIME_LIMIT; nothing when it cannot say total and byoyomi exactly.
std::optional<std::string> format_limit(const Clock& clock) {
  const auto total_ms = clock.total.value_or(Millis{0}).count();
  if (total_ms < 0 || total_ms % 60'000 != 0 || clock.byoyomi.count() < 0 ||
      clock.byoyomi.count() % 1000 != 0) {
    return std::nullopt;
  }
  return fmt::format("{:02}:{:02}+{:02}", total_ms / 3'600'000, total_ms / 60'000 % 60, clock.byoyomi.count() / 1000);
}

/// In V2.2 what $TIME_LIMIT cannot say stands in a comment, spelled as V3.0 would.
std::string clock_lines(const Record& record, CsaVersion version) {
  const bool is_v3 = version == CsaVersion::v3_0;
  const std::string field = is_v3 ? "$TIME" : "'$TIME";
  const auto& black = record.black_clock;
  const auto& white = record.white_clock;
  if (is_known(black) && black == white) {
    const auto limit = is_v3 ? std::nullopt : format_limit(*black);
    return limit ? "$TIME_LIMIT:" + *limit + "\n" : field + ":" + format_clock(*black) + "\n";
  }
  return (is_known(black) ? field + "+:" + format_clock(*black) + "\n" : "") +
         (is_known(white) ? field + "-:" + format_clock(*white) + "\n" : "");
}

/// What the version has no field for, in the words that shogi-server uses: in V3.0 only an increment
/// without its main time.
std::string shogi_server_comments(const Record& record, CsaVersion version) {
  std::string lines;
  const bool is_v3 = version == CsaVersion::v3_0;
  if (record.max_moves && !is_v3) {
    lines += "'Max_Moves:" + std::to_string(*record.max_moves) + "\n";
  }
  const auto& clock = record.black_clock;
  const bool is_told = is_v3 && is_known(clock);
  if (clock && clock == record.white_clock && clock->increment.count() > 0 && !is_told) {
    lines += "'Increment:" + format_seconds(clock->increment) + "\n";
  }
  return lines;
}

CommentStyle style_of(CommentStyle style, CsaVersion version) {
  if (style != CommentStyle::automatic) {
    return style;
  }
  return version == CsaVersion::v3_0 ? CommentStyle::csa3 : CommentStyle::floodgate;
}

/// Two kinds of foul have one special move, and so has what no special move tells: the server's word tells
/// them apart.
bool needs_reason(const Ending& ending) {
  const std::string_view reason = ending.reason;
  return !reason.empty() && (ending.kind == EndingKind::illegal_action_by_black ||
                             ending.kind == EndingKind::illegal_action_by_white ||
                             (ending.kind == EndingKind::chudan && reason.starts_with('#') && reason != "#CHUDAN"));
}

}  // namespace

std::string CsaWriter::begin(const Record& record) {
  position_ = record.start;
  const bool is_v3 = version_ == CsaVersion::v3_0;
  std::string text = is_v3 ? "'CSA encoding=UTF-8\nV3.0\n" : "V2.2\n";
  const auto add = [&](const char* field, std::string_view value) {
    text += value.empty() ? "" : field + clean(value, version_) + "\n";
  };
  text += "N+" + clean(record.black_name, version_) + "\n";
  text += "N-" + clean(record.white_name, version_) + "\n";
  add("$EVENT:", record.event);
  add("$SITE:", record.site);
  add("$START_TIME:", record.started ? format_date(*record.started, record.utc_offset) : "");
  add("$END_TIME:", record.ended ? format_date(*record.ended, record.utc_offset) : "");
  text += clock_lines(record, version_);
  add("$MAX_MOVES:", is_v3 && record.max_moves ? std::to_string(*record.max_moves) : "");
  add("$JISHOGI:", is_v3 ? record.jishogi_rule : "");
  text += shogi_server_comments(record, version_);
  text += comment_lines(record.comments, version_);
  text += shogi::csa::format_board(record.start);
  text += shogi::csa::sign(record.start.side_to_move());
  return text + "\n";
}

std::string CsaWriter::add(const RecordedMove& move) {
  std::string text = shogi::csa::format_move(position_, move.move) + "\n";
  text += consumed_line(move.consumed, version_);
  position_.play(move.move);
  if (move.evaluation) {
    const CommentStyle style = style_of(comments_, version_);
    for (const std::string& line :
         search_comment(style, *move.evaluation, position_, move.move.to())) {
      text += "'*" + clean(line, version_) + "\n";
    }
  }
  return text + comment_lines(move.comments, version_);
}

std::string CsaWriter::end(const Ending& ending) const {
  // V2.2 has no %MAX_MOVES.
  const bool is_new = ending.kind == EndingKind::max_moves && version_ == CsaVersion::v2_2;
  return std::string(csa_word(is_new ? EndingKind::hikiwake : ending.kind)) + "\n" +
         consumed_line(ending.consumed, version_) +
         (needs_reason(ending) ? "'" + clean(ending.reason, version_) + "\n" : "") +
         comment_lines(ending.comments, version_);
}

std::string CsaWriter::whole(const Record& record, CsaVersion version, CommentStyle comments) {
  CsaWriter writer(version, comments);
  std::string text = writer.begin(record);
  for (const RecordedMove& move : record.moves) {
    text += writer.add(move);
  }
  if (record.ending) {
    text += writer.end(*record.ending);
  }
  return text;
}

}  // namespace kakehashi::shogi::record
