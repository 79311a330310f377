#include "bridge/game/offer.hpp"

#include <algorithm>
#include <utility>

#include "config/game_settings.hpp"

namespace kakehashi::bridge {

using base::duration;
using base::Millis;
using base::quoted;
using base::say;

namespace {

/// The server closes its window 120 s after the summary (shogi-server); this leaves it some way.
constexpr Millis agree_window{100'000};

/// What the way and a server's own delay may add to the clocks.
constexpr Millis line_patience_rest{15'000};

/// shogi-server looks once in so long at the clock of a player who says nothing: until then who leaves has lost, the
/// other's fallen flag or not.
constexpr Millis flag_seen_after{60'000};

/// A line that was silent for so long does not come back, whatever the clocks allow.
constexpr Millis line_patience_max{3'600'000};

}  // namespace

void Offer::agree_when_idle(const GameContext& in) {
  if (agreed_at_ || !in.team.player().is_idle()) {
    return;
  }
  if (!std::exchange(is_engine_told_, true)) {
    GameRules rules = rules_of(game_.summary());
    if (in.config.time.round_up) {
      rules.round_up = round_up_for(game_.summary(), in.link.way());
    }
    if (has_unknown_declaration(game_.summary())) {
      in.out.warn("declaration_unknown",
                  say("the game is announced with Declaration:{}, which is no rule that is known here: nothing is "
                      "declared in it",
                      quoted(game_.summary().declaration)));
    }
    in.team.engines().prepare_game(rules, in.now, in.out);
    in.team.engines().prove_if_stale(in.now, in.out, agree_window);
    if (!in.team.player().is_idle()) {
      return;
    }
  }
  in.team.player().new_game(in.out);
  note_long_way(in);
  agreed_at_ = in.now.steady;
  in.send(in.session.agree(in.now.steady));
}

bool Offer::on_time(const GameContext& in) {
  in.team.hand_over(say("the server's window closes"), in.now, in.out);
  agree_when_idle(in);
  if (agreed_at_) {
    return false;
  }
  in.out.error("agree_too_late", say("the engine is not ready and the server's window closes: REJECT"));
  in.out.count(Incident::agree_too_late);
  in.send(in.session.reject(in.now.steady));
  return true;
}

std::optional<base::SteadyTime> Offer::deadline() const {
  return agreed_at_ ? std::nullopt : std::optional(offered_ + agree_window);
}

/// Where the way takes most of the shortest turn, a person should know before the game begins.
void Offer::note_long_way(const Context& context) const {
  const csa::GameSummary& summary = game_.summary();
  const bool is_black = summary.our_color == shogi::Color::black;
  csa::TimeControls shortest = summary.times;
  csa::TimeControl& own = is_black ? shortest.black : shortest.white;
  const Millis turn = own.increment + own.byoyomi;
  const Millis way = context.link.way();
  if (own.is_untimed() || own.is_stop_watch || turn.count() == 0 || way <= turn / 2) {
    return;
  }
  own.total = Millis{0};
  const ThinkTime limits =
      think_time(csa::GameClock(shortest), summary.our_color, Millis{0}, context.rules());
  context.out.warn("long_way",
                   say("the way to the server and back takes up to {}, and the shortest turn of this game is {}: "
                       "the engine gets {} of it and is told to stop; a longer way loses on time",
                       duration(way.count()), duration(turn.count()), duration(limits.given.count())),
                   {{"way_ms", std::to_string(way.count())},
                    {"turn_ms", std::to_string(turn.count())},
                    {"left_ms", std::to_string(limits.given.count())}});
}

Millis line_patience(const Game& game, bool is_only_ours) {
  const csa::GameClock& game_clock = game.game_clock();
  const shogi::Color us = game.summary().our_color;
  const auto ours = game_clock.budget(us);
  const auto theirs = is_only_ours ? Millis{0} : game_clock.budget(shogi::opposite(us));
  const Millis seen_after = is_only_ours ? Millis{0} : flag_seen_after;
  return ours && theirs ? std::min(line_patience_max, *ours + *theirs + seen_after + line_patience_rest)
                        : line_patience_max;
}

int minute_of_day(base::WallTime now, std::chrono::minutes utc_offset) {
  const auto local = now + utc_offset;
  const auto since_midnight = local - std::chrono::floor<std::chrono::days>(local);
  return static_cast<int>(std::chrono::floor<std::chrono::minutes>(since_midnight).count());
}

config::GameFacts known_game(const csa::GameSummary& summary, const config::BotConfig& config,
                             base::WallTime now) {
  const bool is_black = summary.our_color == shogi::Color::black;
  const csa::TimeControl& clock = is_black ? summary.times.black : summary.times.white;
  config::GameFacts facts;
  facts.game_name = config::game_name_in(summary.game_id);
  if (facts.game_name.empty()) {
    facts.game_name = config.game.name;
  }
  facts.opponent = summary.name(shogi::opposite(summary.our_color));
  facts.color = summary.our_color;
  facts.total = clock.total.value_or(base::Millis{0});
  facts.byoyomi = clock.byoyomi;
  facts.increment = clock.increment;
  facts.minute_of_day = minute_of_day(now, config.records.utc_offset);
  return facts;
}

}  // namespace kakehashi::bridge
