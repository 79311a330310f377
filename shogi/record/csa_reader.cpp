#include "shogi/record/csa_reader.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/record/csa_values.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/game_builder.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

namespace {

/// One record, line by line. Each step returns what is wrong, with the line's number.
class Reader {
 public:
  using Trouble = std::optional<std::string>;

  explicit Reader(std::chrono::minutes utc_offset) : game_(utc_offset) {}

  [[nodiscard]] Trouble take_line(std::string_view line, std::size_t number) {
    game_.set_place("line " + std::to_string(number));
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
    take_search_comments();
    return std::move(record());
  }

 private:
  [[nodiscard]] Record& record() { return game_.record(); }
  [[nodiscard]] std::string at_line(const std::string& what) const { return game_.at_place(what); }

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
      default: return at_line("what is " + base::quote_for_log(statement) + "?");
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
    } else if (record().moves.empty()) {
      record().comments.emplace_back(text);
    } else {
      take_move_comment(text);
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

  void take_move_comment(std::string_view text) {
    auto evaluation = text.starts_with("** ") ? parse_evaluation(text.substr(3)) : std::nullopt;
    if (evaluation) {
      record().moves.back().evaluation = std::move(evaluation);
    } else {
      record().moves.back().comments.emplace_back(text);
    }
  }

  /// Evaluations in the styles of viewers, whose lines begin with "'*".
  void take_search_comments() {
    Position position = record().start;
    for (RecordedMove& move : record().moves) {
      position.play(move.move);
      if (move.evaluation) {
        continue;
      }
      std::vector<std::string> marked;
      std::vector<std::string> others;
      for (const std::string& comment : move.comments) {
        (comment.starts_with('*') ? marked : others).push_back(comment);
      }
      for (std::string& comment : marked) {
        comment.erase(0, 1);
      }
      if (auto found = take_search_comment(marked, position, move.move.to())) {
        move.evaluation = std::move(found);
        for (const std::string& left : marked) {
          others.push_back("*" + left);
        }
        move.comments = std::move(others);
      }
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
      return at_line("the board stands after the turn or a move");
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
    return game_.play(csa::parse_move(game_.reached(), statement), statement);
  }

  Trouble take_ending(std::string_view statement) {
    const auto kind = ending_of_special_move(statement);
    if (!kind) {
      return at_line(base::quote_for_log(statement) + " is no known ending");
    }
    if (!has_started_) {
      if (auto trouble = start(Color::black)) {
        return trouble;
      }
    }
    return game_.end(*kind);
  }

  Trouble take_time(std::string_view seconds) {
    const auto time = parse_seconds(seconds);
    if (!time) {
      return at_line(base::quote_for_log("T" + std::string(seconds.substr(0, 40))) + " is no time");
    }
    game_.set_consumed(*time);
    return std::nullopt;
  }

  GameBuilder game_;
  csa::BoardReader board_;
  bool has_board_ = false;
  bool is_empty_ = true;
  bool has_started_ = false;  ///< with the turn or the first move
};

}  // namespace

base::Result<std::vector<Record>> read_csa(std::string_view text, std::chrono::minutes utc_offset) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);  // the byte order mark of some editors
  }
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

}  // namespace kakehashi::shogi::record
