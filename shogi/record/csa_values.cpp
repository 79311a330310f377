#include "shogi/record/csa_values.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace kakehashi::shogi::record {
namespace {

using base::Millis;

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

/// Three numbers with separators between them: "2026/1/2", "03:04:05".
std::optional<std::array<int, 3>> parse_three(std::string_view text, char separator) {
  const auto fields = base::split(text, separator);
  if (fields.size() != 3) {
    return std::nullopt;
  }
  std::array<int, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = parse_digits(fields[i], 4);
    if (!number) {
      return std::nullopt;
    }
    numbers[i] = *number;
  }
  return numbers;
}

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
  const auto words = base::split_words(text);
  const auto date = words.empty() ? std::nullopt : parse_three(words[0], '/');
  const auto clock = words.size() < 2 ? std::array{0, 0, 0} : parse_three(words[1], ':');
  if (!date || !clock || words.size() > 2) {
    return std::nullopt;
  }
  const auto [year, month, day] = *date;
  const auto [hours, minutes, seconds] = *clock;
  const std::chrono::year_month_day found{std::chrono::year{year},
                                          std::chrono::month{static_cast<unsigned>(month)},
                                          std::chrono::day{static_cast<unsigned>(day)}};
  if (year < 1 || month > 12 || day > 31 || !found.ok() || hours > 23 || minutes > 59 ||
      seconds > 60) {
    return std::nullopt;
  }
  return std::chrono::sys_days{found} + std::chrono::hours{hours} + std::chrono::minutes{minutes} +
         std::chrono::seconds{seconds} - utc_offset;
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

std::optional<std::string> format_limit(const Clock& clock) {
  const auto total_ms = clock.total.value_or(Millis{0}).count();
  if (total_ms < 0 || total_ms % 60'000 != 0 || clock.byoyomi.count() < 0 ||
      clock.byoyomi.count() % 1000 != 0) {
    return std::nullopt;
  }
  return fmt::format("{:02}:{:02}+{:02}", total_ms / 3'600'000, total_ms / 60'000 % 60, clock.byoyomi.count() / 1000);
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
