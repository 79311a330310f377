#include "bridge/engine_team.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/overload.hpp"
#include "config/standby.hpp"

namespace kakehashi::bridge {

using base::Now;

EngineTeam::EngineTeam(const config::Engine& config, bool ponder) : first_(config, ponder) {
  if (const auto standby = config::standby_of(config)) {
    standby_.emplace(*standby, ponder, standby_engines);
    is_same_program_ = standby->command == config.command;
  }
}

void EngineTeam::adopt(const config::Engine& config, bool ponder) {
  first_.adopt(config, ponder);
  const auto standby = config::standby_of(config);
  if (standby_ && standby) {
    standby_->adopt(*standby, ponder);
  }
}

EngineSeat* EngineTeam::bench() {
  return !standby_ ? nullptr : standby_plays_ ? &first_ : &*standby_;
}

const EngineSeat* EngineTeam::bench() const {
  return !standby_ ? nullptr : standby_plays_ ? &first_ : &*standby_;
}

EngineSeat* EngineTeam::seat_of(EngineId engine) {
  return !is_standby(engine) ? &first_ : standby_ ? &*standby_ : nullptr;
}

void EngineTeam::learn_clock() {
  first_.learn_clock(true);
  if (standby_) {
    standby_->learn_clock(false);
  }
}

/// What one of two processes of a program has shown holds for the other.
void EngineTeam::share_clocks() {
  if (!is_same_program_) {
    return;
  }
  if (first_.clocks_found().reading != usi::ClockReading::unknown || first_.is_clock_in_doubt()) {
    standby_->adopt_clocks(first_);
  } else {
    first_.adopt_clocks(*standby_);
  }
}

void EngineTeam::start(Now now, Outbox& out) {
  first_.start(now, out);
  if (standby_) {
    standby_->start(now, out);
  }
}

EngineTeam::News EngineTeam::on_started(const EngineStarted& event, Now now, Outbox& out) {
  EngineSeat* seat = seat_of(event.engine);
  return seat == nullptr ? News{}
                         : sort(is_standby(event.engine), seat->on_started(event, now, out), now, out);
}

EngineTeam::News EngineTeam::on_failed(const EngineFailedToStart& event, Now now, Outbox& out) {
  EngineSeat* seat = seat_of(event.engine);
  return seat == nullptr ? News{}
                         : sort(is_standby(event.engine), seat->on_failed(event, now, out), now, out);
}

EngineTeam::News EngineTeam::on_line(const EngineLine& event, Now now, Outbox& out) {
  EngineSeat* seat = seat_of(event.engine);
  return seat == nullptr ? News{}
                         : sort(is_standby(event.engine), seat->on_line(event, now, out), now, out);
}

EngineTeam::News EngineTeam::on_stderr(const EngineStderr& event, Now now) {
  EngineSeat* seat = seat_of(event.engine);
  return seat == nullptr ? News{} : seat->on_stderr(event, now);
}

EngineTeam::News EngineTeam::on_exited(const EngineExited& event, Now now, Outbox& out) {
  EngineSeat* seat = seat_of(event.engine);
  return seat == nullptr ? News{}
                         : sort(is_standby(event.engine), seat->on_exited(event, now, out), now, out);
}

EngineTeam::News EngineTeam::on_clock_recalled(const ClockRecalled& event, Now now, Outbox& out) {
  EngineSeat* seat = seat_of(event.engine);
  return seat == nullptr
             ? News{}
             : sort(is_standby(event.engine), seat->on_clock_recalled(event, now, out), now, out);
}

EngineTeam::News EngineTeam::on_time(Now now, Outbox& out) {
  News news = sort(false, first_.on_time(now, out), now, out);
  if (standby_) {
    News more = sort(true, standby_->on_time(now, out), now, out);
    std::move(more.begin(), more.end(), std::back_inserter(news));
  }
  return news;
}

std::optional<base::SteadyTime> EngineTeam::deadline() const {
  const auto own = first_.deadline();
  const auto other = standby_ ? standby_->deadline() : std::nullopt;
  return own && other ? std::min(*own, *other) : own ? own : other;
}

bool EngineTeam::is_given_up() const {
  const auto has_given_up = [](const EngineSeat& seat) {
    return seat.state() == EngineSeat::State::given_up;
  };
  return has_given_up(first_) && (!standby_ || has_given_up(*standby_));
}

bool EngineTeam::is_missing() const {
  return first_.is_missing() && (!standby_ || standby_->is_missing());
}

std::optional<usi::SearchId> EngineTeam::search(usi::SearchRequest request, Now now,
                                                 Outbox& out) {
  if (!player().is_ready() && has_substitute()) {
    change_over("the other one is not ready", now, out);
  }
  seated().join_game(out);
  return seated().search(std::move(request), out);
}

EngineTeam::News EngineTeam::ponderhit(std::string_view times, Outbox& out) {
  return seated().ponderhit(times, out);
}

void EngineTeam::hurry(Now now, Outbox& out) {
  seated().hurry(now, out);
  if (doubted_) {
    bench()->hurry(now, out);
  }
}

EngineTeam::News EngineTeam::replace(const std::string& why, Now now, Outbox& out) {
  const bool of_standby = standby_plays_;
  return sort(of_standby, seated().replace(why, now, out), now, out);
}

void EngineTeam::prepare_game(const GameRules& rules, Now now, Outbox& out) {
  failures_in_game_ = 0;
  first_.prepare_game(rules, now, out);
  if (standby_) {
    standby_->prepare_game(rules, now, out);
  }
}

void EngineTeam::game_over(usi::GameOver result, Now now, Outbox& out) {
  doubted_.reset();
  first_.game_over(result, now, out);
  if (standby_) {
    standby_->game_over(result, now, out);
  }
  failures_in_game_ = 0;
}

void EngineTeam::renew(Now now, Outbox& out) {
  seated().renew(now, out);
  // Who sat on the bench all the game is as fresh as a new process.
  if (EngineSeat* other = bench(); other != nullptr && other->has_searched()) {
    other->renew(now, out);
  } else if (other != nullptr) {
    other->prove(now, out);
  }
}

void EngineTeam::prove(Now now, Outbox& out) {
  first_.prove(now, out);
  if (standby_) {
    standby_->prove(now, out);
  }
}

void EngineTeam::prove_if_stale(Now now, Outbox& out, base::Millis within) {
  first_.prove_if_stale(now, out, within);
  if (standby_) {
    standby_->prove_if_stale(now, out, within);
  }
}

void EngineTeam::start_no_more() {
  starts_no_more_ = true;
  first_.start_no_more();
  if (standby_) {
    standby_->start_no_more();
  }
}

void EngineTeam::kill(Outbox& out) {
  first_.kill(out);
  if (standby_) {
    standby_->kill(out);
  }
}

EngineTeam::News EngineTeam::quit(Now now, Outbox& out) {
  News first = first_.quit(now, out);
  News other = standby_ ? standby_->quit(now, out) : News{};
  News news = sort(false, std::move(first), now, out);
  News more = sort(true, std::move(other), now, out);
  std::move(more.begin(), more.end(), std::back_inserter(news));
  return news;
}

}  // namespace kakehashi::bridge
