// The way out: draining, resigning, leaving.
#include <utility>

#include "base/text.hpp"
#include "bridge/bot/bot_core.hpp"

namespace kakehashi::bridge {

namespace {

/// For LOGOUT's answer.
constexpr base::Millis logout_timeout{5'000};
/// For our next turn to come and the server to end a game that is given up.
constexpr base::Millis resign_timeout{30'000};

}  // namespace

void Bot::Core::on_stop(const StopRequested& event) {
  const bool is_patient = event.urgency == Urgency::drain || event.urgency == Urgency::renew;
  if (event.urgency == Urgency::at_once || is_over()) {
    if (!is_patient) {
      exit_at_once();
    }
    return;
  }
  take_no_more_games();
  const Offer* offered = offer();
  if (!std::holds_alternative<Match>(game_) && (offered == nullptr || !offered->agreed_at())) {
    if (offered != nullptr) {
      connection_.reject(now_, out_);
    }
    leave(0, event.urgency == Urgency::renew ? "a new configuration waits" : "asked to stop");
    return;
  }
  if (event.urgency == Urgency::renew) {
    out_.info("renewing", "a new configuration waits: the game is finished first");
  } else if (event.urgency == Urgency::drain) {
    drain();
  } else {
    give_up_game("asked again to stop");
  }
}

void Bot::Core::take_no_more_games() {
  stopping_.is_asked = true;
  connection_.take_no_more_games();
}

void Bot::Core::drain() {
  std::string until;
  if (const base::Millis limit = config_.stop.drain_limit; limit.count() > 0) {
    stopping_.drain_until = now_.steady + limit;
    until = ", for at most " + base::format_millis(limit.count());
  }
  out_.info("draining",
            "asked to stop: the game is finished first" + until + "; ask again to resign it");
}

void Bot::Core::give_up_game(const std::string& why) {
  stopping_.drain_until.reset();
  stopping_.is_resigning = true;
  stopping_.leave_by = now_.steady + resign_timeout;
  out_.warn("resigning", why + ": the game is resigned on our turn");
  if (connection_.session().may_send_move()) {
    tell_match([](Match& match, const GameContext& in) { match.resign(in, "the operator asked for it"); });
  }
}

void Bot::Core::leave(int exit_status, const std::string& why) {
  stopping_.leave_by.reset();
  stopping_.drain_until.reset();
  team_.start_no_more();
  out_.info("leaving", "leaving: " + why);
  // Behind a game this connection is often good for nothing more; "always" says it there as well.
  const bool may_log_out =
      connection_.may_log_out(connection_.stays_connected() || config_.server.logout == config::Logout::always);
  if (auto* running = std::get_if<Match>(&game_)) {
    if (!running->is_suspended()) {
      running->drop_search(context());
    }
    finish_game(*running, csa::GameEnd{});
  }
  game_ = std::monostate{};
  connection_.way_back().reset();
  connection_.retire();
  life_ = Leaving{now_.steady + logout_timeout, false, exit_status};
  report(Phase::leaving);
  if (may_log_out) {
    connection_.log_out(now_, out_);
  } else {
    quit_engine();
  }
}

void Bot::Core::quit_engine() {
  std::get<Leaving>(life_).engine_is_quitting = true;
  connection_.close(out_);
  on_news(team_.quit(now_, out_));
}

void Bot::Core::finish_leaving() {
  const auto* leaving = std::get_if<Leaving>(&life_);
  if (leaving != nullptr && leaving->engine_is_quitting) {
    be_gone(leaving->exit_status);
  }
}

void Bot::Core::exit_at_once() {
  auto* running = std::get_if<Match>(&game_);
  if (running != nullptr) {
    out_.error("game_left", "asked a third time to stop: the running game is left");
    finish_game(*running, csa::GameEnd{});
    game_ = std::monostate{};
  }
  connection_.close(out_);
  team_.kill(out_);
  be_gone(running != nullptr ? exit_game_left : 0);
}

void Bot::Core::be_gone(int exit_status) {
  life_ = Gone{};
  report(Phase::gone);
  out_.add(Exit{exit_status});
}

}  // namespace kakehashi::bridge
