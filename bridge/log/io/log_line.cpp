#include "bridge/log/io/log_line.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <optional>

namespace kakehashi::bridge::io {
namespace {

std::string format_time(base::WallTime time, char between) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u%c%02d:%02d:%02d.%03d",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), between,
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text;
}

/// The length of the valid UTF-8 sequence that `text` begins with; 0: there is none.
std::size_t utf8_length(std::string_view text) {
  if (text.empty()) {
    return 0;
  }
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80    ? 1
                             : lead < 0xc2  ? 0
                             : lead < 0xe0  ? 2
                             : lead < 0xf0  ? 3
                             : lead < 0xf5  ? 4
                                            : 0;
  if (length == 0 || length > text.size()) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) {
      return 0;
    }
  }
  const auto second = length > 1 ? static_cast<unsigned char>(text[1]) : 0x80;
  const bool is_overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool is_surrogate = lead == 0xed && second >= 0xa0;
  const bool is_beyond = lead == 0xf4 && second >= 0x90;
  return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

/// The control character that a valid sequence is, C1 included (U+009B begins a terminal's commands as
/// ESC [ does); nothing when it is none.
std::optional<unsigned> control(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  if (lead < 0x20 || lead == 0x7f) {
    return lead;
  }
  const auto second = sequence.size() == 2 ? static_cast<unsigned char>(sequence[1]) : 0xffU;
  return lead == 0xc2 && second < 0xa0 ? std::optional(second) : std::nullopt;
}

void append_json(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const auto length = utf8_length(text);
    if (length == 0) {
      out += "\\ufffd";
      text.remove_prefix(1);
      continue;
    }
    const char c = text[0];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (const auto code = control(text.substr(0, length))) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", *code);
      out += escaped;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  out += '"';
}

void append_escaped(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\x%02X", static_cast<unsigned char>(c));
    out += escaped;
  }
}

void append_member(std::string& out, std::string_view key, std::string_view value) {
  if (out.back() != '{') {
    out += ',';
  }
  append_json(out, key);
  out += ':';
  append_json(out, value);
}

}  // namespace

std::string format_text(const LogLine& line, base::Seconds utc_offset) {
  std::string out = format_time(line.time + utc_offset, ' ');
  out += ' ';
  const std::string_view level = describe(line.level);
  out += level;
  out.append(level.size() < 5 ? 5 - level.size() : 0, ' ');
  out += ' ';
  if (!line.bot.empty()) {
    out += '[';
    out += line.bot;
    out += "] ";
  }
  if (line.code != traffic_code) {
    out += line.code;
    out += ": ";
  }
  for (std::string_view text = line.text; !text.empty();) {
    const auto length = utf8_length(text);
    const auto sequence = text.substr(0, std::max<std::size_t>(length, 1));
    if (length > 0 && !control(sequence)) {
      out += sequence;
    } else {
      append_escaped(out, sequence);
    }
    text.remove_prefix(sequence.size());
  }
  return out;
}

std::string format_json(const LogLine& line) {
  std::string out = "{";
  append_member(out, "time", format_time(line.time, 'T') + "Z");
  append_member(out, "level", describe(line.level));
  if (!line.bot.empty()) {
    append_member(out, "bot", line.bot);
  }
  append_member(out, "code", line.code);
  append_member(out, "text", line.text);
  if (line.fields != nullptr && !line.fields->empty()) {
    out += ",\"fields\":{";
    for (const auto& field : *line.fields) {
      append_member(out, field.first, field.second);
    }
    out += '}';
  }
  out += '}';
  return out;
}

}  // namespace kakehashi::bridge::io
