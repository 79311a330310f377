#include "bridge/engine/engine_searches.hpp"

#include <algorithm>

namespace kakehashi::bridge {

using base::Millis;
using base::Now;

void LineLimit::on_usable() { is_confirmed_ = is_confirmed_ || (limit_ && asked_ <= short_max); }

bool LineLimit::on_unusable() {
  if (asked_ <= short_max) {
    if (limit_ && !is_confirmed_) {
      limit_.reset();
      is_refuted_ = true;
    }
    return false;
  }
  if (is_refuted_) {
    return false;
  }
  limit_ = std::min(asked_, limit_.value_or(asked_));
  return true;
}

void LineLimit::begin_game() {
  is_refuted_ = false;
  if (limit_ && (*limit_ < usual_min || !is_confirmed_)) {
    limit_.reset();
    is_confirmed_ = false;
  }
}

void EngineSearches::write(std::vector<std::string> lines, Outbox& out) const {
  for (std::string& line : lines) {
    out.add(WriteEngine{engine_, std::move(line)});
  }
}

void EngineSearches::new_game(Outbox& out) {
  if (owes_nothing()) {
    is_in_game_ = true;
    write(session_.new_game().lines, out);
  }
}

void EngineSearches::join_game(Outbox& out) {
  if (!is_in_game_) {
    new_game(out);
  }
}

usi::SearchId EngineSearches::search(usi::SearchRequest request, Outbox& out) {
  is_in_game_ = true;
  has_searched_ = true;
  usi::Session::Started started = session_.search(std::move(request));
  write(std::move(started.reaction.lines), out);
  return started.search;
}

std::optional<usi::SearchAnswered> EngineSearches::ponderhit(std::string_view times, Outbox& out) {
  usi::Reaction reaction = session_.ponderhit(times);
  write(std::move(reaction.lines), out);
  for (usi::EngineEvent& event : reaction.events) {
    if (auto* answered = std::get_if<usi::SearchAnswered>(&event)) {
      waiting_since_.reset();
      return std::move(*answered);
    }
  }
  return std::nullopt;
}

void EngineSearches::hurry(Now now, Outbox& out, bool is_due) {
  std::vector<std::string> lines = session_.hurry().lines;
  if (!lines.empty()) {
    is_told_to_stop_ = true;
    hurried_at_ = is_due ? std::optional(now.steady) : std::nullopt;
  }
  write(std::move(lines), out);
  watch_stop(now);
}

void EngineSearches::abandon(Now now, Outbox& out) {
  waiting_since_.reset();
  // A search that waited behind the end of an earlier game is dropped, and with it all that was said of this one.
  is_in_game_ = is_in_game_ && !session_.owes_game_over();
  write(session_.abandon().lines, out);
  is_told_to_stop_ = !owes_nothing();
  watch_stop(now);
}

void EngineSearches::game_over(usi::GameOver result, Now now, Outbox& out) {
  if (std::exchange(is_in_game_, false)) {
    waiting_since_.reset();
    write(session_.game_over(result).lines, out);
    is_told_to_stop_ = !owes_nothing();
    watch_stop(now);
  }
}

EngineSearches::Obedience EngineSearches::on_answered(Now now) {
  const auto told_at = told_to_stop_at();
  answer_by_.reset();  // a search that was queued behind the answered one has its own time to stop
  is_deaf_noted_ = false;
  Obedience obedience{.was_told = std::exchange(is_told_to_stop_, false)};
  if (const auto at = std::exchange(hurried_at_, std::nullopt)) {
    obedience.delay = base::millis_between(*at, now.steady);
  } else if (obedience.was_told && told_at) {
    obedience.given_up_after = base::millis_between(*told_at, now.steady);
  }
  return obedience;
}

void EngineSearches::on_in_reach(Millis gone, Now now) {
  if (answer_by_) {
    *answer_by_ += gone;
  }
  if (waiting_since_) {
    waiting_since_ = now.steady;
  }
}

void EngineSearches::watch_stop(Now now) {
  if (session_.phase() != usi::Session::Phase::stopping) {
    answer_by_.reset();
  } else if (!answer_by_) {
    answer_by_ = now.steady + stop_timeout;
  }
}

std::optional<base::SteadyTime> EngineSearches::silent_since(const EngineHabits& habits) const {
  return waiting_since_ ? std::optional(std::max(*waiting_since_, habits.heard)) : std::nullopt;
}

}  // namespace kakehashi::bridge
