#include "bridge/game/game.hpp"

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
      game_clock_(summary_.times) {
  for (const csa::ListedMove& listed : summary_.moves) {
    const Millis consumed = listed.consumed.value_or(Millis{0});
    game_clock_.charge(listed.mover, consumed);
    follow(listed.move, listed.text, consumed);
  }
  game_clock_.cap_at_total();
}

void Game::follow(const shogi::Move& move, std::string text, Millis consumed) {
  position_.play(move);
  command_.append(move);
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
  const csa::TimeControl& control = game_clock_.control(played.mover);
  const Millis passed = std::max(elapsed, control.least_time_per_move);
  const Millis by_units = in_units(played.consumed, control.unit);
  if (counts_units_ || !played.is_ours || has_deviated_ ||
      distance(by_units, passed) + unit_evidence >= distance(played.consumed, passed)) {
    return;
  }
  counts_units_ = true;
  game_clock_ = csa::GameClock(summary_.times);
  shogi::Color mover = summary_.start.side_to_move();
  for (std::size_t ply = 0; ply < moves_.size(); ++ply) {
    Played& move = moves_[ply];
    move.consumed = in_units(move.consumed, game_clock_.control(mover).unit);
    game_clock_.charge(mover, move.consumed);
    mover = shogi::opposite(mover);
    if (ply + 1 == summary_.moves.size()) {
      game_clock_.cap_at_total();
    }
  }
}

Millis Game::charge(const csa::MovePlayed& played, shogi::Color mover) {
  const bool is_in_units = counts_units_ && !played.is_unechoed;
  const Millis consumed =
      is_in_units ? in_units(played.consumed, game_clock_.control(mover).unit) : played.consumed;
  game_clock_.charge(mover, consumed);
  return consumed;
}

std::optional<Deviation> Game::play(const csa::MovePlayed& played, std::optional<Millis> elapsed) {
  const shogi::Color turn = position_.side_to_move();
  const base::Result<shogi::Move> told = shogi::csa::parse_move(position_, played.move);
  if (told && position_.can_play(*told)) {
    return play_on_board(*told, played, elapsed);
  }
  if (played.mover == turn) {
    return put_as_told(played,
                       told ? base::Message(shogi::describe(shogi::judge(position_, *told))) : told.error().what);
  }
  // The other side moves: as if it had been its turn, or with the wrong sign.
  shogi::Position passed = position_;
  passed.set_side_to_move(played.mover);
  const base::Result<shogi::Move> move = shogi::csa::parse_move(passed, played.move);
  if (!move || !passed.can_play(*move)) {
    csa::MovePlayed turned = played;
    turned.mover = turn;
    turned.move.front() = shogi::csa::sign(turn);
    const base::Result<shogi::Move> own = shogi::csa::parse_move(position_, turned.move);
    if (own && position_.can_play(*own)) {
      play_on_board(*own, turned, elapsed);
      return Deviation{base::say("it has the other side's sign"), true};
    }
  }
  return put_as_told(played, base::say("it is the other side's turn"));
}

std::optional<Deviation> Game::play_on_board(const shogi::Move& move, const csa::MovePlayed& played,
                                             std::optional<Millis> elapsed) {
  if (elapsed) {
    learn_unit(played, *elapsed);
  }
  const shogi::Verdict verdict = shogi::judge(position_, move);
  const Millis consumed = charge(played, played.mover);
  follow(move, played.move, consumed);
  if (verdict == shogi::Verdict::legal) {
    return std::nullopt;
  }
  restart_command();
  return Deviation{shogi::describe(verdict), true};
}

/// The line itself says what it leads to: the piece that it names stands on its target, its source is
/// empty, and the other side is to move. Of a line that names no piece or square only the last is left.
Deviation Game::put_as_told(const csa::MovePlayed& played, base::Message why) {
  const auto square = [&](std::size_t at) -> std::optional<shogi::Square> {
    const int file = played.move[at] - '0';
    const int rank = played.move[at + 1] - '0';
    return shogi::Square::is_on_board(file, rank) ? std::optional(shogi::Square(file, rank)) : std::nullopt;
  };
  static_cast<void>(charge(played, played.mover));
  if (played.move.size() == 7) {
    const auto from = square(1);
    const auto to = square(3);
    const auto kind = shogi::csa::piece_from_code(std::string_view(played.move).substr(5));
    if (to && kind && from != to) {
      put(played.mover, from, *to, *kind);
    }
  }
  position_.set_side_to_move(shogi::opposite(played.mover));
  decided_ = repetition_.after_move(position_);
  restart_command();
  return {std::move(why), false};
}

void Game::put(shogi::Color mover, std::optional<shogi::Square> from, shogi::Square to,
               shogi::PieceKind kind) {
  if (from) {
    position_.clear(*from);
  } else if (shogi::can_be_in_hand(kind)) {
    position_.set_hand(mover, kind, std::max(0, position_.hand(mover, kind) - 1));
  }
  const std::optional<shogi::Piece> captured = position_.at(to);
  if (captured && captured->color != mover && captured->kind != shogi::PieceKind::king) {
    const shogi::PieceKind taken = shogi::unpromoted(captured->kind);
    position_.set_hand(mover, taken,
                       std::min(position_.hand(mover, taken) + 1, shogi::pieces_in_set(taken)));
  }
  position_.put(to, {mover, kind});
}

void Game::restart_command() {
  // An engine stops reading at a move that the rules forbid: it is told the position instead.
  command_ = PositionCommand(position_);
  has_deviated_ = true;
}

bool Game::is_for_engines() const {
  const shogi::Color turn = position_.side_to_move();
  return !has_deviated_ ||
         (position_.king(turn) && position_.king(shogi::opposite(turn)) &&
          shogi::pieces_used(position_, shogi::PieceKind::king) == 2 &&
          !shogi::is_in_check(position_, shogi::opposite(turn)));
}

}  // namespace kakehashi::bridge
