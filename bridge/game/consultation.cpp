#include "bridge/game/consultation.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace kakehashi::bridge {

using config::TeamPlay;
using Seat = Consultation::Seat;

namespace {

constexpr const char* resignation = "resign";
constexpr const char* declaration = "win";
constexpr std::int64_t plies_max = 1'000'000;

bool says_move(const Consultation::Member& member) { return member.said && member.said->move != resignation; }

/// The better, the larger: mates in few moves, then centipawns, then being mated in many, then nothing said. Who
/// resigns is no optimist.
std::tuple<int, std::int64_t> optimism(const Consultation::Member& member) {
  const auto& score = member.thought.score;
  if (member.said->move == resignation) {
    return {-3, 0};
  }
  if (!score) {
    return {-2, 0};
  }
  if (!score->is_mate) {
    return {0, score->value};
  }
  // A mate of untold length (0) may be a long one. Who says more plies than a game can have has no end of them.
  const std::int64_t told = std::clamp<std::int64_t>(score->value, -plies_max, plies_max);
  const std::int64_t plies = told == 0 ? plies_max : std::abs(told);
  return score->mate_is_lost ? std::tuple(-1, plies) : std::tuple(1, -plies);
}

}  // namespace

Consultation::Consultation(TeamPlay play, const std::vector<int>& weights, bool may_resign)
    : play_(play), may_resign_(may_resign) {
  for (const int weight : weights) {
    members_.push_back({.weight = weight});
  }
}

void Consultation::ask(Seat seat, usi::SearchId search, std::optional<base::SteadyTime> stop_at) {
  Member& member = members_[seat];
  asked_ += member.search || member.said ? 0 : 1;
  member.search = search;
  member.stop_at = stop_at;
  member.said.reset();
}

void Consultation::on_info(Seat seat, const usi::SearchInfo& info) {
  if (members_[seat].search == info.search) {
    members_[seat].thought.take(info.info);
  }
}

void Consultation::say(Seat seat, Opinion opinion) {
  members_[seat].search.reset();
  members_[seat].said = std::move(opinion);
}

bool Consultation::is_awaiting() const {
  return std::any_of(members_.begin(), members_.end(), [](const Member& member) { return member.search.has_value(); });
}

bool Consultation::is_awaiting_only(Seat seat) const {
  const auto awaited = std::count_if(members_.begin(), members_.end(), [](const Member& member) { return member.search.has_value(); });
  return awaited == 1 && is_awaited(seat);
}

bool Consultation::has_move() const { return std::any_of(members_.begin(), members_.end(), says_move); }

std::optional<base::SteadyTime> Consultation::next_stop() const {
  std::optional<base::SteadyTime> next;
  for (const Member& member : members_) {
    next = base::earlier(next, member.search ? member.stop_at : std::nullopt);
  }
  return next;
}

bool Consultation::precedes(Seat one, Seat other) const {
  if (play_ == TeamPlay::first_with_advice && (one == 0 || other == 0)) {
    return one == 0;
  }
  return members_[one].weight != members_[other].weight ? members_[one].weight > members_[other].weight : one < other;
}

template <class Is>
std::optional<Seat> Consultation::first(Is is) const {
  std::optional<Seat> found;
  for (Seat seat = 0; seat < members_.size(); ++seat) {
    if (is(seat) && (!found || precedes(seat, *found))) {
      found = seat;
    }
  }
  return found;
}

int Consultation::sum_for(const std::string& move) const {
  int sum = 0;
  for (const Member& member : members_) {
    sum += member.said && member.said->move == move ? member.weight : 0;
  }
  return sum;
}

std::optional<Seat> Consultation::choose() const {
  const auto chosen = best(may_resign_ && !is_awaiting());
  return chosen && is_awaiting() && !says_move(members_[*chosen]) ? std::nullopt : chosen;
}

std::optional<Seat> Consultation::best(bool resignations_count) const {
  if (const auto winner = first([&](Seat seat) { return members_[seat].said && members_[seat].said->move == declaration; })) {
    return winner;
  }
  const auto merit = [&](Seat seat) -> std::tuple<int, std::int64_t> {
    switch (play_) {
      case TeamPlay::majority: return {0, sum_for(members_[seat].said->move)};
      case TeamPlay::optimist: return optimism(members_[seat]);
      case TeamPlay::first_with_advice:
      case TeamPlay::standby:
      case TeamPlay::multi_ponder: return {};
    }
    return {};
  };
  const bool any_counts = resignations_count || !has_move();
  std::optional<Seat> best;
  for (Seat seat = 0; seat < members_.size(); ++seat) {
    const bool counts = members_[seat].said && (any_counts || says_move(members_[seat]));
    if (counts && (!best || merit(seat) > merit(*best) || (merit(seat) == merit(*best) && precedes(seat, *best)))) {
      best = seat;
    }
  }
  return best;
}

/// What is still to be said may bring another move more weight than this one's, or as much and a member that has the say.
bool Consultation::is_overruled(Seat seat) const {
  int awaited = 0;
  bool is_preceded = false;  // by one that is still to speak
  for (Seat other = 0; other < members_.size(); ++other) {
    awaited += is_awaited(other) ? members_[other].weight : 0;
    is_preceded = is_preceded || (is_awaited(other) && precedes(other, seat));
  }
  const std::string& move = members_[seat].said->move;
  const int sum = sum_for(move);
  bool is_overruled = awaited > sum || (awaited == sum && is_preceded);
  for (Seat other = 0; other < members_.size(); ++other) {
    const bool is_rival = members_[other].said && members_[other].said->move != move && (may_resign_ || says_move(members_[other]));
    if (is_rival) {
      const int possible = sum_for(members_[other].said->move) + awaited;
      is_overruled = is_overruled || possible > sum || (possible == sum && (is_preceded || precedes(other, seat)));
    }
  }
  return is_overruled;
}

std::optional<Seat> Consultation::decided() const {
  if (!is_awaiting()) {
    return choose();
  }
  const auto best = this->best(may_resign_);
  if (!best || members_[*best].said->move == declaration) {
    return best;
  }
  // A resignation that does not count is overtaken by the next move.
  if (!may_resign_ && !says_move(members_[*best])) {
    return std::nullopt;
  }
  switch (play_) {
    case TeamPlay::majority: return is_overruled(*best) ? std::nullopt : best;
    case TeamPlay::first_with_advice: {
      const auto speaker = first([&](Seat seat) { return is_awaited(seat) || seat == best; });
      return speaker == best ? best : std::nullopt;
    }
    case TeamPlay::optimist:
    case TeamPlay::standby:
    case TeamPlay::multi_ponder: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Seat> Consultation::first_with_line() const {
  return first([&](Seat seat) { return !members_[seat].thought.pv.empty(); });
}

}  // namespace kakehashi::bridge
