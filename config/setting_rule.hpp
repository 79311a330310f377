// Rules that choose settings for one game by what is known of it before it is agreed on: its name,
// its clock, the opponent, our color, the time of day. Pure: it reads no clock and no file, and it
// knows neither CSA nor an engine.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"
#include "base/time.hpp"
#include "config/schema/text.hpp"
#include "shogi/move.hpp"

namespace kakehashi::config {

/// What a condition looks at.
enum class Aspect { game_name, opponent, color, time_of_day, total, byoyomi, increment };

/// For people: the word in `when`, and what may stand behind it.
struct AspectText {
  Aspect aspect;
  const char* path;  ///< "clock.total"
  base::Message accepted;
  base::Message meaning;
};
inline constexpr std::size_t aspects = 7;
[[nodiscard]] const std::array<AspectText, aspects>& aspect_texts();

[[nodiscard]] const char* path_of(Aspect aspect);

/// Holds when any of its texts fits.
struct Condition {
  Aspect aspect = Aspect::game_name;
  std::vector<std::string> texts;

  friend bool operator==(const Condition&, const Condition&) = default;
};

/// One setting as a plain name and texts: what a rule sets, and what a journal repeats a run by. "server.port" and
/// {"4081"}; a list has several values, a key that is not set none at all.
struct PlainSetting {
  std::string key;
  std::vector<std::string> values;

  friend bool operator==(const PlainSetting&, const PlainSetting&) = default;
};

/// Applies when all of its conditions hold; without any, always.
struct SettingRule {
  std::vector<Condition> when;
  std::vector<PlainSetting> set;  ///< in the written order; engine.options one by one
  int line = 0;                   ///< of the file it stands in

  friend bool operator==(const SettingRule&, const SettingRule&) = default;
};

/// What is known of a game. A condition on something unknown does not hold.
struct GameFacts {
  std::string game_name;  ///< "floodgate-300-10F"
  std::optional<std::string> opponent{};
  std::optional<shogi::Color> color{};
  std::optional<base::Millis> total{};  ///< of our own clock
  std::optional<base::Millis> byoyomi{};
  std::optional<base::Millis> increment{};
  std::optional<int> minute_of_day{};  ///< 0 to 1439, local
};

/// "20:30" as minutes after midnight; "24:00" is the day's end.
[[nodiscard]] std::optional<int> parse_minute(std::string_view text);

/// A part of the day, in minutes after midnight.
struct DaySpan {
  int from = 0;
  int until = 0;  ///< excluded; before `from`: on the next day
};
/// "20:00-06:30"; nothing where it has no length.
[[nodiscard]] std::optional<DaySpan> parse_span(std::string_view text);

/// What is wrong with a condition's text, as the end of a sentence.
[[nodiscard]] Complaint judge_condition(Aspect aspect, std::string_view text);

/// Nothing when the rule applies; else why not: "the opponent is \"foe\"".
[[nodiscard]] std::optional<base::Message> why_not(const SettingRule& rule, const GameFacts& facts);

/// "game_name floodgate-*, clock.increment 1s-"; "always" without conditions.
[[nodiscard]] base::Message describe_when(const SettingRule& rule);

/// `*` any text, `?` any one byte; the rest as it stands.
[[nodiscard]] bool fits(std::string_view pattern, std::string_view text);

inline constexpr std::size_t setting_rules_max = 100;
inline constexpr std::size_t condition_texts_max = 100;

}  // namespace kakehashi::config
