// What an idle engine is asked for between games: to take in the rules of the next one, and to prove
// that it is alive. The proof is "isready", which every protocol of the family answers; in USI it
// empties the hash table, so that it is never asked in the middle of a game.
#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "bridge/engine_seat.hpp"

namespace kakehashi::bridge {

using base::Millis;
using base::Now;

void EngineSeat::ask_ready(State state, Millis limit,
                           const std::vector<usi::OptionSetting>& settings, Now now, Outbox& out) {
  state_ = state;
  asked_ready_at_ = now.steady;
  ready_patience_ = limit;
  progress_after_ = progress_first;
  watch_ready();
  write(session_.prepare(settings).lines, out);
}

Millis EngineSeat::proof_timeout() const {
  return std::min<Millis>(config_.ready_timeout, proof_timeout_min + 3 * slowest_ready_);
}

void EngineSeat::hear(Now now) {
  if (const auto since = silent_since()) {
    longest_silence_ = std::max(longest_silence_, base::millis_between(*since, now.steady));
  }
  heard_ = end_of_life_slice(now.steady);
}

std::optional<base::SteadyTime> EngineSeat::silent_since() const {
  return waiting_since_ ? std::optional(std::max(*waiting_since_, heard_)) : std::nullopt;
}

base::SteadyTime EngineSeat::ready_limit() const {
  return std::min(std::max(asked_ready_at_, heard_) + ready_patience_,
                  asked_ready_at_ + std::max(config_.ready_max, ready_patience_));
}

void EngineSeat::watch_ready() { deadline_ = std::min(ready_limit(), asked_ready_at_ + progress_after_); }

std::vector<SeatNews> EngineSeat::on_ready_deadline(Now now, Outbox& out) {
  const Millis waited = base::millis_between(asked_ready_at_, now.steady);
  if (now.steady < ready_limit()) {
    if (waited >= progress_after_) {
      progress_after_ *= 2;
      out.info("engine_getting_ready",
               std::string(who_) + " is still getting ready: " + base::format_millis(waited.count()) + " so far");
    }
    watch_ready();
    return {};
  }
  std::string why = std::string(who_) + " sent no readyok within " + base::format_millis(waited.count());
  if (state_ == State::proving) {
    why += ", asked whether it is alive";
  } else if (waited >= std::max(config_.ready_max, ready_patience_) && config_.ready_max > ready_patience_) {
    why += " (engine.ready_max)";
  } else {
    why += ", and has said nothing for " + base::format_millis(ready_patience_.count()) + " (engine.ready_timeout)";
  }
  return fail(why, now, out);
}

void EngineSeat::settle(Now now, Outbox& out) {
  if (!is_idle() || session_.parked()) {
    return;
  }
  if (renews_when_idle_) {
    begin_renewal(now, out);
    return;
  }
  if (std::exchange(quits_when_idle_, false)) {
    static_cast<void>(quit(now, out));
    return;
  }
  if (std::exchange(rules_are_due_, false)) {
    tell_rules(now, out);
  }
  // Rules that were told are answered by the same readyok.
  if (std::exchange(proof_is_due_, false) && is_idle()) {
    ask_ready(State::proving, proof_timeout(), {}, now, out);
  }
}

void EngineSeat::prepare_game(const GameRules& rules, Now now, Outbox& out) {
  rules_ = rules;
  // An engine that has yet to greet is told them with its options.
  rules_are_due_ = state_ == State::preparing || state_ == State::learning || state_ == State::proving || is_ready();
  settle(now, out);
}

void EngineSeat::prove(Now now, Outbox& out) {
  if (is_ready() && !starts_no_more_) {
    proof_is_due_ = true;
    settle(now, out);
  }
}

void EngineSeat::prove_if_stale(Now now, Outbox& out, Millis within) {
  const bool is_stale = base::millis_between(alive_at_, now.steady) >= proof_age_max;
  if (is_idle() && is_stale && slowest_ready_ + slowest_ready_ / 4 < within) {
    prove(now, out);
  }
}

}  // namespace kakehashi::bridge
