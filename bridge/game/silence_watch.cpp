#include "bridge/game/silence_watch.hpp"

#include <algorithm>

namespace kakehashi::bridge {

using base::duration;
using base::Millis;
using base::say;

namespace {

/// An engine may say nothing for this long whatever the clock.
constexpr Millis silence_min{5'000};

/// For an old search to stop: where another is idle, so long, and nothing is lost by it.
constexpr Millis stand_in_wait{300};
/// Where the engine would have to be started anew, a tenth of the turn, within these bounds and a quarter of the turn.
constexpr Millis stop_wait_min{500};
constexpr Millis stop_wait_max{2'000};
constexpr int stop_wait_parts = 10;
constexpr int stop_wait_parts_max = 4;

Millis main_time(const Game& game) { return game.game_clock().main_time(game.summary().our_color); }

/// What the server adds for each of our moves.
Millis each_move(const Game& game) {
  const csa::TimeControl& control = game.game_clock().control(game.summary().our_color);
  return control.increment + control.byoyomi;
}

}  // namespace

Millis shortest_patience(const Game& game) { return each_move(game) + std::max(silence_min, main_time(game) / 4); }

Millis patience(const TurnContext& in) {
  if (in.config.engine.silence_max) {
    return *in.config.engine.silence_max;
  }
  const Millis shortest = shortest_patience(in.game);
  const Millis longest = std::max(shortest, each_move(in.game) + main_time(in.game) / 2);
  return std::clamp(2 * in.team.player().known().habits.longest_silence, shortest, longest);
}

OldSearchPatience old_search_patience(const TurnContext& in, EngineTeam::Seat seat, Millis given) {
  const EngineSupervisor& engine = in.team.member(seat);
  const Millis way = in.turn_rules(seat).engine_way;
  const Millis usual = engine.known().habits.given_up.expected();
  const Millis shortest = std::min(stop_wait_min, given / stop_wait_parts_max);
  const Millis spared = std::clamp(given / stop_wait_parts, shortest, stop_wait_max);
  const Millis stand_in = std::min(stand_in_wait, given / stop_wait_parts_max);
  return {std::min(std::max(stand_in, usual), spared) + way,
          std::min(EngineSearches::stop_timeout, std::max(spared, usual) + way), shortest};
}

void SilenceWatch::begin(const TurnContext& in) {
  in.team.player().watch_silence(in.now);
  const auto out = in.team.player().link().out_since();
  look_at_ = out ? std::max(*out + out_max, in.now.steady) : in.now.steady + patience(in);
}

void SilenceWatch::on_link(const TurnContext& in) {
  if (const auto out = in.team.player().link().out_since()) {
    look_at_ = base::earlier(look_at_, std::max(*out + out_max, in.now.steady));
  }
}

bool SilenceWatch::look(const TurnContext& in, bool may_doubt) {
  look_at_.reset();
  if (const auto out = in.team.player().link().out_since()) {
    return look_at_link(in, *out, may_doubt);
  }
  const auto since = in.team.player().silent_since();
  if (!since) {
    return false;
  }
  if (const base::SteadyTime due = *since + patience(in); !in.expired(due)) {
    look_at_ = due;
    return false;
  }
  const auto silence = duration(base::millis_between(*since, in.now.steady).count());
  if (may_doubt && in.team.may_doubt()) {
    in.out.warn("engine_doubted",
                say("the engine has said nothing for {}; the standby engine is asked as well, and who answers "
                    "first plays",
                    silence));
    has_doubted_ = true;
    in.team.doubt(say("the other one is silent"), in.now, in.out);
    return true;
  }
  in.out.warn("engine_doubted",
              say("the engine has said nothing for {}; it is told to stop, and replaced if it does not", silence));
  in.team.hurry(in.now, in.out);
  return false;
}

bool SilenceWatch::look_at_link(const TurnContext& in, base::SteadyTime out_since, bool may_doubt) {
  if (const base::SteadyTime due = out_since + out_max; !in.expired(due)) {
    look_at_ = due;
    return false;
  }
  if (may_doubt && in.team.may_doubt()) {
    in.out.warn("engine_doubted",
                say("no link leads to the engine; the standby engine is asked as well, and who answers "
                    "first plays"));
    has_doubted_ = true;
    in.team.doubt(say("no link leads to the other one"), in.now, in.out);
    return true;
  }
  look_at_ = in.now.steady + out_max;  // it searches on there; another may become ready meanwhile
  return false;
}

}  // namespace kakehashi::bridge
