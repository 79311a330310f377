#include "games/game_filter.hpp"

#include <algorithm>
#include <array>

#include "base/read_calendar.hpp"
#include "base/text.hpp"

namespace kakehashi::games {

namespace {

using base::say;

constexpr std::size_t value_bytes_max = 1024;

/// As a form spells it; one with a broken escape as it stands.
std::string decoded(std::string text) {
  std::replace(text.begin(), text.end(), '+', ' ');
  return base::percent_decoded(text).value_or(text);
}

}  // namespace

std::optional<std::int64_t> parse_instant(std::string_view text, std::int64_t now_ms) {
  constexpr std::int64_t hour_ms = 3'600'000;
  constexpr std::int64_t hours_max = std::int64_t{24} * 366 * 100;
  if (text.size() > 1 && (text.back() == 'd' || text.back() == 'h')) {
    const auto count = base::parse_int(text.substr(0, text.size() - 1));
    const std::int64_t unit = text.back() == 'd' ? 24 : 1;
    if (!count || *count < 0 || *count > hours_max / unit) {
      return std::nullopt;
    }
    return now_ms - *count * unit * hour_ms;
  }
  if (text.size() != 10 && text.size() != 16) {
    return std::nullopt;
  }
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), 'T', ' ');
  auto found = base::read_calendar(spaced, "%Y-%m-%d %H:%M");
  found = found ? found : base::read_calendar(spaced, "%Y-%m-%d");
  return found ? std::optional<std::int64_t>(found->time_since_epoch().count()) : std::nullopt;
}

std::optional<base::Message> set_condition(GameFilter& filter, std::string_view name,
                                           std::string_view value, std::int64_t now_ms) {
  constexpr std::array<std::string_view, 4> outcomes{"win", "lose", "draw", "none"};
  const auto shown = base::quoted(value, 80);
  if (value.size() > value_bytes_max) {
    return say("{} is too long", name);
  }
  if (name == "bot") {
    filter.bot = value;
  } else if (name == "opponent") {
    filter.opponent = value;
  } else if (name == "game") {
    filter.game_name = value;
  } else if (name == "result") {
    if (std::ranges::find(outcomes, value) == outcomes.end()) {
      return say("result is win, lose, draw or none, not {}", shown);
    }
    filter.outcome = value;
  } else if (name == "color") {
    if (value != "black" && value != "white") {
      return say("color is black or white, not {}", shown);
    }
    filter.is_black = value == "black";
  } else if (name == "since" || name == "until") {
    const auto instant = parse_instant(value, now_ms);
    if (!instant) {
      return say("{} is a date such as 2026-01-31, a time such as 2026-01-31T18:00 (UTC), or a span such as 7d or 12h, "
                 "not {}", name, shown);
    }
    (name == "since" ? filter.since_ms : filter.until_ms) = instant;
  } else if (name == "before" || name == "limit") {
    const auto number = base::parse_int(value);
    if (!number || *number < 1 || (name == "limit" && *number > GameFilter::limit_max)) {
      return name == "limit" ? say("{} is a whole number from 1 on to {}, not {}", name, GameFilter::limit_max, shown)
                             : say("{} is a whole number from 1 on, not {}", name, shown);
    }
    if (name == "before") {
      filter.before_id = number;
    } else {
      filter.limit = *number;
    }
  } else {
    return say("there is no condition {}; there are bot, opponent, game, result, color, since, until, before and limit",
               base::quoted(name, 80));
  }
  return std::nullopt;
}

base::Result<GameFilter, base::Message> parse_query(std::string_view query, std::int64_t now_ms) {
  GameFilter filter;
  for (const std::string_view pair : base::split(query, '&')) {
    const auto equals = pair.find('=');
    const std::string name = decoded(std::string(pair.substr(0, equals)));
    const std::string value =
        equals == std::string_view::npos ? "" : decoded(std::string(pair.substr(equals + 1)));
    if (value.empty()) {
      continue;  // an empty field of a form
    }
    if (auto why = set_condition(filter, name, value, now_ms)) {
      return base::Failure<base::Message>{std::move(*why)};
    }
  }
  return filter;
}

}  // namespace kakehashi::games
