#include "bridge/game.hpp"

#include <utility>

#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::bridge {

Game::Game(csa::GameSummary summary)
    : summary_(std::move(summary)),
      position_(summary_.start),
      command_(summary_.start),
      ledger_(summary_.times) {
  for (const csa::ListedMove& listed : summary_.moves) {
    apply(listed.move, listed.text, listed.mover, listed.consumed.value_or(base::Millis{0}));
  }
}

void Game::apply(const shogi::Move& move, std::string text, shogi::Color mover,
                 base::Millis consumed) {
  position_.play(move);
  command_.append(move);
  ledger_.charge(mover, consumed);
  // The server decides on repetitions; here they are only counted.
  decided_ = repetition_.after_move(position_);
  moves_.push_back(Played{move, std::move(text), consumed});
}

std::optional<int> Game::plies_left() const {
  return summary_.max_moves ? std::optional(*summary_.max_moves - ply()) : std::nullopt;
}

std::optional<base::ParseError> Game::play(const csa::MovePlayed& played) {
  if (!is_followed_) {
    return base::ParseError{"the position is not known since an earlier line", 0};
  }
  if (played.mover != position_.side_to_move()) {
    is_followed_ = false;
    return base::ParseError{"it is the other side's turn", 0};
  }
  const base::Result<shogi::Move> move = shogi::csa::parse_move(position_, played.move);
  if (!move) {
    is_followed_ = false;
    return move.error();
  }
  const shogi::Verdict verdict = shogi::judge(position_, *move);
  if (verdict != shogi::Verdict::legal) {
    // The server is the referee; a position reached by an illegal move is no use to an engine.
    is_followed_ = false;
    return base::ParseError{shogi::describe(verdict), 0};
  }
  apply(*move, played.move, played.mover, played.consumed);
  return std::nullopt;
}

}  // namespace kakehashi::bridge
