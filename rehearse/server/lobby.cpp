#include "rehearse/server/lobby.hpp"

#include <fmt/chrono.h>

#include <algorithm>

#include "base/check.hpp"
#include "base/text.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::rehearse::server {

namespace {

bool fits(const GameWish& rival, const GameWish& wish) {
  return rival.game.text == wish.game.text && (!rival.color || !wish.color || *rival.color != *wish.color);
}

/// 20260102030405 for that instant (UTC).
std::int64_t stamp_of(base::WallTime wall) {
  return base::parse_int(fmt::format("{:%Y%m%d%H%M%S}", base::calendar(wall))).value_or(0);
}

}  // namespace

Lobby::Lobby(const PairingSettings& settings, std::uint64_t seed) : settings_(settings), random_state_(seed) {}

Lobby::Answer Lobby::wait(const Player& player, const GameWish& wish, base::Now now) {
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
  const bool has_black =
      arrangement_ && (a.player.name == arrangement_->black || b.player.name == arrangement_->black);
  const bool is_arranged = has_black || (arrangement_ && arrangement_->black.empty());
  if (has_black && !side_of_a) {
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
    setup.start = game.handicap ? *shogi::csa::handicap_start(*game.handicap) : shogi::Position::startpos();
  }
  return {black, white, std::move(setup)};
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

}  // namespace kakehashi::rehearse::server
