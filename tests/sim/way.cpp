#include "sim/way.hpp"

#include <algorithm>

namespace kakehashi::sim {

using base::Millis;

namespace {

/// RFC 6298 and Linux: the first repetition comes a round trip and 200 ms after the segment, each pause is
/// twice the one before, up to two minutes.
constexpr Millis repetition_min{200};
constexpr Millis repetition_max{120'000};

}  // namespace

const Way::Gap* Way::gap_at(Direction direction, Millis at) const {
  for (const Gap& gap : gaps_) {
    if ((direction == Direction::up ? gap.up : gap.down) && gap.from <= at && at < gap.to) {
      return &gap;
    }
  }
  return nullptr;
}

bool Way::is_out(Millis at) const {
  const Gap* gap = gap_at(Direction::up, at);
  return gap != nullptr && !gap->is_queue;
}

Millis Way::arrival(Direction direction, Millis sent, Millis delay) const {
  Millis at = sent;
  Millis released{0};
  Millis pause = repetition_min + 2 * ordinary_max();
  while (const Gap* gap = gap_at(direction, at)) {
    if (gap->is_queue) {
      released = std::max(released, gap->to);
      break;
    }
    at += pause;
    pause = std::min(2 * pause, repetition_max);
  }
  return std::max(at + delay, released);
}

Millis Way::arrival_behind(Direction direction, Millis last, Millis sent, Millis delay) const {
  const Gap* gap = gap_at(direction, sent);
  return std::max(last, gap == nullptr || gap->to <= last ? sent + delay
                                                          : arrival(direction, sent, delay));
}

}  // namespace kakehashi::sim
