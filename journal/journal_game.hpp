// The last game of a run as its journal tells it: its record, what a record file that was cut off with the bot still
// lacks, and the game for an archive that the process did not reach any more. Pure: entries in, plain values out. What
// only the core knew (rescues, ponder, time) is not in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "bridge/finished_game.hpp"
#include "config/bot_config.hpp"
#include "journal/journal.hpp"
#include "shogi/record/format.hpp"

namespace kakehashi::journal {

// --- its record

struct JournalledRecord {
  std::string stem;                     ///< as the core asked for it
  std::vector<std::string> extensions;  ///< of its files
  std::string path;          ///< of the first file; empty when that was not heard any more
  std::string text;          ///< all that was to be in the file that grows
  std::string source;        ///< the game as JSON Lines; empty when only the growing file is kept
  std::vector<bridge::RecordFile> files;  ///< whole, once the game is over
  bool is_finished = false;

  /// Whether the first file grows.
  [[nodiscard]] bool grows() const { return !text.empty(); }
};

/// Of a file of a record; no two of those that do not grow share theirs. Null: there is no such format.
[[nodiscard]] const shogi::record::FormatFacts* facts_by_extension(std::string_view extension);

/// Of the last game; nothing when there was none, or no record was kept.
[[nodiscard]] std::optional<JournalledRecord> last_record(const Contents& contents);

/// What the file that grows should hold, given what it does hold: the journal's text with its end, or
/// the word for an interrupted game when none came, and a comment that says so. Nothing when the file
/// has an end, or is not that game's: it is left alone then.
[[nodiscard]] std::optional<std::string> completed(const JournalledRecord& record,
                                                   std::string_view file_text);

/// The same for all files of the game, given what the first one holds, which stands for all: it is
/// empty, or lacks its end, as long as the game's record is not whole. None: it is left alone.
[[nodiscard]] std::vector<bridge::RecordFile> completed_files(const JournalledRecord& record,
                                                      std::string_view first_text,
                                                      shogi::record::CommentStyle comments);

/// The comment in a record that was completed.
inline constexpr const char* completion_comment =
    "'completed from the journal: kakehashi was cut off in this game\n";
/// Without the CSA format's apostrophe and line end.
[[nodiscard]] constexpr std::string_view completion_remark() {
  constexpr std::string_view comment = completion_comment;
  return comment.substr(1, comment.size() - 2);
}

// --- the game itself

/// By which an archive knows a game from all others. The beginning of a journal is enough for it.
struct GameMark {
  std::string game_id;
  std::string us;       ///< our name on the server
  base::WallTime begun;

  friend bool operator==(const GameMark&, const GameMark&) = default;
};

/// Of the last game whose record was begun; nothing when there is none.
[[nodiscard]] std::optional<GameMark> last_mark(const Contents& contents);

/// The last game, as last_record() has put its record together. One without an end is an interrupted
/// game, with no result. Nothing when its moves cannot be read.
[[nodiscard]] std::optional<bridge::FinishedGame> last_game(const Contents& contents,
                                                    const JournalledRecord& record,
                                                    const config::BotConfig& bot);

}  // namespace kakehashi::journal
