// The way out: draining, resigning, leaving.
#include "base/text.hpp"
#include "bridge/bot_core.hpp"

namespace kakehashi::bridge {

namespace {

/// For LOGOUT's answer.
constexpr base::Millis logout_timeout{5'000};
/// For our next turn to come and the server to end a game that is given up.
constexpr base::Millis resign_timeout{30'000};

}  // namespace

void Bot::Core::on_stop(const StopRequested& event) {
  const bool is_patient = event.urgency == Urgency::drain || event.urgency == Urgency::renew;
  if (event.urgency == Urgency::at_once || std::holds_alternative<Leaving>(phase_)) {
    if (!is_patient) {
      exit_at_once();
    }
    return;
  }
  is_draining_ = true;
  const auto* agreeing = std::get_if<Agreeing>(&phase_);
  if (!std::holds_alternative<Playing>(phase_) && !lost_game_ &&
      (agreeing == nullptr || !agreeing->has_agreed)) {
    if (agreeing != nullptr) {
      send(session_.reject(now_.steady));
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

void Bot::Core::drain() {
  std::string until;
  if (const base::Millis limit = config_.stop.drain_limit; limit.count() > 0) {
    drain_until_ = now_.steady + limit;
    until = ", for at most " + base::format_millis(limit.count());
  }
  out_.info("draining",
            "asked to stop: the game is finished first" + until + "; ask again to resign it");
}

void Bot::Core::give_up_game(const std::string& why) {
  drain_until_.reset();
  is_resigning_ = true;
  leave_by_ = now_.steady + resign_timeout;
  out_.warn("resigning", why + ": the game is resigned on our turn");
  if (auto* playing = std::get_if<Playing>(&phase_);
      playing != nullptr && session_.may_send_move()) {
    resign(*playing, "the operator asked for it");
  }
}

void Bot::Core::leave(int exit_status, const std::string& why) {
  leave_by_.reset();
  drain_until_.reset();
  team_.start_no_more();
  out_.info("leaving", "leaving: " + why);
  // Behind a game this connection is often good for nothing more; "always" says it there as well.
  const bool says_it_after_games =
      stays_connected_ || config_.server.logout == config::Logout::always;
  const bool may_log_out =
      is_connected_ && config_.server.logout != config::Logout::never &&
      (session_.state() == csa::ClientSession::State::waiting ||
       (says_it_after_games && session_.state() == csa::ClientSession::State::ended));
  if (auto* playing = std::get_if<Playing>(&phase_)) {
    drop_search(*playing);
    finish_game(*playing, csa::GameEnd{});
  } else if (lost_game_) {
    finish_game(lost_game_->playing, csa::GameEnd{});
    lost_game_.reset();
  }
  enter(Leaving{now_.steady + logout_timeout, false, exit_status});
  if (may_log_out) {
    send(session_.logout(now_.steady));
  } else {
    quit_engine(std::get<Leaving>(phase_));
  }
}

void Bot::Core::quit_engine(Leaving& leaving) {
  leaving.engine_is_quitting = true;
  if (is_connected_) {
    close_server();
  } else {
    out_.add(CloseServer{});
  }
  on_news(team_.quit(now_, out_));
}

void Bot::Core::finish_leaving() {
  const auto* leaving = std::get_if<Leaving>(&phase_);
  if (leaving == nullptr || !leaving->engine_is_quitting) {
    return;
  }
  const int status = leaving->exit_status;
  enter(Gone{});
  out_.add(Exit{status});
}

void Bot::Core::exit_at_once() {
  auto* playing = std::get_if<Playing>(&phase_);
  if (lost_game_) {
    playing = &lost_game_->playing;
  }
  const bool leaves_game = playing != nullptr;
  if (leaves_game) {
    out_.error("game_left", "asked a third time to stop: the running game is left");
    finish_game(*playing, csa::GameEnd{});
  }
  close_server();
  team_.kill(out_);
  enter(Gone{});
  out_.add(Exit{leaves_game ? exit_game_left : 0});
}

}  // namespace kakehashi::bridge
