#include "usi/examine.hpp"

#include <algorithm>
#include <utility>

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

void Examination::on_stderr(std::string_view line) {
  ++report_.stderr_lines;
  last_stderr_ = line.substr(0, 500);
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

}  // namespace kakehashi::usi
