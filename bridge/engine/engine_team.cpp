#include "bridge/engine/engine_team.hpp"

#include <iterator>

namespace kakehashi::bridge {

using base::Now;
using base::say;
using News = EngineTeam::News;

// --- searches of those that do not play

void AsideSearches::consult(Search search) {
  advice_.clear();
  consulted_ = search;
}

bool AsideSearches::listen(Seat of, const EngineNews& item) {
  const bool is_consulted = consulted_ && consulted_->seat == of;
  if (const auto* info = std::get_if<usi::SearchInfo>(&item)) {
    const bool is_best_line = info->info.multipv.value_or(1) == 1 && !info->info.pv.empty();
    if (is_consulted && info->search == consulted_->id && is_best_line) {
      advice_ = info->info.pv.front();
    }
  } else if (const auto* answered = std::get_if<usi::SearchAnswered>(&item)) {
    if (doubted_ && doubted_->seat == of && doubted_->id == answered->search) {
      doubted_.reset();
      return true;
    }
    if (is_consulted && answered->search == consulted_->id) {
      advice_ = answered->move;
      consulted_.reset();
    }
  } else {
    // It is lost, or given up.
    static_cast<void>(take(of));
  }
  return false;
}

std::optional<usi::SearchId> AsideSearches::take(Seat seat) {
  std::optional<usi::SearchId> taken;
  for (auto* search : {&consulted_, &doubted_}) {
    if (*search && (*search)->seat == seat) {
      taken = std::exchange(*search, std::nullopt)->id;
    }
  }
  return taken;
}

std::vector<AsideSearches::Seat> AsideSearches::end() {
  std::vector<Seat> seats;
  for (auto* search : {&consulted_, &doubted_}) {
    if (*search) {
      seats.push_back(std::exchange(*search, std::nullopt)->seat);
    }
  }
  return seats;
}

// --- all of them

EnginePool::EnginePool(const config::Engine& config, bool ponder) {
  const std::vector<EngineSeat> members = seats_of(config);
  for (const EngineSeat& member : members) {
    programs_.push_back(static_cast<Seat>(
        std::find_if(members.begin(), members.end(),
                     [&](const EngineSeat& other) { return other.engine.command == member.engine.command; }) -
        members.begin()));
    seats_.emplace_back(member.engine, ponder, static_cast<std::uint32_t>(seats_.size()), member.who, member.name);
    weights_.push_back(member.weight);
  }
  failures_in_game_.resize(seats_.size());
  deaf_in_game_.resize(seats_.size());
  have_left_.resize(seats_.size());
}

void EnginePool::learn_clock() {
  for (Seat seat = 0; seat < seats_.size(); ++seat) {
    seats_[seat].known().clocks.learn(programs_[seat] == seat);
  }
}

void EnginePool::start(Now now, Outbox& out) {
  for (EngineSupervisor& engine : seats_) {
    engine.start(now, out);
  }
}

std::optional<base::SteadyTime> EnginePool::deadline() const {
  std::optional<base::SteadyTime> next;
  for (const EngineSupervisor& engine : seats_) {
    next = base::earlier(next, engine.deadline());
  }
  return next;
}

std::optional<ViewedEngineLink> EnginePool::view_link(base::SteadyTime now) const {
  const auto kept = std::find_if(seats_.begin(), seats_.end(), [](const auto& seat) { return seat.known().config.is_kept(); });
  return kept == seats_.end() ? std::nullopt : std::optional(kept->view_link(now));
}

bool EnginePool::is_missing() const {
  return std::all_of(seats_.begin(), seats_.end(), [](const EngineSupervisor& engine) { return engine.known().failures.is_missing(); });
}

bool EnginePool::may_be_ready_by(base::SteadyTime at) const {
  return std::any_of(seats_.begin(), seats_.end(),
                     [&](const EngineSupervisor& engine) { return engine.may_be_ready_by(at); });
}

void EnginePool::start_no_more() {
  starts_no_more_ = true;
  for (EngineSupervisor& engine : seats_) {
    engine.start_no_more();
  }
}

void EnginePool::kill(Outbox& out) {
  for (EngineSupervisor& engine : seats_) {
    engine.kill(out);
  }
}

std::vector<News> EnginePool::quit(Now now, Outbox& out) {
  std::vector<News> said;
  for (EngineSupervisor& engine : seats_) {
    said.push_back(engine.quit(now, out));
  }
  return said;
}

bool EnginePool::leave(Seat seat) {
  have_left_[seat] = true;
  return std::find(have_left_.begin(), have_left_.end(), false) == have_left_.end();
}

void EnginePool::adopt(const config::Engine& config, bool ponder) {
  const std::vector<EngineSeat> members = seats_of(config);
  for (Seat seat = 0; seat < std::min(seats_.size(), members.size()); ++seat) {
    seats_[seat].known().adopt(members[seat].engine, ponder);
  }
}

void EnginePool::prove(Now now, Outbox& out) {
  for (EngineSupervisor& engine : seats_) {
    engine.prove(now, out);
  }
}

void EnginePool::prove_if_stale(Now now, Outbox& out, base::Millis within) {
  for (EngineSupervisor& engine : seats_) {
    engine.prove_if_stale(now, out, within);
  }
}

void EnginePool::prepare_game(const GameRules& rules, Now now, Outbox& out) {
  is_in_game_ = true;
  std::fill(failures_in_game_.begin(), failures_in_game_.end(), 0);
  std::fill(deaf_in_game_.begin(), deaf_in_game_.end(), 0);
  for (EngineSupervisor& engine : seats_) {
    engine.known().lines.begin_game();
    engine.prepare_game(rules, now, out);
  }
}

void EnginePool::game_over(usi::GameOver result, Now now, Outbox& out) {
  for (EngineSupervisor& engine : seats_) {
    engine.game_over(result, now, out);
  }
  is_in_game_ = false;
  std::fill(failures_in_game_.begin(), failures_in_game_.end(), 0);
  std::fill(deaf_in_game_.begin(), deaf_in_game_.end(), 0);
}

void EnginePool::count_deaf(Seat seat, Outbox& out) {
  if (is_in_game_ && ++deaf_in_game_[programs_[seat]] == deaf_in_game_max) {
    out.warn("ponder_given_up",
             say("{} has not obeyed stop twice in this game while it thought ahead: until the next game it "
                 "thinks ahead no more, so that our moves do not wait for it",
                 seats_[seat].known().who));
  }
}

bool EnginePool::may_think(Seat seat) const {
  const EngineSearches* searches = seats_[seat].searches();
  return searches != nullptr && searches->can_join_game() && !is_unreliable(seat);
}

std::optional<EnginePool::Seat> EnginePool::ready_besides(Seat other) const {
  std::optional<Seat> found;
  for (Seat seat = 0; seat < seats_.size(); ++seat) {
    if (seat == other || !seats_[seat].is_ready()) {
      continue;
    }
    const auto merit = [this](Seat one) { return std::pair(seats_[one].is_idle(), weights_[one]); };
    if (!found || merit(seat) > merit(*found)) {
      found = seat;
    }
  }
  return found;
}

std::optional<EnginePool::Seat> EnginePool::living_besides(Seat other) const {
  for (Seat seat = 0; seat < seats_.size(); ++seat) {
    if (seat != other && seats_[seat].state() != EngineSupervisor::State::given_up) {
      return seat;
    }
  }
  return std::nullopt;
}

/// What one of several processes of a program has shown holds for the others.
void EnginePool::share_clocks() {
  for (Seat from = 0; from < seats_.size(); ++from) {
    if (!seats_[from].known().clocks.is_telling()) {
      continue;
    }
    for (Seat to = 0; to < seats_.size(); ++to) {
      const bool knows_better = to < from && seats_[to].known().clocks.is_telling();
      if (to != from && programs_[to] == programs_[from] && !knows_better) {
        seats_[to].known().clocks.share(seats_[from].known().clocks);
      }
    }
  }
}

void EnginePool::share_stops(Seat of) {
  for (Seat to = 0; to < seats_.size(); ++to) {
    if (to != of && programs_[to] == programs_[of]) {
      seats_[to].known().habits.stops.take_over(seats_[of].known().habits.stops);
    }
  }
}

// --- the team

EngineTeam::EngineTeam(const config::Engine& config, bool ponder)
    : engines_(config, ponder),
      thinks_together_(bridge::thinks_together(config)),
      consults_(bridge::consults(config)),
      are_asked_(engines_.size()) {}

// --- past facts

News EngineTeam::on_time(Now now, Outbox& out) {
  News news;
  for (Seat seat = 0; seat < engines_.size(); ++seat) {
    News more = sort(seat, engines_[seat].on_time(now, out), now, out);
    std::move(more.begin(), more.end(), std::back_inserter(news));
  }
  return news;
}

News EngineTeam::sort(Seat of, News news, Now now, Outbox& out) {
  engines_.share_clocks();
  News sorted;
  for (EngineNews& item : news) {
    const bool is_of_player = of == player_;
    if (auto* lost = std::get_if<EngineLost>(&item)) {
      lost->seat = of;
      if (lost->is_deaf) {
        engines_.count_deaf(of, out);
      }
      if (thinks_together_ && !is_of_player) {
        count_failure(of, out);  // change_over() counts the others
      }
    }
    if (auto* lost = std::get_if<EngineLost>(&item); lost != nullptr && is_of_player) {
      if (const auto by = substitute()) {
        take_over(*by, std::move(*lost), sorted, now, out);
      } else {
        lost->is_missing = engines_.is_missing();
        sorted.push_back(std::move(item));
      }
    } else if (const auto* given_up = std::get_if<EngineGivenUp>(&item); given_up != nullptr && is_of_player) {
      EngineLost last{.why = given_up->why, .is_missing = true, .seat = of};
      if (const auto by = engines_.living_besides(player_)) {
        last.is_missing = engines_.is_missing();
        take_over(*by, std::move(last), sorted, now, out);
      } else {
        sorted.emplace_back(std::move(last));
        sorted.push_back(std::move(item));
      }
    } else if (std::holds_alternative<EngineLeft>(item)) {
      if (engines_.leave(of)) {
        sorted.push_back(std::move(item));
      }
    } else if (std::holds_alternative<StopObeyed>(item)) {
      engines_.share_stops(of);
      sorted.push_back(std::move(item));
    } else if (is_of_player) {
      sorted.push_back(std::move(item));
    } else if (std::holds_alternative<EngineReady>(item)) {
      if (player().known().failures.is_last_word() && !engines_.starts_no_more()) {
        change_over(of, say("it is ready sooner"), now, out);
        sorted.push_back(std::move(item));
      }
    } else if (auto* info = std::get_if<usi::SearchInfo>(&item); info != nullptr && thinks_together_ && !aside_.concerns(of)) {
      sorted.emplace_back(MemberInfo{of, std::move(*info)});
    } else if (auto* answered = std::get_if<usi::SearchAnswered>(&item); answered != nullptr && are_asked_[of] && !aside_.concerns(of)) {
      sorted.emplace_back(MemberAnswered{of, std::move(*answered)});
    } else if (consults_ && (std::holds_alternative<EngineLost>(item) || std::holds_alternative<EngineGivenUp>(item))) {
      static_cast<void>(aside_.listen(of, item));
      sorted.emplace_back(MemberLost{of});
    } else if (aside_.listen(of, item)) {
      take_late_answer(of, std::get<usi::SearchAnswered>(std::move(item)), sorted, now, out);
    }
  }
  return sorted;
}

// --- who plays

std::optional<EngineTeam::Seat> EngineTeam::substitute() const {
  return engines_.starts_no_more() ? std::nullopt : engines_.ready_besides(player_);
}

void EngineTeam::change_over(Seat to, const base::Message& why, Now now, Outbox& out, bool fails) {
  for (const Seat seat : aside_.end()) {
    engines_[seat].abandon(now, out);
  }
  const Seat from = std::exchange(player_, to);
  if (to != 0) {
    out.warn("standby_plays", say("the {} takes over: {}", player().known().who, why));
  } else {
    out.warn("standby_left", say("the first engine takes over from the {}: {}", engines_[from].known().who, why));
  }
  if (fails) {
    count_failure(from, out);
  }
}

void EngineTeam::count_failure(Seat of, Outbox& out) {
  if (engines_.count_failure(of) == EnginePool::failures_in_game_max + 1 && is_out(of)) {
    out.warn("member_out",
             say("{} has failed twice in this game and takes no part in the rest of it", engines_[of].known().who));
  }
}

/// The substitute plays from here on; who listens is told of a loss and, if it can search already,
/// of a ready engine. What it was asked for as an adviser is its search from here on.
void EngineTeam::take_over(Seat by, EngineLost lost, News& sorted, Now now, Outbox& out) {
  if (const auto search = aside_.take(by)) {
    lost.goes_on = search;
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
  return other && engines_[*other].is_idle() && !aside_.doubted();
}

void EngineTeam::doubt(const base::Message& why, Now now, Outbox& out) {
  const auto search = player().current_search();
  // One that waits behind an abandoned search has not begun: there is nothing that its engine could go on with.
  const bool has_begun = !player().is_search_queued();
  const Seat silent = player_;
  change_over(*substitute(), why, now, out);
  if (!has_begun) {
    engines_[silent].abandon(now, out);
  } else if (search) {
    aside_.doubt({silent, *search});
  }
}

/// It thinks too long, and not ahead any more: that alone is no reason to leave it out of the rest of the game.
void EngineTeam::stand_in(const base::Message& why, Now now, Outbox& out) {
  player().abandon(now, out);
  change_over(*substitute(), why, now, out, false);
}

void EngineTeam::note_deaf(Seat seat, Outbox& out) {
  if (engines_[seat].note_deaf()) {
    engines_.count_deaf(seat, out);
  }
}

/// The engine that was doubted is well: it plays again, and its answer stands for the search that runs instead, if one
/// does: who plays instead may have said nothing that can be played.
void EngineTeam::take_late_answer(Seat by, usi::SearchAnswered answer, News& sorted, Now now, Outbox& out) {
  const auto present = player().current_search();
  player().abandon(now, out);
  change_over(by, say("it has answered after all"), now, out);
  if (present) {
    answer.search = *present;
    sorted.emplace_back(std::move(answer));
  } else {
    sorted.emplace_back(MemberAnswered{by, std::move(answer)});
  }
}

void EngineTeam::hand_over(const base::Message& why, Now now, Outbox& out) {
  if (const auto other = substitute()) {
    dismiss_advice(now, out);
    change_over(*other, why, now, out);
  }
}

void EngineTeam::put_first_back(Outbox& out) {
  const bool is_wanted = !engines_.is_unreliable(0) || !player().is_ready();
  const bool may_change = !player().is_ready() || player().is_idle();
  if (standby_plays() && engines_[0].is_idle() && is_wanted && may_change && !engines_.starts_no_more()) {
    const auto who = player().known().who;
    player_ = 0;
    out.info("first_engine_back", say("the first engine plays again; the {} waits", who));
  }
}

// --- searches

void EngineTeam::seek_player(Now now, Outbox& out) {
  const bool is_out = player().is_ready() && player().link().out_since();
  const auto other = player().is_ready() && !is_out ? std::nullopt : substitute();
  if (other && !(is_out && engines_[*other].link().out_since())) {
    player().abandon(now, out);
    change_over(*other, is_out ? say("no link leads to the other one") : say("the other one is not ready"), now, out);
  }
}

void EngineTeam::hurry(Now now, Outbox& out) {
  player().hurry(now, out);
  if (const auto& doubted = aside_.doubted()) {
    engines_[doubted->seat].hurry(now, out);
  }
}

std::optional<usi::SearchId> EngineTeam::ask(Seat seat, usi::SearchRequest request, Outbox& out) {
  are_asked_[seat] = true;
  return engines_[seat].search(std::move(request), out);
}

News EngineTeam::ask_by_ponderhit(Seat seat, std::string_view times, Now now, Outbox& out) {
  are_asked_[seat] = true;
  return sort(seat, engines_[seat].ponderhit(times, out), now, out);
}

News EngineTeam::replace(Seat seat, const base::Message& why, Now now, Outbox& out) {
  return sort(seat, engines_[seat].replace(why, now, out), now, out);
}

void EngineTeam::consult(usi::SearchRequest request, Outbox& out) {
  const auto other = substitute();
  if (!other || !engines_[*other].is_idle() || aside_.is_consulting()) {
    return;  // one that was asked before searches on, and its advice is as good
  }
  aside_.forget_advice();
  if (const auto search = engines_[*other].search(std::move(request), out)) {
    aside_.consult({*other, *search});
  }
}

void EngineTeam::dismiss_advice(Now now, Outbox& out) {
  aside_.forget_advice();
  for (const Seat seat : aside_.end()) {
    engines_[seat].abandon(now, out);
  }
  for (Seat seat = 0; seat < engines_.size(); ++seat) {
    if (are_asked_[seat]) {
      are_asked_[seat] = false;
      engines_[seat].abandon(now, out);
    }
  }
}

// --- games, and the end

void EngineTeam::game_over(usi::GameOver result, Now now, Outbox& out) {
  aside_.forget_doubted();
  ask_no_more();
  engines_.game_over(result, now, out);
}

void EngineTeam::renew(Now now, Outbox& out) {
  player().renew(now, out);
  for (Seat seat = 0; seat < engines_.size(); ++seat) {
    if (seat == player_) {
      continue;
    }
    // Who has waited all the game is as fresh as a new process.
    if (const auto* searches = engines_[seat].searches(); searches != nullptr && searches->has_searched()) {
      engines_[seat].renew(now, out);
    } else {
      engines_[seat].prove(now, out);
    }
  }
}

News EngineTeam::quit(Now now, Outbox& out) {
  // All are told before the news of any is dealt with.
  std::vector<News> said = engines_.quit(now, out);
  News news;
  for (Seat seat = 0; seat < engines_.size(); ++seat) {
    News more = sort(seat, std::move(said[seat]), now, out);
    std::move(more.begin(), more.end(), std::back_inserter(news));
  }
  return news;
}

}  // namespace kakehashi::bridge
