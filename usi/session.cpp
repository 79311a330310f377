#include "usi/session.hpp"

#include <utility>

#include "base/check.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"

namespace kakehashi::usi {

Reaction Session::begin() {
  KAKEHASHI_CHECK(phase_ == Phase::silent, "usi is sent once");
  phase_ = Phase::handshake;
  return {{"usi"}, {}};
}

Reaction Session::prepare(const std::vector<OptionSetting>& settings) {
  KAKEHASHI_CHECK(phase_ == Phase::identified || (phase_ == Phase::ready && owed_.empty()),
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
  KAKEHASHI_CHECK(phase_ == Phase::ready && owed_.empty(), "usinewgame goes to an idle engine");
  return {{"usinewgame"}, {}};
}

Session::Started Session::search(SearchRequest request) {
  KAKEHASHI_CHECK(phase_ == Phase::ready || phase_ == Phase::stopping,
                  "a search starts when no other one counts");
  KAKEHASHI_CHECK(!parked_, "a parked answer is used or dropped before the next search");
  const SearchId id{++last_id_};
  Started started{id, {}};
  if (owed_.empty()) {
    start(id, std::move(request), started.reaction);
  } else {
    queued_.emplace(id, std::move(request));
    queued_is_hurried_ = false;
  }
  return started;
}

void Session::start(SearchId id, SearchRequest request, Reaction& reaction) {
  owed_.push_back({id, request.is_ponder, false, false});
  reaction.lines.push_back(std::move(request.position));
  reaction.lines.push_back(std::move(request.go));
  phase_ = Phase::searching;
}

Reaction Session::ponderhit(std::string_view times) {
  Reaction reaction;
  if (parked_) {
    Parked parked = *std::exchange(parked_, std::nullopt);
    reaction.events.emplace_back(
        SearchAnswered{parked.search, std::move(parked.move), std::move(parked.ponder)});
    return reaction;
  }
  KAKEHASHI_CHECK(is_pondering(), "ponderhit goes to a pondering engine");
  owed_.back().is_ponder = false;
  reaction.lines.push_back(times.empty() ? "ponderhit" : "ponderhit " + std::string(times));
  return reaction;
}

Reaction Session::hurry() {
  Reaction reaction;
  if (queued_) {
    queued_is_hurried_ = true;
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
  if (owed_.empty()) {
    reaction.lines.push_back(format_gameover(result));
  } else {
    pending_game_over_ = result;
  }
  return reaction;
}

Reaction Session::quit() { return {{"quit"}, {}}; }

std::optional<SearchId> Session::current_search() const {
  if (queued_) {
    return queued_->first;
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
  return parked_ || (!owed_.empty() && !owed_.back().is_abandoned && owed_.back().is_ponder);
}

Reaction Session::on_line(std::string_view line) {
  Reaction reaction;
  EngineMessage message = parse_line(line);
  std::visit(base::Overload{
                 [&](IdName& id) { name_ = std::move(id.name); },
                 [&](IdAuthor& id) { author_ = std::move(id.author); },
                 [&](OptionDeclared& declared) {
                   if (options_.size() < options_max) {
                     options_.push_back(std::move(declared.option));
                   }
                 },
                 [&](UsiOk&) { on_usiok(reaction); },
                 [&](ReadyOk&) { on_readyok(reaction); },
                 [&](BestMove& best) { on_bestmove(line, std::move(best), reaction); },
                 [&](InfoLine& info) { on_info(std::move(info.info), reaction); },
                 [&](Checkmate&) { reaction.events.emplace_back(Said{std::string(line)}); },
                 [&](CopyProtection& copy) {
                   if (copy.state == "error") {
                     reaction.events.emplace_back(
                         Complaint{"the engine reports a copy protection error"});
                   }
                 },
                 [&](Registration& registration) {
                   if (registration.state == "error") {
                     reaction.events.emplace_back(
                         Complaint{"the engine asks to be registered"});
                   }
                 },
                 [&](Other& other) {
                   if (!other.text.empty()) {
                     reaction.events.emplace_back(Said{std::move(other.text)});
                   }
                 },
             },
             message);
  return reaction;
}

void Session::on_usiok(Reaction& reaction) {
  if (phase_ != Phase::handshake) {
    reaction.events.emplace_back(Complaint{"usiok came out of place"});
    return;
  }
  phase_ = Phase::identified;
  reaction.events.emplace_back(Identified{name_, author_, options_});
}

void Session::on_readyok(Reaction& reaction) {
  if (phase_ != Phase::preparing) {
    reaction.events.emplace_back(Complaint{"readyok came out of place"});
    return;
  }
  phase_ = Phase::ready;
  reaction.events.emplace_back(BecameReady{});
}

void Session::on_info(Info info, Reaction& reaction) {
  if (!owed_.empty() && !owed_.front().is_abandoned) {
    reaction.events.emplace_back(SearchInfo{owed_.front().search, std::move(info)});
  }
}

void Session::on_bestmove(std::string_view line, BestMove best, Reaction& reaction) {
  if (owed_.empty()) {
    reaction.events.emplace_back(
        AnswerSwallowed{std::string(line), "no search was waiting for an answer"});
    return;
  }
  const Owed answered = owed_.front();
  owed_.pop_front();
  if (answered.is_abandoned) {
    reaction.events.emplace_back(AnswerSwallowed{std::string(line), "the search was given up"});
  } else if (answered.is_ponder) {
    parked_ = Parked{answered.search, std::move(best.move), std::move(best.ponder)};
    reaction.events.emplace_back(AnswerParked{answered.search});
  } else {
    reaction.events.emplace_back(
        SearchAnswered{answered.search, std::move(best.move), std::move(best.ponder)});
  }
  if (owed_.empty()) {
    phase_ = Phase::ready;
    on_nothing_owed(reaction);
  }
}

void Session::on_nothing_owed(Reaction& reaction) {
  if (const auto result = std::exchange(pending_game_over_, std::nullopt)) {
    reaction.lines.push_back(format_gameover(*result));
  }
  if (queued_) {
    auto [id, request] = *std::exchange(queued_, std::nullopt);
    start(id, std::move(request), reaction);
    if (std::exchange(queued_is_hurried_, false)) {
      owed_.back().stop_sent = true;
      reaction.lines.emplace_back("stop");
      phase_ = Phase::stopping;
    }
  }
}

}  // namespace kakehashi::usi
