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

void WayOut::resign(base::SteadyTime leave_by) {
  drain_until_.reset();
  is_resigning_ = true;
  leave_by_ = leave_by;
}

void WayOut::leave(base::SteadyTime give_up, int exit_status) {
  drain_until_.reset();
  leave_by_.reset();
  life_ = Leaving{give_up, exit_status};
}

std::optional<int> WayOut::waits_for_engines() const {
  const auto* leaving = std::get_if<Leaving>(&life_);
  return leaving != nullptr && leaving->engines_quit ? std::optional(leaving->exit_status) : std::nullopt;
}

std::optional<base::SteadyTime> WayOut::logout_by() const {
  const auto* leaving = std::get_if<Leaving>(&life_);
  return leaving != nullptr && !leaving->engines_quit ? std::optional(leaving->give_up) : std::nullopt;
}

void Bot::Core::on_stop(const StopRequested& event) {
  const bool is_patient = event.urgency == Urgency::drain || event.urgency == Urgency::renew;
  if (event.urgency == Urgency::at_once || way_out_.is_over()) {
    if (!is_patient) {
      exit_at_once();
    }
    return;
  }
  take_no_more_games();
  const Offer* offered = game_.offer();
  if (game_.begun() == nullptr && (offered == nullptr || !offered->agreed_at())) {
    if (offered != nullptr) {
      connection_.reject(now_, out_);
    }
    leave(0, event.urgency == Urgency::renew ? "a new configuration waits" : "asked to stop");
    return;
  }
  if (event.urgency == Urgency::renew) {
    out_.info("renewing", "a new configuration waits: the game is finished first");
  } else if (event.urgency == Urgency::drain) {
    std::string until;
    if (const base::Millis limit = config_.stop.drain_limit; limit.count() > 0) {
      way_out_.drain(now_.steady + limit);
      until = ", for at most " + base::format_millis(limit.count());
    }
    out_.info("draining", "asked to stop: the game is finished first" + until + "; ask again to resign it");
  } else {
    give_up_game("asked again to stop");
  }
}

void Bot::Core::take_no_more_games() {
  way_out_.take_no_more_games();
  connection_.take_no_more_games();
}

void Bot::Core::give_up_game(const std::string& why) {
  way_out_.resign(now_.steady + resign_timeout);
  out_.warn("resigning", why + ": the game is resigned on our turn");
  if (connection_.session().may_send_move()) {
    tell_match([](Match& match, const GameContext& in) { match.resign(in, "the operator asked for it"); });
  }
}

void Bot::Core::leave(int exit_status, const std::string& why) {
  team_.start_no_more();
  out_.info("leaving", "leaving: " + why);
  // Behind a game this connection is often good for nothing more; "always" says it there as well.
  const bool may_log_out =
      connection_.may_log_out(connection_.stays_connected() || config_.server.logout == config::Logout::always);
  if (auto* running = game_.begun()) {
    if (!running->is_suspended()) {
      running->drop_search(context());
    }
    finish_game(*running, csa::GameEnd{});
  }
  game_.clear();
  connection_.way_back().reset();
  connection_.retire();
  way_out_.leave(now_.steady + logout_timeout, exit_status);
  report(Phase::leaving);
  if (may_log_out) {
    connection_.log_out(now_, out_);
  } else {
    quit_engine();
  }
}

void Bot::Core::quit_engine() {
  way_out_.quit_engines();
  connection_.close(out_);
  on_news(team_.quit(now_, out_));
}

void Bot::Core::exit_at_once() {
  auto* running = game_.begun();
  if (running != nullptr) {
    out_.error("game_left", "asked to stop at once: the running game is left");
    finish_game(*running, csa::GameEnd{});
    game_.clear();
  }
  connection_.close(out_);
  team_.kill(out_);
  be_gone(running != nullptr ? exit_game_left : 0);
}

void Bot::Core::be_gone(int exit_status) {
  way_out_.be_gone();
  report(Phase::gone);
  out_.add(Exit{exit_status});
}

}  // namespace kakehashi::bridge
