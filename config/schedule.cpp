#include "config/schedule.hpp"

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"

namespace kakehashi::config {

using base::quoted;
using base::say;

// --- windows

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
  const auto span = parse_span(words.back());
  if (!span || span->from == 24 * 60) {
    return std::nullopt;
  }
  window.span = *span;
  return window;
}

Complaint judge_window(std::string_view text) {
  if (parse_window(text)) {
    return std::nullopt;
  }
  return say("{} is no window; write a span of the day such as 20:00-23:30, and in front of it, where it is not for "
             "every day, the days: mon-fri 20:00-23:30 or sat,sun 10:00-24:00",
             quoted(text, 80));
}

// --- time zones

namespace {

constexpr std::size_t head_bytes = 44;
/// How far a table must reach where summer times come and go.
constexpr std::chrono::hours table_reach_min{24 * 365 * 2};

std::int64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  }
  return size == 4 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(value))
                   : static_cast<std::int64_t>(value);
}

/// The counts of a header, in the order of RFC 9636, 3.1.
struct Head {
  std::size_t utc, standard, leaps, changes, types, letters;

  [[nodiscard]] std::size_t body_bytes(std::size_t time_bytes) const {
    return changes * (time_bytes + 1) + types * 6 + letters + leaps * (time_bytes + 4) + standard + utc;
  }
};

std::optional<Head> read_head(std::string_view bytes) {
  constexpr std::size_t count_max = 100'000;
  if (bytes.size() < head_bytes || !bytes.starts_with("TZif")) {
    return std::nullopt;
  }
  std::array<std::size_t, 6> counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::int64_t count = number_at(bytes, 20 + 4 * i, 4);
    if (count < 0 || count > static_cast<std::int64_t>(count_max)) {
      return std::nullopt;
    }
    counts[i] = static_cast<std::size_t>(count);
  }
  return Head{counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]};
}

}  // namespace

std::optional<std::chrono::seconds> parse_fixed_zone(std::string_view text) {
  if (text == "UTC") {
    return std::chrono::seconds{0};
  }
  if (text.empty() || (text.front() != '+' && text.front() != '-')) {
    return std::nullopt;
  }
  const auto minutes = parse_minute(text.substr(1));
  if (!minutes || *minutes > 18 * 60) {
    return std::nullopt;
  }
  return std::chrono::minutes{text.front() == '-' ? -*minutes : *minutes};
}

base::Result<std::vector<ZoneOffset>> read_zone_file(std::string_view bytes, base::WallTime now) {
  const auto unreadable = base::fail(say("is not a zone file that can be read (TZif, version 2 or later)"));
  const auto first = read_head(bytes);
  if (!first || bytes[4] < '2' || bytes.size() < head_bytes + first->body_bytes(4)) {
    return unreadable;
  }
  bytes.remove_prefix(head_bytes + first->body_bytes(4));
  const auto head = read_head(bytes);
  if (!head || head->types == 0 || bytes.size() < head_bytes + head->body_bytes(8)) {
    return unreadable;
  }
  const std::size_t kinds = head_bytes + head->changes * 8;
  const std::size_t types = kinds + head->changes;
  const std::int64_t now_s = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  const auto ahead_by = [&](std::size_t type) {
    return std::chrono::seconds{number_at(bytes, types + type * 6, 4)};
  };
  std::vector<ZoneOffset> offsets{{0, ahead_by(0)}};
  for (std::size_t i = 0; i < head->changes; ++i) {
    const auto type = static_cast<std::size_t>(static_cast<unsigned char>(bytes[kinds + i]));
    if (type >= head->types) {
      return unreadable;
    }
    const ZoneOffset change{number_at(bytes, head_bytes + i * 8, 8), ahead_by(type)};
    if (change.since_s <= now_s) {
      offsets.clear();
    }
    offsets.push_back(change);
  }
  const std::string_view rule = bytes.substr(head_bytes + head->body_bytes(8));
  if (rule.find(',') != std::string_view::npos &&
      offsets.back().since_s < now_s + std::chrono::seconds{table_reach_min}.count()) {
    return base::fail(say("tells of summer times by a rule alone, which is not read; give a fixed zone such as "
                          "+01:00, or install Debian's tzdata"));
  }
  return offsets;
}

std::chrono::seconds offset_at(const std::vector<ZoneOffset>& offsets, base::WallTime at) {
  const std::int64_t at_s = std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
  std::chrono::seconds ahead{0};
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (i == 0 || offsets[i].since_s <= at_s) {
      ahead = offsets[i].ahead;
    }
  }
  return ahead;
}

Complaint judge_zone(std::string_view text) {
  const bool is_name = !text.empty() && text.size() <= 64 && text.front() != '/' &&
                       text.find("..") == std::string_view::npos &&
                       text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/_+-") ==
                           std::string_view::npos;
  if (is_name || parse_fixed_zone(text)) {
    return std::nullopt;
  }
  return say("must be local, UTC, an offset such as +09:00, or a zone such as Asia/Tokyo, not {}", quoted(text, 80));
}

}  // namespace kakehashi::config
