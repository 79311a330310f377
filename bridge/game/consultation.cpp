#include "bridge/game/consultation.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

namespace kakehashi::bridge {

using config::TeamPlay;
using Seat = Consultation::Seat;

namespace {

constexpr const char* resignation = "resign";
constexpr const char* declaration = "win";

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
  const std::int64_t plies = score->value < 0 ? -score->value : score->value;
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

bool Consultation::has_opinion() const {
  return std::any_of(members_.begin(), members_.end(), [](const Member& member) { return member.said.has_value(); });
}

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

bool Consultation::counts(Seat seat) const {
  const auto is_move = [](const Member& member) { return member.said && member.said->move != resignation; };
  return members_[seat].said && (may_resign_ || is_move(members_[seat]) || std::none_of(members_.begin(), members_.end(), is_move));
}

int Consultation::sum_for(const std::string& move) const {
  int sum = 0;
  for (const Member& member : members_) {
    sum += member.said && member.said->move == move ? member.weight : 0;
  }
  return sum;
}

std::optional<Seat> Consultation::choose() const {
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
  std::optional<Seat> best;
  for (Seat seat = 0; seat < members_.size(); ++seat) {
    if (counts(seat) && (!best || merit(seat) > merit(*best) || (merit(seat) == merit(*best) && precedes(seat, *best)))) {
      best = seat;
    }
  }
  return best;
}

/// What is still to be said may bring another move as much weight as this one's.
bool Consultation::is_overruled(Seat seat) const {
  int awaited = 0;
  for (const Member& member : members_) {
    awaited += member.search ? member.weight : 0;
  }
  const std::string& move = members_[seat].said->move;
  int other = 0;
  for (const Member& member : members_) {
    other = member.said && member.said->move != move ? std::max(other, sum_for(member.said->move)) : other;
  }
  return sum_for(move) <= other + awaited;
}

std::optional<Seat> Consultation::decided() const {
  const auto best = choose();
  if (!best || !is_awaiting() || members_[*best].said->move == declaration) {
    return best;
  }
  // A resignation that does not count is overtaken by the next move.
  if (!may_resign_ && members_[*best].said->move == resignation) {
    return std::nullopt;
  }
  switch (play_) {
    case TeamPlay::majority: return is_overruled(*best) ? std::nullopt : best;
    case TeamPlay::first_with_advice: {
      const auto speaker = first([&](Seat seat) { return is_awaited(seat) || counts(seat); });
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
