// Chance for the simulator: splitmix64, the same everywhere for the same seed. Each party of a story
// rolls its own dice, so that what one does never shifts what another draws.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/time.hpp"

namespace kakehashi::sim {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  /// Further dice for another party, the same for the same purpose.
  Dice(std::uint64_t seed, std::uint64_t purpose) : state_(seed * 0x9E3779B97F4A7C15U + purpose) {
    static_cast<void>(roll());
  }

  [[nodiscard]] std::uint64_t roll() {
    state_ += 0x9E3779B97F4A7C15U;
    return mix(state_);
  }
  /// 0 .. bound - 1.
  [[nodiscard]] std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(roll() % bound);
  }
  [[nodiscard]] int between(int least, int most) {
    return least + static_cast<int>(below(static_cast<std::size_t>(most - least + 1)));
  }
  [[nodiscard]] base::Millis millis(std::int64_t least, std::int64_t most) {
    return base::Millis{least + static_cast<std::int64_t>(
                                    below(static_cast<std::size_t>(most - least + 1)))};
  }
  [[nodiscard]] bool one_in(std::size_t count) { return below(count) == 0; }
  template <class Container>
  [[nodiscard]] const auto& pick(const Container& from) {
    return from[below(from.size())];
  }

  /// One scramble of a number: for choices that two parties make alike.
  [[nodiscard]] static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace kakehashi::sim
