// The only place that knows both tongues: CSA moves of the server and USI words of the engine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/position.hpp"

namespace kakehashi::bridge {

/// The `position` line of a running game. It grows by one word a move and is never rebuilt.
class PositionCommand {
 public:
  /// "position startpos" for the ordinary start, "position sfen …" for any other.
  explicit PositionCommand(const shogi::Position& start);

  void append(const shogi::Move& move);
  [[nodiscard]] const std::string& text() const { return text_; }
  /// The line with one more move, for pondering; this one stays as it is.
  [[nodiscard]] std::string with(const shogi::Move& move) const;

 private:
  std::string text_;
  bool has_moves_ = false;
};

/// What a `bestmove` asks for.
struct EngineChoice {
  enum class Kind { move, resign, declare, unusable };
  Kind kind = Kind::unusable;
  shogi::Move move = shogi::Move::drop(shogi::PieceKind::pawn, shogi::Square(5, 5));
  base::Message why;  ///< of unusable: names the rule
};

/// Reads the word behind `bestmove` and judges it by the full rules. Words are compared without
/// regard to case, as engines write "resign", "Resign" and "win".
[[nodiscard]] EngineChoice read_choice(const shogi::Position& position, std::string_view word);

/// The longest legal beginning of an engine's principal variation, as CSA moves separated by
/// single spaces; at most `moves_max`.
[[nodiscard]] std::string translate_pv(const shogi::Position& position,
                                       const std::vector<std::string>& pv, std::size_t moves_max);

}  // namespace kakehashi::bridge
