// Playing by the clock: logged out between games outside the windows of the schedule, and back in time
// for the next one; and whom not to meet.
#include <algorithm>

#include "base/text.hpp"
#include "bridge/bot_core.hpp"

namespace kakehashi::bridge {

namespace {

/// How often to look at the wall clock, which may be set while we wait.
constexpr base::Millis look_again_max{600'000};
/// For two of our own bots that a server pairs again and again.
constexpr base::Millis own_game_pause{10'000};

}  // namespace

bool Bot::Core::rests() const {
  return !lost_game_ && !is_draining_ && !schedule_.is_open(now_.wall);
}

void Bot::Core::rest() {
  const bool may_log_out = is_connected_ && config_.server.logout != config::Logout::never &&
                           (session_.state() == csa::ClientSession::State::waiting ||
                            (stays_connected_ && session_.state() == csa::ClientSession::State::ended));
  if (may_log_out) {
    send(session_.logout(now_.steady));
  }
  if (is_connected_) {
    close_server();
  }
  const auto opening = schedule_.next_change(now_.wall);
  out_.info("resting", "outside the windows of schedule.windows: logged out; waits for its window until " +
                           (opening ? schedule_.describe(*opening) : std::string("the schedule is changed")));
  enter(Resting{});
  if (!has_been_ready_) {
    has_been_ready_ = true;  // as ready as it is to be now
    out_.add(ReportReady{});
  }
}

void Bot::Core::look_at_schedule() {
  if (std::holds_alternative<Waiting>(phase_) && rests()) {
    rest();
  } else if (std::holds_alternative<Resting>(phase_) && !rests()) {
    const auto closing = schedule_.next_change(now_.wall);
    out_.info("window_opened", "the window of schedule.windows opens" +
                                   (closing ? ", until " + schedule_.describe(*closing) : std::string()));
    enter(Preparing{});
    connect_when_idle();
  }
}

std::optional<base::SteadyTime> Bot::Core::schedule_deadline() const {
  if (!schedule_.has_windows()) {
    return std::nullopt;
  }
  const auto change = schedule_.next_change(now_.wall);
  return now_.steady + (change ? std::min(*change - now_.wall, look_again_max) : look_again_max);
}

bool Bot::Core::refuses_own_account(const csa::GameSummary& summary) {
  const auto& own = config_.game.own_accounts;
  const std::string& opponent = summary.name(shogi::opposite(summary.our_color));
  if (config_.game.meet_own || std::find(own.begin(), own.end(), opponent) == own.end()) {
    return false;
  }
  out_.warn("own_bot_rejected", "paired with " + base::quote_for_log(opponent) + ", a bot of our own, in game " +
                                    base::quote_for_log(summary.game_id) + ": REJECT (game.meet_own: false)");
  send(session_.reject(now_.steady));
  close_server();
  back_off("paired with a bot of our own", own_game_pause);
  return true;
}

}  // namespace kakehashi::bridge
