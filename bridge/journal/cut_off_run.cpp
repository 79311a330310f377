#include "bridge/journal/cut_off_run.hpp"

#include <set>
#include <utility>
#include <variant>

#include "base/check.hpp"
#include "base/overload.hpp"
#include "bridge/mask.hpp"
#include "config/schema/plain_settings.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;

/// Servers give a game back for half a minute or so; behind this nobody need ask.
constexpr Millis window{120'000};
/// Both clocks go on together, unless the machine was started anew in between.
constexpr Millis clocks_apart_max{5'000};

class Repetition {
 public:
  Repetition(const config::BotConfig& config, const std::string& token, const std::string& program)
      : config_(config), token_(token), program_(program) {}

  /// Why the run cannot go on; empty: it can.
  std::string take(const journal::Contents& contents, base::Now now) {
    if (!contents.faults.empty()) {
      return "its journal is damaged";
    }
    for (const journal::Numbered& numbered : contents.entries) {
      run_.number = numbered.number;
      if (std::string why = std::visit([&](const auto& entry) { return take(entry); }, numbered.entry);
          !why.empty()) {
        return why;
      }
    }
    if (!bot_) {
      return "its journal lacks the beginning";
    }
    const Millis passed = base::millis_between(last_.steady, now.steady);
    const Millis apart = (now.wall - last_.wall) - passed;
    if (passed < Millis{0} || passed > window || apart > clocks_apart_max || apart < -clocks_apart_max) {
      return "it was cut off too long ago";
    }
    return "";
  }

  CutOffRun result() {
    std::vector<Event> losses{
        ServerClosed{ServerClosed::How::broken, "the process that played it was killed"}};
    for (const EngineId engine : engines_) {
      losses.emplace_back(EngineExited{engine, "the process that had started it"});
    }
    return {std::move(*bot_), run_.number, run_.armed, run_.was_ready, std::move(losses)};
  }

 private:
  struct Seen {
    std::uint64_t number = 0;
    std::optional<base::SteadyTime> armed;
    bool was_ready = false;
  };

  std::string take(const journal::Opened& opened) {
    return opened.format == journal::format_version && opened.program == program_
               ? ""
               : "another version wrote its journal";
  }
  std::string take(const config::PlainSetting& setting) {
    settings_.push_back(setting);
    return "";
  }
  std::string take(const journal::Started& started) {
    if (settings_ != config::plain_settings(config_)) {
      return "the configuration has changed";
    }
    bot_.emplace(config_, started.seed);
    return step(started.now, [&] { return bot_->start(started.now); });
  }
  std::string take(const journal::Happened& happened) {
    if (!bot_) {
      return "its journal lacks the beginning";
    }
    if (std::holds_alternative<StopRequested>(happened.event)) {
      return "it had been asked to stop";
    }
    if (const auto* started = std::get_if<EngineStarted>(&happened.event)) {
      engines_.insert(started->engine);
    } else if (const auto* exited = std::get_if<EngineExited>(&happened.event)) {
      engines_.erase(exited->engine);
    }
    return step(happened.now,
                [&] { return bot_->step(with_token(happened.event, token_), happened.now); });
  }
  std::string take(const Action&) { return ""; }
  std::string take(const journal::Broken&) { return "the bot had failed"; }
  std::string take(const journal::Closed&) { return "it had come to its end"; }
  std::string take(const journal::Full&) { return "its journal was full"; }

  template <class Deed>
  std::string step(base::Now now, Deed deed) {
    last_ = now;
    try {
      for (const Action& action : deed()) {
        if (const auto* arm = std::get_if<ArmTimer>(&action)) {
          run_.armed = arm->deadline;
        }
        run_.was_ready = run_.was_ready || std::holds_alternative<ReportReady>(action);
      }
      return "";
    } catch (const base::CheckFailure& failure) {
      return failure.what();
    }
  }

  const config::BotConfig& config_;
  const std::string& token_;
  const std::string& program_;
  std::vector<config::PlainSetting> settings_;
  std::optional<Bot> bot_;
  base::Now last_;
  std::set<EngineId> engines_;
  Seen run_;
};

}  // namespace

base::Result<CutOffRun, std::string> go_on(const journal::Contents& contents, const config::BotConfig& config,
                                           const std::string& token, const std::string& program,
                                           base::Now now) {
  Repetition repetition(config, token, program);
  if (std::string why = repetition.take(contents, now); !why.empty()) {
    return base::Failure<std::string>{std::move(why)};
  }
  return repetition.result();
}

}  // namespace kakehashi::bridge
