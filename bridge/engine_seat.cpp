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

EngineSeat::EngineSeat(const config::Engine& config, bool ponder)
    : config_(config), ponder_(ponder) {}

bool EngineSeat::is_present(EngineId engine) const {
  return static_cast<std::uint32_t>(engine) == launches_ && state_ != State::empty &&
         state_ != State::given_up;
}

bool EngineSeat::is_idle() const { return is_ready() && session_.owed() == 0; }

void EngineSeat::start(Now now, Outbox& out) { launch(now, out); }

void EngineSeat::launch(Now now, Outbox& out) {
  ++launches_;
  session_ = usi::Session();
  is_in_game_ = false;
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
    return empty();
  }
  return fail("engine could not be started: " + event.why, now, out);
}

std::vector<SeatNews> EngineSeat::on_line(const EngineLine& event, Now now, Outbox& out) {
  if (!is_present(event.engine) || state_ == State::quitting) {
    return {};
  }
  return perform(session_.on_line(event.text), now, out);
}

std::vector<SeatNews> EngineSeat::on_stderr(const EngineStderr& event) {
  if (is_present(event.engine)) {
    if (stderr_.size() == stderr_lines_kept) {
      stderr_.erase(stderr_.begin());
    }
    stderr_.push_back(event.text);
  }
  return {};
}

void EngineSeat::show_stderr(Outbox& out) {
  for (const std::string& line : stderr_) {
    out.warn("engine_stderr", "the engine's last words: " + quote_for_log(line));
  }
  stderr_.clear();
}

std::vector<SeatNews> EngineSeat::on_exited(const EngineExited& event, Now now, Outbox& out) {
  if (!is_present(event.engine)) {
    return {};
  }
  if (state_ == State::quitting) {
    return empty();
  }
  return fail("engine ended with " + event.status, now, out);
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
      return fail("engine sent no usiok within " + format_millis(config_.start_timeout.count()) +
                      " (engine.start_timeout)",
                  now, out);
    case State::preparing:
      return fail("engine sent no readyok within " + format_millis(config_.ready_timeout.count()) +
                      " (engine.ready_timeout)",
                  now, out);
    case State::ready:
      return fail("engine sent no bestmove within " + format_millis(stop_timeout.count()) +
                      " after stop",
                  now, out);
    case State::quitting:
      out.add(KillEngine{EngineId{launches_}, Millis{0}});
      return empty();
    case State::given_up:
      return {};
  }
  return {};
}

std::vector<SeatNews> EngineSeat::fail(const std::string& why, Now now, Outbox& out) {
  const bool was_ready = state_ == State::ready;
  out.add(KillEngine{EngineId{launches_}, Millis{0}});
  show_stderr(out);
  boot_failures_ = was_ready ? 0 : boot_failures_ + 1;
  ++losses_;
  deadline_.reset();
  if (boot_failures_ >= attempts_max) {
    state_ = State::given_up;
    out.error("engine_given_up", why + "; giving up after " + std::to_string(attempts_max) +
                                     " attempts: check engine.command and the lines above");
    return {SeatGaveUp{why}};
  }
  // The first restart is immediate: a game may be waiting. Later ones come slower, up to 8 s.
  const Millis pause =
      losses_ <= 1 ? Millis{0} : Millis{1000} * (1 << std::min(losses_ - 2, 3));
  state_ = State::empty;
  std::string next = pause.count() == 0 ? "; restarting now"
                                        : "; restarting in " + format_millis(pause.count());
  if (!was_ready) {
    next += ", attempt " + std::to_string(boot_failures_ + 1) + " of " +
            std::to_string(attempts_max);
  }
  out.error("engine_lost", why + next);
  if (pause.count() == 0) {
    launch(now, out);
  } else {
    deadline_ = now.steady + pause;
  }
  return {SeatLost{why}};
}

std::vector<SeatNews> EngineSeat::replace(const std::string& why, Now now, Outbox& out) {
  if (state_ == State::empty || state_ == State::given_up || state_ == State::quitting) {
    return {};
  }
  return fail(why, now, out);
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
  if (state_ == State::quitting) {
    return {};
  }
  if (state_ == State::starting) {
    kill(out);  // it cannot read a "quit" before it runs
    return empty();
  }
  state_ = State::quitting;
  deadline_ = now.steady + config_.quit_timeout;
  write(session_.quit().lines, out);
  return {};
}

void EngineSeat::write(const std::vector<std::string>& lines, Outbox& out) {
  for (const std::string& line : lines) {
    out.add(WriteEngine{EngineId{launches_}, line});
  }
}

std::vector<SeatNews> EngineSeat::perform(usi::Reaction reaction, Now now, Outbox& out) {
  write(reaction.lines, out);
  std::vector<SeatNews> news;
  std::string refusal;
  for (usi::EngineEvent& event : reaction.events) {
    std::visit(
        base::Overload{
            [&](usi::Identified& identified) {
              name_ = identified.name;
              state_ = State::preparing;
              deadline_ = now.steady + config_.ready_timeout;
              std::vector<usi::OptionSetting> all = settings(out);
              for (usi::OptionSetting& rule : changed_rules(out)) {
                all.push_back(std::move(rule));
              }
              write(session_.prepare(all).lines, out);
            },
            [&](usi::BecameReady&) {
              state_ = State::ready;
              deadline_.reset();
              boot_failures_ = 0;
              out.info("engine_ready", "engine " + quote_for_log(name_) + " is ready");
              news.emplace_back(SeatReady{});
            },
            [&](usi::SearchInfo& info) { news.emplace_back(std::move(info)); },
            [&](usi::SearchAnswered& answered) {
              losses_ = 0;
              news.emplace_back(std::move(answered));
            },
            [](usi::MateAnswered&) {},  // nothing here asks for mates
            [&](usi::Refused& refused) { refusal = refused.why; },
            [&](usi::AnswerSwallowed& swallowed) {
              out.note(Level::debug, "bestmove_swallowed",
                       quote_for_log(swallowed.line) + " was swallowed: " + swallowed.why);
            },
            [&](usi::AnswerParked&) {
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
  watch_stop(now);
  return news;
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

void EngineSeat::new_game(Outbox& out) {
  if (is_idle()) {
    is_in_game_ = true;
    write(session_.new_game().lines, out);
  }
}

void EngineSeat::join_game(Outbox& out) {
  if (!is_in_game_) {
    new_game(out);
  }
}

std::optional<usi::SearchId> EngineSeat::search(usi::SearchRequest request, Outbox& out) {
  if (!is_ready()) {
    return std::nullopt;
  }
  is_in_game_ = true;
  usi::Session::Started started = session_.search(std::move(request));
  write(started.reaction.lines, out);
  return started.search;
}

std::vector<SeatNews> EngineSeat::ponderhit(Outbox& out) {
  std::vector<SeatNews> news;
  if (!is_ready()) {
    return news;
  }
  usi::Reaction reaction = session_.ponderhit({});
  write(reaction.lines, out);
  for (usi::EngineEvent& event : reaction.events) {
    if (auto* answered = std::get_if<usi::SearchAnswered>(&event)) {
      losses_ = 0;
      news.emplace_back(std::move(*answered));
    }
  }
  return news;
}

void EngineSeat::hurry(Now now, Outbox& out) {
  if (is_ready()) {
    write(session_.hurry().lines, out);
    watch_stop(now);
  }
}

void EngineSeat::abandon(Now now, Outbox& out) {
  if (is_ready()) {
    write(session_.abandon().lines, out);
    watch_stop(now);
  }
}

void EngineSeat::game_over(usi::GameOver result, Now now, Outbox& out) {
  // An engine that came too late for a game is not told of its end.
  if (is_ready() && std::exchange(is_in_game_, false)) {
    write(session_.game_over(result).lines, out);
    watch_stop(now);
  }
}

std::optional<usi::SearchId> EngineSeat::current_search() const {
  return is_ready() ? session_.current_search() : std::nullopt;
}

}  // namespace kakehashi::bridge
