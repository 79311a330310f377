// When a bot plays: its windows, at a given instant. Pure; it knows no bot and reads no clock.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "config/game_config.hpp"
#include "config/schedule.hpp"

namespace kakehashi::bridge {

class Schedule {
 public:
  /// Windows that cannot be read are none: the loader has refused them. Where offsets are not filled
  /// in, a zone that tells its own offset counts, else UTC.
  explicit Schedule(const config::Schedule& schedule);

  /// Whether the bot plays by the clock at all.
  [[nodiscard]] bool has_windows() const { return !windows_.empty(); }
  /// Within a window, or so little before one that it is time to log in; always without windows.
  [[nodiscard]] bool is_open(base::WallTime at) const;
  /// When that changes next; nothing where it never does, within nine days.
  [[nodiscard]] std::optional<base::WallTime> next_change(base::WallTime at) const;

  /// "Mon 20:00", in the zone of the schedule.
  [[nodiscard]] std::string describe(base::WallTime at) const;

 private:
  struct Span {
    base::WallTime from;
    base::WallTime until;
  };

  /// All openings around an instant: from the day before on.
  [[nodiscard]] std::vector<Span> spans_around(base::WallTime at) const;
  [[nodiscard]] base::WallTime utc_of(base::WallTime local) const;

  std::vector<config::ScheduleWindow> windows_;
  std::vector<config::ZoneOffset> offsets_;
  base::Millis early_;
};

}  // namespace kakehashi::bridge
