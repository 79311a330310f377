// How one log line reads: for people, or as one JSON object for machines. Pure; where lines go is
// log_sink.hpp's business.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "bridge/note.hpp"
#include "bridge/words/words.hpp"
#include "config/service_config.hpp"

namespace kakehashi::bridge::io {

/// The code of every protocol line: its text says who spoke, "server < …", so the form for people
/// leaves the code out.
inline constexpr std::string_view traffic_code = "traffic";

struct LogLine {
  base::WallTime time{};
  Level level = Level::info;
  std::string_view bot;   ///< empty: the program itself
  std::string_view code;
  std::string_view text;
  const std::vector<std::pair<std::string, std::string>>* fields = nullptr;
};

/// In what form, and in whose words.
struct LogLook {
  config::LogFormat format = config::LogFormat::text;
  words::Language language = words::Language::english;
};

/// "[bot] game_started: …": what stands behind time and level in the form for people. Control bytes in the text are
/// escaped: one event is one line, whoever wrote the text.
[[nodiscard]] std::string format_text(const LogLine& line);

/// {"time":"2026-11-21T03:04:05.678Z","level":"info","bot":"…","code":"…","text":"…","fields":{…}}
/// Bytes that are not UTF-8 become U+FFFD, so that every line is valid JSON.
[[nodiscard]] std::string format_json(const LogLine& line);

}  // namespace kakehashi::bridge::io
