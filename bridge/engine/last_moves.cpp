#include "bridge/engine/last_moves.hpp"

#include <algorithm>
#include <cstddef>

namespace kakehashi::bridge {

using base::Millis;

void LastMoves::take(Millis sample) {
  moves_.front() = std::max(moves_.front().value_or(Millis{0}), std::clamp(sample, Millis{0}, most_));
  judge();
}

void LastMoves::end_move() {
  std::rotate(moves_.begin(), moves_.end() - 1, moves_.end());
  moves_.front().reset();
  judge();
}

std::size_t LastMoves::count() const {
  const auto known = std::count_if(moves_.begin(), moves_.end(), [](const auto& sample) { return sample.has_value(); });
  return static_cast<std::size_t>(known);
}

LastMoves::Samples LastMoves::samples() const {
  Samples known;
  for (const auto& sample : moves_) {
    if (sample) {
      known.push_back(*sample);
    }
  }
  return known;
}

/// A clock runs when it is asked for, and none when something is taken.
void LastMoves::judge() {
  Millis largest{0};
  repeated_ = Millis{0};
  for (const auto& sample : moves_) {
    const Millis one = sample.value_or(Millis{0});
    repeated_ = std::max(repeated_, std::min(one, largest));
    largest = std::max(largest, one);
  }
}

std::optional<Millis> LastMoves::middle() const {
  Samples known = samples();
  if (known.size() < few) {
    return std::nullopt;
  }
  const auto at = known.begin() + static_cast<std::ptrdiff_t>((known.size() - 1) / 2);
  std::nth_element(known.begin(), at, known.end());
  return *at;
}

Millis LastMoves::lately() const {
  Millis largest{0};
  for (std::size_t i = 0; i < late_moves; ++i) {
    largest = std::max(largest, moves_[i].value_or(Millis{0}));
  }
  return largest;
}

Millis StopDelays::expected() const { return with_reserve(std::max(delays_.repeated(), delays_.lately())); }

}  // namespace kakehashi::bridge
