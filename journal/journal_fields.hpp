// How single values are spelled in the fields of a journal's line, and read back. Pure text; no
// idea of entries.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "base/time.hpp"
#include "bridge/action.hpp"
#include "bridge/event.hpp"
#include "bridge/fact.hpp"
#include "bridge/note.hpp"
#include "csa/client_session.hpp"
#include "csa/how_closed.hpp"
#include "shogi/move.hpp"
#include "usi/clock_probe.hpp"

namespace kakehashi::journal {

/// `also` names further bytes to escape.
[[nodiscard]] std::string escape(std::string_view text, std::string_view also = "");

using NamedTexts = std::vector<std::pair<std::string, std::string>>;
using PlainTexts = std::vector<std::string>;
using RecordFiles = std::vector<bridge::RecordFile>;

[[nodiscard]] inline std::string spell(const std::string& text) { return escape(text); }
[[nodiscard]] inline std::string spell(const base::Message& message) { return escape(message.english()); }
[[nodiscard]] inline std::string spell(bool flag) { return flag ? "1" : "0"; }
[[nodiscard]] std::string spell(const NamedTexts& texts);
[[nodiscard]] std::string spell(const PlainTexts& texts);
[[nodiscard]] std::string spell(const RecordFiles& files);
template <std::integral T>
[[nodiscard]] std::string spell(T number) {
  return std::to_string(number);
}
template <class T>
  requires std::is_enum_v<T>
[[nodiscard]] std::string spell(T value) {
  return std::to_string(static_cast<std::underlying_type_t<T>>(value));
}
[[nodiscard]] inline std::string spell(bridge::Phase phase) { return bridge::code_of(phase); }
/// "2": of the first engine's seat; "1:2": of another.
[[nodiscard]] inline std::string spell(bridge::EngineId engine) {
  return (engine.seat == 0 ? "" : std::to_string(engine.seat) + ":") + std::to_string(engine.launch);
}
[[nodiscard]] inline std::string spell(base::Millis duration) {
  return std::to_string(duration.count());
}
[[nodiscard]] inline std::string spell(std::chrono::microseconds duration) {
  return std::to_string(duration.count());
}
[[nodiscard]] inline std::string spell(base::SteadyTime time) {
  return std::to_string(std::chrono::nanoseconds(time.time_since_epoch()).count());
}
[[nodiscard]] inline std::string spell(base::WallTime time) {
  return std::to_string(time.time_since_epoch().count());
}

// False when the text is no such value; the value is then not to be used.
[[nodiscard]] bool parse(std::string_view text, std::string& value);
[[nodiscard]] bool parse(std::string_view text, base::Message& value);  ///< the English, as a text
[[nodiscard]] bool parse(std::string_view text, bool& value);
[[nodiscard]] bool parse(std::string_view text, std::uint64_t& value);
[[nodiscard]] bool parse(std::string_view text, NamedTexts& value);
[[nodiscard]] bool parse(std::string_view text, PlainTexts& value);
[[nodiscard]] bool parse(std::string_view text, RecordFiles& value);

template <class T>
  requires(std::signed_integral<T> && !std::same_as<T, bool>)
[[nodiscard]] bool parse(std::string_view text, T& value) {
  const auto number = base::parse_int(text);
  if (!number || *number < std::numeric_limits<T>::min() ||
      *number > std::numeric_limits<T>::max()) {
    return false;
  }
  value = static_cast<T>(*number);
  return true;
}
/// Whether the number is one of its enumerators'.
[[nodiscard]] bool is_enumerator(shogi::Color value);
[[nodiscard]] bool is_enumerator(csa::HowClosed value);
[[nodiscard]] bool is_enumerator(csa::Outcome value);
[[nodiscard]] bool is_enumerator(usi::ClockReading value);
[[nodiscard]] bool is_enumerator(bridge::Urgency value);
[[nodiscard]] bool is_enumerator(bridge::Level value);
[[nodiscard]] bool is_enumerator(bridge::RescueCause value);
[[nodiscard]] bool is_enumerator(bridge::Incident value);

template <class T>
  requires std::is_enum_v<T>
[[nodiscard]] bool parse(std::string_view text, T& value) {
  const auto number = base::parse_int(text);
  if (!number || *number < 0 || *number > std::numeric_limits<std::underlying_type_t<T>>::max() ||
      !is_enumerator(static_cast<T>(*number))) {
    return false;
  }
  value = static_cast<T>(*number);
  return true;
}
[[nodiscard]] bool parse(std::string_view text, bridge::EngineId& value);
/// By its code; by its name in journals of version 1.
[[nodiscard]] bool parse(std::string_view text, bridge::Phase& value);
[[nodiscard]] bool parse(std::string_view text, base::Millis& value);
[[nodiscard]] bool parse(std::string_view text, std::chrono::microseconds& value);
[[nodiscard]] bool parse(std::string_view text, base::SteadyTime& value);
[[nodiscard]] bool parse(std::string_view text, base::WallTime& value);

}  // namespace kakehashi::journal
