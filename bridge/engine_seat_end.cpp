// How a seat gives its engine up: replacement, quit, renewal, and the end of all.
#include "bridge/engine_seat.hpp"

namespace kakehashi::bridge {

using base::Millis;
using base::Now;

std::vector<SeatNews> EngineSeat::finish_quitting(Now now, Outbox& out) {
  if (is_renewing_) {
    launch(now, out);
    return {};
  }
  return empty();
}

void EngineSeat::renew(Now now, Outbox& out) {
  if (is_ready() && !starts_no_more_) {
    renews_when_idle_ = true;
    settle(now, out);
  }
}

void EngineSeat::begin_renewal(Now now, Outbox& out) {
  static_cast<void>(quit(now, out));
  is_renewing_ = true;
}

void EngineSeat::start_no_more() {
  starts_no_more_ = true;
  renews_when_idle_ = false;
  is_renewing_ = false;
  proof_is_due_ = false;
}

std::vector<SeatNews> EngineSeat::empty() {
  state_ = State::empty;
  deadline_.reset();
  return {SeatEmptied{}};
}

void EngineSeat::kill(Outbox& out) {
  if (state_ != State::empty && state_ != State::given_up) {
    out.add(KillEngine{EngineId{launches_}, Millis{0}});
  }
  state_ = State::empty;
  deadline_.reset();
}

std::vector<SeatNews> EngineSeat::quit(Now now, Outbox& out) {
  if (state_ == State::empty || state_ == State::given_up) {
    return empty();
  }
  renews_when_idle_ = false;
  is_renewing_ = false;
  if (state_ == State::quitting) {
    return {};
  }
  if (state_ == State::starting) {
    kill(out);  // it cannot read a "quit" before it runs
    return empty();
  }
  if (is_ready() && session_.owed() > 0) {
    // It is told that the game is over behind its bestmove, and to quit behind that.
    quits_when_idle_ = true;
    abandon(now, out);
    return {};
  }
  state_ = State::quitting;
  deadline_ = now.steady + config_.quit_timeout;
  write(session_.quit().lines, out);
  return {};
}

}  // namespace kakehashi::bridge
