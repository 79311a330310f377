#include "csa/server/buoys.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::csa::server {
namespace {

constexpr std::size_t move_bytes = 7;
constexpr std::size_t seconds_digits_max = 9;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// ",T<n>" at the front of `text` is cut off; nothing when it is malformed.
std::optional<std::int64_t> take_seconds(std::string_view& text) {
  if (!text.starts_with(",T")) {
    return 1;
  }
  text.remove_prefix(2);
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits.size() <= seconds_digits_max ? base::parse_int(digits) : std::nullopt;
}

/// Legal moves from the ordinary start, or nothing.
std::optional<std::vector<ListedMove>> parse_moves(std::string_view text) {
  std::vector<ListedMove> moves;
  Referee referee(shogi::Position::startpos(), 0);
  while (!text.empty()) {
    const auto move = text.substr(0, move_bytes);
    if (moves.size() == Buoys::moves_max || !referee.play_listed(move)) {
      return std::nullopt;
    }
    text.remove_prefix(move.size());
    const auto seconds = take_seconds(text);
    if (!seconds) {
      return std::nullopt;
    }
    moves.push_back({std::string(move), *seconds});
  }
  return moves;
}

}  // namespace

std::optional<std::string> Buoys::set(std::string_view game, std::string_view moves,
                                      std::string_view count, std::string_view owner) {
  const auto name = parse_game_name(game);
  if (!name || !name->is_buoy) {
    return "wrong buoy game name: " + std::string(game);
  }
  if (buoys_.contains(game)) {
    return "duplicated buoy game name: " + std::string(game);
  }
  const auto games = count.empty() ? std::optional<std::int64_t>(1) : base::parse_int(count);
  if (!games || *games < 1 || *games > count_max) {
    return "invalid count: " + std::string(count);
  }
  auto parsed = parse_moves(moves);
  if (!parsed) {
    return "wrong moves: " + std::string(moves);
  }
  if (buoys_.size() == buoys_max) {
    return "too many buoy games";
  }
  buoys_.emplace(std::string(game), Buoy{std::move(*parsed), *games, std::string(owner)});
  return std::nullopt;
}

std::optional<std::string> Buoys::remove(std::string_view game, std::string_view owner) {
  const auto found = buoys_.find(game);
  if (found == buoys_.end()) {
    return "buoy not found: " + std::string(game);
  }
  if (found->second.owner != owner) {
    return "you are not allowed to delete a buoy game that you did not set: " + std::string(game);
  }
  buoys_.erase(found);
  return std::nullopt;
}

std::int64_t Buoys::count(std::string_view game) const {
  const auto found = buoys_.find(game);
  return found == buoys_.end() ? -1 : found->second.count;
}

std::vector<ListedMove> Buoys::take(std::string_view game) {
  const auto found = buoys_.find(game);
  if (found == buoys_.end()) {
    return {};
  }
  if (--found->second.count > 0) {
    return found->second.moves;
  }
  auto moves = std::move(found->second.moves);
  buoys_.erase(found);
  return moves;
}

}  // namespace kakehashi::csa::server
