#include "rehearse/server/lobby.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"
#include "rehearse/server/referee.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::rehearse::server {

namespace {

bool fits(const GameWish& rival, const GameWish& wish) {
  return rival.game.text == wish.game.text && (!rival.color || !wish.color || *rival.color != *wish.color);
}

shogi::Position start_of(const GameName& game) {
  const auto handicap = game.handicap ? shogi::csa::handicap_start(*game.handicap) : std::nullopt;
  return handicap.value_or(shogi::Position::startpos());
}

/// 20260102030405 for that instant (UTC).
std::int64_t stamp_of(base::WallTime wall) {
  const auto day = std::chrono::floor<std::chrono::days>(wall);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<base::Seconds>(wall - day));
  const auto ymd = std::int64_t{static_cast<int>(date.year())} * 10'000 +
                   std::int64_t{static_cast<unsigned>(date.month())} * 100 +
                   static_cast<unsigned>(date.day());
  return ymd * 1'000'000 + time.hours().count() * 10'000 + time.minutes().count() * 100 +
         time.seconds().count();
}

}  // namespace

Lobby::Lobby(const PairingSettings& settings, std::uint64_t seed) : settings_(settings), random_state_(seed) {}

Lobby::Answer Lobby::wait(const Player& player, const GameWish& wish, bool challenges, base::Now now) {
  if (wish.game.is_floodgate && wish.color) {
    return Refused{std::string("You are not allowed to specify TEBAN ") + shogi::csa::sign(*wish.color) +
                   " for the game " + wish.game.text};
  }
  if (wish.game.handicap && !wish.color) {
    return Refused{"Random turn preference is not allowed for handicapped games"};
  }
  leave(player);
  const bool waits_for_tick = wish.game.is_floodgate && settings_.floodgate_interval;
  const auto* rival = waits_for_tick ? nullptr : find_rival(player, wish);
  if (rival != nullptr) {
    auto pairing = pair({player, wish}, *rival, now);
    waiting_.erase(rival->player.login_order);
    return pairing;
  }
  if (challenges) {
    return Refused{"can't find rival for " + wish.game.text};
  }
  waiting_.emplace(player.login_order, Waiting{player, wish});
  return Waits{};
}

const GameWish* Lobby::wish_of(const Player& player) const {
  const auto found = waiting_.find(player.login_order);
  return found == waiting_.end() ? nullptr : &found->second.wish;
}

const Lobby::Waiting* Lobby::find_rival(const Player& player, const GameWish& wish) const {
  for (const auto& [order, rival] : waiting_) {
    // Floodgate pairs players with a trip only.
    const bool is_eligible = !wish.game.is_floodgate || (player.trip && rival.player.trip);
    if (is_eligible && fits(rival.wish, wish)) {
      return &rival;
    }
  }
  return nullptr;
}

Pairing Lobby::pair(const Waiting& a, const Waiting& b, base::Now now) {
  const auto& game = a.wish.game;
  auto side_of_a = a.wish.color;
  if (!side_of_a && b.wish.color) {
    side_of_a = shogi::opposite(*b.wish.color);
  }
  const bool is_arranged =
      arrangement_ && (a.player.name == arrangement_->black || b.player.name == arrangement_->black);
  if (is_arranged && !side_of_a) {
    side_of_a = a.player.name == arrangement_->black ? shogi::Color::black : shogi::Color::white;
  }
  if (!side_of_a) {
    side_of_a = draw() % 2 == 0 ? shogi::Color::black : shogi::Color::white;
  }
  const auto& black = *side_of_a == shogi::Color::black ? a.player : b.player;
  const auto& white = *side_of_a == shogi::Color::black ? b.player : a.player;

  GameSetup setup;
  const bool has_event = is_arranged && !arrangement_->event.empty();
  setup.id = new_game_id(has_event ? arrangement_->event : settings_.event, game, black, white, now.wall);
  setup.names = {black.name, white.name};
  setup.clock = game.clock;
  setup.clock.least_time_s = settings_.least_time_per_move_s;
  setup.max_moves = settings_.max_moves;
  if (is_arranged && arrangement_->start) {
    setup.start = *arrangement_->start;
    setup.moves = arrangement_->moves;
  } else {
    setup.start = start_of(game);
    setup.moves = buoys_.take(game.text);
  }
  return {black, white, game.text, std::move(setup)};
}

std::vector<Pairing> Lobby::pair_at_tick(base::Now now) {
  std::vector<Pairing> pairings;
  if (!next_tick_ || *next_tick_ > now.steady) {
    return pairings;
  }
  plan_tick(now);
  std::map<std::string, std::vector<const Waiting*>> pools;
  for (const auto& [order, waiting] : waiting_) {
    if (waiting.wish.game.is_floodgate && waiting.player.trip) {
      pools[waiting.wish.game.text].push_back(&waiting);
    }
  }
  for (auto& [name, pool] : pools) {
    while (pool.size() >= 2) {
      const auto take_one = [this, &from = pool] {
        const auto at = static_cast<std::ptrdiff_t>(draw() % from.size());
        const auto* one = from[static_cast<std::size_t>(at)];
        from.erase(from.begin() + at);
        return one;
      };
      const auto* first = take_one();
      pairings.push_back(pair(*first, *take_one(), now));
    }
  }
  for (const auto& pairing : pairings) {
    leave(pairing.black);
    leave(pairing.white);
  }
  return pairings;
}

void Lobby::begin_ticks(base::Now now) {
  if (settings_.floodgate_interval && !next_tick_) {
    plan_tick(now);
  }
}

void Lobby::plan_tick(base::Now now) {
  KAKEHASHI_CHECK(settings_.floodgate_interval && settings_.floodgate_interval->count() > 0,
                  "ticks need an interval");
  const auto interval = *settings_.floodgate_interval;
  const auto since = now.wall.time_since_epoch() % interval;
  next_tick_ = now.steady + (interval - since);
}

std::string Lobby::new_game_id(const std::string& event, const GameName& game, const Player& black,
                               const Player& white, base::WallTime wall) {
  // Made unique by counting on: the stamp need not be a time.
  last_stamp_ = std::max(last_stamp_ + 1, stamp_of(wall));
  return event + "+" + game.text + "+" + black.name + "+" + white.name + "+" +
         std::to_string(last_stamp_);
}

/// splitmix64: small, seeded, the same everywhere.
std::uint64_t Lobby::draw() {
  auto z = random_state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// --- prepared starts

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

}  // namespace kakehashi::rehearse::server
