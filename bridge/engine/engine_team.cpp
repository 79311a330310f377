#include "bridge/engine/engine_team.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "config/engine_config.hpp"

namespace kakehashi::bridge {

using base::Now;
using News = EngineTeam::News;

EngineTeam::EngineTeam(const config::Engine& config, bool ponder) {
  seats_.emplace_back(config, ponder, 0U);
  if (const auto standby = config::standby_of(config)) {
    seats_.emplace_back(*standby, ponder, 1U);
    is_same_program_ = standby->command == config.command;
  }
  have_left_.resize(seats_.size());
}

void EngineTeam::adopt(const config::Engine& config, bool ponder) {
  seats_.front().adopt(config, ponder);
  if (const auto standby = config::standby_of(config); standby && seats_.size() > 1) {
    seats_[1].adopt(*standby, ponder);
  }
}

void EngineTeam::learn_clock() {
  for (Seat seat = 0; seat < seats_.size(); ++seat) {
    seats_[seat].learn_clock(seat == 0);
  }
}

/// What one of several processes of a program has shown holds for the others.
void EngineTeam::share_clocks() {
  if (!is_same_program_) {
    return;
  }
  const auto knows = [](const EngineSupervisor& engine) {
    return engine.clocks_found().reading != usi::ClockReading::unknown || engine.is_clock_in_doubt();
  };
  const auto known = std::find_if(seats_.begin(), seats_.end(), knows);
  if (known == seats_.end()) {
    return;
  }
  for (EngineSupervisor& engine : seats_) {
    if (&engine != &*known) {
      engine.adopt_clocks(*known);
    }
  }
}

void EngineTeam::start(Now now, Outbox& out) {
  for (EngineSupervisor& engine : seats_) {
    engine.start(now, out);
  }
}

// --- past facts

template <class Event, class Ask>
News EngineTeam::pass_on(const Event& event, Now now, Outbox& out, Ask ask) {
  const Seat seat = event.engine.seat;
  return seat < seats_.size() ? sort(seat, ask(seats_[seat]), now, out) : News{};
}

News EngineTeam::on_started(const EngineStarted& event, Now now, Outbox& out) {
  return pass_on(event, now, out, [&](EngineSupervisor& engine) { return engine.on_started(event, now, out); });
}

News EngineTeam::on_failed(const EngineFailedToStart& event, Now now, Outbox& out) {
  return pass_on(event, now, out, [&](EngineSupervisor& engine) { return engine.on_failed(event, now, out); });
}

News EngineTeam::on_line(const EngineLine& event, Now now, Outbox& out) {
  return pass_on(event, now, out, [&](EngineSupervisor& engine) { return engine.on_line(event, now, out); });
}

News EngineTeam::on_stderr(const EngineStderr& event, Now now) {
  return event.engine.seat < seats_.size() ? seats_[event.engine.seat].on_stderr(event, now) : News{};
}

News EngineTeam::on_exited(const EngineExited& event, Now now, Outbox& out) {
  return pass_on(event, now, out, [&](EngineSupervisor& engine) { return engine.on_exited(event, now, out); });
}

News EngineTeam::on_link(const EngineLink& event, Now now, Outbox& out) {
  return pass_on(event, now, out, [&](EngineSupervisor& engine) { return engine.on_link(event, now, out); });
}

News EngineTeam::on_clock_recalled(const ClockRecalled& event, Now now, Outbox& out) {
  return pass_on(event, now, out, [&](EngineSupervisor& engine) { return engine.on_clock_recalled(event, now, out); });
}

News EngineTeam::on_time(Now now, Outbox& out) {
  News news;
  for (Seat seat = 0; seat < seats_.size(); ++seat) {
    News more = sort(seat, seats_[seat].on_time(now, out), now, out);
    std::move(more.begin(), more.end(), std::back_inserter(news));
  }
  return news;
}

std::optional<base::SteadyTime> EngineTeam::deadline() const {
  std::optional<base::SteadyTime> next;
  for (const EngineSupervisor& engine : seats_) {
    next = base::earlier(next, engine.deadline());
  }
  return next;
}

News EngineTeam::sort(Seat of, News news, Now now, Outbox& out) {
  share_clocks();
  News sorted;
  for (EngineNews& item : news) {
    const bool is_of_player = of == player_;
    if (auto* lost = std::get_if<EngineLost>(&item); lost != nullptr && is_of_player) {
      if (const auto by = substitute()) {
        take_over(*by, std::move(*lost), sorted, now, out);
      } else {
        lost->is_missing = is_missing();
        sorted.push_back(std::move(item));
      }
    } else if (const auto* given_up = std::get_if<EngineGivenUp>(&item); given_up != nullptr && is_of_player) {
      if (const auto by = heir()) {
        take_over(*by, EngineLost{.why = given_up->why}, sorted, now, out);
      } else {
        sorted.push_back(std::move(item));
      }
    } else if (std::holds_alternative<EngineLeft>(item)) {
      have_left_[of] = true;
      if (std::find(have_left_.begin(), have_left_.end(), false) == have_left_.end()) {
        sorted.push_back(std::move(item));
      }
    } else if (is_of_player || std::holds_alternative<StopObeyed>(item)) {
      sorted.push_back(std::move(item));
    } else if (std::holds_alternative<EngineReady>(item)) {
      if (player().has_failed() && !starts_no_more_) {
        change_over(of, "it is ready sooner", now, out);
        sorted.push_back(std::move(item));
      }
    } else if (auto* answer = std::get_if<usi::SearchAnswered>(&item);
               answer != nullptr && doubted_ && doubted_->seat == of && answer->search == doubted_->search) {
      take_late_answer(std::move(*answer), sorted, now, out);
    } else {
      listen_to_advice(of, item);
    }
  }
  return sorted;
}

bool EngineTeam::is_missing() const {
  return std::all_of(seats_.begin(), seats_.end(), [](const EngineSupervisor& engine) { return engine.is_missing(); });
}

bool EngineTeam::may_be_ready_by(base::SteadyTime at) const {
  return std::any_of(seats_.begin(), seats_.end(),
                     [&](const EngineSupervisor& engine) { return engine.may_be_ready_by(at); });
}

// --- who plays

std::optional<EngineTeam::Seat> EngineTeam::substitute() const {
  std::optional<Seat> found;
  for (Seat seat = 0; seat < seats_.size() && !starts_no_more_; ++seat) {
    const bool is_better = !found || (seats_[seat].is_idle() && !seats_[*found].is_idle());
    if (seat != player_ && seats_[seat].is_ready() && is_better) {
      found = seat;
    }
  }
  return found;
}

std::optional<EngineTeam::Seat> EngineTeam::heir() const {
  std::optional<Seat> found;
  for (Seat seat = 0; seat < seats_.size(); ++seat) {
    const bool is_better = !found || (seats_[seat].is_ready() && !seats_[*found].is_ready());
    if (seat != player_ && seats_[seat].state() != EngineSupervisor::State::given_up && is_better) {
      found = seat;
    }
  }
  return found;
}

void EngineTeam::change_over(Seat to, const std::string& why, Now now, Outbox& out) {
  for (auto* aside : {&consulted_, &doubted_}) {
    if (*aside) {
      seats_[(*aside)->seat].abandon(now, out);
      aside->reset();
    }
  }
  if (player_ == 0) {
    ++failures_in_game_;
  }
  player_ = to;
  if (standby_plays()) {
    out.warn("standby_plays", "the standby engine takes over: " + why);
  } else {
    out.warn("standby_left", "the first engine takes over from the standby engine: " + why);
  }
}

/// The substitute plays from here on; who listens is told of a loss and, if it can search already,
/// of a ready engine. What it was asked for as an adviser is its search from here on.
void EngineTeam::take_over(Seat by, EngineLost lost, News& sorted, Now now, Outbox& out) {
  for (auto* aside : {&consulted_, &doubted_}) {
    if (*aside && (*aside)->seat == by) {
      lost.goes_on = (*aside)->search;
      aside->reset();
    }
  }
  change_over(by, lost.why, now, out);
  const bool is_ready = player().is_ready();
  lost.is_replaced = is_ready;
  sorted.emplace_back(std::move(lost));
  if (is_ready) {
    sorted.emplace_back(EngineReady{});
  }
}

bool EngineTeam::may_doubt() const {
  const auto other = substitute();
  return other && seats_[*other].is_idle() && !doubted_;
}

void EngineTeam::doubt(const std::string& why, Now now, Outbox& out) {
  const auto search = player().current_search();
  const Seat silent = player_;
  change_over(*substitute(), why, now, out);
  if (search) {
    doubted_ = Aside{silent, *search};
  }
}

/// The engine that was doubted is well: it plays again, and its answer stands for the search that runs instead.
void EngineTeam::take_late_answer(usi::SearchAnswered answer, News& sorted, Now now, Outbox& out) {
  const Seat by = std::exchange(doubted_, std::nullopt)->seat;
  const auto present = player().current_search();
  if (!present) {
    return;
  }
  seats_[player_].abandon(now, out);
  change_over(by, "it has answered after all", now, out);
  answer.search = *present;
  sorted.emplace_back(std::move(answer));
}

void EngineTeam::hand_over(const std::string& why, Now now, Outbox& out) {
  if (const auto other = substitute()) {
    dismiss_advice(now, out);
    change_over(*other, why, now, out);
  }
}

void EngineTeam::put_first_back(Outbox& out) {
  const bool is_wanted = failures_in_game_ <= failures_in_game_max || !player().is_ready();
  const bool may_change = !player().is_ready() || player().is_idle();
  if (standby_plays() && seats_.front().is_idle() && is_wanted && may_change && !starts_no_more_) {
    player_ = 0;
    out.info("first_engine_back", "the first engine plays again; the standby engine waits");
  }
}

// --- searches

std::optional<usi::SearchId> EngineTeam::search(usi::SearchRequest request, Now now, Outbox& out) {
  const bool is_out = player().is_ready() && player().out_since();
  const auto other = player().is_ready() && !is_out ? std::nullopt : substitute();
  if (other && !(is_out && seats_[*other].out_since())) {
    seats_[player_].abandon(now, out);
    change_over(*other, is_out ? "no link leads to the other one" : "the other one is not ready", now, out);
  }
  join_game(out);
  return seats_[player_].search(std::move(request), out);
}

News EngineTeam::ponderhit(std::string_view times, Outbox& out) { return seats_[player_].ponderhit(times, out); }

void EngineTeam::hurry(Now now, Outbox& out) {
  seats_[player_].hurry(now, out);
  if (doubted_) {
    seats_[doubted_->seat].hurry(now, out);
  }
}

News EngineTeam::replace(const std::string& why, Now now, Outbox& out) {
  const Seat seat = player_;
  return sort(seat, seats_[seat].replace(why, now, out), now, out);
}

void EngineTeam::consult(usi::SearchRequest request, Outbox& out) {
  const auto other = substitute();
  if (!other || !seats_[*other].is_idle()) {
    return;
  }
  advice_.clear();
  seats_[*other].join_game(out);
  if (const auto search = seats_[*other].search(std::move(request), out)) {
    consulted_ = Aside{*other, *search};
  }
}

void EngineTeam::listen_to_advice(Seat of, const EngineNews& item) {
  const bool is_consulted = consulted_ && consulted_->seat == of;
  if (const auto* info = std::get_if<usi::SearchInfo>(&item)) {
    const bool is_best_line = info->info.multipv.value_or(1) == 1 && !info->info.pv.empty();
    if (is_consulted && info->search == consulted_->search && is_best_line) {
      advice_ = info->info.pv.front();
    }
  } else if (const auto* answered = std::get_if<usi::SearchAnswered>(&item)) {
    if (is_consulted && answered->search == consulted_->search) {
      advice_ = answered->move;
      consulted_.reset();
    }
  } else {
    // It is lost, or given up.
    if (is_consulted) {
      consulted_.reset();
    }
    if (doubted_ && doubted_->seat == of) {
      doubted_.reset();
    }
  }
}

void EngineTeam::dismiss_advice(Now now, Outbox& out) {
  advice_.clear();
  for (auto* aside : {&consulted_, &doubted_}) {
    if (*aside) {
      seats_[(*aside)->seat].abandon(now, out);
      aside->reset();
    }
  }
}

// --- games, and the end

void EngineTeam::prepare_game(const GameRules& rules, Now now, Outbox& out) {
  failures_in_game_ = 0;
  for (EngineSupervisor& engine : seats_) {
    engine.prepare_game(rules, now, out);
  }
}

void EngineTeam::game_over(usi::GameOver result, Now now, Outbox& out) {
  doubted_.reset();
  for (EngineSupervisor& engine : seats_) {
    engine.game_over(result, now, out);
  }
  failures_in_game_ = 0;
}

void EngineTeam::renew(Now now, Outbox& out) {
  seats_[player_].renew(now, out);
  for (Seat seat = 0; seat < seats_.size(); ++seat) {
    if (seat == player_) {
      continue;
    }
    // Who has waited all the game is as fresh as a new process.
    if (seats_[seat].has_searched()) {
      seats_[seat].renew(now, out);
    } else {
      seats_[seat].prove(now, out);
    }
  }
}

void EngineTeam::prove(Now now, Outbox& out) {
  for (EngineSupervisor& engine : seats_) {
    engine.prove(now, out);
  }
}

void EngineTeam::prove_if_stale(Now now, Outbox& out, base::Millis within) {
  for (EngineSupervisor& engine : seats_) {
    engine.prove_if_stale(now, out, within);
  }
}

void EngineTeam::start_no_more() {
  starts_no_more_ = true;
  for (EngineSupervisor& engine : seats_) {
    engine.start_no_more();
  }
}

void EngineTeam::kill(Outbox& out) {
  for (EngineSupervisor& engine : seats_) {
    engine.kill(out);
  }
}

News EngineTeam::quit(Now now, Outbox& out) {
  // All are told before the news of any is dealt with.
  std::vector<News> said;
  for (EngineSupervisor& engine : seats_) {
    said.push_back(engine.quit(now, out));
  }
  News news;
  for (Seat seat = 0; seat < seats_.size(); ++seat) {
    News more = sort(seat, std::move(said[seat]), now, out);
    std::move(more.begin(), more.end(), std::back_inserter(news));
  }
  return news;
}

}  // namespace kakehashi::bridge
