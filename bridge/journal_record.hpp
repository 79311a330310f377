// The record of a run's last game as its journal tells it, and what a record file that was cut off
// with the bot still lacks. Pure: texts in, texts out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bridge/journal.hpp"

namespace kakehashi::bridge::journal {

struct JournalledRecord {
  std::string name;          ///< as the core asked for it
  std::string path;          ///< as the file was made; empty when that was not heard any more
  std::string text;          ///< all that was to be in the file
  bool is_finished = false;  ///< the text has the game's end
};

/// Of the last game; nothing when there was none, or no record was kept.
[[nodiscard]] std::optional<JournalledRecord> last_record(const Contents& contents);

/// What the file should hold, given what it does hold: the journal's text with its end, or
/// the word for an interrupted game when none came, and a comment that says so. Nothing when the file has an end, or is not that
/// game's: it is left alone then.
[[nodiscard]] std::optional<std::string> completed(const JournalledRecord& record,
                                                   std::string_view file_text);

/// The comment in a record that was completed.
inline constexpr const char* completion_comment =
    "'completed from the journal: kakehashi was cut off in this game\n";

}  // namespace kakehashi::bridge::journal
