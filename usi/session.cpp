#include "usi/session.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/overload.hpp"
#include "usi/dialect.hpp"

namespace kakehashi::usi {

using base::quoted;
using base::say;

constexpr std::string_view lines_option = "multipv";

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
    const Option* option = find_option(options_, setting.name);
    if (option != nullptr && option == find_option(options_, lines_option)) {
      lines_usual_ = lines_told_ = setting.value.value_or("");
    }
  }
  reaction.lines.emplace_back("isready");
  phase_ = Phase::preparing;
  return reaction;
}

Reaction Session::new_game() {
  KAKEHASHI_CHECK(phase_ == Phase::ready && !parked_, "usinewgame goes to an idle engine");
  Reaction reaction{{dialect_->new_game}, {}};
  if (dialect_->is_ready_after_new_game()) {
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

void Session::set_lines(int wanted, Reaction& reaction) {
  if (wanted <= 0 && lines_told_ == lines_usual_) {
    return;
  }
  const Option* option = find_option(options_, lines_option);
  if (option == nullptr) {
    return;
  }
  if (lines_told_.empty()) {
    lines_usual_ = lines_told_ = option->default_value;
  }
  std::string value = lines_usual_;
  if (wanted > 0) {
    value = std::to_string(std::min<std::int64_t>(wanted, option->max.value_or(wanted)));
  }
  if (value != lines_told_) {
    reaction.lines.push_back(format_setoption({option->name, value}));
    lines_told_ = std::move(value);
  }
}

void Session::start(SearchId id, SearchRequest request, Reaction& reaction) {
  set_lines(request.lines, reaction);
  owed_.push_back(
      {.search = id,
       .is_ponder = request.is_ponder,
       .is_ahead = request.is_ponder || request.lines > 0});
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
  owed_.back().is_ponder = owed_.back().is_ahead = false;
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
  if (!dialect_->is_usi()) {
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

// --- what the engine says, sorted to the search that it belongs to

Reaction Session::on_line(std::string_view line) {
  Reaction reaction;
  EngineMessage message = parse_line(line, *dialect_);
  std::visit(base::Overload{
                 [&](IdName& id) { name_ = std::move(id.name); },
                 [&](IdAuthor& id) { author_ = std::move(id.author); },
                 [](IdVersion&) {},
                 [](SizesDeclared&) {},
                 [&](OptionDeclared& declared) { on_option(std::move(declared.option), reaction); },
                 [&](UsiOk&) { on_usiok(reaction); },
                 [&](ReadyOk&) { on_readyok(reaction); },
                 [&](BestMove& best) { on_bestmove(line, std::move(best), reaction); },
                 [&](InfoLine& info) { on_info(std::move(info.info), reaction); },
                 [&](Checkmate&) {
                   reaction.events.emplace_back(Complaint{say("the engine's line {} answers no go mate", quoted(line))});
                 },
                 [&](CopyProtection& copy) {
                   if (copy.state == "error") {
                     reaction.events.emplace_back(Refused{say("the engine reports a copy protection error")});
                   }
                 },
                 [&](Registration& registration) {
                   if (registration.state == "error") {
                     // USI draft 1, "registration": to be answered always.
                     reaction.lines.emplace_back("register later");
                     reaction.events.emplace_back(
                         Complaint{say("the engine is not registered, and may not use all its features")});
                   }
                 },
                 [&](Malformed& malformed) {
                   reaction.events.emplace_back(
                       Complaint{say("the engine's line {} cannot be read: {}", quoted(line), malformed.why)});
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

void Session::on_option(Option option, Reaction& reaction) {
  if (phase_ != Phase::silent && phase_ != Phase::handshake) {
    reaction.events.emplace_back(Complaint{say("the option {} came out of place", quoted(option.name))});
  } else if (options_.size() < options_max) {
    options_.push_back(std::move(option));
  } else if (!has_too_many_options_) {
    has_too_many_options_ = true;
    reaction.events.emplace_back(
        Complaint{say("the engine declares more than {} options; the others are ignored", options_max)});
  }
}

void Session::on_usiok(Reaction& reaction) {
  if (phase_ != Phase::handshake) {
    reaction.events.emplace_back(Complaint{say("usiok came out of place")});
    return;
  }
  phase_ = Phase::identified;
  reaction.events.emplace_back(Identified{name_, author_, options_});
}

void Session::on_readyok(Reaction& reaction) {
  if (phase_ != Phase::preparing) {
    reaction.events.emplace_back(Complaint{say("readyok came out of place")});
    return;
  }
  phase_ = Phase::ready;
  reaction.events.emplace_back(BecameReady{});
}

void Session::on_info(Info info, Reaction& reaction) {
  if (!owed_.empty() && !owed_.front().is_abandoned) {
    respell_info(*dialect_, info);
    reaction.events.emplace_back(SearchInfo{owed_.front().search, std::move(info)});
  } else if (info.error && !info.error->empty()) {
    reaction.events.emplace_back(Complaint{say("the engine reports an error: {}", quoted(*info.error))});
  } else if (owed_.empty() && info.string && !info.string->empty()) {
    // What an engine says while it loads: a missing evaluation file is told in this way.
    reaction.events.emplace_back(Said{std::move(*info.string)});
  }
}

void Session::on_bestmove(std::string_view line, BestMove best, Reaction& reaction) {
  if (owed_.empty()) {
    reaction.events.emplace_back(AnswerSwallowed{std::string(line), say("no search was waiting for an answer")});
    return;
  }
  respell_answer(*dialect_, best);
  const Owed answered = owed_.front();
  owed_.pop_front();
  if (answered.is_abandoned) {
    reaction.events.emplace_back(AnswerSwallowed{std::string(line), say("the search was given up")});
  } else if (answered.is_ponder) {
    parked_ = SearchAnswered{answered.search, std::move(best.move), std::move(best.ponder)};
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
    if (queued_) {
      reaction.lines.emplace_back(dialect_->new_game);  // that search is of the next one
    }
  }
  if (!queued_) {
    return;
  }
  Queued queued = *std::exchange(queued_, std::nullopt);
  start(queued.search, std::move(queued.request), reaction);
  if (queued.ponderhit) {
    owed_.back().is_ponder = owed_.back().is_ahead = false;
    reaction.lines.push_back(std::move(*queued.ponderhit));
  }
  if (queued.is_hurried) {
    owed_.back().stop_sent = true;
    reaction.lines.emplace_back("stop");
    phase_ = Phase::stopping;
  }
}

}  // namespace kakehashi::usi
