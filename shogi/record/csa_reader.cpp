#include "shogi/record/csa_reader.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "base/text.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/record/csa_writer.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::Millis;

/// "12", "3.5": seconds.
std::optional<Millis> parse_seconds(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto whole = base::parse_int(text.substr(0, point));
  if (!whole || *whole < 0 || *whole > 1'000'000) {
    return std::nullopt;
  }
  Millis time = std::chrono::seconds{*whole};
  if (point != std::string_view::npos) {
    int digit_value = 100;
    for (const char c : text.substr(point + 1)) {
      if (c < '0' || c > '9') {
        return std::nullopt;
      }
      time += Millis{(c - '0') * digit_value};
      digit_value /= 10;
    }
  }
  return time;
}

/// "2026/11/21 03:04:05" or "2026/11/21"; taken as UTC.
std::optional<base::WallTime> parse_date(std::string_view text) {
  std::array<int, 6> numbers{};
  std::size_t count = 0;
  const char* at = text.data();
  const char* end = at + text.size();
  while (count < numbers.size() && at < end) {
    const auto [stopped, error] = std::from_chars(at, end, numbers[count]);
    if (error != std::errc{}) {
      return std::nullopt;
    }
    ++count;
    at = stopped < end ? stopped + 1 : stopped;
  }
  const std::chrono::year_month_day date{std::chrono::year{numbers[0]},
                                         std::chrono::month{static_cast<unsigned>(numbers[1])},
                                         std::chrono::day{static_cast<unsigned>(numbers[2])}};
  if (count < 3 || !date.ok()) {
    return std::nullopt;
  }
  return std::chrono::sys_days{date} + std::chrono::hours{numbers[3]} +
         std::chrono::minutes{numbers[4]} + std::chrono::seconds{numbers[5]};
}

/// "600+10+5" of $TIME.
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

/// "HH:MM+SS" of $TIME_LIMIT.
std::optional<Clock> parse_limit(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::size_t plus = text.find('+');
  if (colon == std::string_view::npos || plus == std::string_view::npos || plus < colon) {
    return std::nullopt;
  }
  const auto hours = base::parse_int(text.substr(0, colon));
  const auto minutes = base::parse_int(text.substr(colon + 1, plus - colon - 1));
  const auto byoyomi = parse_seconds(text.substr(plus + 1));
  if (!hours || !minutes || !byoyomi || *hours < 0 || *hours > 1000 || *minutes < 0 ||
      *minutes > 59) {
    return std::nullopt;
  }
  return Clock{std::chrono::minutes{*hours * 60 + *minutes}, *byoyomi, Millis{0}};
}

std::optional<EndingKind> ending_from(std::string_view word) {
  for (int i = 0; i <= static_cast<int>(EndingKind::error); ++i) {
    const auto kind = static_cast<EndingKind>(i);
    if (word == csa_word(kind, CsaVersion::v3_0)) {
      return kind;
    }
  }
  return std::nullopt;
}

/// One record, statement by statement.
class Reader {
 public:
  [[nodiscard]] std::optional<std::string> take_line(std::string_view line) {
    if (line.empty()) {
      return std::nullopt;
    }
    if (line.front() == '\'') {
      take_comment(line.substr(1));
      return std::nullopt;
    }
    if (line.front() == 'N' || line.front() == '$' || line.front() == 'P') {
      return take_statement(line);  // these may hold commas
    }
    for (const std::string_view statement : base::split(line, ',')) {
      if (auto trouble = take_statement(statement)) {
        return trouble;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_empty() const { return is_empty_; }

  [[nodiscard]] base::Result<Record> finish() {
    if (!reached_) {
      if (auto trouble = start(Color::black)) {
        return base::fail(*trouble);
      }
    }
    return std::move(record_);
  }

 private:
  std::optional<std::string> take_statement(std::string_view statement) {
    is_empty_ = false;
    if (statement.empty() || statement.front() == 'V') {
      return std::nullopt;
    }
    switch (statement.front()) {
      case 'N': take_name(statement); return std::nullopt;
      case '$': take_field(statement.substr(1)); return std::nullopt;
      case 'P': {
        const auto trouble = board_.feed(statement);
        has_board_ = true;
        return trouble ? std::optional(trouble->what) : std::nullopt;
      }
      case '+':
      case '-': return take_move(statement);
      case '%': return take_ending(statement);
      case 'T': return take_time(statement.substr(1));
      default: return "what is " + base::quote_for_log(statement) + "?";
    }
  }

  void take_name(std::string_view statement) {
    if (statement.starts_with("N+")) {
      record_.black_name = statement.substr(2);
    } else if (statement.starts_with("N-")) {
      record_.white_name = statement.substr(2);
    }
  }

  void take_field(std::string_view field) {
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos) {
      return;
    }
    const std::string_view key = field.substr(0, colon);
    const std::string_view value = field.substr(colon + 1);
    if (key == "EVENT") {
      record_.event = value;
    } else if (key == "SITE") {
      record_.site = value;
    } else if (key == "START_TIME") {
      record_.started = parse_date(value);
    } else if (key == "END_TIME") {
      record_.ended = parse_date(value);
    } else if (key == "TIME") {
      record_.black_clock = record_.white_clock = parse_clock(value);
    } else if (key == "TIME+") {
      record_.black_clock = parse_clock(value);
    } else if (key == "TIME-") {
      record_.white_clock = parse_clock(value);
    } else if (key == "TIME_LIMIT") {
      record_.black_clock = record_.white_clock = parse_limit(value);
    } else if (key == "MAX_MOVES") {
      const auto plies = base::parse_int(value);
      if (plies && *plies > 0 && *plies < 1'000'000) {
        record_.max_moves = static_cast<int>(*plies);
      }
    } else if (key == "JISHOGI") {
      record_.jishogi_rule = value;
    }
  }

  void take_comment(std::string_view text) {
    if (!reached_) {
      record_.comments.emplace_back(text);
    } else if (!record_.moves.empty() && text.starts_with("** ")) {
      take_evaluation(text.substr(3));
    } else if (!record_.moves.empty() && !record_.ending) {
      record_.moves.back().comments.emplace_back(text);
    }
  }

  void take_evaluation(std::string_view text) {
    const auto words = base::split_words(text);
    const auto score = words.empty() ? std::nullopt : base::parse_int(words.front());
    if (!score) {
      record_.moves.back().comments.emplace_back("** " + std::string(text));
      return;
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
    record_.moves.back().evaluation = std::move(evaluation);
  }

  std::optional<std::string> start(Color mover) {
    if (has_board_) {
      base::Result<Position> position = board_.finish();
      if (!position) {
        return position.error().what;
      }
      record_.start = *position;
    }
    record_.start.set_side_to_move(mover);
    reached_ = record_.start;
    return std::nullopt;
  }

  std::optional<std::string> take_move(std::string_view statement) {
    if (!reached_) {
      if (auto trouble = start(statement.front() == '+' ? Color::black : Color::white)) {
        return trouble;
      }
    }
    if (statement.size() == 1) {
      return std::nullopt;  // the turn line
    }
    const base::Result<Move> move = csa::parse_move(*reached_, statement);
    if (!move) {
      return base::quote_for_log(statement) + " cannot be read: " + move.error().what;
    }
    const Verdict verdict = judge(*reached_, *move);
    if (verdict != Verdict::legal) {
      return base::quote_for_log(statement) + " is not legal: " + describe(verdict);
    }
    reached_->play(*move);
    record_.moves.push_back({*move, {}, {}, {}});
    return std::nullopt;
  }

  std::optional<std::string> take_ending(std::string_view statement) {
    const auto kind = ending_from(statement);
    if (!kind) {
      return base::quote_for_log(statement) + " is no known ending";
    }
    record_.ending = Ending{*kind, {}};
    return std::nullopt;
  }

  std::optional<std::string> take_time(std::string_view seconds) {
    const auto time = parse_seconds(seconds);
    if (!time) {
      return "T" + std::string(seconds.substr(0, 40)) + " is no time";
    }
    if (record_.ending) {
      record_.ending->consumed = *time;
    } else if (!record_.moves.empty()) {
      record_.moves.back().consumed = *time;
    }
    return std::nullopt;
  }

  Record record_;
  csa::BoardReader board_;
  bool has_board_ = false;
  bool is_empty_ = true;
  std::optional<Position> reached_;
};

}  // namespace

base::Result<std::vector<Record>> read_csa(std::string_view text) {
  std::vector<Record> records;
  Reader reader;
  std::size_t number = 0;
  const auto fail_at = [&](const std::string& what) {
    return base::fail("line " + std::to_string(number) + ": " + what);
  };
  for (std::string_view line : base::split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    if (line == "/") {
      base::Result<Record> record = reader.finish();
      if (!record) {
        return fail_at(record.error().what);
      }
      records.push_back(std::move(*record));
      reader = Reader();
    } else if (auto trouble = reader.take_line(line)) {
      return fail_at(*trouble);
    }
  }
  if (!reader.is_empty()) {
    base::Result<Record> record = reader.finish();
    if (!record) {
      return fail_at(record.error().what);
    }
    records.push_back(std::move(*record));
  }
  return records;
}

}  // namespace kakehashi::shogi::record
