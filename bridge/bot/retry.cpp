#include "bridge/bot/retry.hpp"

#include <algorithm>

namespace kakehashi::bridge {

Retry::Retry(base::Millis first, base::Millis longest, std::uint64_t seed)
    : first_(first), longest_(std::max(first, longest)), step_(first), random_(seed) {}

base::Millis Retry::next(base::Millis at_least) {
  // splitmix64: small, seedable and good enough to spread attempts.
  random_ += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = random_;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
  mixed ^= mixed >> 31;

  const auto quarter = static_cast<std::uint64_t>(step_.count() / 4);
  const auto shorter = static_cast<base::Millis::rep>(quarter == 0 ? 0 : mixed % (quarter + 1));
  const base::Millis pause = std::max(at_least, step_ - base::Millis{shorter});
  step_ = std::min(longest_, step_ * 2);
  return pause;
}

}  // namespace kakehashi::bridge
