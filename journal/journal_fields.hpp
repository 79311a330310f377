// How single values are spelled in the fields of a journal's line, and read back. Pure text; no
// idea of entries.
#pragma once

#include <array>
#include <charconv>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
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
#include "csa/server_address.hpp"
#include "shogi/move.hpp"
#include "usi/clock_probe.hpp"

namespace kakehashi::journal {

// Each puts the spelling of a value behind `to`: one memory for a whole line.

/// `also` names further bytes to escape.
void escape(std::string& to, std::string_view text, std::string_view also = "");

using NamedTexts = std::vector<std::pair<std::string, std::string>>;
using PlainTexts = std::vector<std::string>;
using RecordFiles = std::vector<bridge::RecordFile>;

inline void spell(std::string& to, const std::string& text) { escape(to, text); }
inline void spell(std::string& to, const base::Message& message) { escape(to, message.english()); }
inline void spell(std::string& to, bool flag) { to += flag ? '1' : '0'; }
void spell(std::string& to, const NamedTexts& texts);
void spell(std::string& to, const PlainTexts& texts);
void spell(std::string& to, const RecordFiles& files);
template <std::integral T>
void spell(std::string& to, T number) {
  std::array<char, std::numeric_limits<T>::digits10 + 2> spelled;  // a sign, and one digit more
  to.append(spelled.data(), std::to_chars(spelled.data(), spelled.data() + spelled.size(), number).ptr);
}
template <class T>
  requires std::is_enum_v<T>
void spell(std::string& to, T value) {
  spell(to, static_cast<std::underlying_type_t<T>>(value));
}
inline void spell(std::string& to, bridge::Phase phase) { to += bridge::code_of(phase); }
/// "2": of the first engine's seat; "1:2": of another.
void spell(std::string& to, bridge::EngineId engine);
/// In its own unit: of a time on the steady clock in nanoseconds, of one on the wall in milliseconds.
template <class Number, class Unit>
void spell(std::string& to, std::chrono::duration<Number, Unit> duration) {
  spell(to, duration.count());
}
template <class Clock, class Duration>
void spell(std::string& to, std::chrono::time_point<Clock, Duration> time) {
  spell(to, time.time_since_epoch());
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
/// A number beyond it may stand in a file that another program wrote, or a later version.
constexpr shogi::Color last_like(shogi::Color) { return shogi::Color::white; }
constexpr csa::HowClosed last_like(csa::HowClosed) { return csa::HowClosed::broken; }
constexpr csa::Outcome last_like(csa::Outcome) { return csa::Outcome::none; }
constexpr usi::ClockReading last_like(usi::ClockReading) { return usi::ClockReading::no_increments; }
constexpr bridge::Urgency last_like(bridge::Urgency) { return bridge::Urgency::renew; }
constexpr bridge::Level last_like(bridge::Level) { return bridge::Level::error; }
constexpr bridge::RescueCause last_like(bridge::RescueCause) { return bridge::RescueCause::declaration; }
constexpr bridge::Incident last_like(bridge::Incident) { return bridge::Incident::line_dropped; }

template <class T>
  requires std::is_enum_v<T>
[[nodiscard]] bool parse(std::string_view text, T& value) {
  const auto number = base::parse_int(text);
  if (!number || *number < 0 || *number > static_cast<std::int64_t>(last_like(T{}))) {
    return false;
  }
  value = static_cast<T>(*number);
  return true;
}
[[nodiscard]] bool parse(std::string_view text, bridge::EngineId& value);
[[nodiscard]] bool parse(std::string_view text, bridge::Phase& value);

template <class Number, class Unit>
[[nodiscard]] bool parse(std::string_view text, std::chrono::duration<Number, Unit>& value) {
  const auto count = base::parse_int(text);
  value = std::chrono::duration<Number, Unit>{count.value_or(0)};
  return count.has_value();
}
template <class Clock, class Duration>
[[nodiscard]] bool parse(std::string_view text, std::chrono::time_point<Clock, Duration>& value) {
  Duration since{};
  const bool is_read = parse(text, since);
  value = std::chrono::time_point<Clock, Duration>(since);
  return is_read;
}

}  // namespace kakehashi::journal
