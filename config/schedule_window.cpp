#include "config/schedule_window.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "config/setting_rule.hpp"

namespace kakehashi::config {
namespace {

constexpr std::array<std::string_view, 7> day_names{"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

std::optional<std::size_t> day_of(std::string_view name) {
  const auto found = std::find(day_names.begin(), day_names.end(), name);
  return found == day_names.end() ? std::nullopt
                                  : std::optional(static_cast<std::size_t>(found - day_names.begin()));
}

/// "mon-fri", "sat,sun", "fri-mon".
std::optional<std::array<bool, 7>> parse_days(std::string_view text) {
  std::array<bool, 7> days{};
  for (const std::string_view part : base::split(text, ',')) {
    const std::size_t dash = part.find('-');
    const auto first = day_of(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : day_of(part.substr(dash + 1));
    if (!first || !last) {
      return std::nullopt;
    }
    for (std::size_t day = *first;; day = (day + 1) % 7) {
      days[day] = true;
      if (day == *last) {
        break;
      }
    }
  }
  return days;
}

}  // namespace

std::optional<ScheduleWindow> parse_window(std::string_view text) {
  const auto words = base::split_words(text);
  if (words.empty() || words.size() > 2) {
    return std::nullopt;
  }
  ScheduleWindow window;
  window.days.fill(true);
  if (words.size() == 2) {
    const auto days = parse_days(words.front());
    if (!days) {
      return std::nullopt;
    }
    window.days = *days;
  }
  const std::string_view span = words.back();
  const std::size_t dash = span.find('-');
  if (dash == std::string_view::npos) {
    return std::nullopt;
  }
  const auto from = parse_minute(span.substr(0, dash));
  const auto until = parse_minute(span.substr(dash + 1));
  if (!from || !until || *from == *until || *from == 24 * 60) {
    return std::nullopt;
  }
  window.from = *from;
  window.until = *until;
  return window;
}

Complaint judge_window(std::string_view text) {
  if (parse_window(text)) {
    return std::nullopt;
  }
  return base::quote_for_log(text, 80) +
         " is no window; write a span of the day such as 20:00-23:30, and in front of it, where it is "
         "not for every day, the days: mon-fri 20:00-23:30 or sat,sun 10:00-24:00";
}

}  // namespace kakehashi::config
