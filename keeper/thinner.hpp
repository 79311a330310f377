// Thins the engine's `info` for a thin link: of each kind the last one, ten times a second at most. Whatever else
// the engine says goes through at once, behind the info that was said before it. Pure; time is an argument.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace kakehashi::keeper {

class Thinner {
 public:
  /// What may be passed on now, in order.
  [[nodiscard]] std::vector<std::string> take(std::string line, base::SteadyTime now);
  /// What has waited long enough.
  [[nodiscard]] std::vector<std::string> due(base::SteadyTime now);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;

  static constexpr base::Millis pause{100};
  /// Of kinds told apart; further ones count as one.
  static constexpr std::size_t kinds_max = 64;

 private:
  struct Kind {
    base::SteadyTime free_at;
    std::string waiting{};  ///< the last one that found no room yet; empty: none
    std::size_t order = 0;  ///< among those that wait
  };

  [[nodiscard]] std::vector<std::string> flush(base::SteadyTime now, bool all);

  std::map<std::string, Kind, std::less<>> kinds_;
  std::size_t waited_ = 0;
};

/// "1 pv" for a line of the first variation, "string", "currmove": what an info line replaces an earlier one of.
[[nodiscard]] std::string kind_of_info(std::string_view line);

}  // namespace kakehashi::keeper
