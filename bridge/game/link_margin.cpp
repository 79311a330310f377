#include "bridge/game/link_margin.hpp"

namespace kakehashi::bridge {

using base::Millis;
using Micros = LinkMargin::Micros;

namespace {

/// Fewer echoes than this say little of how much the way varies.
constexpr std::size_t echoes_few = 8;
/// Then they are taken to vary by this part of the way, and any number of them by the other: ten that lie close together
/// may have been lucky.
constexpr int deviation_parts_of_few = 12;
constexpr int deviation_parts = 64;
/// So many moves make the long memory.
constexpr int moves_remembered = 16;

Millis up(Micros time) { return std::chrono::ceil<Millis>(time); }

}  // namespace

void LinkMargin::take_round_trip(Micros rtt, Micros variance) {
  rtt_ = std::pair(std::max(rtt, Micros{0}), std::max(variance, Micros{0}));
  judge();
}

void LinkMargin::take_login(Millis delay) {
  login_ = std::clamp(delay, Millis{0}, echo_max);
  connected_in_ = rtt_ ? std::optional(rtt_->first) : std::nullopt;
  echoes_here_ = 0;
  judge();
}

void LinkMargin::take_echo(Millis delay) {
  remember_distance(delay);
  echo_.take(delay);
  ++echoes_here_;
  judge();
}

void LinkMargin::remember_distance(Millis echo) {
  if (echo_.count() < echoes_few) {
    return;
  }
  const Spread known = spread_of(echo_.samples());
  Micros& usual = usual_deviation_ ? *usual_deviation_ : usual_deviation_.emplace(known.deviation);
  // An accident counts for no more than the most that was to be expected.
  const Micros distance = std::min<Micros>(std::chrono::abs(echo - known.mean), 3 * std::max(usual, known.deviation));
  usual += (distance - usual) / moves_remembered;
}

void LinkMargin::take_charge(Millis used, Millis charged) {
  surplus_.take(charged - used);
  judge();
}

void LinkMargin::take_lateness(Millis delay) {
  late_.take(delay);
  if (is_lateness_new()) {
    late_.end_move();
  }
  judge();
}

void LinkMargin::end_move() {
  for (LastMoves* figure : {&echo_, &surplus_}) {
    figure->end_move();
  }
  // Where no turn lasts until a timer rings, what is known of it stays.
  if (late_.has_present()) {
    late_.end_move();
  }
  judge();
}

LinkMargin::Spread LinkMargin::spread_of(LastMoves::Samples samples) {
  Spread spread;
  if (samples.size() > 1) {
    samples.erase(std::max_element(samples.begin(), samples.end()));
  }
  const auto count = static_cast<Micros::rep>(samples.size());
  for (const Micros sample : samples) {
    spread.mean += sample / count;
    spread.largest = std::max(spread.largest, sample);
  }
  for (const Micros sample : samples) {
    spread.deviation += std::chrono::abs(sample - spread.mean) / count;
  }
  return spread;
}

LinkMargin::Spread LinkMargin::spread(LastMoves::Samples samples) const {
  std::optional<Millis> login = login_;
  if (login && kernel_counts()) {
    login = std::min(*login, login_max);
  }
  Spread spread;
  if (samples.empty() && login) {
    spread = {*login, Micros{0}, with_reserve(*login)};
  } else if (!samples.empty()) {
    const bool are_few = samples.size() < echoes_few;
    // A few echoes may all have been lucky: how long the connection took is one measurement more.
    if (are_few && connected_in_ && up(*connected_in_) > *std::max_element(samples.begin(), samples.end())) {
      samples.push_back(std::min<Millis>(up(*connected_in_), echo_max));
    }
    // One of them is forgiven, and what is left is to be more than a stroke of luck. A login that took much longer than
    // any echo took it for its own sake.
    if (const Millis longest = *std::max_element(samples.begin(), samples.end());
        login && (samples.size() == 1 || (are_few && *login <= 2 * longest))) {
      samples.push_back(*login);
    }
    spread = spread_of(std::move(samples));
    const Micros usual = are_few ? spread.mean / deviation_parts_of_few
                                 : std::max(spread.mean / deviation_parts, usual_deviation_.value_or(Micros{0}));
    spread.deviation = std::max(spread.deviation, usual);
  }
  if (kernel_counts()) {
    // The kernel begins with half of its first round trip for a deviation, and measures later.
    const auto& [mean, deviation] = *rtt_;
    spread.largest = std::max(spread.largest, mean + std::min(2 * deviation, mean / 2));
    spread.mean = std::max(spread.mean, mean);
  }
  return spread;
}

LinkMargin::Spread LinkMargin::lateness_spread() const {
  const LastMoves::Samples samples = late_.samples();
  return samples.size() < 2 ? Spread{} : spread_of(samples);
}

void LinkMargin::judge() {
  const LastMoves::Samples echoes = echo_.samples();
  const Spread known = spread(echoes);
  const Spread late = lateness_spread();
  const Millis lateness = up(late.most());
  Millis way = std::max(up(known.most()), surplus_.repeated());
  // The next line may be read as late as anything, though the login and the few echoes so far were not.
  if (is_measured() && echoes.size() < echoes_few) {
    const Millis shortest = echoes.empty() ? up(known.mean) : *std::min_element(echoes.begin(), echoes.end());
    way = std::max(way, shortest + lateness);
  }
  estimate_ = {way, up(known.mean), lateness, up(known.deviation + late.deviation), known.mean, known.deviation};
}

std::optional<std::pair<Micros, Micros>> LinkMargin::round_trip() const {
  if (rtt_ || echo_.count() == 0) {
    return rtt_;
  }
  const Estimate known = estimate();
  return std::pair(known.mean, known.deviation);
}

Millis LinkMargin::margin(Bounds bounds, const StopDelays& stops) const {
  const Millis most = std::max(bounds.min, bounds.max);
  if (!is_measured()) {
    return std::clamp(unmeasured, bounds.min, most);
  }
  // Linux, tcp_input.c: a packet is sent again after the round trip and four deviations, which count
  // as 200 ms at least. A packet that is lost behind a stop that was slow for once would be two
  // accidents at a time; an engine that always has to be stopped leaves the packet its time.
  const Estimate known = estimate();
  const Millis again = up(known.mean + std::max<Micros>(retransmit_min, 4 * known.deviation));
  // The engine's answer is read as late as anything.
  const Millis reserve =
      std::max({again + slack + stops.usual(), stops.expected(), 2 * known.lateness});
  return std::clamp(known.way + known.lateness + reserve, bounds.min, most);
}

}  // namespace kakehashi::bridge
