// A game as the journal of its run tells it, for an archive that the process did not reach any more.
// Pure: entries in, plain values out. What only the core knew (rescues, ponder, time) is not in it.
#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "bridge/finished_game.hpp"
#include "bridge/journal/journal.hpp"
#include "bridge/journal/journal_record.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge::journal {

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
[[nodiscard]] std::optional<FinishedGame> last_game(const Contents& contents,
                                                    const JournalledRecord& record,
                                                    const config::BotConfig& bot);

}  // namespace kakehashi::bridge::journal
