#include "bridge/game/move_account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace kakehashi::bridge {

using base::Millis;

namespace {

/// What a move took of its mover's clock at least, as the server counts it.
Millis least_taken(Millis counted, const csa::TimeControl& control) {
  const Millis rounded_up = control.rounds_up ? Millis{1'000} : Millis{0};
  return counted > control.least_time_per_move ? std::max(Millis{0}, counted - rounded_up) : Millis{0};
}

Millis charged_for(Millis elapsed, const csa::TimeControl& control) {
  const Millis counted = std::max(Millis{0}, elapsed - control.delay);
  return std::max<Millis>(std::chrono::ceil<base::Seconds>(counted), control.least_time_per_move);
}

const csa::TimeControl& our_control(const Game& game) {
  return game.game_clock().control(game.summary().our_color);
}

}  // namespace

void MoveAccount::repeat() {
  if (sent_) {
    sent_->is_repeated = true;
  }
}

Millis MoveAccount::charge_until(base::SteadyTime sent, const Game& game, const LinkMargin& link) const {
  return charged_for(base::millis_between(turn_started_, sent) + link.way(), our_control(game));
}

/// It was at the server before the reply's time began, and our turn began no sooner than the opponent's time behind
/// our move before it was over, whatever held up the one or the other on the way.
Millis MoveAccount::charge_unechoed(const csa::MovePlayed& move, base::SteadyTime now, const Game& game,
                                    const LinkMargin& link) const {
  const base::SteadyTime sent = sent_ ? sent_->left : now;
  if (!move.reply_took) {
    return charge_until(sent, game, link);
  }
  const csa::TimeControl& other = game.game_clock().control(shogi::opposite(game.summary().our_color));
  const Millis both = base::millis_between(turn_began_min_, now);
  return charged_for(std::max(both - least_taken(*move.reply_took, other), base::millis_between(turn_started_, sent)),
                     our_control(game));
}

std::optional<MoveTime> MoveAccount::take_echo(const csa::MovePlayed& echo, base::SteadyTime now, const Game& game,
                                               LinkMargin& link) {
  if (!sent_ || !echo.is_ours || echo.differs_from_sent || echo.is_unechoed) {
    return std::nullopt;
  }
  if (!sent_->is_repeated) {
    link.take_echo(base::millis_between(sent_->left, now));
  }
  std::optional<MoveTime> time;
  if (sent_->entitled) {
    const csa::TimeControl& own = game.game_clock().control(echo.mover);
    time = MoveTime{.entitled = *sent_->entitled,
                    .had = sent_->had,
                    .used = base::millis_between(turn_started_, sent_->left),
                    .charged = game.moves().back().consumed,
                    .added = own.increment,
                    .left = game.game_clock().main_time(echo.mover)};
    if (time_.moves == 0) {
      time->added += sent_->main_time;
    }
    if (time->left.count() == 0 && !own.is_stop_watch) {
      time->added += own.byoyomi;
    }
    time_.take(*time);
    // A move that was sent again carries the outage in its time.
    if (!sent_->is_repeated && !own.rounds_up && !own.is_stop_watch && own.least_time_per_move.count() == 0) {
      link.take_charge(time->used, time->charged);
    }
  }
  link.end_move();
  return time;
}

MoveFacts MoveAccount::facts_behind(const csa::MovePlayed& played, const Thought* thought,
                                    base::SteadyTime now) const {
  MoveFacts facts{thought};
  if (!played.is_ours) {
    facts.elapsed = base::millis_between(turn_started_, now);
    facts.comment = played.comment;
  } else if (sent_) {
    facts.elapsed = sent_->elapsed;
    if (!played.is_unechoed) {
      facts.link_delay = base::millis_between(sent_->left, now);
    }
    facts.ponder_hit = sent_->ponder_hit;
  }
  return facts;
}

void MoveAccount::begin_turn(const csa::MovePlayed& played, Millis counted, const Game& game, base::SteadyTime now) {
  if (played.is_ours) {
    turn_began_min_ = sent_ ? std::max(turn_began_min_, sent_->left) : turn_began_min_;
  } else if (game.is_our_turn()) {
    turn_began_min_ = std::min(now, turn_began_min_ + least_taken(counted, game.game_clock().control(played.mover)));
  }
  turn_started_ = now;
}

// --- what the members of a team that thinks together have chosen and said in one game: whose our moves were, and what each
// said on our last turn. It is for the record and for people; no move depends on it.

namespace {

std::optional<ViewedOpinion> opinion_of(const Consultation::Member& member, shogi::Color us) {
  if (!member.said) {
    return std::nullopt;
  }
  ViewedOpinion opinion{.move = member.said->shown, .depth = member.thought.depth};
  if (member.thought.score) {
    opinion.score = black_score(*member.thought.score, us);
  }
  return opinion;
}

}  // namespace

void TeamAccount::send(std::optional<Seat> by, const EngineTeam& team) {
  chosen_by_.clear();
  if (by && team.thinks_together()) {
    moves_by_seat_.resize(team.size());
    ++moves_by_seat_[*by];
    chosen_by_ = team.member(*by).known().name_in_team;
  }
}

std::vector<ViewedMember> TeamAccount::members(const EngineTeam& team, const Ahead& ahead,
                                               const std::optional<Consultation>& said, shogi::Color us) const {
  std::vector<ViewedMember> all;
  for (Seat seat = 0; team.thinks_together() && seat < team.size(); ++seat) {
    const EngineKnowledge& known = team.member(seat).known();
    all.push_back({.name = known.name_in_team,
                   .engine = known.name,
                   .is_ready = team.member(seat).is_ready(),
                   .plays = seat == team.player_seat(),
                   .is_out = team.is_out(seat),
                   .moves = seat < moves_by_seat_.size() ? moves_by_seat_[seat] : 0,
                   .ponder = ahead.gain_of(seat),
                   .said = said ? opinion_of(said->members()[seat], us) : std::nullopt});
  }
  return all;
}

std::string describe_opinions(const std::vector<ViewedMember>& members) {
  std::string text;
  for (const ViewedMember& member : members) {
    if (const auto& said = member.said) {
      const std::string depth = said->depth > 0 ? fmt::format(" (depth {})", said->depth) : "";
      const std::string score = said->score ? fmt::format(" {}{}", *said->score, depth) : "";
      text += fmt::format("{}{} {}{}", text.empty() ? "team: " : ", ", member.name, said->move, score);
    }
  }
  return text;
}

}  // namespace kakehashi::bridge
