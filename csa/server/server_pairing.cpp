// Who plays whom, on which side, from which start, under which game id.
#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"
#include "csa/server/server.hpp"
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

}  // namespace kakehashi::csa::server
