#include "bridge/game/rescue.hpp"

#include <vector>

#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

using base::say;

namespace {

/// The move that a line of the engine gives for the present position, if the game has followed the
/// line so far and the move is legal.
std::optional<shogi::Move> move_of_line(const Game& game, const ThoughtLine& line) {
  const int offset = game.ply() - line.ply;
  if (offset < 0 || static_cast<std::size_t>(offset) >= line.pv.size()) {
    return std::nullopt;
  }
  const auto first = static_cast<std::size_t>(line.ply);
  for (int i = 0; i < offset; ++i) {
    const Game::Played& played = game.moves()[first + static_cast<std::size_t>(i)];
    if (shogi::usi::format_move(played.move) != line.pv[static_cast<std::size_t>(i)]) {
      return std::nullopt;
    }
  }
  const EngineChoice choice =
      read_choice(game.position(), line.pv[static_cast<std::size_t>(offset)]);
  return choice.kind == EngineChoice::Kind::move ? std::optional(choice.move) : std::nullopt;
}

}  // namespace

std::optional<Fallback> choose_fallback(const Game& game, const Thinking& thinking,
                                        const std::string& advice) {
  const shogi::Position& position = game.position();
  const std::vector<shogi::Move> legal = shogi::legal_moves(position);
  if (legal.empty()) {
    return std::nullopt;
  }
  const auto king = position.king(shogi::opposite(position.side_to_move()));
  for (const shogi::Move& move : legal) {
    if (king == move.to()) {
      return Fallback{move, say("the move that takes the king, which a move against the rules left in check")};
    }
  }
  if (const auto move = move_of_line(game, thinking.line())) {
    return Fallback{*move, say("the first move of the engine's last line")};
  }
  if (const auto move = move_of_line(game, {game.ply(), {advice}})) {
    return Fallback{*move, say("what the standby engine advises")};
  }
  if (const auto move = move_of_line(game, thinking.earlier())) {
    return Fallback{*move, say("what the engine planned on an earlier turn")};
  }
  return Fallback{legal.front(), say("a legal move")};
}

}  // namespace kakehashi::bridge
