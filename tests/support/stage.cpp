#include "support/stage.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi::support {

using base::Millis;
using namespace std::chrono_literals;

namespace {

// Far from zero, so that a deadline computed from an empty time point shows.
constexpr base::SteadyTime steady_beginning{std::chrono::hours(1000)};
/// 2026-01-02 03:04:05 UTC.
constexpr base::WallTime wall_beginning{
    std::chrono::sys_days{std::chrono::year{2026} / 1 / 2} + 3h + 4min + 5s};

}  // namespace

config::BotConfig stage_config() {
  config::BotConfig config;
  config.name = "mybot";
  config.server.host = "server.example";
  config.account.name = "mybot";
  config.account.password = base::Secret(stage_password);
  config.game.name = "floodgate-300-10F";
  config.engine.command = {"engine"};
  config.time.margin = Millis{1'000};
  return config;
}

Stage::Stage(config::BotConfig config, std::uint64_t seed, Sink sink)
    : bot_(std::move(config), seed), referee_(stage_password), sink_(std::move(sink)) {}

base::Now Stage::now() const { 
  const Millis shown = clock_stopped_at_.value_or(at_);
  return {steady_beginning + shown, wall_beginning + shown};
}

void Stage::start() {
  has_started_ = true;
  step(nullptr);
}

std::optional<Millis> Stage::next_ring() const {
  if (!armed_) {
    return std::nullopt;
  }
  // A real timer never rings early: a fraction of a millisecond is waited for.
  return std::max(at_, std::chrono::ceil<Millis>(*armed_ - steady_beginning));
}

void Stage::pass_to(Millis at) {
  while (!is_over_ && has_started_ && !clock_stopped_at_) {
    const auto ring = next_ring();
    if (!ring || *ring > at) {
      break;
    }
    rings_at_once_ = *ring == at_ ? rings_at_once_ + 1 : 0;
    if (rings_at_once_ > rings_at_once_max) {
      referee_.complain("the timer rings again and again at one instant");
      break;
    }
    at_ = *ring;
    armed_.reset();
    happen(bridge::TimerFired{});
  }
  if (at > at_) {
    at_ = at;
    rings_at_once_ = 0;
  }
}

void Stage::happen(const bridge::Event& event) { step(&event); }

void Stage::let_die(PlayedRun run, Deaths deaths, std::uint64_t chance) {
  run_.emplace(std::move(run));
  deaths_ = std::move(deaths);
  chance_.seed(chance);
}

/// What is to be carried out now: by the process that played, or by the one that follows it.
bridge::Actions Stage::play(const bridge::Event* event, std::optional<Death> death) {
  if (death == Death::before_step && run_->has_started()) {
    static_cast<void>(follow());
  }
  bridge::Actions actions = event == nullptr ? bot_.start(now()) : bot_.step(*event, now());
  if (!run_) {
    return actions;
  }
  run_->take(event, now(), actions);
  return death == Death::before_writing ? follow() : actions;
}

bridge::Actions Stage::follow() {
  auto heir = run_->follow(chance_());
  if (!heir) {
    referee_.complain("the run is not followed: " + heir.error());
    return {};
  }
  bot_ = std::move(heir->run.bot);
  for (const auto& [now, event] : run_->held()) {
    if (!bot_.step(event, now).empty()) {
      referee_.complain("a line that came again has done something");
    }
  }
  const bool is_armed_anew = std::any_of(heir->undone.begin(), heir->undone.end(), [](const bridge::Action& action) {
    return std::holds_alternative<bridge::ArmTimer>(action);
  });
  if (armed_ && !is_armed_anew && armed_ != heir->run.armed) {
    referee_.complain("the timer was armed for another time");
  }
  return std::move(heir->undone);
}

void Stage::step(const bridge::Event* event) {
  if (event != nullptr) {
    referee_.see(*event, at_);
  }
  const std::optional<Death> death = run_ ? deaths_(steps_) : std::nullopt;
  ++steps_;
  const bridge::Actions actions = play(event, death);
  int records = 0;
  std::optional<std::uint64_t> lookup;
  std::vector<bridge::EngineId> recalled;
  for (const bridge::Action& action : actions) {
    if (const auto* arm = std::get_if<bridge::ArmTimer>(&action)) {
      armed_ = arm->deadline;
    }
    records += std::holds_alternative<bridge::BeginRecord>(action) ||
               std::holds_alternative<bridge::AppendRecord>(action) ||
               std::holds_alternative<bridge::FinishRecord>(action);
    if (const auto* look_up = std::get_if<bridge::LookUpBook>(&action)) {
      lookup = look_up->number;
    }
    if (const auto* recall = std::get_if<bridge::RecallClock>(&action)) {
      recalled.push_back(recall->engine);
    }
    is_over_ = is_over_ || std::holds_alternative<bridge::Exit>(action);
  }
  referee_.judge(actions, at_, next_ring());
  sink_(at_, event, actions);
  if (run_) {
    run_->carried_out(bot_);
  }
  if (death == Death::behind_step) {
    static_cast<void>(follow());
  }
  // The driver's record writer answers before the next line is delivered.
  for (int i = 0; i < records && !is_over_; ++i) {
    happen(bridge::RecordWritten{"records/game.csa", base::verbatim(is_disk_full_ ? "No space left on device" : "")});
  }
  if (lookup && is_book_closed_ && !is_over_) {
    happen(bridge::BookAnswered{*lookup, ""});
  }
  for (const bridge::EngineId engine : recalled) {
    if (remembered_clocks_ && !is_over_) {
      happen(bridge::ClockRecalled{engine, *remembered_clocks_});
    }
  }
}

}  // namespace kakehashi::support
