#include "sim/sim_bot.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"
#include "support/stage.hpp"

namespace kakehashi::sim {

using base::Millis;
using How = bridge::ServerClosed::How;

namespace {

constexpr int rings_at_once_max = 8;
constexpr std::uint64_t standby_dice = 40;

/// What a server of some other make might say in between; none of it means anything here.
constexpr std::array odd_lines{"##[CHAT][somebody] hello", "##[ERROR] unknown command: %%%",
                               "",  "XYZZY", "\xff\xfe\x01", "+", "'comment", "%%GAME x", "T5",
                               "LOGIN:mybot OK", "BEGIN Nonsense",
                               "##[ERROR] s3cret-tr1p is your password"};

/// A real timer never rings early.
Millis ring_of(base::SteadyTime deadline) {
  return std::chrono::ceil<Millis>(deadline - now_at(Millis{0}).steady);
}

bool nothing_goes_wrong(const Scenario& scenario) {
  bool is_planned = scenario.opponent.is_rude;
  for (const BotPart& part : scenario.bots) {
    is_planned = is_planned || !part.faults.empty() || !part.standby_faults.empty();
  }
  return !is_planned;
}

}  // namespace

SimBot::SimBot(Agenda& agenda, Network& network, Boards& boards, const Scenario& scenario,
               std::size_t index, Listener listener)
    : agenda_(agenda),
      network_(network),
      boards_(boards),
      config_(scenario.bots[index].config),
      delays_(scenario.bots[index].delays),
      dice_(scenario.seed, 30 + index),
      is_blameless_(nothing_goes_wrong(scenario)),
      plan_(scenario.bots[index].faults),
      standby_plan_(scenario.bots[index].standby_faults),
      engine_(
          agenda, scenario, index, plan_, [this](const bridge::Event& event) { happen(event); },
          [this](const Search& search) { judge_search(search); }),
      standby_(
          agenda, scenario, index, standby_plan_, [this](const bridge::Event& event) { happen(event); },
          [this](const Search& search) { judge_search(search); }, standby_dice),
      bot_(config_, scenario.seed),
      referee_(support::stage_password),
      listener_(std::move(listener)) {}

void SimBot::complain(const std::string& what) { referee_.complain(what); }

void SimBot::start() { step(nullptr); }

void SimBot::stop(bridge::Urgency urgency) {
  if (urgency != bridge::Urgency::drain) {
    is_asked_to_resign_ = true;
    excuse();
  }
  happen(bridge::StopRequested{urgency});
}

void SimBot::happen(const bridge::Event& event) {
  if (!is_over_) {
    step(&event);
  }
}

void SimBot::step(const bridge::Event* event) {
  ++steps_;
  const Millis at = agenda_.at();
  if (event != nullptr) {
    referee_.see(*event, at);
  }
  bridge::Actions actions;
  const base::Now now = now_at(at, wall_shift_);
  try {
    actions = event == nullptr ? bot_.start(now) : bot_.step(*event, now);
  } catch (const base::CheckFailure& failure) {
    complain(std::string("a check failed: ") + failure.what());
    is_over_ = true;
    return;
  }
  for (const bridge::Action& action : actions) {
    if (const auto* arm = std::get_if<bridge::ArmTimer>(&action)) {
      armed_ = arm->deadline;
    }
  }
  referee_.judge(actions, at, armed_ ? std::optional(ring_of(*armed_)) : std::nullopt);
  if (listener_) {
    listener_(at, event, actions);
  }
  perform(actions);
}

void SimBot::perform(const bridge::Actions& actions) {
  int records = 0;
  std::optional<bridge::EngineId> recalled;
  for (const bridge::Action& action : actions) {
    std::visit(
        base::Overload{
            [&](const bridge::ConnectServer&) { perform_connect(); },
            [&](const bridge::WriteServer& write) { perform_write(write); },
            [&](const bridge::CloseServer&) {
              if (line_) {
                network_.close(*std::exchange(line_, std::nullopt));
              }
              in_game_ = in_summary_ = false;
            },
            [](const bridge::HoldLine&) {},  // the simulator's lines die when they are told to
            [&](const bridge::StartEngine& start) { engine(start.engine).perform(start); },
            [&](const bridge::WriteEngine& write) { engine(write.engine).perform(write); },
            [&](const bridge::KillEngine& kill) { engine(kill.engine).perform(kill); },
            [&](const bridge::ArmTimer& arm) { perform_arm(arm); },
            [&](const bridge::BeginRecord& begin) {
              ++records;
              record_ = begin.text;
            },
            [&](const bridge::AppendRecord& append) {
              ++records;
              record_ += append.text;
            },
            [&](const bridge::FinishRecord& finish) {
              ++records;
              judge_record(finish.files.front().text);
            },
            [&](const bridge::Note& note) {
              if (note.level == bridge::Level::error && is_blameless_) {
                complain("an error although nothing went wrong: " + note.code + ": " + note.text);
              }
            },
            [](const bridge::LookUpBook&) {},  // no bot of the simulator has a book
            [&](const bridge::RecallClock& recall) { recalled = recall.engine; },
            [](const bridge::KeepClock&) {},
            [](const bridge::ReportReady&) {},
            [](const bridge::ReportStatus&) {},
            [&](const bridge::Exit&) { is_over_ = true; },
        },
        action);
  }
  if (recalled && !is_over_) {
    happen(bridge::ClockRecalled{*recalled, {usi::ClockReading::adds, false}});
  }
  // As the driver does: outcomes come before anything else happens.
  for (; records > 0 && !is_over_; --records) {
    const bool fails = !plan_.count(Occasion::record).empty();
    happen(bridge::RecordWritten{"records/game.csa", fails ? "No space left on device" : ""});
  }
}

void SimBot::perform_connect() {
  for (const FaultKind kind : plan_.count(Occasion::connect)) {
    if (kind == FaultKind::connection_refused) {
      agenda_.put_after(Millis{2}, [this] {
        happen(bridge::ServerClosed{How::refused, "Connection refused"});
      });
    }
    return;  // or it hangs
  }
  line_ = network_.connect(*this, delays_);
}

void SimBot::perform_write(const bridge::WriteServer& write) {
  if (write.line.starts_with("LOGIN ")) {
    for (const FaultKind kind : plan_.count(Occasion::login)) {
      if (kind == FaultKind::login_refused && line_) {
        network_.inject(*line_, "LOGIN:incorrect");
      }
      return;  // or it is ignored
    }
  }
  judge_move(write.line);
  if (line_) {
    network_.write(*line_, write.line);
  }
}

void SimBot::perform_arm(const bridge::ArmTimer& arm) {
  Millis late = delays_.timer_late_max.count() == 0
                    ? Millis{0}
                    : dice_.millis(0, delays_.timer_late_max.count());
  for (const FaultKind kind : plan_.count(Occasion::timer)) {
    if (kind == FaultKind::stalled_process) {
      late = dice_.millis(300, 8'000);
      trouble_until_ = std::max(agenda_.at(), ring_of(arm.deadline)) + late;
      excuse();
    } else {
      late = delays_.timer_late_max;
    }
  }
  agenda_.put(std::max(ring_of(arm.deadline), agenda_.at()) + late,
              [this, deadline = arm.deadline] { ring(deadline); });
}

void SimBot::ring(base::SteadyTime deadline) {
  if (armed_ != deadline || is_over_) {
    return;
  }
  rings_at_once_ = rung_at_ == agenda_.at() ? rings_at_once_ + 1 : 0;
  rung_at_ = agenda_.at();
  if (rings_at_once_ > rings_at_once_max) {
    complain("the timer rings again and again at one instant");
    is_over_ = true;
    return;
  }
  armed_.reset();
  happen(bridge::TimerFired{});
}

void SimBot::on_connected() { happen(bridge::ServerConnected{"192.0.2.1:4081"}); }

void SimBot::on_closed(How how, const std::string& why) {
  line_.reset();
  in_game_ = in_summary_ = false;
  happen(bridge::ServerClosed{how, why});
}

void SimBot::on_line(const std::string& line, bool more) {
  follow(line);
  std::vector<FaultKind> faults = plan_.count(Occasion::line);
  if (in_summary_) {
    const auto cuts = plan_.count(Occasion::summary_line);
    faults.insert(faults.end(), cuts.begin(), cuts.end());
  }
  // What strikes here ends the segment here.
  happen(bridge::ServerLine{line, more && faults.empty()});
  for (const FaultKind kind : faults) {
    if (!is_over_) {
      suffer(kind);
    }
  }
}

void SimBot::follow(const std::string& line) {
  if (line == "BEGIN Game_Summary") {
    in_summary_ = true;
    listed_ = {};
  } else if (line == "END Game_Summary") {
    in_summary_ = false;
  } else if (line.starts_with("Game_ID:")) {
    game_id_ = line.substr(8);
  } else if (line.starts_with("START:")) {
    in_game_ = true;
    moves_ = listed_.moves;
    if (agenda_.at() <= trouble_until_) {
      excuse();
    }
  } else if (in_summary_ && line.size() >= 7 && (line.starts_with('+') || line.starts_with('-'))) {
    listed_.moves.push_back(line.substr(0, 7));
    const std::size_t time = line.find(",T");
    listed_.seconds[line.front() == '+' ? 0 : 1] +=
        time == std::string::npos ? 0 : base::parse_int(line.substr(time + 2)).value_or(0);
  } else if (in_game_ && (line.starts_with('+') || line.starts_with('-')) &&
             std::min(line.find(','), line.size()) == 7) {
    moves_.push_back(line.substr(0, 7));
  } else if (line.starts_with('#') && !line.starts_with("##")) {
    in_game_ = false;
  }
}

void SimBot::pass_a_while() {
  for (const FaultKind kind : plan_.count(Occasion::minute)) {
    stop(kind == FaultKind::stop_drain    ? bridge::Urgency::drain
         : kind == FaultKind::stop_resign ? bridge::Urgency::resign
                                          : bridge::Urgency::at_once);
  }
}

void SimBot::suffer(FaultKind kind) {
  switch (kind) {
    case FaultKind::line_cut:
    case FaultKind::summary_cut:
      excuse();
      if (line_) {
        const LineId line = *line_;
        network_.cut(line, "Connection reset by peer",
                     dice_.one_in(2) ? Millis{0} : dice_.millis(0, 40'000));
      }
      return;
    case FaultKind::over_long_line:
      excuse();
      if (line_) {
        network_.cut(*line_, "a line longer than 8192 bytes", Millis{1});
      }
      return;
    case FaultKind::half_open:
      excuse();
      if (line_) {
        network_.go_dead(*line_, dice_.millis(5'000, 60'000), dice_.millis(0, 120'000));
      }
      return;
    case FaultKind::unknown_line:
      if (line_) {
        network_.inject(*line_, dice_.pick(odd_lines));
      }
      return;
    case FaultKind::segment_held:
      excuse();
      if (line_) {
        const Millis delay = dice_.millis(100, 4'000);
        network_.hold(*line_, delay);
        trouble_until_ = std::max(trouble_until_, agenda_.at() + delay);
      }
      return;
    case FaultKind::server_restarts:
      boards_.forget_all();
      network_.restart_server();
      return;
    case FaultKind::spurious_timer: happen(bridge::TimerFired{}); return;
    case FaultKind::wall_clock_jumps:
      wall_shift_ += std::chrono::hours(dice_.between(-100'000, 100'000));
      return;
    default: return;
  }
}

}  // namespace kakehashi::sim
