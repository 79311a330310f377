// What an idle engine is asked for between games: to take in the rules of the next one, and to prove
// that it is alive. The proof is "isready", which every protocol of the family answers; in USI it
// empties the hash table, so that it is never asked in the middle of a game.
#include <algorithm>
#include <utility>

#include "bridge/engine_seat.hpp"

namespace kakehashi::bridge {

using base::Millis;
using base::Now;

void EngineSeat::ask_ready(State state, Millis limit,
                           const std::vector<usi::OptionSetting>& settings, Now now, Outbox& out) {
  state_ = state;
  deadline_ = now.steady + limit;
  asked_ready_at_ = now.steady;
  write(session_.prepare(settings).lines, out);
}

Millis EngineSeat::proof_timeout() const {
  return std::min<Millis>(config_.ready_timeout, proof_timeout_min + 3 * slowest_ready_);
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
