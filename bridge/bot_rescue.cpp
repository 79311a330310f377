// Our turns without a usable word of the engine: another engine while there is time, and a legal
// move when there is none.
#include <string>
#include <vector>

#include "base/text.hpp"
#include "bridge/bot_core.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

using base::Millis;

namespace {

/// With less than this left, an engine that answered nonsense is not restarted on our turn.
constexpr Millis restart_on_turn_min{2'000};

/// An engine may say nothing for this long whatever the clock.
constexpr Millis silence_min{5'000};

/// An engine that is lost in so many searches in a row is not asked again on this turn.
constexpr int searches_lost_max = 3;

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

struct Fallback {
  shogi::Move move;
  const char* source;
};

/// What the engine thought best last is better than any legal move.
Fallback choose_fallback(const Playing& playing, const std::string& advice,
                         const std::vector<shogi::Move>& legal) {
  const shogi::Position& position = playing.game.position();
  const auto king = position.king(shogi::opposite(position.side_to_move()));
  for (const shogi::Move& move : legal) {
    if (king == move.to()) {
      return {move, "the move that takes the king, which a move against the rules left in check"};
    }
  }
  if (const auto move = move_of_line(playing.game, {playing.thought_ply, playing.thought.pv})) {
    return {*move, "the first move of the engine's last line"};
  }
  if (const auto move = move_of_line(playing.game, {playing.game.ply(), {advice}})) {
    return {*move, "what the standby engine advises"};
  }
  if (const auto move = move_of_line(playing.game, playing.earlier)) {
    return {*move, "what the engine planned on an earlier turn"};
  }
  return {legal.front(), "a legal move"};
}

/// For the note's field and a metric's label.
const char* name_of(RescueCause cause) {
  switch (cause) {
    case RescueCause::gone: return "gone";
    case RescueCause::silent: return "silent";
    case RescueCause::unusable: return "unusable";
    case RescueCause::declaration: return "declaration";
  }
  return "gone";
}

}  // namespace

Millis Bot::Core::patience(const Playing& playing) const {
  if (config_.engine.silence_max) {
    return *config_.engine.silence_max;
  }
  const shogi::Color us = playing.game.summary().our_color;
  const csa::TimeControl& control = playing.game.ledger().control(us);
  const Millis main = playing.game.ledger().main_time(us);
  const Millis each_move = control.increment + control.byoyomi;
  const Millis shortest = each_move + std::max(silence_min, main / 4);
  return std::clamp(2 * team_.player().longest_silence(), shortest, std::max(shortest, each_move + main / 2));
}

void Bot::Core::watch_silence(Playing& playing) {
  OwnTurn& turn = *playing.turn;
  turn.doubt_at.reset();
  if (!turn.limits.entitled || turn.is_hurried) {
    return;
  }
  if (turn.search) {
    team_.watch_silence(now_);
  }
  if (turn.search || searches_lost_ >= searches_lost_max) {
    turn.doubt_at = now_.steady + patience(playing);
  }
}

void Bot::Core::look_at_silence(Playing& playing) {
  OwnTurn& turn = *playing.turn;
  turn.doubt_at.reset();
  if (turn.is_hurried) {
    return;
  }
  if (!turn.search) {
    if (searches_lost_ >= searches_lost_max) {
      play_without_engine(playing, RescueCause::gone, "no engine has answered for a long time");
    }
    return;
  }
  const auto since = team_.player().silent_since();
  if (!since) {
    return;
  }
  if (const base::SteadyTime due = *since + patience(playing); !expired(due)) {
    turn.doubt_at = due;
    return;
  }
  const std::string silence =
      "the engine has said nothing for " + base::format_millis(base::millis_between(*since, now_.steady).count());
  if (team_.may_doubt()) {
    out_.warn("engine_doubted", silence + "; the standby engine is asked as well, and who answers first plays");
    turn.is_doubted = true;
    team_.doubt("the other one is silent", now_, out_);
    request_search(playing);
  } else {
    out_.warn("engine_doubted", silence + "; it is told to stop, and replaced if it does not");
    team_.hurry(now_, out_);
  }
}

void Bot::Core::lose_search(Playing& playing, const SeatLost& lost) {
  OwnTurn& turn = *playing.turn;
  if (turn.search && !lost.goes_on) {
    ++searches_lost_;
  }
  turn.search = lost.goes_on;
  if (lost.goes_on) {
    begin_thought(playing, playing.game.ply());
    watch_silence(playing);
  }
  if (lost.is_replaced) {
    return;
  }
  out_.warn("engine_lost_on_turn", "our clock runs without an engine: " + lost.why);
  const bool is_long = base::millis_between(turn.started, now_.steady) >= patience(playing);
  if (lost.is_missing) {
    play_without_engine(playing, RescueCause::gone, "the engine cannot be started");
  } else if (turn.limits.entitled &&
             (searches_lost_ >= searches_lost_max || (searches_lost_ == searches_lost_max - 1 && is_long))) {
    play_without_engine(playing, RescueCause::gone,
                        "the engine was lost in " + std::to_string(searches_lost_) + " searches in a row");
  }
}

void Bot::Core::report_unusable(const Playing& playing, const std::string& why) {
  out_.error("unusable_bestmove",
             why + "; position " + shogi::usi::format_sfen(playing.game.position()));
}

void Bot::Core::rescue(Playing& playing, const std::string& why) {
  OwnTurn& turn = *playing.turn;
  ++turn.unusable_answers;
  report_unusable(playing, why);
  const Millis spent = base::millis_between(turn.started, now_.steady);
  // Another engine that waits can begin at once; a restarted one needs its time to get ready.
  const Millis needed = team_.has_substitute() ? Millis{0} : restart_on_turn_min;
  // One that was asked already at the `stop` answers before the rescue must act.
  const bool is_too_late = !team_.is_consulting() && turn.limits.hurry_after - spent < needed;
  if (turn.unusable_answers > 1 || is_too_late) {
    play_without_engine(playing, RescueCause::unusable, "the engine gave no usable move");
    return;
  }
  on_news(team_.replace("the engine gave an unusable move", now_, out_));
}

void Bot::Core::play_without_engine(Playing& playing, RescueCause cause, const std::string& why) {
  if (!playing.turn) {
    return;
  }
  team_.abandon(now_, out_);
  playing.turn->search.reset();
  if (config_.engine.on_failure == config::OnFailure::resign) {
    resign(playing, why + " (engine.on_failure: resign)");
    return;
  }
  play_fallback(playing, why, cause);
}

void Bot::Core::play_fallback(Playing& playing, const std::string& why,
                              std::optional<RescueCause> cause) {
  const shogi::Position& position = playing.game.position();
  const std::vector<shogi::Move> legal = shogi::legal_moves(position);
  if (legal.empty()) {
    resign(playing, "there is no legal move");
    return;
  }
  const Fallback fallback = choose_fallback(playing, team_.advice(), legal);
  const std::string text =
      why + "; playing " + fallback.source + ", " + shogi::csa::format_move(position, fallback.move);
  if (cause) {
    out_.error("rescue_move", text, {{"cause", name_of(*cause)}});
  } else {
    out_.warn("resignation_declined", text);
  }
  if (cause && cause != RescueCause::silent && playing.turn && !playing.turn->idle_since) {
    playing.turn->idle_since = now_.steady;  // what is left of the turn is no engine's
  }
  if (cause && playing.rescues.size() < FinishedGame::rescues_max) {
    playing.rescues.push_back({playing.game.ply() + 1, why + "; playing " + fallback.source});
  }
  playing.expected_reply.clear();
  play(playing, fallback.move);
}

}  // namespace kakehashi::bridge
