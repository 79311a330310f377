#include "bridge/link_margin.hpp"

#include <algorithm>

namespace kakehashi::bridge {

using base::Millis;
using Micros = LinkMargin::Micros;

namespace {

Millis up(Micros time) { return std::chrono::ceil<Millis>(time); }

/// Takes a larger value at once, and lets go of an old one by an eighth at a time.
Millis fading_maximum(Millis held, Millis sample) {
  return std::max(sample, held - held / 8);
}

}  // namespace

void LinkMargin::Smoothed::take(Micros sample) {
  const Micros error = sample > mean ? sample - mean : mean - sample;
  deviation += (error - deviation) / 4;
  mean += (sample - mean) / 8;
}

void LinkMargin::take_round_trip(Micros rtt, Micros variance) {
  rtt_ = Smoothed{std::max(rtt, Micros{0}), std::max(variance, Micros{0})};
}

void LinkMargin::take_echo(Millis delay) {
  const Micros sample = std::clamp<Micros>(delay, Micros{0}, surplus_max);
  if (echo_) {
    echo_->take(sample);
  } else {
    echo_ = Smoothed{sample, sample / 2};
  }
}

void LinkMargin::take_login(Millis delay) {
  login_ = std::clamp(delay, Millis{0}, login_max);
}

void LinkMargin::take_charge(Millis used, Millis charged) {
  surplus_ = fading_maximum(surplus_, std::clamp(charged - used, Millis{0}, surplus_max));
}

void LinkMargin::take_stop(Millis delay) {
  stop_ = fading_maximum(stop_, std::clamp(delay, Millis{0}, surplus_max));
}

Micros LinkMargin::mean() const {
  return std::max({rtt_ ? rtt_->mean : Micros{0}, echo_ ? echo_->mean : Micros{0},
                   echo_ ? Micros{0} : Micros{login_}});
}

Millis LinkMargin::way() const {
  Micros longest = echo_ ? Micros{0} : Micros{login_ + login_ / 2};
  if (rtt_) {
    longest = std::max(longest, rtt_->mean + 2 * rtt_->deviation);
  }
  if (echo_) {
    longest = std::max(longest, echo_->mean + 2 * echo_->deviation);
  }
  return std::max(up(longest), surplus_);
}

std::optional<std::pair<LinkMargin::Micros, LinkMargin::Micros>> LinkMargin::round_trip() const {
  const auto& known = rtt_ ? rtt_ : echo_;
  return known ? std::optional(std::pair(known->mean, known->deviation)) : std::nullopt;
}

Millis LinkMargin::margin(Bounds bounds) const {
  if (!is_measured()) {
    return std::clamp(unmeasured, bounds.min, std::max(bounds.min, bounds.max));
  }
  // Linux, tcp_input.c: a packet is sent again after the round trip and four deviations, which count
  // as 200 ms at least.
  const Micros spread = std::max<Micros>(retransmit_min, rtt_ ? 4 * rtt_->deviation : Micros{0});
  const Millis again = up(mean() + spread);
  const Millis wanted = way() + again + std::max(stop_min, stop());
  return std::clamp(wanted, bounds.min, std::max(bounds.min, bounds.max));
}

}  // namespace kakehashi::bridge
