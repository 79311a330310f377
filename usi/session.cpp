#include "usi/session.hpp"

#include <utility>

#include "base/check.hpp"
#include "usi/respell.hpp"

namespace kakehashi::usi {

Reaction Session::begin() {
  KAKEHASHI_CHECK(phase_ == Phase::silent, "usi is sent once");
  phase_ = Phase::handshake;
  return {{dialect_->name}, {}};
}

Reaction Session::prepare(const std::vector<OptionSetting>& settings) {
  KAKEHASHI_CHECK(phase_ == Phase::identified || (phase_ == Phase::ready && !parked_),
                  "options are set before isready or between games");
  Reaction reaction;
  for (const OptionSetting& setting : settings) {
    reaction.lines.push_back(format_setoption(setting));
  }
  reaction.lines.emplace_back("isready");
  phase_ = Phase::preparing;
  return reaction;
}

Reaction Session::new_game() {
  KAKEHASHI_CHECK(phase_ == Phase::ready && !parked_, "usinewgame goes to an idle engine");
  Reaction reaction{{dialect_->new_game}, {}};
  if (dialect_->is_ready_after_new_game) {
    reaction.lines.emplace_back("isready");
    phase_ = Phase::preparing;
  }
  return reaction;
}

Session::Started Session::search(SearchRequest request) {
  KAKEHASHI_CHECK(phase_ == Phase::ready || (phase_ == Phase::stopping && owed_.back().is_abandoned),
                  "a search starts when no other one counts");
  KAKEHASHI_CHECK(!parked_, "a parked answer is used or dropped before the next search");
  const SearchId id{++last_id_};
  Started started{id, {}};
  if (owed_.empty()) {
    start(id, std::move(request), started.reaction);
  } else {
    queued_ = Queued{id, std::move(request)};
  }
  return started;
}

void Session::start(SearchId id, SearchRequest request, Reaction& reaction) {
  owed_.push_back(
      {.search = id, .is_ponder = request.is_ponder, .is_mate = asks_for_mate(request.go)});
  reaction.lines.push_back(respell_position(*dialect_, std::move(request.position)));
  reaction.lines.push_back(respell_go(*dialect_, std::move(request.go)));
  phase_ = Phase::searching;
}

Reaction Session::ponderhit(std::string_view times) {
  Reaction reaction;
  if (parked_) {
    reaction.events.emplace_back(*std::exchange(parked_, std::nullopt));
    return reaction;
  }
  KAKEHASHI_CHECK(is_pondering(), "ponderhit goes to a pondering engine");
  std::string line = times.empty() || dialect_->protocol != Protocol::usi
                         ? "ponderhit"
                         : "ponderhit " + std::string(times);
  if (queued_) {
    queued_->ponderhit = std::move(line);
    return reaction;
  }
  owed_.back().is_ponder = false;
  if (!owed_.back().stop_sent) {  // after "stop" there is no search left to switch over
    reaction.lines.push_back(std::move(line));
  }
  return reaction;
}

Reaction Session::hurry() {
  Reaction reaction;
  if (queued_) {
    queued_->is_hurried = true;
    return reaction;
  }
  if (!owed_.empty() && !owed_.back().is_abandoned && !owed_.back().stop_sent) {
    owed_.back().stop_sent = true;
    reaction.lines.emplace_back("stop");
    phase_ = Phase::stopping;
  }
  return reaction;
}

Reaction Session::abandon() {
  Reaction reaction;
  queued_.reset();
  parked_.reset();
  if (!owed_.empty()) {
    Owed& last = owed_.back();
    last.is_abandoned = true;
    if (!last.stop_sent) {
      last.stop_sent = true;
      reaction.lines.emplace_back("stop");
    }
    phase_ = Phase::stopping;
  }
  return reaction;
}

Reaction Session::game_over(GameOver result) {
  Reaction reaction = abandon();
  if (!dialect_->has_gameover) {
    return reaction;
  }
  if (!owed_.empty()) {
    pending_game_over_ = result;
  } else if (phase_ == Phase::ready) {
    reaction.lines.push_back(format_gameover(result));
  }
  return reaction;
}

Reaction Session::quit() { return {{"quit"}, {}}; }

std::optional<SearchId> Session::current_search() const {
  if (queued_) {
    return queued_->search;
  }
  if (parked_) {
    return parked_->search;
  }
  if (!owed_.empty() && !owed_.back().is_abandoned) {
    return owed_.back().search;
  }
  return std::nullopt;
}

bool Session::is_pondering() const {
  if (queued_) {
    return queued_->request.is_ponder && !queued_->ponderhit;
  }
  return parked_ || (!owed_.empty() && !owed_.back().is_abandoned && owed_.back().is_ponder);
}

}  // namespace kakehashi::usi
