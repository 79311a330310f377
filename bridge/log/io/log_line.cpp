#include "bridge/log/io/log_line.hpp"

#include <fmt/chrono.h>

#include <boost/json.hpp>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/utf8.hpp"

namespace kakehashi::bridge::io {

std::string format_text(const LogLine& line) {
  std::string out;
  if (!line.bot.empty()) {
    out += '[';
    out += line.bot;
    out += "] ";
  }
  if (line.code != traffic_code) {
    out += line.code;
    out += ": ";
  }
  const std::string_view text = line.text;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = base::utf8_at(text, at);
    const auto bytes = text.substr(at, character ? character->length_bytes : 1);
    if (character && !base::is_control(character->code)) {
      out += bytes;
    } else {
      for (const char byte : bytes) {
        out += fmt::format("\\x{:02X}", static_cast<unsigned char>(byte));
      }
    }
    at += bytes.size();
  }
  return out;
}

std::string format_json(const LogLine& line) {
  const auto millis = (line.time - std::chrono::floor<std::chrono::seconds>(line.time)).count();
  boost::json::object json{{"time", fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", base::calendar(line.time), millis)},
                           {"level", describe(line.level)}};
  if (!line.bot.empty()) {
    json["bot"] = base::utf8_for_json(line.bot);
  }
  json["code"] = line.code;
  json["text"] = base::utf8_for_json(line.text);
  if (line.fields != nullptr && !line.fields->empty()) {
    boost::json::object fields;
    for (const auto& [name, value] : *line.fields) {
      fields[name] = base::utf8_for_json(value);
    }
    json["fields"] = std::move(fields);
  }
  return boost::json::serialize(json);
}

}  // namespace kakehashi::bridge::io
