#include "usi/examine.hpp"

#include <algorithm>
#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "usi/command.hpp"
#include "usi/respell.hpp"
#include "usi/settings.hpp"

namespace kakehashi::usi {

using base::format_millis;
using base::Millis;
using base::quote_for_log;
using base::SteadyTime;

namespace {

/// 2 s in all, 0.3 s of them an increment, spelled as the bridge would.
std::string fischer_go(const EngineClocks& clocks) {
  constexpr Millis increment{300};
  GoTimes times{Millis{1'700}, Millis{1'700}};
  switch (clocks.reading) {
    case ClockReading::keeps_to_btime:
      times.btime += increment;
      times.wtime += increment;
      [[fallthrough]];
    case ClockReading::adds: times.binc = times.winc = increment; break;
    case ClockReading::unknown:
    case ClockReading::no_increments: times.byoyomi = increment; break;
  }
  return format_go(times, false);
}

}  // namespace

Examination::Examination(ExamSetup setup)
    : setup_(std::move(setup)), dialect_(&dialect_of(setup_.protocol)) {
  report_.protocol = setup_.protocol;
  for (auto& steps : {boot_steps(setup_), exam_steps(setup_)}) {
    steps_.insert(steps_.end(), steps.begin(), steps.end());
  }
}

ExamActions Examination::start(SteadyTime now) {
  ExamActions actions;
  actions.start_engine = true;
  next_step(now, actions);
  return actions;
}

ExamActions Examination::on_failed_to_start(const std::string& why) {
  ExamActions actions;
  report_.cannot_start = why;
  finish(actions);
  return actions;
}

void Examination::next_step(SteadyTime now, ExamActions& actions) {
  for (;;) {
    if (steps_.empty()) {
      finish(actions);
      return;
    }
    const bool is_same_section = step_.section == steps_.front().section;
    step_ = std::move(steps_.front());
    steps_.pop_front();
    answered_early_ = answered_early_ && is_same_section;
    // The question has its answer already, and the rest of its section with it.
    const bool is_moot = answered_early_ && step_.await == Await::answer;
    if (!is_moot) {
      break;
    }
  }
  began_ = now;
  deadline_ = now + step_.limit + (step_.is_clocked ? patience : Millis{0}) +
              (step_.waits_for_answer() ? setup_.grace : Millis{0});
  send(now, actions);
}

void Examination::send(SteadyTime now, ExamActions& actions) {
  if (step_.await == Await::settings) {
    Settings settings = plan_settings(*dialect_, options_, setup_.options, true);
    for (std::string& problem : settings.problems) {
      add("unfit_setting", std::move(problem) + "; it was not set");
    }
    for (const OptionSetting& setting : settings.lines) {
      actions.lines.push_back(format_setoption(setting));
    }
    actions.lines.emplace_back("isready");
    return;
  }
  if (step_.await == Await::clock) {
    probe_.emplace();
    pursue(probe_->start(now), now, actions);
    return;
  }
  for (const std::string& line : step_.lines) {
    send_line(line == "go " ? fischer_go(report_.clocks.value_or(EngineClocks{})) : line, actions);
  }
}

void Examination::send_line(const std::string& line, ExamActions& actions) {
  if (line.starts_with("position ")) {
    actions.lines.push_back(respell_position(*dialect_, line));
  } else if (line.starts_with("go ")) {
    actions.lines.push_back(respell_go(*dialect_, line));
    is_searching_ = true;
    infos_ = 0;
  } else {
    actions.lines.push_back(line);
  }
}

void Examination::pursue(const ClockProbe::Deed& deed, SteadyTime now, ExamActions& actions) {
  if (!deed.go.empty()) {
    send_line(deed.position, actions);
    send_line(deed.go, actions);
  } else if (deed.stop) {
    send_line("stop", actions);
  }
  if (probe_->is_deaf()) {
    add("deaf_to_stop", here() + "no bestmove within " + format_millis(ClockProbe::stop_limit.count()) +
                            " of stop");
    recover(now, actions);
  } else if (probe_->is_finished()) {
    learn_clocks(probe_->found());
    next_step(now, actions);
  } else {
    deadline_ = probe_->deadline();
  }
}

void Examination::learn_clocks(const EngineClocks& found) {
  report_.clocks = found.reading == ClockReading::unknown ? clocks_by_name(report_.name) : found;
}

void Examination::recover(SteadyTime now, ExamActions& actions) {
  is_searching_ = false;
  output_closed_ = false;
  options_.clear();
  const std::string failed = step_.section;
  while (!steps_.empty() && steps_.front().section == failed) {
    steps_.pop_front();
  }
  const bool is_boot = failed == "handshake" || failed == "getting ready";
  if (is_boot || restarts_ == restarts_max || steps_.empty()) {
    std::string left_out;
    for (const ExamStep& step : steps_) {
      if (left_out.find(step.section) == std::string::npos) {
        left_out += (left_out.empty() ? "" : ", ") + step.section;
      }
    }
    if (!left_out.empty()) {
      add("not_examined", left_out);
    }
    finish(actions);
    return;
  }
  ++restarts_;
  const std::vector<ExamStep> boot = boot_steps(setup_);
  steps_.insert(steps_.begin(), boot.begin(), boot.end());
  step_ = {};
  actions.lines.clear();
  actions.kill_engine = true;
  actions.start_engine = true;
  next_step(now, actions);
}

void Examination::finish(ExamActions& actions) {
  if (is_finished_) {
    return;
  }
  is_finished_ = true;
  actions.kill_engine = true;
  actions.start_engine = false;
  actions.lines.clear();
  if (!report_.cannot_start.empty()) {
    return;
  }
  const bool has_answered = std::any_of(
      report_.measurements.begin(), report_.measurements.end(),
      [](const Measurement& measured) { return measured.what == "byoyomi"; });
  if (has_answered && !has_shown_pv_) {
    add("no_info", "the engine shows no principal variation: games have no evaluation comments");
  }
  if (report_.stderr_lines > stderr_lines_usual) {
    add("stderr_flood", std::to_string(report_.stderr_lines) +
                            " lines on standard error; the last: " + quote_for_log(last_stderr_));
  }
}

void Examination::add(std::string_view code, std::string text) {
  report_.add(code, std::move(text));
}

std::string Examination::here() const { return step_.section + ": "; }

Millis Examination::taken(SteadyTime now) const { return base::millis_between(began_, now); }

void Examination::measure(std::string what, SteadyTime now, Millis allowed) {
  report_.measurements.push_back({std::move(what), taken(now), allowed});
}

ExamActions Examination::on_time(SteadyTime now) {
  ExamActions actions;
  if (!is_finished_ && now >= deadline_) {
    on_silence(now, actions);
  }
  return actions;
}

void Examination::on_silence(SteadyTime now, ExamActions& actions) {
  const std::string waited = " within " + format_millis(taken(now).count());
  if (std::exchange(output_closed_, false)) {
    add("output_closed", here() + "standard output was closed, and the process lived on");
  }
  switch (step_.await) {
    case Await::silence:
    case Await::pondering:
    case Await::thinking:
      next_step(now, actions);
      return;
    case Await::clock: pursue(probe_->on_time(now), now, actions); return;
    case Await::handshake:
      add("no_handshake", std::string("no ") + dialect_->hello_answer + waited);
      break;
    case Await::settings:
      add("no_readyok", here() + "no readyok" + waited);
      break;
    case Await::readyok:
      add("no_readyok", here() + "no readyok" + waited);
      break;
    case Await::answer:
      if (!step_.lines.empty() && step_.lines.front() == "stop") {
        add("deaf_to_stop", here() + "no bestmove" + waited + " of stop");
      } else {
        add("no_answer", here() + "no bestmove" + waited + ", on a clock of " +
                             format_millis(step_.limit.count()));
      }
      break;
    case Await::exit:
      add("deaf_to_quit", "still running " + format_millis(taken(now).count()) +
                              " after quit; it was killed");
      finish(actions);
      return;
  }
  recover(now, actions);
}

ExamActions Examination::on_exited(const std::string& status, SteadyTime now) {
  ExamActions actions;
  if (is_finished_) {
    return actions;
  }
  if (step_.await == Await::exit && !status.starts_with("signal")) {
    measure("quit", now, step_.soft_limit);
    if (taken(now) > step_.soft_limit) {
      add("slow_quit", "it took " + format_millis(taken(now).count()) + " to end after quit");
    }
    finish(actions);
    return actions;
  }
  if (step_.await == Await::clock) {
    probe_->on_death();
    if (probe_->found().reading == ClockReading::no_increments) {
      learn_clocks(probe_->found());
      add("no_increments", "the engine ended with " + status + " when it was given binc");
      recover(now, actions);
      return actions;
    }
  }
  add("died", here() + "the engine ended with " + status +
                  (last_stderr_.empty() ? "" : "; standard error: " + quote_for_log(last_stderr_)));
  recover(now, actions);
  return actions;
}

ExamActions Examination::on_stderr(std::string_view line, SteadyTime now) {
  ++report_.stderr_lines;
  last_stderr_ = line.substr(0, 500);
  hear_sign_of_life(now);
  return {};
}

/// As in a game: whoever gets ready for long, and says so, is waited for.
void Examination::hear_sign_of_life(SteadyTime now) {
  if (step_.await == Await::settings || step_.await == Await::readyok) {
    const Millis most = std::max(setup_.ready_max, setup_.ready_timeout);
    deadline_ = std::min(now + setup_.ready_timeout, began_ + most) + setup_.grace;
  }
}

void Examination::on_odd(Oddity oddity) {
  if (is_finished_) {
    return;
  }
  switch (oddity) {
    case Oddity::flood:
      add("flood", here() + "so many info lines at once that some were dropped unread");
      return;
    case Oddity::line_too_long:
      add("line_too_long", here() + "a line of more than 64 KiB, or with a NUL byte; it was dropped");
      return;
    case Oddity::unfinished_line:
      add("unfinished_line", here() + "the last line came without its line end");
      return;
    case Oddity::output_closed:
      output_closed_ = true;  // an engine that ends closes it too
      return;
    case Oddity::children_left:
      add("children_left", here() + "the engine ended and left processes behind; they were killed");
      return;
  }
}

// --- what the engine says, judged by what was asked

using base::format_millis;
using base::Millis;
using base::quote_for_log;
using base::SteadyTime;

ExamActions Examination::on_line(std::string_view line, SteadyTime now) {
  ExamActions actions;
  if (!is_finished_) {
    hear_sign_of_life(now);
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
