// What a server says about a game before it starts, or before it goes on, and the readers of its BEGIN/END blocks.
// Source: CSA server protocol 1.2.1, "Game_Summary"; observed servers differ in order, in fields
// left out and in fields added, and all of that is accepted.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "csa/game_clock.hpp"
#include "shogi/move.hpp"
#include "shogi/position.hpp"

namespace kakehashi::csa {

/// A move that was played before this game starts, as listed in the Position block.
struct ListedMove {
  shogi::Move move;
  shogi::Color mover;
  std::string text;                      ///< the seven bytes
  std::optional<base::Millis> consumed;  ///< its T, if given

  friend bool operator==(const ListedMove&, const ListedMove&) = default;
};

struct GameSummary {
  std::string declaration;         ///< "Jishogi 1.1"; empty: no declaration is available
  std::string game_id;             ///< may be empty; hostile text: never a path
  std::string black_name;
  std::string white_name;
  shogi::Color our_color = shogi::Color::black;
  std::optional<int> max_moves;    ///< plies, listed moves included; nothing: no limit (also "0")
  std::string entering_king_rule;  ///< an extension ("CSARule27"); empty when not announced
  std::optional<std::string> reconnect_token;  ///< can be sent, with the game's id, in one line
  TimeControls times;
  shogi::Position start;           ///< before the listed moves; its side to move is the turn line's
  std::vector<ListedMove> moves;
  /// Oddities that were coped with, each a sentence for the log (unknown keys, To_Move that
  /// contradicts the position, a stop-watch unit, ...). At most 32.
  std::vector<base::Message> remarks;

  /// Names, id and key may hold any byte below 1024 bytes each.
  [[nodiscard]] const std::string& name(shogi::Color color) const {
    return color == shogi::Color::black ? black_name : white_name;
  }
  /// After the listed moves.
  [[nodiscard]] shogi::Position position() const;
};

/// Collects the lines from "BEGIN Game_Summary" to "END Game_Summary".
class SummaryReader {
 public:
  /// More lines than this make the block broken.
  static constexpr std::size_t lines_max = 4096;

  /// Takes one line, the BEGIN line first. True when the block is complete.
  [[nodiscard]] bool feed(std::string_view line);
  [[nodiscard]] bool is_complete() const { return complete_; }

  /// The summary, or why no game can be played on it: no Your_Turn, impossible position, illegal
  /// listed move, another Format, Protocol_Mode:Direct. `game_id` is filled in either way.
  [[nodiscard]] base::Result<GameSummary> finish() const;
  [[nodiscard]] std::string game_id() const { return game_id_.value_or(""); }

 private:
  std::vector<std::string> lines_;
  std::optional<std::string> game_id_;
  int depth_ = 0;
  bool complete_ = false;
  bool is_overlong_ = false;
};

// --- the BEGIN Reconnect_State block, an extension of rshogi's servers: after a login with a Reconnect_Token a fresh
// Game_Summary gives the position as it is, and this block the clocks. Play goes on without AGREE and START.

struct ResumeState {
  std::optional<shogi::Color> turn;
  /// What is left at the beginning of a turn, the increment of that turn included, at most a day.
  std::optional<base::Millis> black;
  std::optional<base::Millis> white;
};

class ResumeReader {
 public:
  static constexpr std::string_view begin = "BEGIN Reconnect_State";
  /// More lines than this are left unread.
  static constexpr int lines_max = 64;

  /// Takes one line behind BEGIN. True when the block is complete.
  [[nodiscard]] bool feed(std::string_view line);
  [[nodiscard]] const ResumeState& state() const { return state_; }

 private:
  ResumeState state_;
  int lines_ = 0;
};

}  // namespace kakehashi::csa
