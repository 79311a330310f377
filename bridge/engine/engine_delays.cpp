#include "bridge/engine/engine_delays.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.hpp"

namespace kakehashi::bridge {

namespace {

/// All in milliseconds.
constexpr std::string_view of_each_move = "NetworkDelay2";  // YaneuraOu and its family

/// YaneuraOu's NetworkDelay is none of them: it shifts the rounding to whole seconds, and saves one a move.
constexpr std::array<std::string_view, 7> names{
    of_each_move,
    "Move Overhead",   "MoveOverhead",         // Stockfish and its family
    "Time_Margin",                             // dlshogi
    "ByoyomiMargin",   "Byoyomi_Margin", "FischerMargin",
};

}  // namespace

std::vector<EngineDelay> engine_delays(
    const std::vector<usi::Option>& declared,
    const std::function<const std::string*(const std::string&)>& set) {
  std::vector<EngineDelay> delays;
  for (const usi::Option& option : declared) {
    if (std::find(names.begin(), names.end(), option.name) == names.end()) {
      continue;
    }
    const std::string* own = set(option.name);
    const auto value = base::parse_int(own != nullptr ? *own : option.default_value);
    if (value && *value >= engine_delay_min.count() && *value < 3'600'000) {
      delays.push_back({option.name, base::Millis{*value}, option.name == of_each_move});
    }
  }
  return delays;
}

}  // namespace kakehashi::bridge
