#include "bridge/engine_seat.hpp"

#include <algorithm>
#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"

namespace kakehashi::bridge {

using base::format_millis;
using base::Millis;
using base::Now;
using base::quote_for_log;

namespace {

constexpr std::size_t withheld_shown_max = 2'000;

}  // namespace

EngineSeat::EngineSeat(const config::Engine& config, bool ponder, std::uint32_t before)
    : config_(config),
      ponder_(ponder),
      launches_(before),
      who_(is_standby(EngineId{before + 1}) ? "standby engine" : "engine") {}

bool EngineSeat::is_present(EngineId engine) const {
  return static_cast<std::uint32_t>(engine) == launches_ && state_ != State::empty &&
         state_ != State::given_up;
}

bool EngineSeat::is_idle() const { return is_ready() && session_.owed() == 0; }

void EngineSeat::start(Now now, Outbox& out) { launch(now, out); }

void EngineSeat::launch(Now now, Outbox& out) {
  ++launches_;
  session_ = usi::Session(usi::dialect_of(config_.protocol));
  renews_when_idle_ = false;
  is_renewing_ = false;
  quits_when_idle_ = false;
  is_in_game_ = false;
  has_searched_ = false;
  waiting_since_.reset();
  withheld_.clear();
  rules_are_due_ = false;
  proof_is_due_ = false;
  is_recalling_ = false;
  is_trying_increments_ = false;
  probe_.reset();
  hurried_at_.reset();
  rules_in_place_.clear();
  stderr_.clear();
  state_ = State::starting;
  deadline_ = now.steady + config_.start_timeout;
  out.add(StartEngine{EngineId{launches_}});
}

std::vector<SeatNews> EngineSeat::on_started(const EngineStarted& event, Now now, Outbox& out) {
  if (!is_present(event.engine) || state_ != State::starting) {
    return {};
  }
  withheld_ = event.withheld;
  state_ = State::handshake;
  deadline_ = now.steady + config_.start_timeout;
  return perform(session_.begin(), now, out);
}

std::vector<SeatNews> EngineSeat::on_failed(const EngineFailedToStart& event, Now now,
                                            Outbox& out) {
  if (!is_present(event.engine)) {
    return {};
  }
  if (state_ == State::quitting) {
    return finish_quitting(now, out);
  }
  return fail(std::string(who_) + " could not be started: " + event.why, now, out);
}

std::vector<SeatNews> EngineSeat::on_line(const EngineLine& event, Now now, Outbox& out) {
  if (!is_present(event.engine) || state_ == State::quitting) {
    return {};
  }
  hear(now);
  return perform(session_.on_line(event.text), now, out);
}

std::vector<SeatNews> EngineSeat::on_stderr(const EngineStderr& event, Now now) {
  if (is_present(event.engine)) {
    if (state_ == State::preparing || state_ == State::proving) {
      hear(now);
    }
    if (stderr_.size() == stderr_lines_kept) {
      stderr_.erase(stderr_.begin());
    }
    stderr_.push_back(event.text);
  }
  return {};
}

void EngineSeat::show_stderr(Outbox& out) {
  for (const std::string& line : stderr_) {
    out.warn("engine_stderr", "the " + std::string(who_) + "'s last words: " + quote_for_log(line));
  }
  stderr_.clear();
}

std::vector<SeatNews> EngineSeat::on_exited(const EngineExited& event, Now now, Outbox& out) {
  if (!is_present(event.engine)) {
    return {};
  }
  if (state_ == State::quitting) {
    return finish_quitting(now, out);
  }
  note_death(out);
  return fail(std::string(who_) + " ended with " + event.status, now, out);
}

std::vector<SeatNews> EngineSeat::on_time(Now now, Outbox& out) {
  if (!deadline_ || now.steady < *deadline_) {
    return {};
  }
  deadline_.reset();
  switch (state_) {
    case State::empty:
      launch(now, out);
      return {};
    case State::starting:
    case State::handshake:
      return fail(std::string(who_) + " sent no " + session_.dialect().hello_answer + " within " +
                      format_millis(config_.start_timeout.count()) + " (engine.start_timeout)",
                  now, out);
    case State::preparing:
    case State::proving:
      return on_ready_deadline(now, out);
    case State::learning:
      if (!probe_) {
        is_recalling_ = learns_clock_ = false;
        return learn_or_be_ready(now, out);
      }
      return perform(probe_->on_time(now.steady), now, out);
    case State::ready:
      return fail(std::string(who_) + " sent no bestmove within " + format_millis(stop_timeout.count()) +
                      " after stop",
                  now, out);
    case State::quitting:
      out.add(KillEngine{EngineId{launches_}, Millis{0}});
      return finish_quitting(now, out);
    case State::given_up:
      return {};
  }
  return {};
}

std::vector<SeatNews> EngineSeat::fail(const std::string& why, Now now, Outbox& out) {
  const bool was_ready =
      state_ == State::ready || state_ == State::proving || state_ == State::learning;
  const std::optional<usi::SearchAnswered> parked = session_.parked();
  out.add(KillEngine{EngineId{launches_}, Millis{0}});
  if (probe_) {
    doubt_clock(out);
  }
  if (std::exchange(quits_when_idle_, false)) {
    show_stderr(out);
    out.warn("engine_lost_at_last", why + "; it is not needed any more");
    return empty();
  }
  boot_failures_ = was_ready ? 0 : boot_failures_ + 1;
  if (boot_failures_ == 1) {
    missing_since_ = now.steady;
  }
  // An engine that stays missing is told of ever more rarely.
  const bool is_old_news = boot_failures_ > attempts_max && (boot_failures_ & (boot_failures_ - 1)) != 0;
  if (is_old_news) {
    stderr_.clear();
  }
  show_stderr(out);
  if (!was_ready && boot_failures_ == 1 && !withheld_.empty()) {
    out.warn("engine_environment", "the " + std::string(who_) + " did not get these of the bridge's environment "
                                   "variables: " + withheld_.substr(0, withheld_shown_max) +
                                   "; if it needs one, name it in engine.pass_environment");
  }
  waiting_since_.reset();
  has_failed_ = true;
  ++losses_;
  deadline_.reset();
  const bool is_hopeless = !has_been_ready_ || now.steady - missing_since_ >= missing_max;
  if (is_missing() && is_hopeless) {
    state_ = State::given_up;
    out.error("engine_given_up", why + "; giving up after " + std::to_string(boot_failures_) +
                                     " attempts: check engine.command and the lines above");
    return {SeatGaveUp{why}};
  }
  if (starts_no_more_) {
    state_ = State::empty;
    out.warn("engine_lost_at_last", why + "; it is not needed any more");
    return {SeatLost{.why = why, .parked = parked}};
  }
  const Millis pause = pause_before_restart();
  state_ = State::empty;
  std::string next = pause.count() == 0 ? "; restarting now"
                                        : "; restarting in " + format_millis(pause.count());
  if (!was_ready) {
    next += ", attempt " + std::to_string(boot_failures_ + 1) +
            (has_been_ready_ ? " (for up to " + format_millis(missing_max.count()) + ")"
                             : " of " + std::to_string(attempts_max));
  }
  out.note(is_old_news ? Level::debug : Level::error, "engine_lost", why + next);
  if (pause.count() == 0) {
    launch(now, out);
  } else {
    deadline_ = now.steady + pause;
  }
  return {SeatLost{.why = why, .is_missing = is_missing(), .parked = parked}};
}

/// The first restart is immediate: a game may be waiting. Later ones come slower, up to 8 s, and slower still
/// where the engine goes on failing to get ready.
Millis EngineSeat::pause_before_restart() const {
  if (losses_ <= 1) {
    return Millis{0};
  }
  constexpr Millis in_a_game_max{8'000};
  return std::min(is_missing() ? pause_max : in_a_game_max, Millis{1'000} * (1 << std::min(losses_ - 2, 6)));
}

std::vector<SeatNews> EngineSeat::replace(const std::string& why, Now now, Outbox& out) {
  if (state_ == State::empty || state_ == State::given_up || state_ == State::quitting) {
    return {};
  }
  return fail(why, now, out);
}

void EngineSeat::write(std::vector<std::string> lines, Outbox& out) {
  for (std::string& line : lines) {
    out.add(WriteEngine{EngineId{launches_}, std::move(line)});
  }
}

std::vector<SeatNews> EngineSeat::perform(usi::Reaction reaction, Now now, Outbox& out) {
  write(std::move(reaction.lines), out);
  std::vector<SeatNews> news;
  std::string refusal;
  bool became_ready = false;
  bool is_prepared = false;
  bool has_answered_probe = false;
  for (usi::EngineEvent& event : reaction.events) {
    std::visit(
        base::Overload{
            [&](usi::Identified& identified) {
              name_ = identified.name;
              std::vector<usi::OptionSetting> all = settings(out);
              recall_clock(all, out);
              options_in_place_ = config_.options;
              ponder_in_place_ = ponder_;
              for (usi::OptionSetting& rule : changed_rules(out)) {
                all.push_back(std::move(rule));
              }
              rules_are_due_ = false;
              ask_ready(State::preparing, config_.ready_timeout, all, now, out);
            },
            [&](usi::BecameReady&) {
              is_prepared = state_ == State::preparing;
              state_ = State::ready;
              deadline_.reset();
              boot_failures_ = 0;
              has_been_ready_ = true;
              has_failed_ = false;
              alive_at_ = now.steady;
              slowest_ready_ = std::max(slowest_ready_, base::millis_between(asked_ready_at_, now.steady));
              became_ready = true;
            },
            [&](usi::SearchInfo& info) {
              is_trying_increments_ = false;
              if (!probe_) {
                news.emplace_back(std::move(info));
              }
            },
            [&](usi::SearchAnswered& answered) {
              is_trying_increments_ = false;
              if (probe_) {
                has_answered_probe = true;
                return;
              }
              losses_ = 0;
              alive_at_ = now.steady;
              waiting_since_.reset();
              forget_stop();
              note_obedience(now, news);
              news.emplace_back(std::move(answered));
            },
            [](usi::MateAnswered&) {},  // nothing here asks for mates
            [&](usi::Refused& refused) { refusal = refused.why; },
            [&](usi::AnswerSwallowed& swallowed) {
              is_trying_increments_ = false;
              alive_at_ = now.steady;
              forget_stop();
              note_obedience(now, news);
              out.note(Level::debug, "bestmove_swallowed",
                       quote_for_log(swallowed.line) + " was swallowed: " + swallowed.why);
            },
            [&](usi::AnswerParked&) {
              is_trying_increments_ = false;
              out.note(Level::debug, "bestmove_parked",
                       "the engine answered before ponderhit; the answer is kept");
            },
            [&](usi::Complaint& complaint) { out.warn("engine_odd_line", complaint.text); },
            [&](usi::Said&) {}},
        event);
  }
  if (!refusal.empty()) {
    return fail(refusal, now, out);
  }
  if (has_answered_probe) {
    return perform(probe_->on_answer(now.steady), now, out);
  }
  if (is_prepared) {
    return learn_or_be_ready(now, out);
  }
  watch_stop(now);
  settle(now, out);
  if (became_ready && is_ready()) {
    news.emplace_back(SeatReady{});
  }
  return news;
}

std::vector<SeatNews> EngineSeat::be_ready(Now now, Outbox& out) {
  state_ = State::ready;
  deadline_.reset();
  out.info("engine_ready", std::string(who_) + " " + quote_for_log(name_) + " is ready");
  settle(now, out);
  return is_ready() ? std::vector<SeatNews>{SeatReady{}} : std::vector<SeatNews>{};
}

void EngineSeat::forget_stop() {
  // A search that was queued behind the answered one has its own time to stop. An engine that
  // answers while it should get ready has not answered what it was asked.
  if (state_ == State::ready) {
    deadline_.reset();
  }
}

void EngineSeat::note_obedience(Now now, std::vector<SeatNews>& news) {
  if (const auto at = std::exchange(hurried_at_, std::nullopt)) {
    news.emplace_back(StopObeyed{base::millis_between(*at, now.steady)});
  }
}

void EngineSeat::watch_stop(Now now) {
  if (state_ != State::ready) {
    return;
  }
  if (session_.phase() != usi::Session::Phase::stopping) {
    deadline_.reset();
  } else if (!deadline_) {
    deadline_ = now.steady + stop_timeout;
  }
}

}  // namespace kakehashi::bridge
