#include "rehearse/server/game_name.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::rehearse::server {
namespace {

constexpr std::size_t number_digits_max = 9;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier_byte(char c) {
  return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '@' ||
         c == '-' || c == '.';
}

/// Cuts "-<digits>" off the end and returns the digits; empty when there is no such end.
std::string_view take_number(std::string_view& text) {
  const auto dash = text.rfind('-');
  if (dash == std::string_view::npos) {
    return {};
  }
  const auto digits = text.substr(dash + 1);
  if (digits.empty() || digits.size() > number_digits_max ||
      !std::all_of(digits.begin(), digits.end(), is_digit)) {
    return {};
  }
  text.remove_suffix(digits.size() + 1);
  return digits;
}

std::int64_t to_number(std::string_view digits) { return base::parse_int(digits).value_or(0); }

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && text.size() <= identifier_bytes_max &&
         std::all_of(text.begin(), text.end(), is_identifier_byte);
}

std::optional<GameName> parse_game_name(std::string_view text) {
  auto rest = text;
  const bool is_fischer = rest.ends_with('F');
  if (is_fischer) {
    rest.remove_suffix(1);
  }
  const auto per_move = take_number(rest);
  const auto total = per_move.empty() ? std::string_view{} : take_number(rest);
  if (total.empty() || !is_identifier(rest)) {
    return std::nullopt;
  }

  GameName name;
  name.text = std::string(text);
  name.clock.total_s = to_number(total);
  const auto seconds = to_number(per_move);
  (is_fischer ? name.clock.increment_s : name.clock.byoyomi_s) = seconds;
  // "-060" is the stop-watch, "-0" is no byoyomi. A slice of nothing cannot be charged.
  name.clock.is_stop_watch = !is_fischer && per_move.front() == '0' && seconds > 0;
  name.is_floodgate = rest == "floodgate";
  const auto prefix = rest.substr(0, rest.find('_'));
  if (prefix.size() < rest.size() && shogi::csa::handicap_start(prefix)) {
    name.handicap = std::string(prefix);
  }
  return name;
}

std::optional<shogi::Color> take_color_suffix(std::string_view& text) {
  const char letter = text.empty() ? '\0' : text.back();
  const bool is_black = letter == 'B' || letter == 'b';
  if (text.size() < 2 || text[text.size() - 2] != '-' || (!is_black && letter != 'W' && letter != 'w')) {
    return std::nullopt;
  }
  text.remove_suffix(2);
  return is_black ? shogi::Color::black : shogi::Color::white;
}

}  // namespace kakehashi::rehearse::server
