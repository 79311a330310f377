#include "config/setting_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "config/schema/text.hpp"

namespace kakehashi::config {
namespace {

using base::Message;
using base::Millis;
using base::quoted;
using base::say;

constexpr int minutes_a_day = 24 * 60;

Message colors() { return say("{}, {}", std::string("black"), std::string("white")); }

/// Both ends belong to it.
struct TimeRange {
  Millis min{0};
  std::optional<Millis> max{};
};

/// "10s", "1min-", "-10min", "1s-10s".
std::optional<TimeRange> parse_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto low = base::trim(text.substr(0, dash));
  const auto high = dash == std::string_view::npos ? low : base::trim(text.substr(dash + 1));
  const auto min = low.empty() ? base::Result<Millis>(Millis{0}) : read_duration(low);
  const auto max = read_duration(high);
  const bool is_open = high.empty() && !low.empty();
  if (!min || !(is_open || (max && *max >= *min))) {
    return std::nullopt;
  }
  return TimeRange{*min, is_open ? std::nullopt : std::optional(*max)};
}

bool is_in_span(const DaySpan& span, int minute) {
  return span.from < span.until ? minute >= span.from && minute < span.until
                                : minute >= span.from || minute < span.until;
}

bool is_in_range(std::string_view text, Millis time) {
  const auto range = parse_range(text);
  return range && time >= range->min && (!range->max || time <= *range->max);
}

bool holds(Aspect aspect, const std::string& text, const GameFacts& facts) {
  switch (aspect) {
    case Aspect::game_name: return fits(text, facts.game_name);
    case Aspect::opponent: return facts.opponent && fits(text, *facts.opponent);
    case Aspect::color:
      return facts.color && (text == "black") == (*facts.color == shogi::Color::black);
    case Aspect::time_of_day: {
      const auto span = parse_span(text);
      return span && facts.minute_of_day && is_in_span(*span, *facts.minute_of_day);
    }
    case Aspect::total: return facts.total && is_in_range(text, *facts.total);
    case Aspect::byoyomi: return facts.byoyomi && is_in_range(text, *facts.byoyomi);
    case Aspect::increment: return facts.increment && is_in_range(text, *facts.increment);
  }
  return false;
}

std::string spell_minute(int minute) { return fmt::format("{:02}:{:02}", minute / 60, minute % 60); }

/// What the game has there, or nothing when it is not known.
std::optional<Message::Part> fact(Aspect aspect, const GameFacts& facts) {
  using Part = std::optional<Message::Part>;
  const auto spelled = [](const std::optional<Millis>& time) {
    return time ? Part(spell_duration(*time)) : std::nullopt;
  };
  switch (aspect) {
    case Aspect::game_name: return quoted(facts.game_name);
    case Aspect::opponent: return facts.opponent ? Part(quoted(*facts.opponent)) : std::nullopt;
    case Aspect::color:
      return facts.color ? Part(std::string(*facts.color == shogi::Color::black ? "black" : "white")) : std::nullopt;
    case Aspect::time_of_day: return facts.minute_of_day ? Part(spell_minute(*facts.minute_of_day)) : std::nullopt;
    case Aspect::total: return spelled(facts.total);
    case Aspect::byoyomi: return spelled(facts.byoyomi);
    case Aspect::increment: return spelled(facts.increment);
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> parse_minute(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') {
    return std::nullopt;
  }
  const auto hours = base::parse_int(text.substr(0, 2));
  const auto minutes = base::parse_int(text.substr(3));
  if (!hours || !minutes || *hours < 0 || *minutes < 0 || *minutes > 59) {
    return std::nullopt;
  }
  const auto all = static_cast<int>(*hours * 60 + *minutes);
  return all <= minutes_a_day ? std::optional(all) : std::nullopt;
}

std::optional<DaySpan> parse_span(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) {
    return std::nullopt;
  }
  const auto from = parse_minute(base::trim(text.substr(0, dash)));
  const auto until = parse_minute(base::trim(text.substr(dash + 1)));
  if (!from || !until || *from == *until) {
    return std::nullopt;
  }
  return DaySpan{*from, *until};
}

const char* path_of(Aspect aspect) {
  return aspect_texts()[static_cast<std::size_t>(aspect)].path;
}

const std::array<AspectText, aspects>& aspect_texts() {
  static const std::array<AspectText, aspects> all{{
      {Aspect::game_name, "game_name",
       say("a text; * stands for any text, ? for any one character"),
       say("The game's name, as the server's Game_ID has it (floodgate-300-10F); where it has none, game.name.")},
      {Aspect::opponent, "opponent",
       say("a text; * stands for any text, ? for any one character"), say("The opponent's account.")},
      {Aspect::color, "color", colors(), say("Our side.")},
      {Aspect::time_of_day, "time_of_day",
       say("from 00:00 to 24:00, as in 20:00-06:30"),
       say("When the game is offered, by this machine's clock and zone; a span may cross midnight.")},
      {Aspect::total, "clock.total",
       say("a duration, or from-to, as in 1min-10min, 10min- or -10min"),
       say("The whole time of our clock; 0s where there is none.")},
      {Aspect::byoyomi, "clock.byoyomi", say("as clock.total"),
       say("Its byoyomi; 0s where there is none.")},
      {Aspect::increment, "clock.increment", say("as clock.total"),
       say("What each move adds; 0s where nothing.")},
  }};
  return all;
}

Complaint judge_condition(Aspect aspect, std::string_view text) {
  if (text.empty() || text.size() > text_bytes_max) {
    return say("must not be empty");
  }
  switch (aspect) {
    case Aspect::game_name:
    case Aspect::opponent: return std::nullopt;
    case Aspect::color:
      if (text == "black" || text == "white") {
        return std::nullopt;
      }
      return say("must be black or white, not {}", quoted(text, 40));
    case Aspect::time_of_day:
      if (parse_span(text)) {
        return std::nullopt;
      }
      return say("must be two times of day such as 20:00-06:30, not {}", quoted(text, 40));
    case Aspect::total:
    case Aspect::byoyomi:
    case Aspect::increment:
      if (parse_range(text)) {
        return std::nullopt;
      }
      return say("must be a duration such as 10s, or a range of them such as 1min-10min, 10min- or -10min, not {}",
                 quoted(text, 40));
  }
  return std::nullopt;
}

std::optional<Message> why_not(const SettingRule& rule, const GameFacts& facts) {
  for (const Condition& condition : rule.when) {
    const bool does_hold =
        std::any_of(condition.texts.begin(), condition.texts.end(),
                    [&](const std::string& text) { return holds(condition.aspect, text, facts); });
    if (!does_hold) {
      const std::string path = path_of(condition.aspect);
      const auto seen = fact(condition.aspect, facts);
      return seen ? say("{} is {}, not {}", path, *seen, base::choices(condition.texts)) : say("{} is not known", path);
    }
  }
  return std::nullopt;
}

Message describe_when(const SettingRule& rule) {
  std::vector<Message> conditions;
  conditions.reserve(rule.when.size());
  for (const Condition& condition : rule.when) {
    conditions.push_back(say("{} {}", std::string(path_of(condition.aspect)), base::choices(condition.texts)));
  }
  return conditions.empty() ? say("always") : base::listed(conditions);
}

bool fits(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t in = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resumed = 0;
  while (in < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      resumed = in;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[in])) {
      ++at;
      ++in;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in = ++resumed;  // the star takes one byte more
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

}  // namespace kakehashi::config
