#include "csa/message.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace kakehashi::csa {

namespace {

using base::Millis;

/// A day, counted in the smallest Time_Unit by a server that counts T in units.
constexpr Millis consumed_max = std::chrono::hours{24'000};

/// "retry_after=30" among the words of a refusal.
std::optional<base::Seconds> find_retry_after(std::string_view detail) {
  constexpr std::string_view key = "retry_after=";
  for (const std::string_view word : base::split_words(detail)) {
    if (word.starts_with(key)) {
      const auto seconds = base::parse_int(word.substr(key.size()));
      if (seconds && *seconds >= 0) {
        return std::min(base::Seconds{*seconds}, base::Seconds{86'400});
      }
    }
  }
  return std::nullopt;
}

/// The first of the fields behind a move that is a time.
std::optional<Millis> find_consumed(const std::vector<std::string_view>& fields) {
  for (std::size_t i = 1; i < fields.size(); ++i) {
    if (const auto consumed = parse_consumed(fields[i])) {
      return consumed;
    }
  }
  return std::nullopt;
}

/// The first of the fields behind a move that is a comment.
std::string find_comment(const std::vector<std::string_view>& fields) {
  const auto found = std::find_if(fields.begin() + 1, fields.end(),
                                  [](std::string_view field) { return field.starts_with('\''); });
  return found == fields.end() ? "" : std::string(found->substr(1, comment_bytes_max));
}

ServerMessage parse_login(std::string_view line) {
  // The echoed name may be anything, a space included; only the end of the line is fixed.
  const std::string_view answer = line.substr(std::string_view("LOGIN:").size());
  if (answer.ends_with(" OK")) {
    return LoginAccepted{std::string(answer.substr(0, answer.size() - 3))};
  }
  constexpr std::string_view refusal = "incorrect";
  if (answer.starts_with(refusal)) {
    const std::string_view detail = base::trim(answer.substr(refusal.size()));
    return LoginRefused{std::string(detail), find_retry_after(detail)};
  }
  return Unknown{std::string(line)};
}

ServerMessage parse_reject(std::string_view line) {
  const std::string_view rest = line.substr(std::string_view("REJECT:").size());
  const std::size_t by = rest.find(" by ");
  if (by == std::string_view::npos) {
    return GameRejected{std::string(rest), {}};
  }
  return GameRejected{std::string(rest.substr(0, by)), std::string(rest.substr(by + 4))};
}

/// A sign, four digits and two capitals: what servers confirm, playable or not. Anything else that
/// begins with a sign says nothing about the game.
bool is_shaped_like_move(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return text.size() == 7 && std::all_of(text.begin() + 1, text.begin() + 5, is_digit) &&
         std::all_of(text.begin() + 5, text.end(), is_capital);
}

}  // namespace

std::optional<Millis> parse_consumed(std::string_view field) {
  field = base::trim(field);
  if (field.size() < 2 || field.front() != 'T') {
    return std::nullopt;
  }
  field.remove_prefix(1);
  const std::size_t point = field.find('.');
  const std::string_view whole = field.substr(0, point);
  if (whole.empty() || !std::all_of(whole.begin(), whole.end(),
                                    [](char c) { return c >= '0' && c <= '9'; })) {
    return std::nullopt;
  }
  Millis fraction{0};
  if (point != std::string_view::npos) {
    int digit_value = 100;
    for (const char c : field.substr(point + 1)) {
      if (c < '0' || c > '9') {
        return std::nullopt;
      }
      fraction += Millis{(c - '0') * digit_value};
      digit_value /= 10;
    }
  }
  const auto seconds = base::parse_int(whole);
  if (!seconds || *seconds >= 86'400'000) {
    return consumed_max;
  }
  return base::Seconds{*seconds} + fraction;
}

std::optional<std::string> plainest(std::string_view line) {
  const bool is_chatter = line.size() > 1 && line[0] == '#' && line[1] == '#';
  if (is_chatter || line.starts_with('\'')) {
    return std::nullopt;
  }
  if (!line.starts_with('+') && !line.starts_with('-') && !line.starts_with('%')) {
    return std::string(line);
  }
  const std::size_t behind_move = line.find(',');
  return std::string(line.substr(0, behind_move == std::string_view::npos ? behind_move : line.find(',', behind_move + 1)));
}

ServerMessage parse_line(std::string_view line) {
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  if (base::trim(line).empty()) {
    return Blank{};
  }
  if (line.starts_with("##")) {
    return Extended{.is_error = line.starts_with("##[ERROR]")};
  }
  switch (line.front()) {
    case '#':
      return ResultWord{std::string(base::trim(line))};
    case '+':
    case '-': {
      const auto fields = base::split(line, ',');
      if (!is_shaped_like_move(base::trim(fields.front()))) {
        return Unknown{std::string(line)};
      }
      return MoveConfirmed{line.front() == '+' ? shogi::Color::black : shogi::Color::white,
                           std::string(base::trim(fields.front())), find_consumed(fields), find_comment(fields)};
    }
    case '%': {
      const auto fields = base::split(line, ',');
      if (base::trim(fields.front()).size() < 2) {
        return Unknown{std::string(line)};
      }
      return SpecialMove{std::string(base::trim(fields.front())), find_consumed(fields)};
    }
    default: break;
  }
  if (line.starts_with("LOGIN:")) {
    return parse_login(line);
  }
  if (line.starts_with("LOGOUT:completed")) {
    return LogoutCompleted{};
  }
  if (line.starts_with("CHALLENGE ACCEPTED")) {
    return ChallengeAccepted{};
  }
  if (base::trim(line) == "BEGIN Game_Summary") {
    return SummaryBegins{};
  }
  if (line.starts_with("START:")) {
    return GameStarts{std::string(base::trim(line.substr(std::string_view("START:").size())))};
  }
  if (line.starts_with("REJECT:")) {
    return parse_reject(line);
  }
  return Unknown{std::string(line)};
}

}  // namespace kakehashi::csa
