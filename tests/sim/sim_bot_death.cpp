// The deaths of a bot's process, and the one that follows it: as daemon/driver goes on, from what journal/replay says of the
// run. Line and engines live on, what was written to them is known, and what was not is written now.
#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "sim/sim_bot.hpp"

namespace kakehashi::sim {

using How = bridge::ServerClosed::How;

namespace {

constexpr std::size_t writes_in_doubt = 6;  ///< one in so many

/// Of all that was to be written, the lines that were not; nothing: what was written is more than that, or too far back.
std::optional<std::vector<std::string>> unwritten(std::uint64_t wanted, std::string_view last, std::uint64_t written) {
  if (written > wanted || wanted - written > last.size()) {
    return std::nullopt;
  }
  std::vector<std::string> lines;
  std::string_view rest = last.substr(last.size() - static_cast<std::size_t>(wanted - written));
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

std::optional<support::Death> SimBot::draw_death() {
  if (!run_) {
    return std::nullopt;
  }
  std::optional<support::Death> death;
  for (const FaultKind kind : plan_.count(Occasion::step)) {
    death = kind == FaultKind::player_dies_behind_step   ? support::Death::behind_step
            : kind == FaultKind::player_dies_before_step ? support::Death::before_step
                                                         : support::Death::before_writing;
  }
  return death;
}

/// The process dies as it writes: the first lines have left.
void SimBot::write_some(const bridge::Actions& actions) {
  for (const bridge::Action& action : actions) {
    const auto* server = std::get_if<bridge::WriteServer>(&action);
    const auto* engine = std::get_if<bridge::WriteEngine>(&action);
    if ((server == nullptr && engine == nullptr) || death_dice_.one_in(2)) {
      return;
    }
    static_cast<void>(perform({action}));
  }
}

void SimBot::die(const bridge::Event* event) {
  ++lives_;
  auto heir = run_->follow(death_dice_.roll());
  if (!heir) {
    complain("the run is not followed: " + heir.error());
    is_over_ = true;
    return;
  }
  journal::FollowedRun& run = heir->run;
  bot_ = std::move(run.bot);
  for (const auto& [now, held] : run_->held()) {
    if (!bot_.step(held, now).empty()) {
      complain("a line that came again has done something");
    }
  }
  std::vector<bridge::Event> losses;
  take_line(run, event, losses);
  take_engines(run, event, losses);
  arm_again(run.armed);
  make_up(heir->undone);
  run_->carried_out(bot_);
  if (is_over_) {
    return;
  }
  Answers answers;
  if (run.record) {
    if (run.record->text != record_) {
      complain("the record that goes on is another");
    }
    ++answers.records;
  }
  answers.records += run.finish ? 1 : 0;
  if (run.look_up) {
    perform_look_up(*run.look_up);
  }
  if (run.recall) {
    answers.recalled = run.recall->engine;
  }
  losses_ += static_cast<int>(losses.size());
  is_blameless_ = is_blameless_ && losses.empty();
  answer(answers);
  for (const bridge::Event& loss : losses) {
    if (!is_over_) {
      step(&loss);
    }
  }
}

bool SimBot::comes_again(const bridge::Event& event) const {
  return std::visit(base::Overload{
                        [this](const bridge::ServerLine&) { return line_.has_value(); },
                        [](const bridge::ServerClosed&) { return true; },
                        [](const bridge::StopRequested&) { return true; },
                        [this](const bridge::LinkMeasured&) { return line_.has_value(); },
                        [this](const bridge::EngineLine& line) { return !lost_engines_.contains(line.engine); },
                        [this](const bridge::EngineStderr& line) { return !lost_engines_.contains(line.engine); },
                        [this](const bridge::EngineExited& exited) { return !lost_engines_.contains(exited.engine); },
                        // They were the process's own: it asks anew, or has lost what they are about.
                        [](const auto&) { return false; },
                    },
                    event);
}

void SimBot::take_line(const journal::FollowedRun& run, const bridge::Event* event, std::vector<bridge::Event>& losses) {
  const bool closes = event != nullptr && std::holds_alternative<bridge::ServerClosed>(*event);
  if (!run.has_line || closes) {
    return;
  }
  if (!line_ || bot_.view().phase == bridge::Phase::connecting) {
    perform_close();
    losses.emplace_back(bridge::ServerClosed{How::broken, base::verbatim("the process that had the line was killed")});
    return;
  }
  const auto lines = unwritten(run.line_bytes, run.line_last, line_bytes_);
  if (!lines) {
    complain("the line has had " + std::to_string(line_bytes_) + " bytes, of " + std::to_string(run.line_bytes));
    return;
  }
  for (const std::string& line : *lines) {
    perform_write({line, line});
  }
  if (run.held && line_) {
    network_.set_patience(*line_, *run.held);
  }
}

void SimBot::take_engines(const journal::FollowedRun& run, const bridge::Event* event, std::vector<bridge::Event>& losses) {
  const auto* exited = event == nullptr ? nullptr : std::get_if<bridge::EngineExited>(event);
  for (const auto& [engine, left] : run.engines) {
    const auto lose = [&, engine = engine](bridge::Event loss) {
      perform_engine(engine, bridge::KillEngine{engine, base::Millis{0}});
      lost_engines_.insert(engine);
      losses.push_back(std::move(loss));
    };
    if (left.process == 0) {
      lose(bridge::EngineFailedToStart{engine, base::verbatim("the process that started it was killed")});
      continue;
    }
    const auto lines = unwritten(left.bytes, left.last, engine_bytes_[engine]);
    const bool is_gone = exited != nullptr && exited->engine == engine;
    if (!lines) {
      complain("an engine has had " + std::to_string(engine_bytes_[engine]) + " bytes, of " + std::to_string(left.bytes));
    } else if (!lines->empty() && !is_gone && death_dice_.one_in(writes_in_doubt)) {
      lose(bridge::EngineExited{engine, base::verbatim("the process that had started it was killed")});
      continue;
    } else {
      for (const std::string& line : *lines) {
        static_cast<void>(perform({bridge::WriteEngine{engine, line}}));
      }
    }
    if (left.is_to_die) {
      perform_engine(engine, bridge::KillEngine{engine, base::Millis{0}});
    }
  }
}

/// What the one that died may not have done: once more, where that does no harm.
void SimBot::make_up(const bridge::Actions& undone) {
  for (const bridge::Action& action : undone) {
    std::visit(base::Overload{
                   [this](const bridge::CloseServer&) { perform_close(); },
                   [this](const bridge::BeginRecord& begin) { record_ = begin.text; },
                   [this](const bridge::AppendRecord& append) { record_ += append.text; },
                   [this](const bridge::FinishRecord& finish) { judge_record(finish.files.front().text); },
                   [this](const bridge::Note& note) { tell(note); },
                   [this](const bridge::RescuePlayed& rescue) { judge_rescue(rescue.cause); },
                   [this](const bridge::KeepClock& keep) { remembered_clocks_ = keep.clocks; },
                   [this](const bridge::Exit&) { is_over_ = true; },
                   [](const auto&) {},
               },
               action);
  }
}

}  // namespace kakehashi::sim
