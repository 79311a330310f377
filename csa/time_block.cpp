#include "csa/time_block.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace kakehashi::csa {

namespace {

using base::Millis;

/// "1sec", "200msec", "min": "msec" is tried before "sec", which it ends with.
std::optional<Millis> parse_unit(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto count = digits == 0 ? std::optional<std::int64_t>(1)
                                 : base::parse_int(text.substr(0, digits));
  const std::string_view unit = text.substr(digits);
  if (!count || *count < 1 || *count > 1'000'000) {
    return std::nullopt;
  }
  if (unit == "msec") {
    return Millis{*count};
  }
  if (unit == "sec") {
    return Millis{*count * 1'000};
  }
  if (unit == "min") {
    return Millis{*count * 60'000};
  }
  return std::nullopt;
}

/// "…-900-060+…": a byoyomi with a leading zero in the game name's tail, where both numbers are those of the
/// block itself. A date or a player's name may end like that too.
bool names_stop_watch(std::string_view game_id, std::int64_t total_time, std::int64_t byoyomi) {
  for (const std::string_view piece : base::split(game_id, '+')) {
    const auto fields = base::split(piece, '-');
    if (fields.size() < 3) {
      continue;
    }
    const std::string_view last = fields.back();
    const std::string_view total = fields[fields.size() - 2];
    if (last.size() > 1 && last.front() == '0' && base::parse_int(last) == byoyomi &&
        base::parse_int(total) == total_time) {
      return true;
    }
  }
  return false;
}

Millis times(Millis unit, std::int64_t count) {
  constexpr Millis day = std::chrono::hours{24};
  return std::clamp(count, std::int64_t{0}, day / unit + 1) * unit;
}

}  // namespace

std::optional<std::string> TimeBlock::feed(std::string_view key, std::string_view value) {
  const std::string line = std::string(key) + ":" + std::string(value);
  if (key == "Time_Unit") {
    const auto unit = parse_unit(value);
    if (!unit) {
      return "unknown time unit in " + base::quote_for_log(line) + "; seconds are assumed";
    }
    unit_ = *unit;
    unit_is_minute_ = unit_ == Millis{60'000};
    return std::nullopt;
  }
  if (key == "Time_Roundup") {
    rounds_up_ = value == "YES";
    return std::nullopt;
  }
  std::int64_t discarded = 0;
  std::int64_t* target = key == "Byoyomi"               ? &byoyomi_
                         : key == "Increment"           ? &increment_
                         : key == "Delay"               ? &delay_
                         : key == "Least_Time_Per_Move" ? &least_
                                                        : &discarded;
  const auto number = base::parse_int(value);
  const bool is_total = key == "Total_Time";
  if (!is_total && target == &discarded) {
    return "unknown key in the time block: " + base::quote_for_log(line);
  }
  if (!number || *number < 0) {
    return "not a time: " + base::quote_for_log(line);
  }
  if (is_total) {
    total_ = *number;
  } else {
    *target = *number;
  }
  return std::nullopt;
}

TimeControl TimeBlock::finish(std::string_view game_id) const {
  TimeControl control;
  control.is_stop_watch = unit_is_minute_ && total_ && names_stop_watch(game_id, *total_, byoyomi_);
  const Millis unit = control.is_stop_watch ? Millis{1'000} : unit_;
  if (total_) {
    control.total = times(unit, *total_);
  }
  control.byoyomi = times(unit, byoyomi_);
  control.increment = times(unit, increment_);
  control.delay = times(unit, delay_);
  control.least_time_per_move = times(unit, least_);
  control.rounds_up = rounds_up_;
  control.unit = unit;
  return control;
}

}  // namespace kakehashi::csa
