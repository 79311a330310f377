#include "shogi/record/csa_fields.hpp"

#include "base/text.hpp"
#include "shogi/record/csa_values.hpp"

namespace kakehashi::shogi::record {

namespace {

std::optional<int> parse_max_moves(std::string_view text) {
  const auto plies = base::parse_int(text);
  return plies && *plies > 0 && *plies < 1'000'000 ? std::optional(static_cast<int>(*plies))
                                                   : std::nullopt;
}

/// Keeps what is known of a clock beside it.
void set_increment(base::Millis increment, std::optional<Clock>& clock) {
  clock = clock.value_or(Clock{});
  clock->increment = increment;
}

}  // namespace

void read_name(std::string_view statement, Record& record) {
  if (statement.starts_with("N+")) {
    record.black_name = statement.substr(2);
  } else if (statement.starts_with("N-")) {
    record.white_name = statement.substr(2);
  }
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
      set_increment(*increment, record.black_clock);
      set_increment(*increment, record.white_clock);
    }
    return true;
  }
  return false;
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

}  // namespace kakehashi::shogi::record
