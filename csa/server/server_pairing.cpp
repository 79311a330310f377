// Who plays whom, on which side, under which game id.
#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "base/check.hpp"
#include "csa/server/server.hpp"
#include "csa/server/summary_text.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::csa::server {
namespace {

constexpr base::Seconds agree_window{120};

bool fits(const Session& rival, const GameWish& wish) {
  return rival.status == Status::game_waiting && rival.wish->game.text == wish.game.text &&
         (!rival.wish->color || !wish.color || *rival.wish->color != *wish.color);
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

void Server::wait_for_game(Session& session, const GameWish& wish, bool challenges) {
  if (wish.game.is_floodgate && wish.color) {
    send_error(session, std::string("You are not allowed to specify TEBAN ") +
                            shogi::csa::sign(*wish.color) + " for the game " + wish.game.text);
    return;
  }
  if (wish.game.handicap && !wish.color) {
    send_error(session, "Random turn preference is not allowed for handicapped games");
    return;
  }
  stop_waiting(session);
  const bool waits_for_tick = wish.game.is_floodgate && settings_.floodgate_interval;
  auto* rival = waits_for_tick ? nullptr : find_rival(session, wish);
  if (rival == nullptr && challenges) {
    send_error(session, "can't find rival for " + wish.game.text);
    return;
  }
  session.status = Status::game_waiting;
  session.wish = wish;
  if (rival != nullptr) {
    pair(session, *rival);
  }
}

void Server::stop_waiting(Session& session) {
  session.status = Status::connected;
  session.wish.reset();
}

Session* Server::find_rival(const Session& session, const GameWish& wish) {
  for (auto* rival : players()) {
    // Floodgate pairs players with a trip only.
    const bool is_eligible = !wish.game.is_floodgate || (session.trip && rival->trip);
    if (rival != &session && is_eligible && fits(*rival, wish)) {
      return rival;
    }
  }
  return nullptr;
}

void Server::pair(Session& a, Session& b) {
  const auto game = a.wish->game;
  auto side_of_a = a.wish->color;
  if (!side_of_a && b.wish->color) {
    side_of_a = shogi::opposite(*b.wish->color);
  }
  const bool is_arranged =
      arrangement_ && (a.name == arrangement_->black || b.name == arrangement_->black);
  if (is_arranged && !side_of_a) {
    side_of_a = a.name == arrangement_->black ? shogi::Color::black : shogi::Color::white;
  }
  if (!side_of_a) {
    side_of_a = draw() % 2 == 0 ? shogi::Color::black : shogi::Color::white;
  }
  auto& black = *side_of_a == shogi::Color::black ? a : b;
  auto& white = *side_of_a == shogi::Color::black ? b : a;

  GameSetup setup;
  const bool has_event = is_arranged && !arrangement_->event.empty();
  setup.id = new_game_id(has_event ? arrangement_->event : settings_.event, game, black, white);
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

  tables_.push_back(Table{GameRoom(std::move(setup)),
                          game.text,
                          now_.wall,
                          now_.steady + agree_window,
                          {},
                          {black.player_id(), white.player_id()},
                          {},
                          {}});
  seat(tables_.back(), black, shogi::Color::black);
  seat(tables_.back(), white, shogi::Color::white);
}

void Server::seat(Table& table, Session& session, shogi::Color side) {
  session.wish.reset();
  session.deferred.clear();
  session.status = Status::agree_waiting;
  session.table = &table;
  session.side = side;
  table.seats[static_cast<std::size_t>(side)] = session.id;
  for (auto& line : summary_lines(table.room, side)) {
    send(session.id, std::move(line));
  }
}

/// At a tick everyone who waits for the same floodgate name and has a trip is paired by lot; with
/// an odd number one is left over. (The real one prefers near ratings; here nobody has one.)
void Server::pair_floodgate() {
  plan_floodgate();
  std::map<std::string, std::vector<Session*>> pools;
  for (auto* player : players()) {
    if (player->status == Status::game_waiting && player->wish->game.is_floodgate &&
        player->trip) {
      pools[player->wish->game.text].push_back(player);
    }
  }
  for (auto& [name, pool] : pools) {
    while (pool.size() >= 2) {
      const auto take_one = [this, &from = pool] {
        const auto at = static_cast<std::ptrdiff_t>(draw() % from.size());
        auto* player = from[static_cast<std::size_t>(at)];
        from.erase(from.begin() + at);
        return player;
      };
      auto* first = take_one();
      pair(*first, *take_one());
    }
  }
}

void Server::plan_floodgate() {
  KAKEHASHI_CHECK(settings_.floodgate_interval && settings_.floodgate_interval->count() > 0,
                  "ticks need an interval");
  const auto interval = *settings_.floodgate_interval;
  const auto since = now_.wall.time_since_epoch() % interval;
  next_floodgate_ = now_.steady + (interval - since);
}

std::string Server::new_game_id(const std::string& event, const GameName& game, const Session& black,
                                const Session& white) {
  // Made unique by counting on: the stamp need not be a time.
  last_stamp_ = std::max(last_stamp_ + 1, stamp_of(now_.wall));
  return event + "+" + game.text + "+" + black.name + "+" + white.name + "+" +
         std::to_string(last_stamp_);
}

/// splitmix64: small, seeded, the same everywhere.
std::uint64_t Server::draw() {
  auto z = random_state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace kakehashi::csa::server
