// Bounds what a flood of `info` lines costs: of each second so many pass, and of what is held back
// the latest goes on ahead of the next line that is no `info`. Owns what it holds back, at most a
// line of each kind; must not know processes, nor read a clock.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace kakehashi::usi {

class InfoSieve {
 public:
  struct Sifted {
    std::vector<std::string> lines;  ///< what passes, in its order
    std::size_t dropped = 0;         ///< held back, and replaced by a later one of their kind
  };

  /// Takes the lines of one read. Every line that is not `info` passes. Of the others the last ones
  /// pass, as many as the time allows, and the last of each kind (with a pv, without one, words for
  /// people) before the next line that is not `info`: the last evaluation stands before `bestmove`.
  [[nodiscard]] Sifted sift(const std::vector<std::string_view>& lines, base::SteadyTime now);

  /// At once after a pause; what an engine prints for a deep MultiPV search fits.
  static constexpr double infos_at_once_max = 512;
  static constexpr double infos_a_second_max = 2'000;

 private:
  void refill(base::SteadyTime now);
  void release(Sifted& sifted);

  static constexpr std::size_t kinds = 3;
  std::array<std::optional<std::string>, kinds> held_;
  double allowed_ = infos_at_once_max;
  std::optional<base::SteadyTime> refilled_at_;
};

}  // namespace kakehashi::usi
