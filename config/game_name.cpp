#include "config/game_name.hpp"

#include "base/text.hpp"

namespace kakehashi::config {
namespace {

constexpr std::size_t digits_max = 9;

std::optional<base::Seconds> parse_seconds(std::string_view digits) {
  if (digits.empty() || digits.size() > digits_max ||
      digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  return base::Seconds{*base::parse_int(digits)};
}

/// The piece after the last '-', which is cut off with it; nothing when there is no '-'.
std::optional<std::string_view> take_last_piece(std::string_view& text) {
  const std::size_t at = text.rfind('-');
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view piece = text.substr(at + 1);
  text = text.substr(0, at);
  return piece;
}

bool is_label(std::string_view text) {
  return !text.empty() && text.find_first_not_of(
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                              "_@.-") == std::string_view::npos;
}

}  // namespace

std::optional<GameName> parse_game_name(std::string_view text) {
  GameName name;
  for (const std::string_view side : {"-B", "-b", "-W", "-w"}) {
    if (text.ends_with(side)) {
      name.has_side = true;
      text.remove_suffix(side.size());
      break;
    }
  }
  if (text.ends_with('F')) {
    name.is_fischer = true;
    text.remove_suffix(1);
  }
  const auto per_move_digits = take_last_piece(text);
  const auto total_digits = take_last_piece(text);
  if (!per_move_digits || !total_digits || !is_label(text)) {
    return std::nullopt;
  }
  const auto per_move = parse_seconds(*per_move_digits);
  const auto total = parse_seconds(*total_digits);
  if (!per_move || !total) {
    return std::nullopt;
  }
  name.label = std::string(text);
  name.per_move = *per_move;
  name.total = *total;
  name.is_stop_watch = !name.is_fischer && per_move_digits->size() > 1 && per_move_digits->front() == '0';
  return name;
}

}  // namespace kakehashi::config
