// What a supervisor shows of a bot (systemd's STATUS): connected, waiting since when, or the game in
// one line. Pure but for the zone in which times are told; who is told it is the fleet's business.
#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "bridge/view.hpp"

namespace kakehashi::bridge::fleet::io {

class ServiceStatus {
 public:
  /// Whether it is time to look again: engines change their minds many times a second, and a view
  /// costs a copy of the game. A new phase need not wait for it.
  [[nodiscard]] bool is_due(base::SteadyTime now) const;

  /// The line, when it is another than the last.
  [[nodiscard]] std::optional<std::string> observe(const View& view, const base::Now& now);

  static constexpr base::Millis interval_min{1'000};

 private:
  std::optional<Phase> phase_;
  std::string since_;
  std::string told_;
  std::optional<base::SteadyTime> looked_at_;
};

/// "waiting for a game since 14:03, 2 games finished"; "playing "floodgate-bot" as black, move 37,
/// +123 at depth 18": the evaluation from our own side. `since` is a time for people.
[[nodiscard]] std::string describe_for_service(const View& view, const std::string& since);

}  // namespace kakehashi::bridge::fleet::io
