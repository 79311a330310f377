// What the engine says, sorted to the search that it belongs to.
#include <string>
#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "usi/respell.hpp"
#include "usi/session.hpp"

namespace kakehashi::usi {

Reaction Session::on_line(std::string_view line) {
  Reaction reaction;
  EngineMessage message = parse_line(line, *dialect_);
  std::visit(base::Overload{
                 [&](IdName& id) { name_ = std::move(id.name); },
                 [&](IdAuthor& id) { author_ = std::move(id.author); },
                 [](IdVersion&) {},
                 [](SizesDeclared&) {},
                 [&](OptionDeclared& declared) {
                   on_option(std::move(declared.option), reaction);
                 },
                 [&](UsiOk&) { on_usiok(reaction); },
                 [&](ReadyOk&) { on_readyok(reaction); },
                 [&](BestMove& best) { on_bestmove(line, std::move(best), reaction); },
                 [&](InfoLine& info) { on_info(std::move(info.info), reaction); },
                 [&](Checkmate& checkmate) {
                   on_checkmate(line, std::move(checkmate), reaction);
                 },
                 [&](CopyProtection& copy) {
                   if (copy.state == "error") {
                     reaction.events.emplace_back(
                         Refused{"the engine reports a copy protection error"});
                   }
                 },
                 [&](Registration& registration) {
                   if (registration.state == "error") {
                     // USI draft 1, "registration": to be answered always.
                     reaction.lines.emplace_back("register later");
                     reaction.events.emplace_back(
                         Complaint{"the engine is not registered, and may not use all its features"});
                   }
                 },
                 [&](Malformed& malformed) {
                   reaction.events.emplace_back(
                       Complaint{"the engine's line " + base::quote_for_log(line) +
                                 " cannot be read: " + malformed.why});
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
    reaction.events.emplace_back(
        Complaint{"the option " + base::quote_for_log(option.name) + " came out of place"});
  } else if (options_.size() < options_max) {
    options_.push_back(std::move(option));
  } else if (!has_too_many_options_) {
    has_too_many_options_ = true;
    reaction.events.emplace_back(Complaint{"the engine declares more than " +
                                           std::to_string(options_max) +
                                           " options; the others are ignored"});
  }
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
    respell_info(*dialect_, info);
    reaction.events.emplace_back(SearchInfo{owed_.front().search, std::move(info)});
  } else if (info.error && !info.error->empty()) {
    reaction.events.emplace_back(Complaint{"the engine reports an error: " +
                                           base::quote_for_log(*info.error)});
  } else if (owed_.empty() && info.string && !info.string->empty()) {
    // What an engine says while it loads: a missing evaluation file is told in this way.
    reaction.events.emplace_back(Said{std::move(*info.string)});
  }
}

void Session::on_bestmove(std::string_view line, BestMove best, Reaction& reaction) {
  if (owed_.empty()) {
    reaction.events.emplace_back(
        AnswerSwallowed{std::string(line), "no search was waiting for an answer"});
    return;
  }
  respell_answer(*dialect_, best);
  const Owed answered = owed_.front();
  owed_.pop_front();
  if (answered.is_abandoned) {
    reaction.events.emplace_back(AnswerSwallowed{std::string(line), "the search was given up"});
  } else if (answered.is_ponder) {
    parked_ = SearchAnswered{answered.search, std::move(best.move), std::move(best.ponder)};
    reaction.events.emplace_back(AnswerParked{answered.search});
  } else {
    reaction.events.emplace_back(
        SearchAnswered{answered.search, std::move(best.move), std::move(best.ponder)});
  }
  finish_oldest(reaction);
}

void Session::finish_oldest(Reaction& reaction) {
  if (owed_.empty()) {
    phase_ = Phase::ready;
    on_nothing_owed(reaction);
  }
}

void Session::on_checkmate(std::string_view line, Checkmate checkmate, Reaction& reaction) {
  if (owed_.empty() || !owed_.front().is_mate) {
    reaction.events.emplace_back(
        Complaint{"the engine's line " + base::quote_for_log(line) + " answers no go mate"});
    return;
  }
  const Owed answered = owed_.front();
  owed_.pop_front();
  if (answered.is_abandoned) {
    reaction.events.emplace_back(AnswerSwallowed{std::string(line), "the search was given up"});
  } else {
    reaction.events.emplace_back(MateAnswered{answered.search, std::move(checkmate)});
  }
  finish_oldest(reaction);
}

void Session::on_nothing_owed(Reaction& reaction) {
  if (const auto result = std::exchange(pending_game_over_, std::nullopt)) {
    reaction.lines.push_back(format_gameover(*result));
  }
  if (!queued_) {
    return;
  }
  Queued queued = *std::exchange(queued_, std::nullopt);
  start(queued.search, std::move(queued.request), reaction);
  if (queued.ponderhit) {
    owed_.back().is_ponder = false;
    reaction.lines.push_back(std::move(*queued.ponderhit));
  }
  if (queued.is_hurried) {
    owed_.back().stop_sent = true;
    reaction.lines.emplace_back("stop");
    phase_ = Phase::stopping;
  }
}

}  // namespace kakehashi::usi
