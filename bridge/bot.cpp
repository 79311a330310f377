#include "bridge/bot.hpp"

#include <algorithm>
#include <utility>

#include "base/overload.hpp"
#include "bridge/bot_core.hpp"
#include "bridge/eval_comment.hpp"

namespace kakehashi::bridge {

Bot::Bot(config::BotConfig config, std::uint64_t seed)
    : core_(std::make_unique<Core>(std::move(config), seed)) {}
Bot::~Bot() = default;
Bot::Bot(Bot&&) noexcept = default;
Bot& Bot::operator=(Bot&&) noexcept = default;

Actions Bot::start(base::Now now) { return core_->start(now); }
Actions Bot::step(const Event& event, base::Now now) { return core_->step(event, now); }
View Bot::view() const { return core_->view(); }
std::shared_ptr<const FinishedGame> Bot::finished_game() const { return core_->finished_game(); }

namespace {

/// shogi-server, which takes game names, gives one game a connection; others give many.
bool stays_connected(const config::BotConfig& config) {
  switch (config.server.after_game) {
    case config::AfterGame::automatic:
      return config.game.name.empty() || config.server.mode == config::LoginMode::x1;
    case config::AfterGame::reconnect: return false;
    case config::AfterGame::stay: return true;
  }
  return false;
}

constexpr base::Millis first_retry_pause{1'000};

/// So often the timer rings for nothing while it is not known how late it rings.
constexpr base::Millis pulse{50};

std::string_view keepalive_of(config::KeepaliveForm form) {
  return form == config::KeepaliveForm::space ? " " : "";
}

}  // namespace

Bot::Core::Core(config::BotConfig config, std::uint64_t seed)
    : standing_config_(std::move(config)),
      config_(standing_config_),
      mask_(config_),
      comments_(wants_comments(config_.game)),
      stays_connected_(stays_connected(config_)),
      team_(config_.engine, config_.ponder != config::Ponder::off),
      retry_(first_retry_pause, config_.server.retry_max, seed),
      schedule_(config_.schedule),
      book_random_(seed) {}

Actions Bot::Core::start(base::Now now) {
  now_ = now;
  if (may_have_main_time(config_.game)) {
    team_.learn_clock();
  }
  team_.start(now_, out_);
  arm_timer();
  return take_actions();
}

Actions Bot::Core::take_actions() {
  Actions actions = out_.take();
  mask_.hide(actions);
  return actions;
}

Actions Bot::Core::step(const Event& event, base::Now now) {
  now_ = now;
  if (std::holds_alternative<Gone>(phase_)) {
    return {};
  }
  dispatch(event);
  if (std::holds_alternative<Gone>(phase_)) {
    return take_actions();  // a deadline that has passed as well must not leave a second time
  }
  note_waiting_lines(event);
  put_first_engine_back();
  // A search starts only when no further line is waiting: the next one may end the game.
  if (auto* playing = std::get_if<Playing>(&phase_);
      playing != nullptr && !lines_wait_ && playing->turn_is_due) {
    begin_turn(*playing);
  }
  if (auto* playing = std::get_if<Playing>(&phase_);
      playing != nullptr && !lines_wait_ && playing->ponder_is_due) {
    ponder(*playing);
  }
  look_at_deadlines();
  hold_line();
  watch_idleness();
  arm_timer();
  return take_actions();
}

void Bot::Core::dispatch(const Event& event) {
  std::visit(base::Overload{
                 [&](const ServerConnected& e) { on_connected(e); },
                 [&](const ServerLine& e) { on_server_line(e); },
                 [&](const ServerClosed& e) { on_server_closed(e); },
                 [&](const EngineStarted& e) { on_news(team_.on_started(e, now_, out_)); },
                 [&](const EngineFailedToStart& e) { on_news(team_.on_failed(e, now_, out_)); },
                 [&](const EngineLine& e) {
                   renew_queued_search(e);
                   on_news(team_.on_line(e, now_, out_));
                 },
                 [&](const EngineStderr& e) { on_news(team_.on_stderr(e, now_)); },
                 [&](const EngineExited& e) { on_news(team_.on_exited(e, now_, out_)); },
                 [](const TimerFired&) {},
                 [&](const StopRequested& e) { on_stop(e); },
                 [&](const RecordWritten& e) {
                   if (e.why.empty()) {
                     record_path_ = e.path;
                   } else {
                     out_.error("record_failed", "the record " + e.path +
                                                     " could not be written: " + e.why +
                                                     "; the game goes on");
                   }
                 },
                 [&](const LinkMeasured& e) { link_margin_.take_round_trip(e.rtt, e.variance); },
                 [&](const BookAnswered& e) { on_book_answered(e); },
                 [&](const ClockRecalled& e) { on_news(team_.on_clock_recalled(e, now_, out_)); },
             },
             event);
}

void Bot::Core::note_waiting_lines(const Event& event) {
  if (const auto* line = std::get_if<ServerLine>(&event)) {
    lines_wait_ = line->more && is_connected_;
  } else if (!std::holds_alternative<RecordWritten>(event) &&
             !std::holds_alternative<LinkMeasured>(event) &&
             !std::holds_alternative<BookAnswered>(event) &&
             !std::holds_alternative<ClockRecalled>(event)) {
    // The outcome of an action comes between two lines of one segment; whatever else
    // happens, the lines that were in the buffer are through.
    lines_wait_ = false;
  }
}

void Bot::Core::enter(Phase phase) {
  phase_ = std::move(phase);
  out_.add(ReportStatus{name_of(phase_)});
}

void Bot::Core::look_at_deadlines() {
  if (team_.deadline()) {
    on_news(team_.on_time(now_, out_));
  }
  if (is_connected_) {
    if (const auto silence = session_.silence_deadline(); silence && expired(*silence)) {
      on_session_events(session_.on_silence(now_.steady));
    }
    if (const auto due = session_.keepalive_due(config_.server.keepalive); due && expired(*due)) {
      send(session_.keepalive(now_.steady, keepalive_of(config_.server.keepalive_form)));
    }
  }
  watch_lost_game();
  if (drain_until_ && expired(*drain_until_)) {
    give_up_game("the time to finish it (stop.drain_limit) is over");
  }
  if (leave_by_ && expired(*leave_by_)) {
    leave(exit_game_left, "the server did not end the game that was given up");
  }
  std::visit(base::Overload{
                 [](const Preparing&) {},
                 [&](const Connecting& connecting) {
                   if (expired(connecting.give_up)) {
                     close_server();
                     back_off("no connection within the time of server.connect_timeout");
                   }
                 },
                 [&](const LoggingIn& logging_in) {
                   if (expired(logging_in.give_up)) {
                     close_server();
                     back_off("no answer to LOGIN within the time of server.login_timeout");
                   }
                 },
                 [&](const Waiting&) { look_at_schedule(); },
                 [&](const Resting&) { look_at_schedule(); },
                 [&](const Agreeing& agreeing) {
                   if (!agreeing.has_agreed && expired(agreeing.reject_at)) {
                     team_.hand_over("the server's window closes", now_, out_);
                     agree_when_idle();
                   }
                   if (!agreeing.has_agreed && expired(agreeing.reject_at)) {
                     out_.error("agree_too_late",
                                "the engine is not ready and the server's window closes: REJECT");
                     send(session_.reject(now_.steady));
                     enter(Waiting{});
                   }
                 },
                 [&](Playing& playing) {
                   if (playing.doubt_at && expired(*playing.doubt_at)) {
                     doubt_end(playing);
                   }
                   watch_turn(playing);
                 },
                 [&](const Backoff& backoff) {
                   if (expired(backoff.until)) {
                     enter(Preparing{});
                     if (lost_game_) {
                       connect();
                     } else {
                       connect_when_idle();
                     }
                   }
                 },
                 [&](Leaving& leaving) {
                   if (expired(leaving.give_up) && !leaving.engine_is_quitting) {
                     quit_engine(leaving);
                   }
                 },
                 [](const Gone&) {},
             },
             phase_);
}

std::optional<base::SteadyTime> Bot::Core::earliest_deadline() const {
  std::optional<base::SteadyTime> earliest = team_.deadline();
  const auto take = [&](std::optional<base::SteadyTime> deadline) {
    if (deadline && (!earliest || *deadline < *earliest)) {
      earliest = deadline;
    }
  };
  take(drain_until_);
  take(leave_by_);
  if (lost_game_) {
    take(lost_game_->give_up);
  }
  if (is_connected_) {
    take(session_.silence_deadline());
    take(session_.keepalive_due(config_.server.keepalive));
  }
  std::visit(base::Overload{
                 [](const Preparing&) {},
                 [&](const Connecting& connecting) { take(connecting.give_up); },
                 [&](const LoggingIn& logging_in) { take(logging_in.give_up); },
                 [&](const Waiting&) { take(schedule_deadline()); },
                 [&](const Resting&) { take(schedule_deadline()); },
                 [&](const Agreeing& agreeing) {
                   if (!agreeing.has_agreed) {
                     take(agreeing.reject_at);
                   }
                 },
                 [&](const Playing& playing) {
                   take(playing.doubt_at);
                   if (playing.turn) {
                     const OwnTurn& turn = *playing.turn;
                     if (turn.lookup) {
                       take(turn.lookup->give_up);
                     }
                     take(turn.doubt_at);
                     take(turn.started + (turn.is_hurried ? turn.limits.rescue_after
                                                          : turn.limits.hurry_after));
                   }
                 },
                 [&](const Backoff& backoff) { take(backoff.until); },
                 [&](const Leaving& leaving) {
                   if (!leaving.engine_is_quitting) {
                     take(leaving.give_up);
                   }
                 },
                 [](const Gone&) {},
             },
             phase_);
  return earliest;
}

/// How late this process is shows by its timer alone, and most turns end before any rings.
bool Bot::Core::wants_pulse() const {
  const auto* playing = std::get_if<Playing>(&phase_);
  return link_margin_.wants_lateness() && (playing == nullptr || playing->turn) &&
         !std::holds_alternative<Leaving>(phase_) && !std::holds_alternative<Gone>(phase_);
}

void Bot::Core::arm_timer() {
  if (armed_ && expired(*armed_)) {
    link_margin_.take_lateness(base::millis_between(*armed_, now_.steady));
    armed_.reset();
  }
  auto earliest = earliest_deadline();
  if (wants_pulse() && (!earliest || *earliest > now_.steady + pulse)) {
    earliest = now_.steady + pulse;
  }
  // A timer that rings too early only makes the core look again, so it is moved only forward:
  // most lines change a deadline to a later one, and re-arming for each would cost more.
  if (earliest && (!armed_ || *earliest < *armed_)) {
    armed_ = earliest;
    out_.add(ArmTimer{*earliest});
  }
}

}  // namespace kakehashi::bridge
