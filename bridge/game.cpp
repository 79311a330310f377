#include "bridge/game.hpp"

#include <algorithm>
#include <utility>

#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::bridge {

namespace {

using base::Millis;

/// By this much the one reading of a T must fit better than the other.
constexpr Millis unit_evidence{2'000};

/// A T that was read as seconds, read as a number of units; a day at most.
Millis in_units(Millis consumed, Millis unit) {
  constexpr Millis day = std::chrono::hours{24};
  const bool is_more = consumed.count() > day.count() * 1'000 / unit.count();
  return is_more ? day : consumed * unit.count() / 1'000;
}

Millis distance(Millis a, Millis b) { return a < b ? b - a : a - b; }

}  // namespace

Game::Game(csa::GameSummary summary)
    : summary_(std::move(summary)),
      position_(summary_.start),
      command_(summary_.start),
      ledger_(summary_.times) {
  for (const csa::ListedMove& listed : summary_.moves) {
    apply(listed.move, listed.text, listed.mover, listed.consumed.value_or(base::Millis{0}));
  }
  ledger_.cap_at_total();
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

void Game::learn_unit(const csa::MovePlayed& played, Millis elapsed) {
  // Servers disagree on the unit of T when Time_Unit is not a second. Our own move tells: what the
  // server measured lies within what passed here.
  const csa::TimeControl& control = ledger_.control(played.mover);
  const Millis passed = std::max(elapsed, control.least_time_per_move);
  const Millis by_units = in_units(played.consumed, control.unit);
  if (counts_units_ || !played.is_ours ||
      distance(by_units, passed) + unit_evidence >= distance(played.consumed, passed)) {
    return;
  }
  counts_units_ = true;
  ledger_ = csa::Ledger(summary_.times);
  shogi::Color mover = summary_.start.side_to_move();
  for (std::size_t ply = 0; ply < moves_.size(); ++ply) {
    Played& move = moves_[ply];
    move.consumed = in_units(move.consumed, ledger_.control(mover).unit);
    ledger_.charge(mover, move.consumed);
    mover = shogi::opposite(mover);
    if (ply + 1 == summary_.moves.size()) {
      ledger_.cap_at_total();
    }
  }
}

std::optional<base::ParseError> Game::play(const csa::MovePlayed& played,
                                           std::optional<Millis> elapsed) {
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
  if (elapsed) {
    learn_unit(played, *elapsed);
  }
  const Millis consumed = counts_units_
                              ? in_units(played.consumed, ledger_.control(played.mover).unit)
                              : played.consumed;
  apply(*move, played.move, played.mover, consumed);
  return std::nullopt;
}

}  // namespace kakehashi::bridge
