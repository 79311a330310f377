#include "bridge/bot/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kakehashi::bridge {
namespace {

using std::chrono::days;
using std::chrono::minutes;

/// A week, the day that is passing, and the one after.
constexpr int days_ahead = 8;

}  // namespace

Schedule::Schedule(const config::Schedule& schedule)
    : offsets_(schedule.offsets), early_(schedule.early) {
  for (const std::string& text : schedule.windows) {
    if (const auto window = config::parse_window(text)) {
      windows_.push_back(*window);
    }
  }
  if (const auto fixed = config::parse_fixed_zone(schedule.time_zone); fixed && offsets_.empty()) {
    offsets_.push_back({0, *fixed});
  }
}

base::WallTime Schedule::utc_of(base::WallTime local) const {
  // Near a change of the clocks the first guess may be on its other side.
  const base::WallTime guess = local - config::offset_at(offsets_, local);
  return local - config::offset_at(offsets_, guess);
}

std::vector<Schedule::Span> Schedule::spans_around(base::WallTime at) const {
  const auto today = std::chrono::floor<days>(at + config::offset_at(offsets_, at));
  std::vector<Span> spans;
  for (int ahead = -2; ahead <= days_ahead; ++ahead) {
    const auto day = today + days{ahead};
    const unsigned weekday = std::chrono::weekday(day).c_encoding();
    for (const config::ScheduleWindow& window : windows_) {
      if (window.days[weekday]) {
        const auto ends_on = window.span.until > window.span.from ? day : day + days{1};
        spans.push_back({utc_of(day + minutes{window.span.from}) - early_, utc_of(ends_on + minutes{window.span.until})});
      }
    }
  }
  return spans;
}

bool Schedule::is_open(base::WallTime at) const {
  if (windows_.empty()) {
    return true;
  }
  const auto spans = spans_around(at);
  return std::any_of(spans.begin(), spans.end(), [&](const Span& span) {
           return span.from <= at && at < span.until;
         });
}

std::optional<base::WallTime> Schedule::next_change(base::WallTime at) const {
  auto spans = spans_around(at);
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.from < b.from; });
  std::optional<base::WallTime> end;  // of what is open at `at`, and of what follows without a gap
  for (const Span& span : spans) {
    const bool goes_on = span.from <= end.value_or(at) && span.until > end.value_or(at);
    if (goes_on) {
      end = span.until;
    } else if (!end && span.from > at) {
      return span.from;
    }
  }
  const bool is_forever = end && *end - at > days{days_ahead - 1};
  return is_forever ? std::nullopt : end;
}

std::string Schedule::describe(base::WallTime at) const {
  constexpr std::array names{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  const base::WallTime local = at + config::offset_at(offsets_, at);
  const auto day = std::chrono::floor<days>(local);
  const auto minute = std::chrono::floor<minutes>(local - day).count();
  return fmt::format("{} {:02}:{:02}", names[std::chrono::weekday(day).c_encoding()], minute / 60, minute % 60);
}

}  // namespace kakehashi::bridge
