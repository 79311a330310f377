// What the examined engine says, judged by what was asked.
#include <algorithm>
#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "usi/examine.hpp"
#include "usi/respell.hpp"

namespace kakehashi::usi {

using base::format_millis;
using base::Millis;
using base::quote_for_log;
using base::SteadyTime;

ExamActions Examination::on_line(std::string_view line, SteadyTime now) {
  ExamActions actions;
  if (!is_finished_) {
    EngineMessage message = parse_line(line, *dialect_);
    on_message(line, message, now, actions);
  }
  return actions;
}

void Examination::on_message(std::string_view line, EngineMessage& message, SteadyTime now,
                             ExamActions& actions) {
  std::visit(
      base::Overload{
          [&](IdName& id) { report_.name = std::move(id.name); },
          [&](IdAuthor& id) { report_.author = std::move(id.author); },
          [&](IdVersion& id) { report_.version = std::move(id.version); },
          [&](SizesDeclared&) { has_sizes_ = true; },
          [&](OptionDeclared& declared) { on_option(std::move(declared.option)); },
          [&](UsiOk&) { on_handshake(now, actions); },
          [&](ReadyOk&) { on_readyok(now, actions); },
          [&](BestMove& best) { on_answer(line, std::move(best), now, actions); },
          [&](Checkmate&) {
            add("stray_answer", here() + quote_for_log(line, 100) + " answers no go mate");
          },
          [&](InfoLine& info) { on_info(line, info.info); },
          [&](CopyProtection& copy) {
            if (copy.state == "error") {
              add("copy_protected", "the engine reports a copy protection error: " +
                                        quote_for_log(line));
            }
          },
          [&](Registration& registration) {
            if (registration.state == "error") {
              add("unregistered", "the engine asks to be registered; it was told: register later");
              actions.lines.emplace_back("register later");
            }
          },
          [&](Malformed& malformed) {
            add(base::trim(line).starts_with("option") ? "malformed_option" : "malformed_line",
                here() + quote_for_log(line) + ": " + malformed.why);
          },
          [&](Other& other) { on_words(other.text); },
      },
      message);
}

void Examination::on_words(std::string_view line) {
  if (!base::trim(line).empty()) {
    add("chatter", here() + "words of no command: " + quote_for_log(line, 100));
  }
}

void Examination::on_option(Option option) {
  if (step_.await != Await::handshake) {
    add("malformed_line", here() + "option " + quote_for_log(option.name) + " was declared too late");
    return;
  }
  if (options_.size() >= 1024) {
    return;
  }
  const bool is_known = std::any_of(options_.begin(), options_.end(), [&](const Option& known) {
    return known.name == option.name;
  });
  if (restarts_ == 0) {
    if (is_known) {
      add("repeated_option", "option " + quote_for_log(option.name) + " is declared twice");
    }
    if (option.name.find(' ') != std::string::npos && setup_.protocol == Protocol::usi) {
      add("option_name_with_space", "option " + quote_for_log(option.name) + " has a space in its name");
    }
    for (std::string& odd : oddities(option)) {
      add("odd_option", std::move(odd));
    }
  }
  options_.push_back(std::move(option));
}

void Examination::on_handshake(SteadyTime now, ExamActions& actions) {
  if (step_.await != Await::handshake) {
    add("malformed_line", here() + dialect_->hello_answer + " came unasked");
    return;
  }
  if (restarts_ == 0) {
    report_.options = options_.size();
    measure(dialect_->hello_answer, now, step_.soft_limit);
    if (taken(now) > step_.soft_limit) {
      add("slow_handshake", std::string(dialect_->hello_answer) + " took " +
                                format_millis(taken(now).count()));
    }
    if (report_.name.empty()) {
      add("no_name", "the engine gave no id name");
    }
    if (setup_.protocol == Protocol::tei && !has_sizes_) {
      add("no_sizes", "the engine told no board sizes");
    }
  }
  next_step(now, actions);
}

void Examination::on_readyok(SteadyTime now, ExamActions& actions) {
  if (step_.await != Await::settings && step_.await != Await::readyok) {
    add("malformed_line", here() + "readyok came unasked");
    return;
  }
  if (step_.await == Await::settings && restarts_ == 0) {
    measure("readyok", now, step_.limit);
    if (taken(now) > step_.soft_limit) {
      add("slow_readyok", "readyok took " + format_millis(taken(now).count()));
    }
  }
  next_step(now, actions);
}

void Examination::on_info(std::string_view line, const Info& info) {
  has_shown_pv_ = has_shown_pv_ || !info.pv.empty();
  if (!info.skipped.empty()) {
    add("unread_words", quote_for_log(info.skipped.front()) + " belongs to no field in " +
                            quote_for_log(line, 120));
  }
  if (!is_searching_ && !info.string && !info.error) {
    add("line_outside_search", here() + quote_for_log(line, 100) + " came while nothing was searched");
  }
  if (++infos_ == infos_usual) {
    add("flood", here() + "more than " + std::to_string(infos_usual) + " info lines in one search");
  }
}

void Examination::on_answer(std::string_view line, BestMove best, SteadyTime now,
                            ExamActions& actions) {
  const std::string quoted = quote_for_log(line, 100);
  if (!std::exchange(is_searching_, false)) {
    add("stray_answer", here() + quoted + " came while nothing was searched");
    return;
  }
  respell_answer(*dialect_, best);
  switch (step_.await) {
    case Await::answer:
      judge_time(now);
      judge_move(best);
      next_step(now, actions);
      return;
    case Await::clock: pursue(probe_->on_answer(now), now, actions); return;
    case Await::pondering:
      answered_early_ = true;
      add("answer_before_ponderhit", here() + quoted + " came " + format_millis(taken(now).count()) +
                                         " after go ponder, before ponderhit or stop");
      return;
    case Await::thinking:
      answered_early_ = true;
      judge_move(best);
      return;
    case Await::readyok:
    case Await::handshake:
    case Await::settings:
    case Await::silence:
    case Await::exit:
      add("stray_answer", here() + quoted + " came too late");
      return;
  }
}

void Examination::judge_time(SteadyTime now) {
  const bool is_stop = !step_.lines.empty() && step_.lines.front() == "stop";
  measure(is_stop ? step_.section + ", stop" : step_.section, now,
          step_.is_clocked ? step_.limit : step_.soft_limit);
  const Millis time = taken(now);
  if (!step_.is_clocked) {
    if (time > step_.soft_limit) {
      add("slow_stop", here() + "bestmove came " + format_millis(time.count()) +
                           " after stop; the guard waits for a quarter of time.margin");
    }
    return;
  }
  const std::string text = here() + "bestmove came after " + format_millis(time.count()) +
                           " on a clock of " + format_millis(step_.limit.count());
  if (time > step_.limit + setup_.margin) {
    add("lost_on_time", text);
  } else if (time > step_.limit + tolerance) {
    add("over_clock", text + "; time.margin makes up for it");
  }
}

void Examination::judge_move(const BestMove& best) {
  if (best.move.empty()) {
    add("illegal_answer", here() + "bestmove without a move");
    return;
  }
  if (best.move == "resign") {
    add("unasked_resignation", here() + "the engine resigns where nothing is lost");
    return;
  }
  if (!step_.legal.empty() &&
      std::find(step_.legal.begin(), step_.legal.end(), best.move) == step_.legal.end()) {
    add("illegal_answer", here() + quote_for_log(best.move) + " is no legal move there");
  }
}

}  // namespace kakehashi::usi
