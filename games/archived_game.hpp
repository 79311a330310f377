// The room games: finished games as values, and what many come to. It owns filters, statistics and their texts; it
// knows no database, no page and no running bot.
//
// One finished game as the archive holds it: what lists and statistics ask for, in plain columns. The
// game itself, move by move, goes along as JSON Lines (docs/records.md). Pure; games/io stores it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bridge/finished_game.hpp"

namespace kakehashi::games {

/// What became of the time of our moves, summed up (bridge/time_statistics.hpp), in milliseconds.
struct TimeUse {
  std::int64_t granted_ms = 0;  ///< by the server; 0: not known, an earlier version wrote the game
  std::int64_t had_ms = 0;      ///< of that by the engine
  std::int64_t used_ms = 0;     ///< by our clock
  std::int64_t charged_ms = 0;  ///< by the server's
  std::int64_t lost_ms = 0;     ///< on the link

  friend bool operator==(const TimeUse&, const TimeUse&) = default;
};

/// What an engine of a team that thinks together did in the game.
struct MemberUse {
  std::string name;  ///< as the settings call it
  std::int64_t moves = 0;  ///< that it chose
  std::int64_t ponder_searches = 0;
  std::int64_t ponder_hits = 0;
  std::int64_t ponder_gained_ms = 0;

  friend bool operator==(const MemberUse&, const MemberUse&) = default;
};

/// Texts are UTF-8, times milliseconds, instants milliseconds since 1970 (UTC).
struct ArchivedGame {
  std::int64_t id = 0;  ///< within its archive, from 1
  std::string bot;
  std::string server;    ///< "host:port"; empty for imported games
  std::string game_name; ///< "floodgate-300-10F"; may be empty
  std::string game_id;
  std::string us;        ///< our name on the server
  std::string opponent;
  std::string engine;
  bool is_black = true;  ///< our color
  std::string clock;     ///< ours: "300+10F", "900-60" (byoyomi), "untimed"
  std::int64_t started_ms = 0;
  std::int64_t ended_ms = 0;
  std::string outcome;   ///< "win", "lose", "draw", "none"
  std::string reason;    ///< the server's word, "#TIME_UP"
  std::int64_t plies = 0;
  std::int64_t our_time_ms = 0;    ///< as the server counted it
  std::int64_t their_time_ms = 0;
  std::int64_t rescues = 0;
  std::string rescue_causes;       ///< a line each: "move 37: …"
  std::int64_t ponder_searches = 0;
  std::int64_t ponder_hits = 0;
  std::int64_t ponder_gained_ms = 0;
  std::vector<MemberUse> members;  ///< by seat; none: a single engine, or an earlier version wrote the game
  std::string record_path;         ///< empty: none
  std::optional<TimeUse> time;     ///< of our moves; nothing: not known, or no clock

  friend bool operator==(const ArchivedGame&, const ArchivedGame&) = default;
};

/// A game with its moves.
struct ArchivedRecord {
  ArchivedGame game;
  std::string jsonl;  ///< shogi/record/json.hpp
};

/// A row of an archive as this version would have written it: texts of one line each and UTF-8 throughout, instants that
/// are dates, numbers of which a whole archive can be summed up. An earlier version, or another program, may have left
/// anything there.
[[nodiscard]] ArchivedGame as_we_write(ArchivedGame stored);

/// The game, read back; the error says why not.
[[nodiscard]] base::Result<shogi::record::Record> record_in(const ArchivedRecord& archived);

[[nodiscard]] ArchivedRecord archived(const bridge::FinishedGame& game,
                                      const std::string& record_path);

/// A record from a file, seen from the side of `us`; nothing when neither player is called so.
[[nodiscard]] std::optional<ArchivedRecord> imported(const shogi::record::Record& record,
                                                     const std::string& us,
                                                     const std::string& path);

/// Where floodgate shows the game: "http://wdoor.c.u-tokyo.ac.jp/shogi/view/2026/01/02/ID.csa".
/// Empty for any other server's game.
[[nodiscard]] std::string floodgate_link(const ArchivedGame& game);

}  // namespace kakehashi::games
