// One game as the server tells it: position, clocks, history. It follows the server's echoes, and
// never runs ahead of them; it judges nothing and sends nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bridge/game/translate.hpp"
#include "csa/client_session.hpp"
#include "csa/game_clock.hpp"
#include "csa/game_summary.hpp"
#include "shogi/game_end.hpp"

namespace kakehashi::bridge {

/// How a move of the server's differs from what the rules and our board would have.
struct Deviation {
  base::Message what;
  /// It can be played on the board all the same, so that records hold it. Otherwise the board was made
  /// to agree with its words.
  bool is_on_board = true;
};

class Game {
 public:
  /// A move that stands, with its time.
  struct Played {
    shogi::Move move;
    std::string text;  ///< CSA
    base::Millis consumed{0};
  };

  explicit Game(csa::GameSummary summary);

  /// Plays an echoed move and charges its time. `elapsed` is what passed here since the turn began,
  /// where that is known: it tells in which unit the server counts. The server is the referee: a move
  /// that the rules forbid stands as well, and one that does not fit the board changes the board. Only
  /// those on the board join moves().
  std::optional<Deviation> play(const csa::MovePlayed& played,
                                std::optional<base::Millis> elapsed = std::nullopt);

  /// Sets the clocks to what the server says (reconnection).
  void set_main_time(shogi::Color color, base::Millis main_time) {
    game_clock_.set_main_time(color, main_time);
  }

  /// A later token for the same game.
  void set_reconnect_token(std::string token) { summary_.reconnect_token = std::move(token); }

  [[nodiscard]] const csa::GameSummary& summary() const { return summary_; }
  [[nodiscard]] const shogi::Position& position() const { return position_; }
  [[nodiscard]] const PositionCommand& command() const { return command_; }
  [[nodiscard]] const csa::GameClock& game_clock() const { return game_clock_; }
  /// Listed moves included.
  [[nodiscard]] const std::vector<Played>& moves() const { return moves_; }
  /// Plies since the initial position; listed moves count.
  [[nodiscard]] int ply() const { return static_cast<int>(moves_.size()); }
  [[nodiscard]] bool is_our_turn() const {
    return position_.side_to_move() == summary_.our_color;
  }
  /// False when, behind a move that the rules forbid, a king is missing or can be taken: engines are
  /// not made for such positions.
  [[nodiscard]] bool is_for_engines() const;
  /// Found out from one of our moves: T is in the summary's Time_Unit, not in seconds.
  [[nodiscard]] bool counts_units() const { return counts_units_; }
  /// How often the present position has come up.
  [[nodiscard]] int occurrences() const { return repetition_.occurrences(position_); }
  /// What the last move decided by repetition, by our own count.
  [[nodiscard]] shogi::Repetition repetition() const { return decided_; }
  /// Plies until Max_Moves ends the game; nothing: no limit.
  [[nodiscard]] std::optional<int> plies_left() const;
  /// By our own count the server is about to end the game.
  [[nodiscard]] bool is_ended_by_rule() const {
    return decided_ != shogi::Repetition::none || plies_left().value_or(1) <= 0;
  }

 private:
  void learn_unit(const csa::MovePlayed& played, base::Millis elapsed);
  [[nodiscard]] base::Millis charge(const csa::MovePlayed& played, shogi::Color mover);
  std::optional<Deviation> play_on_board(const shogi::Move& move, const csa::MovePlayed& played,
                                         std::optional<base::Millis> elapsed);
  Deviation put_as_told(const csa::MovePlayed& played, base::Message why);
  void put(shogi::Color mover, std::optional<shogi::Square> from, shogi::Square to,
           shogi::PieceKind kind);
  void restart_command();
  void follow(const shogi::Move& move, std::string text, base::Millis consumed);

  csa::GameSummary summary_;
  shogi::Position position_;
  PositionCommand command_;
  csa::GameClock game_clock_;
  shogi::RepetitionCounter repetition_;
  shogi::Repetition decided_ = shogi::Repetition::none;
  std::vector<Played> moves_;
  bool has_deviated_ = false;
  bool counts_units_ = false;
};

}  // namespace kakehashi::bridge
