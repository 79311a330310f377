#include "journal/replay.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <variant>

#include "base/check.hpp"
#include "base/overload.hpp"
#include "bridge/mask.hpp"
#include "config/schema/plain_settings.hpp"
#include "journal/journal_text.hpp"

namespace kakehashi::journal {
namespace {

using base::Message;
using base::Millis;
using base::say;

Message missing_beginning() { return say("the beginning of the run is missing"); }

/// What one step did. `broke` tells why it threw.
struct Deeds {
  std::vector<bridge::Action> actions;
  std::optional<std::string> broke;
};

/// What a journal keeps of an action.
std::string kept_of(const bridge::Action& action) { return encode(action, 0); }

std::string describe_deed(const Deeds& deeds, std::size_t index) {
  if (index < deeds.actions.size()) {
    const bridge::Action& action = deeds.actions[index];
    const auto* arm = std::get_if<bridge::ArmTimer>(&action);
    return arm == nullptr ? describe(action)
                          : "> timer at " + std::to_string(arm->deadline.time_since_epoch().count());
  }
  return deeds.broke ? "# broken: " + *deeds.broke : "nothing";
}

/// A run once more, each step compared with what was recorded.
class Repetition {
 public:
  explicit Repetition(const Contents& contents)
      : entries_(contents.entries),
        is_cut_off_(entries_.empty() || !std::holds_alternative<Closed>(entries_.back().entry)) {
    if (!contents.faults.empty()) {
      const Fault& fault = contents.faults.front();
      replay_.obstacle = say("line {} is bad ({})", fault.line, fault.what);
    }
  }

  Replay run() {
    while (next_ < entries_.size() && replay_.obstacle.empty()) {
      const Numbered& numbered = entries_[next_++];
      static_cast<void>(timeline_.line(numbered.entry));
      std::visit(base::Overload{
                     [&](const Opened& opened) { open(opened); },
                     [&](const config::PlainSetting& setting) { configure(setting); },
                     [&](const Started& started) { start(numbered, started); },
                     [&](const Happened& happened) { step(numbered, happened); },
                     [](const bridge::Action&) {},
                     [](const Broken&) {},
                     [](const Closed&) {},
                     [&](const Full&) {
                       if (next_ < entries_.size()) {
                         replay_.obstacle = say("the journal was full in mid-run; what came then is missing");
                       }
                     },
                 },
                 numbered.entry);
    }
    if (!bot_ && replay_.obstacle.empty()) {
      replay_.obstacle = missing_beginning();
    }
    return std::move(replay_);
  }

 private:
  void open(const Opened& opened) {
    is_opened_ = true;
    if (opened.format != format_version) {
      replay_.obstacle = say("its format is number {}, and this version reads number {}", opened.format, format_version);
    }
    is_condensed_ = opened.is_condensed;
  }

  void configure(const config::PlainSetting& setting) {
    if (!config::apply(setting, config_)) {
      replay_.remarks.push_back(say("this version does not know the setting {}", base::quoted(setting.key, 60)));
    }
  }

  void start(const Numbered& numbered, const Started& started) {
    if (!is_opened_) {  // nor are all of its settings there
      replay_.obstacle = missing_beginning();
      return;
    }
    bot_.emplace(config_, started.seed);
    compare(numbered, "the start", do_it([&] { return bot_->start(started.now); }));
  }

  void step(const Numbered& numbered, const Happened& happened) {
    if (!bot_) {
      replay_.obstacle = missing_beginning();
      return;
    }
    compare(numbered, describe(happened.event), do_it([&] { return bot_->step(happened.event, happened.now); }));
  }

  template <class Deed>
  static Deeds do_it(Deed deed) {
    try {
      return {deed(), std::nullopt};
    } catch (const base::CheckFailure& failure) {
      return {{}, failure.what()};
    }
  }

  Deeds take_recorded() {
    Deeds recorded;
    for (; next_ < entries_.size(); ++next_) {
      const Entry& entry = entries_[next_].entry;
      if (const auto* action = std::get_if<bridge::Action>(&entry)) {
        recorded.actions.push_back(*action);
      } else if (const auto* broken = std::get_if<Broken>(&entry)) {
        recorded.broke = broken->why;
      } else {
        break;
      }
    }
    return recorded;
  }

  void compare(const Numbered& numbered, const std::string& after, const Deeds& repeated) {
    const Deeds recorded = take_recorded();
    if (is_condensed_) {
      return;
    }
    ++replay_.steps;
    const std::size_t common = std::min(recorded.actions.size(), repeated.actions.size());
    std::size_t index = 0;
    while (index < common &&
           kept_of(recorded.actions[index]) == kept_of(repeated.actions[index])) {
      ++index;
    }
    // The last step of a bot that was killed may not have been written to its end.
    const bool is_last = next_ == entries_.size() && is_cut_off_;
    const bool is_same = index == repeated.actions.size() || (is_last && index == recorded.actions.size());
    if (is_same && index == recorded.actions.size() &&
        recorded.broke.has_value() == repeated.broke.has_value()) {
      return;
    }
    ++replay_.differences_count;
    if (replay_.differences.size() < Replay::differences_max) {
      replay_.differences.push_back({numbered.number, timeline_.instant(), after,
                                     describe_deed(recorded, index),
                                     describe_deed(repeated, index)});
    }
  }

  std::span<const Numbered> entries_;
  bool is_cut_off_;
  std::size_t next_ = 0;
  bool is_opened_ = false;
  bool is_condensed_ = false;
  config::BotConfig config_;
  std::optional<bridge::Bot> bot_;
  Timeline timeline_;
  Replay replay_;
};

/// Servers give a game back for half a minute or so; behind this nobody need ask.
constexpr Millis window{120'000};
/// Both clocks go on together, unless the machine was started anew in between.
constexpr Millis clocks_apart_max{5'000};

Message lacks_beginning() { return say("its journal lacks the beginning"); }

/// As much as may wait for an engine or a server.
constexpr std::size_t last_bytes_max = std::size_t{1024} * 1024;

/// A record that ended longer ago is written, or told as one that cannot be.
constexpr Millis records_take{5'000};

void add_line(std::uint64_t& bytes, std::string& last, std::string_view line) {
  bytes += line.size() + 1;
  last.append(line).push_back('\n');
  if (last.size() > 2 * last_bytes_max) {
    last.erase(0, last.size() - last_bytes_max);
  }
}

/// What a peer sees.
bool is_seen(const bridge::Action& action) {
  return std::visit(base::Overload{
                        [](const bridge::ConnectServer&) { return true; },
                        [](const bridge::WriteServer&) { return true; },
                        [](const bridge::CloseServer&) { return true; },
                        [](const bridge::StartEngine&) { return true; },
                        [](const bridge::WriteEngine&) { return true; },
                        [](const bridge::KillEngine&) { return true; },
                        [](const auto&) { return false; },
                    },
                    action);
}

void add_seen(std::vector<std::string>& deeds, const bridge::Action& action) {
  if (is_seen(action)) {
    deeds.push_back(kept_of(action));
  }
}

}  // namespace

class Follower::Machine {
 public:
  Machine(config::BotConfig config, std::string program, Comparing comparing)
      : config_(std::move(config)), program_(std::move(program)), compares_(comparing == Comparing::always) {}

  Message take(const Contents& filed, std::uint64_t done, const std::string& token) {
    const bool lacks_some = !is_condensed_ && !filed.entries.empty() && filed.entries.front().number != run_.number + 1;
    if (!filed.faults.empty() || lacks_some) {
      return say("its journal is damaged");
    }
    done_ = done;
    token_ = token;
    for (const Numbered& numbered : filed.entries) {
      if (Message why = take(numbered); !why.empty()) {
        return why;
      }
    }
    return {};
  }

  Message take_tail(std::string_view tail, std::uint64_t done, const std::string& token) {
    if (Message why = compare(true); !why.empty()) {
      return why;
    }
    done_ = done;
    token_ = token;
    run_.filed_number = run_.number;
    is_filed_ = false;
    if (!is_condensed_ && recorded_ < repeated_.size()) {
      run_.unwritten.assign(std::make_move_iterator(repeated_.begin() + static_cast<std::ptrdiff_t>(recorded_)),
                            std::make_move_iterator(repeated_.end()));
    }
    for (std::size_t end = tail.find('\n'); end != std::string_view::npos; end = tail.find('\n')) {
      const auto numbered = decode(tail.substr(0, end));
      tail.remove_prefix(end + 1);
      if (!numbered) {
        return say("what it left is damaged");
      }
      if (numbered->number > run_.number) {
        if (Message why = take(*numbered); !why.empty()) {
          return why;
        }
      }
    }
    if (run_.is_foreign && run_.filed_number == 0) {
      return say("another version has begun it, and no file tells what was done in it");
    }
    const std::uint64_t undone = run_.steps < done ? 0 : run_.steps + 1 - done;
    if (run_.undone.size() > undone) {
      run_.undone.erase(run_.undone.begin(), run_.undone.end() - static_cast<std::ptrdiff_t>(undone));
    }
    return bot_ ? Message() : lacks_beginning();
  }

  FollowedRun result() { return {std::move(run_), std::move(*bot_)}; }

 private:
  Message take(const Numbered& numbered) {
    if (!std::holds_alternative<bridge::Action>(numbered.entry)) {
      if (Message why = compare(false); !why.empty()) {
        return why;
      }
    }
    run_.number = numbered.number;
    return std::visit(base::Overload{
                          [&](const Opened& opened) { return open(opened); },
                          [&](const config::PlainSetting& setting) {
                            settings_.push_back(setting);
                            return Message();
                          },
                          [&](const Started& started) { return begin(started); },
                          [&](const Happened& happened) { return happen(happened); },
                          [&](const bridge::Action& action) {
                            ++recorded_;
                            if (is_compared()) {
                              add_seen(seen_recorded_, action);
                            }
                            return Message();
                          },
                          [](const Broken&) { return say("the bot had failed"); },
                          [](const Closed&) { return say("it had come to its end"); },
                          [](const Full&) { return say("its journal was full"); },
                      },
                      numbered.entry);
  }

  Message open(const Opened& opened) {
    run_.is_foreign = run_.is_foreign || opened.program != program_;
    is_condensed_ = opened.is_condensed;
    return opened.format == format_version ? Message() : say("another version wrote its journal");
  }

  [[nodiscard]] bool is_compared() const { return (compares_ || run_.is_foreign) && is_filed_ && !is_condensed_; }

  /// Behind the last entry of a step. The last one that files have may not stand there to its end.
  [[nodiscard]] Message compare(bool is_last) const {
    const auto [repeated, recorded] = std::mismatch(seen_repeated_.begin(), seen_repeated_.end(), seen_recorded_.begin(),
                                                    seen_recorded_.end());
    const bool differ = recorded != seen_recorded_.end() || (!is_last && repeated != seen_repeated_.end());
    return is_compared() && differ
               ? say("this version would have acted differently at step {}", run_.steps)
               : Message();
  }

  void remember(const bridge::Actions& repeated) {
    seen_repeated_.clear();
    seen_recorded_.clear();
    for (const bridge::Action& action : repeated) {
      if (is_compared()) {
        add_seen(seen_repeated_, action);
      }
    }
  }

  /// Settings that only one of both versions has may not be set.
  [[nodiscard]] std::vector<config::PlainSetting> settings_then() const {
    if (!run_.is_foreign) {
      return settings_;
    }
    config::BotConfig then;
    for (const config::PlainSetting& setting : settings_) {
      static_cast<void>(config::apply(setting, then));
    }
    return config::plain_settings(then);
  }

  Message begin(const Started& started) {
    if (settings_then() != config::plain_settings(config_)) {
      return say("the configuration has changed");
    }
    bot_.emplace(config_, started.seed);
    run_.started = started;
    run_.last = started.now;
    run_.first = bot_->start(started.now);
    remember(run_.first);
    follow_actions(run_.first);
    return Message();
  }

  Message happen(const Happened& happened) {
    if (!bot_) {
      return lacks_beginning();
    }
    std::visit(base::Overload{
                   [&](const bridge::ServerConnected&) {
                     run_.line_bytes = 0;
                     run_.line_last.clear();
                   },
                   [&](const bridge::ServerClosed&) { run_.has_line = false; },
                   [&](const bridge::EngineStarted& started) { run_.engines[started.engine].process = started.process; },
                   [&](const bridge::EngineFailedToStart& failed) { run_.engines.erase(failed.engine); },
                   [&](const bridge::EngineExited& exited) { run_.engines.erase(exited.engine); },
                   [&](const bridge::StopRequested& stop) {
                     if (!run_.stopping || stop.urgency != bridge::Urgency::renew) {
                       run_.stopping = stop.urgency;
                     }
                   },
                   [&](const bridge::RecordWritten& written) {
                     if (written.why.empty()) {
                       run_.record_path = written.path;
                     }
                   },
                   [&](const bridge::BookAnswered&) { run_.look_up.reset(); },
                   [&](const bridge::ClockRecalled&) { run_.recall.reset(); },
                   [](const auto&) {},
               },
               happened.event);
    if (run_.finish && happened.now.steady - finished_at_ > records_take) {
      run_.finish.reset();
      run_.record.reset();
    }
    finished_at_ = run_.finish ? finished_at_ : happened.now.steady;
    try {
      auto actions = bot_->step(bridge::with_token(happened.event, token_), happened.now);
      remember(actions);
      ++run_.steps;
      run_.last = happened.now;
      follow_actions(actions);
      if (is_filed_) {
        repeated_ = std::move(actions);
        recorded_ = 0;
      } else {
        run_.unfiled.push_back({happened, std::move(actions)});
      }
      return Message();
    } catch (const base::CheckFailure& failure) {
      return base::verbatim(failure.what());
    }
  }

  void follow_actions(const bridge::Actions& actions) {
    for (const bridge::Action& action : actions) {
      std::visit(base::Overload{
                     [&](const bridge::ConnectServer&) { run_.has_line = true; },
                     [&](const bridge::CloseServer&) { run_.has_line = false; },
                     [&](const bridge::WriteServer& write) { add_line(run_.line_bytes, run_.line_last, write.line); },
                     [&](const bridge::StartEngine& start) { run_.engines[start.engine] = {}; },
                     [&](const bridge::WriteEngine& write) {
                       if (const auto engine = run_.engines.find(write.engine); engine != run_.engines.end()) {
                         add_line(engine->second.bytes, engine->second.last, write.line);
                       }
                     },
                     [&](const bridge::HoldLine& hold) { run_.held = hold.patience; },
                     [&](const bridge::KillEngine& kill) {
                       if (const auto engine = run_.engines.find(kill.engine); engine != run_.engines.end()) {
                         engine->second.is_to_die = true;
                       }
                     },
                     [&](const bridge::ArmTimer& arm) { run_.armed = arm.deadline; },
                     [&](const bridge::BeginRecord& begin) {
                       run_.finish.reset();
                       run_.record = begin;
                       run_.record_path.clear();
                     },
                     [&](const bridge::AppendRecord& append) {
                       if (run_.record) {
                         run_.record->text += append.text;
                         run_.record->source += append.source;
                       }
                     },
                     [&](const bridge::FinishRecord& finish) { run_.finish = finish; },
                     [&](const bridge::LookUpBook& look_up) { run_.look_up = look_up; },
                     [&](const bridge::RecallClock& recall) { run_.recall = recall; },
                     [&](const bridge::ReportReady&) { run_.was_ready = true; },
                     [&](const bridge::Exit& done) { run_.exit = done.status; },
                     [](const auto&) {},
                 },
                 action);
    }
    if (run_.steps >= done_) {
      run_.undone.push_back(actions);
    }
  }

  const config::BotConfig config_;
  const std::string program_;
  const bool compares_;
  std::string token_;
  std::uint64_t done_ = 0;  ///< steps were carried out, or more
  bool is_condensed_ = false;  ///< the present part holds no actions
  bool is_filed_ = true;
  bridge::Actions repeated_;  ///< of the last step that files have, of which they have so many
  std::size_t recorded_ = 0;
  std::vector<std::string> seen_repeated_;  ///< what peers see of the last step, now and then
  std::vector<std::string> seen_recorded_;
  base::SteadyTime finished_at_{};  ///< the latest time at which the record may have been finished
  std::vector<config::PlainSetting> settings_;
  std::optional<bridge::Bot> bot_;
  RunState run_;
};

Follower::Follower(config::BotConfig config, std::string program, Comparing comparing)
    : machine_(std::make_unique<Machine>(std::move(config), std::move(program), comparing)) {}
Follower::~Follower() = default;

Message Follower::take(const Contents& filed, std::uint64_t done, const std::string& token) {
  return machine_->take(filed, done, token);
}

base::Result<FollowedRun, Message> Follower::finish(std::string_view tail, std::uint64_t done, const std::string& token) {
  if (Message why = machine_->take_tail(tail, done, token); !why.empty()) {
    return base::Failure<Message>{std::move(why)};
  }
  return machine_->result();
}

Replay replay(const Contents& contents) { return Repetition(contents).run(); }

Message why_not_given_back(const RunState& run, base::Now now) {
  if (run.is_foreign) {
    return say("another version wrote its journal");
  }
  if (run.stopping) {
    return say("it had been asked to stop");
  }
  const Millis passed = base::millis_between(run.last.steady, now.steady);
  const Millis apart = (now.wall - run.last.wall) - passed;
  if (passed < Millis{0} || passed > window || apart > clocks_apart_max || apart < -clocks_apart_max) {
    return say("it was cut off too long ago");
  }
  return {};
}

}  // namespace kakehashi::journal
