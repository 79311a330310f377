// How the two engines of a team change places, and what the one on the bench is good for meanwhile.
#include <utility>

#include "base/overload.hpp"
#include "bridge/engine_team.hpp"

namespace kakehashi::bridge {

using base::Now;

bool EngineTeam::has_substitute() const {
  const EngineSeat* other = bench();
  return other != nullptr && other->is_ready() && !starts_no_more_;
}

void EngineTeam::change_over(const std::string& why, Now now, Outbox& out) {
  if (consultation_) {
    bench()->abandon(now, out);
    consultation_.reset();
  }
  if (doubted_) {
    bench()->abandon(now, out);
    doubted_.reset();
  }
  standby_plays_ = !standby_plays_;
  if (standby_plays_) {
    ++failures_in_game_;
    out.warn("standby_plays", "the standby engine takes over: " + why);
  } else {
    out.warn("standby_left", "the first engine takes over from the standby engine: " + why);
  }
}

/// The substitute plays from here on; who listens is told of a loss and, if it can search already,
/// of a ready engine. What it was asked for as an adviser is its search from here on.
void EngineTeam::take_over(SeatLost lost, News& sorted, Now now, Outbox& out) {
  lost.goes_on = std::exchange(consultation_, std::nullopt);
  if (doubted_) {
    lost.goes_on = std::exchange(doubted_, std::nullopt);
  }
  change_over(lost.why, now, out);
  const bool is_ready = player().is_ready();
  lost.is_replaced = is_ready;
  sorted.emplace_back(std::move(lost));
  if (is_ready) {
    sorted.emplace_back(SeatReady{});
  }
}

EngineTeam::News EngineTeam::sort(bool of_standby, News news, Now now, Outbox& out) {
  share_clocks();
  News sorted;
  for (SeatNews& item : news) {
    const bool is_of_player = of_standby == standby_plays_;
    if (auto* lost = std::get_if<SeatLost>(&item); lost != nullptr && is_of_player) {
      if (has_substitute()) {
        take_over(std::move(*lost), sorted, now, out);
      } else {
        lost->is_missing = is_missing();
        sorted.push_back(std::move(item));
      }
    } else if (const auto* gave_up = std::get_if<SeatGaveUp>(&item);
               gave_up != nullptr && is_of_player) {
      if (is_given_up()) {
        sorted.push_back(std::move(item));
      } else {
        take_over(SeatLost{.why = gave_up->why}, sorted, now, out);
      }
    } else if (std::holds_alternative<SeatEmptied>(item)) {
      (of_standby ? standby_left_ : first_left_) = true;
      if (have_both_left()) {
        sorted.push_back(std::move(item));
      }
    } else if (is_of_player || std::holds_alternative<StopObeyed>(item)) {
      sorted.push_back(std::move(item));
    } else if (std::holds_alternative<SeatReady>(item)) {
      if (player().has_failed() && has_substitute()) {
        change_over("it is ready sooner", now, out);
        sorted.push_back(std::move(item));
      }
    } else if (auto* answer = std::get_if<usi::SearchAnswered>(&item);
               answer != nullptr && doubted_ && answer->search == *doubted_) {
      take_late_answer(std::move(*answer), sorted, now, out);
    } else {
      listen_to_advice(item);
    }
  }
  return sorted;
}

bool EngineTeam::may_doubt() const { return has_substitute() && bench()->is_idle() && !doubted_; }

void EngineTeam::doubt(const std::string& why, Now now, Outbox& out) {
  const auto search = player().current_search();
  change_over(why, now, out);
  doubted_ = search;
}

/// The engine that was doubted is well: it plays again, and its answer stands for the search that runs instead.
void EngineTeam::take_late_answer(usi::SearchAnswered answer, News& sorted, Now now, Outbox& out) {
  doubted_.reset();
  const auto present = player().current_search();
  if (!present) {
    return;
  }
  seated().abandon(now, out);
  change_over("it has answered after all", now, out);
  answer.search = *present;
  sorted.emplace_back(std::move(answer));
}

void EngineTeam::hand_over(const std::string& why, Now now, Outbox& out) {
  if (has_substitute()) {
    dismiss_advice(now, out);
    change_over(why, now, out);
  }
}

void EngineTeam::put_first_back(Outbox& out) {
  const bool is_wanted = failures_in_game_ <= failures_in_game_max || !player().is_ready();
  const bool may_change = !player().is_ready() || player().is_idle();
  if (standby_plays_ && first_.is_idle() && is_wanted && may_change && !starts_no_more_) {
    standby_plays_ = false;
    out.info("first_engine_back", "the first engine plays again; the standby engine waits");
  }
}

void EngineTeam::consult(usi::SearchRequest request, Outbox& out) {
  EngineSeat* other = bench();
  if (!has_substitute() || !other->is_idle()) {
    return;
  }
  advice_.clear();
  other->join_game(out);
  consultation_ = other->search(std::move(request), out);
}

void EngineTeam::listen_to_advice(const SeatNews& item) {
  if (const auto* info = std::get_if<usi::SearchInfo>(&item)) {
    const bool is_best_line = info->info.multipv.value_or(1) == 1 && !info->info.pv.empty();
    if (info->search == consultation_ && is_best_line) {
      advice_ = info->info.pv.front();
    }
  } else if (const auto* answered = std::get_if<usi::SearchAnswered>(&item)) {
    if (answered->search == consultation_) {
      advice_ = answered->move;
      consultation_.reset();
    }
  } else {
    consultation_.reset();  // it is lost, or given up
    doubted_.reset();
  }
}

void EngineTeam::dismiss_advice(Now now, Outbox& out) {
  advice_.clear();
  if (consultation_ || doubted_) {
    bench()->abandon(now, out);
  }
  consultation_.reset();
  doubted_.reset();
}

}  // namespace kakehashi::bridge
