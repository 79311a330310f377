// The pause before the next attempt: doubling from a first value to a maximum, with jitter so that
// many bots that lost one server do not come back in step. Pure: the seed is given in.
#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace kakehashi::bridge {

class Retry {
 public:
  /// `first` > 0, `longest` >= `first`.
  Retry(base::Millis first, base::Millis longest, std::uint64_t seed);

  /// The pause for the next attempt: between three quarters and the whole of the present step,
  /// and never shorter than `at_least` (a server's own wish). The step then doubles.
  [[nodiscard]] base::Millis next(base::Millis at_least = base::Millis{0});
  /// Something worked: the next pause is the first one again.
  void reset() { step_ = first_; }

 private:
  base::Millis first_;
  base::Millis longest_;
  base::Millis step_;
  std::uint64_t random_;
};

}  // namespace kakehashi::bridge
