// Games as people watch them in a terminal, of a rehearsal or of all bots of a running program: the board, both clocks,
// what the engines think, the last moves. Pure: values in, text out; where the text goes and how often is the commands'
// business.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/message.hpp"
#include "base/time.hpp"
#include "bridge/view.hpp"
#include "shogi/move.hpp"
#include "words/words.hpp"

namespace boost::json {
class array;
}

namespace kakehashi::watch {

/// One game with what the bots of both sides know of it.
struct WatchedGame {
  int number = 1;
  std::optional<int> count = 1;    ///< nothing: nobody knows how many there will be
  const bridge::GameView* game = nullptr;  ///< nothing: it has not begun
  std::string black_engine;        ///< the name that the engine gave itself; may be empty
  std::string white_engine;
  std::optional<shogi::Color> standby{};  ///< whose standby engine plays
  std::optional<bridge::ViewedScore> black_score;  ///< as black's engine sees it, from black's side
  std::optional<bridge::ViewedScore> white_score;  ///< as white's engine sees it, from black's side
};

struct Look {
  bool kanji = true;    ///< otherwise piece codes of CSA, in plain ASCII
  bool color = false;  ///< with terminal escapes: the last move's square stands out
  words::Language language = words::Language::english;
  /// Lines at most: the last moves are left out first, then the evaluations.
  std::size_t rows = std::numeric_limits<std::size_t>::max();
};

/// Both sides, the board and how the game ended: no picture has fewer lines.
constexpr std::size_t live_view_rows_min = 20;

/// The whole picture, many lines. `now` is for the clock that runs.
[[nodiscard]] std::string render_live_view(const WatchedGame& watched, base::SteadyTime now,
                                           const Look& look);

/// Names come from engines and servers: nothing of them may steer the terminal.
[[nodiscard]] std::string plain(std::string_view text);

/// One move as a line without its end: "  37 +7776FU  2.0 s  +123 depth 18".
/// `index` is below game.moves.size().
[[nodiscard]] base::Message format_move_line(const bridge::GameView& game, std::size_t index,
                                             const std::optional<bridge::ViewedScore>& score);

/// "+123", "-45", "mate in 5 for black".
[[nodiscard]] base::Message format_score(const bridge::ViewedScore& score);

/// "alice won (#RESIGN)", "draw (#SENNICHITE)", "no result (the connection was lost)".
[[nodiscard]] base::Message format_end(const bridge::GameView& game);

/// What `kakehashi top` shows, from the report of a running program. `bots` as /api/v1/status has them. Each has its whole picture while `look.rows` lets it; those behind it
/// have a line each.
[[nodiscard]] std::string render_top(const boost::json::array& bots, base::SteadyTime now, const Look& look);

}  // namespace kakehashi::watch
