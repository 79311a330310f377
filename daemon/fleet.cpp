#include "daemon/fleet.hpp"

#include <malloc.h>
#include <strings.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/exit_status.hpp"
#include "base/io/alarm.hpp"
#include "base/io/clocks.hpp"
#include "base/io/threads.hpp"
#include "base/text.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"
#include "config/schema/plain_settings.hpp"
#include "daemon/control.hpp"
#include "daemon/driver.hpp"
#include "daemon/estate.hpp"
#include "daemon/log_sink.hpp"
#include "daemon/own_process.hpp"
#include "daemon/signals.hpp"
#include "daemon/systemd.hpp"
#include "games/io/archive_writer.hpp"
#include "holder/holder.hpp"
#include "holder/kept.hpp"
#include "journal/io/journal_writer.hpp"
#include "watch/http_answer.hpp"
#include "watch/io/archive_reader.hpp"
#include "watch/io/notifier.hpp"
#include "watch/report.hpp"

namespace kakehashi::daemon {
namespace {

// The logs of the bots of one process: those that name the same file share it.

class Logs {
 public:
  /// The first bot that names a file decides on its settings.
  LogSink& of(const config::Log& settings);
  /// Files that were moved away, or could not be used, are opened anew.
  void reopen();
  /// Waits until all lines are written, for a while.
  void flush();
  /// In every log, of no bot.
  void say(bridge::Level level, std::string code, base::Message text);

 private:
  std::map<std::string, std::unique_ptr<LogSink>> logs_;
};

/// Two that wrote to one file would each rotate the other's lines away.
LogSink& Logs::of(const config::Log& settings) {
  const std::string name = settings.file.empty()
                               ? ""
                               : std::filesystem::absolute(settings.file).lexically_normal().string();
  auto& log = logs_[name];
  if (!log) {
    log = std::make_unique<LogSink>(settings);
  }
  return *log;
}

void Logs::reopen() {
  for (const auto& log : logs_) {
    log.second->reopen();
  }
}

void Logs::flush() {
  for (const auto& log : logs_) {
    log.second->flush();
  }
}

void Logs::say(bridge::Level level, std::string code, base::Message text) {
  const bridge::Note note{level, std::move(code), std::move(text), {}};
  for (const auto& log : logs_) {
    log.second->note(base::io::read_clocks().wall, "", note);
  }
}

namespace asio = boost::asio;

/// One whose timers ring: Asio keeps to itself that the system refuses to watch them (epoll_ctl: ENOMEM).
class Loop : public asio::io_context {
 public:
  /// Throws std::runtime_error.
  Loop() : asio::io_context(1) {
    asio::steady_timer timer(*this, std::chrono::seconds::zero());
    bool rings = false;
    timer.async_wait([&rings](boost::system::error_code failed) { rings = !failed; });
    run_for(std::chrono::seconds(1));
    poll();  // if this process itself had no turn for so long
    restart();
    if (!rings) {
      throw std::runtime_error("the system does not watch the program's timer (epoll_ctl)");
    }
  }
};

class Fleet {
 public:
  Fleet(std::vector<config::BotConfig> configs, std::uint64_t seed, Reload reload,
        std::optional<watch::io::HttpOptions> status, holder::Kept* kept,
        std::vector<std::shared_ptr<journal::io::RunAhead>> ahead, std::vector<config::BotConfig> next)
      : reload_(std::move(reload)),
        kept_(kept != nullptr ? *kept : nobody_),
        is_plain_(kept_.start().deaths >= plain_from),
        started_(base::io::read_clocks()),
        systemd_(Systemd::from_environment()),
        signals_(context_, signal_callbacks(), kept_.start().stops),
        status_alarm_(context_),
        watchdog_(context_),
        readiness_(context_,
                   [this] {
                     show_status();
                     systemd_.ready();
                     ::malloc_trim(0);  // what only the start took goes back to the system
                   }),
        archives_(context_, [this](const std::string& bot, const bridge::Note& note) { tell(bot, note); }),
        answers_(context_, [this](const bridge::Note& note) { say(note.level, note.code, note.text); }),
        next_(std::move(next)) {
    ahead.resize(configs.size());
    for (std::size_t i = 0; i < configs.size(); ++i) {
      add(std::move(configs[i]), seed++, std::move(ahead[i]));
    }
    if (status) {
      show_status(std::move(*status));
    }
    if (is_plain_) {
      say(bridge::Level::error, "run_plain",
          base::say("{} processes died one soon after the other; this one plays without page, archive and notifications until it "
                    "is started anew", kept_.start().deaths));
    }
  }

  int run(base::Millis ready_within) {
    if (kept_.start().is_successor) {
      say(bridge::Level::info, "upgraded", base::say("version {} goes on in place of the program before", std::string(KAKEHASHI_VERSION)));
    }
    readiness_.start(members_.size(), ready_within);
    for (auto& member : members_) {
      member.driver->start();  // it may be in mid-game
      kept_.beat();  // going on with each may take its time: this process has come to something
    }
    if (kept_.is_held()) {
      kept_.expect_beats(true);
      beat();
      ask_for_understudy();
    }
    ping();
    for (const config::BotConfig& next : std::exchange(next_, {})) {
      take_config(*std::find_if(members_.begin(), members_.end(), [&](const Member& member) { return member.name == next.name; }),
                  next, [this](bridge::Level level, const char* code, const base::Message& text) { say(level, code, text); });
    }
    if (kept_.start().stops > 0) {
      static_cast<void>(stop(urgency_of(kept_.start().stops)));
    } else if (kept_.start().is_to_be_succeeded) {
      leave_to_successor();
    }
    for (const auto& member : members_) {
      catch_up(member.config);
    }
    context_.run();
    if (!has_left_behind_) {
      // Engines that die, last words to servers, and threads that are done in a moment.
      context_.restart();
      context_.run_for(farewell);
      has_left_behind_ = !context_.stopped();
    }
    return status_;
  }

  /// A thread stands still with a disk: it cannot be waited for, and this object must not be destroyed.
  [[nodiscard]] bool has_left_behind() const { return has_left_behind_; }
  void flush_logs() { logs_.flush(); }

 private:
  /// So many deaths in a row.
  static constexpr int plain_from = 3;
  /// For what is left to do when all bots are gone.
  static constexpr std::chrono::seconds farewell{10};
  static constexpr std::chrono::milliseconds parting_look{50};
  static constexpr std::size_t trial_bytes_max = std::size_t{64} * 1024;

  struct Member {
    std::string name;
    std::string status;
    config::BotConfig config;
    LogSink* log = nullptr;
    std::unique_ptr<Driver> driver;
    std::unique_ptr<watch::BotState> state;
    ServiceStatus service_status;
    std::unique_ptr<watch::io::Notifier> notifier;  ///< null: nobody is to be told
    bool is_done = false;
  };

  void show_status(watch::io::HttpOptions options) {
    watch::HttpSources sources;
    sources.line = [this] { return watch::line(report()); };
    sources.not_ready = [this] { return watch::not_ready(report()); };
    if (!is_plain_) {
      sources.metrics = [this] { return watch::metrics(report()); };
      sources.json = [this] { return watch::json(report()); };
      sources.games = [this](const std::string& target, watch::io::ArchiveReader::Reply reply) {
        answers_.ask(target, bots(), std::move(reply));
      };
      sources.page = [] { return std::string(watch::live_page()); };
    }
    http_ = std::make_unique<watch::io::HttpServer>(context_, std::move(options), std::move(sources));
    const auto port = http_->start();
    if (port) {
      take_requests(*port);  // whoever has read of the port may ask
      say(bridge::Level::info, "status_opened", base::say("the state of the bots is shown on port {}", *port));
    } else {
      say(bridge::Level::error, "status_failed", base::say("{}; the bots play without it", port.error()));
      http_.reset();
    }
  }

  void take_requests(std::uint16_t port) {
    control_ = std::make_unique<Control>(
        context_, [this](const std::string& request, uid_t user, const Control::Reply& reply) {
          answer(request, user, reply);
        });
    if (const auto started = control_->start(port); !started) {
      say(bridge::Level::warn, "status_failed",
          base::say("'kakehashi stop', 'reload' and 'upgrade' cannot be heard: {}", started.error()));
      control_.reset();
    }
  }

  void answer(const std::string& request, uid_t user, const Control::Reply& reply) {
    say(bridge::Level::info, "request_received",
        base::say("{} by user {}", base::quoted("kakehashi " + request), user));
    if (request == "reload") {
      reload(reply);
    } else if (request == "stop" || request == "stop resign" || request == "stop now") {
      reply(stop(request == "stop"          ? bridge::Urgency::drain
                 : request == "stop resign" ? bridge::Urgency::resign
                                            : bridge::Urgency::at_once));
    } else if (request == "upgrade") {
      upgrade(reply);
    } else {
      reply({false, {base::say("this request is not known here; is the running program of another version?")}});
    }
  }

  /// The program's file of now is tried, and takes over if it can go on with all runs.
  void upgrade(const Control::Reply& reply) {
    const int trial = trial_.is_open() ? -1 : kept_.try_successor();
    if (trial < 0) {
      reply({false, {base::say("no other program can be tried just now")}});
      return;
    }
    trial_.assign(trial);
    trial_said_.clear();
    asio::async_read_until(trial_, asio::dynamic_buffer(trial_said_, trial_bytes_max), '\0',
                           [this, reply](boost::system::error_code failed, std::size_t size) {
                             trial_.close();
                             const bool is_judged = !failed && size >= 2;
                             reply(follow_trial(is_judged ? static_cast<holder::Verdict>(trial_said_[size - 2]) : holder::Verdict::fails,
                                                std::string_view(trial_said_).substr(0, is_judged ? size - 2 : std::string::npos)));
                           });
  }

  ControlAnswer follow_trial(holder::Verdict verdict, std::string_view said) {
    ControlAnswer answer{true, {}};
    const auto report = [this, &answer](bridge::Level level, const char* code, const base::Message& text) {
      say(level, code, text);
      answer.lines.push_back(text);
    };
    for (const std::string_view line : base::split(said, '\n')) {
      if (!line.empty()) {
        report(bridge::Level::warn, "upgrade_trial", base::say("the new program says: {}", base::quoted(std::string(line), 400)));
      }
    }
    switch (verdict) {
      case holder::Verdict::can_follow:
        report(bridge::Level::info, "upgrade_begins", base::say("the new program takes over now, in mid-game where one runs"));
        asio::post(context_, [this] { take_successor(); });  // behind the answer
        return answer;
      case holder::Verdict::can_begin:
        if (is_stopping_) {
          report(bridge::Level::info, "upgrade_waits", base::say("the new program cannot go on with what runs, and the bots are leaving"));
          return answer;
        }
        report(bridge::Level::warn, "upgrade_waits", base::say("the new program cannot go on with what runs; it begins anew behind the running games"));
        kept_.succeed_at_end(true);
        leave_to_successor();
        return answer;
      case holder::Verdict::is_silent:
        report(bridge::Level::error, "upgrade_failed", base::say("the new program has not answered within {}; nothing was changed", base::duration(holder::trial_max.count())));
        break;
      case holder::Verdict::fails:
        report(bridge::Level::error, "upgrade_failed", base::say("the new program does not run; nothing was changed"));
        break;
    }
    answer.is_done = false;
    return answer;
  }

  void take_successor() {
    kept_.expect_beats(false);
    logs_.flush();
    kept_.succeed();
    kept_.expect_beats(true);
    say(bridge::Level::error, "upgrade_failed", base::say("the new program could not be executed; nothing was changed"));
  }

  void leave_to_successor() {
    is_to_be_succeeded_ = true;
    drain(bridge::Urgency::drain);
  }

  /// What each bot does about it, as it stands before it is asked.
  ControlAnswer stop(bridge::Urgency urgency) {
    ControlAnswer answer{true, {}};
    for (const auto& member : members_) {
      answer.lines.push_back(base::say("{}: {}", member.name, what_does(member, urgency)));
    }
    is_stopping_ = true;
    if (std::exchange(is_to_be_succeeded_, false)) {
      kept_.succeed_at_end(false);
    }
    systemd_.stopping();
    part_by_ = std::chrono::steady_clock::now();  // if it is only the disk that is waited for
    drain(urgency);
    return answer;
  }

  void drain(bridge::Urgency urgency) {
    // By index: a bot that ends at once must not disturb the walk.
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (!members_[i].is_done) {
        members_[i].driver->request_stop(urgency);
      }
    }
  }

  static base::Message what_does(const Member& member, bridge::Urgency urgency) {
    if (member.is_done) {
      return base::say("is done already");
    }
    if (urgency == bridge::Urgency::at_once) {
      return base::say("leaves at once");
    }
    if (!is_in_game(member)) {
      return base::say("leaves");
    }
    return urgency == bridge::Urgency::resign ? base::say("resigns the running game on its turn, then leaves")
                                              : base::say("finishes the running game, then leaves");
  }

  static bool is_in_game(const Member& member) { return bridge::is_in_game(member.driver->view().phase); }

  [[nodiscard]] std::vector<config::BotConfig> bots() const {
    std::vector<config::BotConfig> bots;
    for (const Member& member : members_) {
      bots.push_back(member.config);
    }
    return bots;
  }

  [[nodiscard]] watch::Report report() const {
    watch::Report report;
    report.version = KAKEHASHI_VERSION;
    report.now = base::io::read_clocks();
    report.started = started_;
    report.resident_bytes = resident_bytes("self");
    report.games_waiting = archives_.waiting();
    for (const Member& member : members_) {
      std::uint64_t engine_bytes = 0;
      for (const int process : member.driver->engine_processes()) {
        engine_bytes += resident_bytes(std::to_string(process));
      }
      report.bots.push_back({member.state.get(), member.driver->view(), member.is_done, engine_bytes,
                             member.notifier ? member.notifier->waiting() : 0});
    }
    return report;
  }

  Signals::Callbacks signal_callbacks() {
    Signals::Callbacks callbacks;
    callbacks.stop_requested = [this](bridge::Urgency urgency, const char* name) {
      say(bridge::Level::info, "signal_received", base::say("{} received", std::string(name)));
      (void)stop(urgency);
    };
    callbacks.hangup = [this] { reload([](const ControlAnswer&) {}); };
    callbacks.state_wanted = [this] { tell_state(); };
    callbacks.successor_wanted = [this] { upgrade([](const ControlAnswer&) {}); };
    return callbacks;
  }

  void tell_state() {
    const auto now = base::io::read_clocks().steady;
    for (const auto& member : members_) {
      const auto state = member.is_done ? base::say("done") : watch::describe_state(member.driver->view(), now);
      say(bridge::Level::info, "state", base::say("{}: {}", member.name, state));
    }
  }

  /// Who asks while the files are being read may have changed them since: they are read once more.
  void reload(Control::Reply reply) {
    logs_.reopen();
    asking_to_reload_.push_back(std::move(reply));
    if (!is_reading_) {
      read_configs();
    }
  }

  /// By a thread: the files, or what they name, may lie on a disk that stands still.
  void read_configs() {
    const auto asking = std::exchange(asking_to_reload_, {});
    const auto refuse = [&](const base::Message& why) {
      say(bridge::Level::warn, "reload_refused", why);
      for (const auto& reply : asking) {
        reply({false, {why}});
      }
    };
    if (!reload_) {
      refuse(base::say("these settings cannot be read again; restart to apply others"));
      return;
    }
    const auto failure = base::io::Errands::of(context_).send(reload_, [this, asking](const config::Loaded& loaded) {
      is_reading_ = false;
      const ControlAnswer answer = take_configs(loaded);
      for (const auto& reply : asking) {
        reply(answer);
      }
      if (!asking_to_reload_.empty()) {
        read_configs();
      }
    });
    is_reading_ = !failure;
    if (failure) {
      refuse(base::say("no thread to read the configuration: {}; nothing was changed", base::system_words(failure.message())));
    }
  }

  /// All files are judged before anything is changed.
  ControlAnswer take_configs(const config::Loaded& loaded) {
    ControlAnswer answer{true, {}};
    const auto report = [this, &answer](bridge::Level level, const char* code, const base::Message& text) {
      say(level, code, text);
      answer.lines.push_back(text);
    };
    const auto next = configs_to_take(loaded, bots(), report);
    answer.is_done = next.has_value();
    for (std::size_t i = 0; next && i < members_.size(); ++i) {
      take_config(members_[i], (*next)[i], report);
    }
    return answer;
  }

  void take_config(Member& member, const config::BotConfig& next, const Report& report) {
    if (member.is_done) {
      return;
    }
    const Changes changes = changes_between(member.config, next);
    if (!changes.with_restart.empty()) {
      report(bridge::Level::warn, "reload_needs_restart",
             base::say("{}: {}: new from the next start on", member.name, base::listed(changes.with_restart)));
    }
    if (changes.with_renewal.empty()) {
      report(bridge::Level::info, "reloaded",
             changes.with_restart.empty() ? base::say("{}: nothing changed", member.name)
                                          : base::say("{}: nothing else changed", member.name));
      return;
    }
    const base::Message keys = base::listed(changes.with_renewal);
    report(bridge::Level::info, "reloaded",
           is_in_game(member)
               ? base::say("{}: {}: new as soon as the game is over; the bot logs out and begins anew", member.name, keys)
               : base::say("{}: {}: new from now on; the bot logs out and begins anew", member.name, keys));
    member.config = next;
    kept_.want_understudy(false);  // until the next game is over: it has read what stood there before
    notify(static_cast<std::size_t>(&member - members_.data()));
    member.driver->renew(next);
  }

  void add(config::BotConfig config, std::uint64_t seed, std::shared_ptr<journal::io::RunAhead> ahead) {
    const auto index = members_.size();
    Member member;
    member.name = config.name;
    member.config = config;
    member.log = &logs_.of(config.log);
    member.state = std::make_unique<watch::BotState>(config.name);
    Driver::Hooks hooks;
    hooks.noted = [state = member.state.get()](const bridge::Note& note) { state->take(note, base::io::read_clocks().wall); };
    hooks.happened = [this, index, state = member.state.get()](const bridge::Fact& fact) {
      state->take(fact);
      if (is_trouble(fact)) {
        readiness_.tried(index);
      }
      if (index < members_.size() && members_[index].notifier) {
        members_[index].notifier->take(fact);
      }
    };
    hooks.completed = [this, index] { catch_up(members_[index].config); };
    hooks.stepped = [this, index] {
      kept_.beat();  // many bots at a time keep the loop from its timers
      if (systemd_.is_there() && index < members_.size() &&
          members_[index].service_status.is_due(base::io::read_clocks().steady)) {
        tell_systemd(index);
      }
      if (http_) {
        http_->changed();
      }
    };
    hooks.finished = [this](const RecordedGame& finished) {
      if (!is_plain_) {
        archives_.take(*finished.config, finished.game, finished.path);
      }
      ask_for_understudy();
    };
    if (systemd_.is_there()) {
      hooks.status = [this, index] { tell_systemd(index); };
    }
    hooks.ready = [this, index] { readiness_.tried(index); };
    hooks.exited = [this, index](int status) { ended(index, status); };
    member.driver = std::make_unique<Driver>(context_, std::move(config), seed, *member.log, std::move(hooks),
                                             Driver::default_rebuild_pause, &kept_, std::move(ahead));
    members_.push_back(std::move(member));
    notify(index);
  }

  void notify(std::size_t index) {
    Member& member = members_[index];
    const auto language = language_of(member.config.log);
    if (member.notifier) {
      member.notifier->renew(member.config.notify, language);
    } else if (!member.config.notify.empty() && !is_plain_) {
      member.notifier = std::make_unique<watch::io::Notifier>(
          context_, member.name, member.config.notify, language,
          [this, name = member.name](const bridge::Note& note) { tell(name, note); },
          [this, index] { return members_[index].driver->view().phase; });
    }
  }

  void tell(const std::string& bot, const bridge::Note& note) {
    for (Member& member : members_) {
      if (member.name == bot) {
        const auto now = base::io::read_clocks().wall;
        member.log->note(now, bot, note);
        member.state->take(note, now);
      }
    }
  }

  void say(bridge::Level level, std::string code, base::Message text) {
    logs_.say(level, std::move(code), std::move(text));
  }

  void tell_systemd(std::size_t index) {
    Member& member = members_[index];
    const auto now = base::io::read_clocks();
    const auto status = member.service_status.observe(member.driver->view(), now);
    if (!status) {
      return;
    }
    member.status = words::in(language_of(member.config.log),
                              members_.size() > 1 ? base::say("{}: {}", member.name, *status) : *status);
    // Hundreds of bots change theirs as often in a second.
    status_alarm_.set(std::max(now.steady, status_shown_ + ServiceStatus::interval_min), [this] { show_status(); });
  }

  void show_status() {
    status_shown_ = base::io::read_clocks().steady;
    status_alarm_.cancel();
    std::vector<std::string> all;
    for (const Member& member : members_) {
      all.push_back(member.status);
    }
    systemd_.status(base::join(all, "; "));
  }

  void ended(std::size_t index, int status) {
    members_[index].is_done = true;
    readiness_.tried(index);
    if (members_[index].notifier) {
      members_[index].notifier->stop();
    }
    status_ = status_ == base::exit_ok ? status : status_;
    if (std::all_of(members_.begin(), members_.end(),
                    [](const Member& member) { return member.is_done; })) {
      if (!is_to_be_succeeded_) {
        systemd_.stopping();
      }
      kept_.expect_beats(false);  // threads and disks are waited for from here on
      readiness_.stop();
      if (http_) {
        http_->stop();  // this may run inside one of its own answers' steps
      }
      if (control_) {
        control_->stop();
      }
      archives_.close();
      part_by_ = std::chrono::steady_clock::now() + farewell;
      part();
    }
  }

  /// All bots are gone. What waits for a disk or for another program that holds the archive is waited for,
  /// but not for long, and not against a further signal: the next start finds it in the journal.
  void part() {
    const bool is_stored = archives_.is_idle() && journal::io::JournalWriter::is_idle(context_) &&
                           base::io::DiskThread::of(context_).is_idle();
    if (!is_stored && std::chrono::steady_clock::now() < part_by_) {
      parting_.expires_after(parting_look);
      parting_.async_wait([this](boost::system::error_code) { part(); });
      return;
    }
    if (!is_stored) {
      const std::size_t games = archives_.waiting();
      const auto leaving =
          games == 0   ? base::say("leaving although the disk, or the archive, is not ready yet")
          : games == 1 ? base::say("leaving although the disk, or the archive, is not ready yet for {} game", games)
                       : base::say("leaving although the disk, or the archive, is not ready yet for {} games", games);
      say(bridge::Level::warn, "left_unstored",
          base::say("{}; the next start takes from the journal what is missing", leaving));
      has_left_behind_ = true;
    }
    signals_.stop();
    trial_.close();
    watchdog_.cancel();
    is_over_ = true;
    context_.stop();
  }

  void catch_up(const config::BotConfig& bot) {
    if (!is_plain_) {
      archives_.catch_up(bot);
    }
  }

  /// Where it would take long to follow this process.
  void ask_for_understudy() {
    std::uint64_t steps = 0;
    for (const Member& member : members_) {
      steps += member.driver->steps();
    }
    if (!is_plain_ && steps >= steps_to_get_ready_for) {
      kept_.want_understudy(true);
    }
  }

  /// To the holder.
  void beat() {
    kept_.beat();
    beat_.expires_after(holder::beat_interval);
    beat_.async_wait([this](boost::system::error_code failed) {
      if (!failed && !is_over_) {
        beat();
      }
    });
  }

  /// From the loop that serves the clocks of the games, so that its life is what is attested.
  void ping() {
    if (is_over_ || !systemd_.alive_interval()) {
      return;
    }
    systemd_.alive();
    watchdog_.expires_after(*systemd_.alive_interval());
    watchdog_.async_wait([this](boost::system::error_code failed) {
      if (!failed) {
        ping();
      }
    });
  }

  Loop context_;
  Reload reload_;
  holder::Kept nobody_;  ///< where there is no holder: nothing is kept
  holder::Kept& kept_;
  bool is_plain_;  ///< what is not needed to play is left out: something kills us
  std::vector<Control::Reply> asking_to_reload_;  ///< behind those whose files are being read
  bool is_reading_ = false;
  base::Now started_;
  Systemd systemd_;
  Logs logs_;
  std::vector<Member> members_;
  Signals signals_;
  base::io::Alarm status_alarm_;
  base::SteadyTime status_shown_{};
  asio::steady_timer watchdog_;
  Readiness readiness_;
  std::unique_ptr<watch::io::HttpServer> http_;
  std::unique_ptr<Control> control_;  ///< null: nobody can ask
  games::io::ArchiveWriter archives_;
  watch::io::ArchiveReader answers_;
  std::vector<config::BotConfig> next_;  ///< what the files say of bots that go on with a run by what they said before
  int status_ = base::exit_ok;
  bool is_over_ = false;
  asio::steady_timer parting_{context_};
  asio::steady_timer beat_{context_};
  std::chrono::steady_clock::time_point part_by_;
  bool has_left_behind_ = false;
  asio::posix::stream_descriptor trial_{context_};  ///< what comes of a successor's trial; open while one runs
  std::string trial_said_;
  bool is_to_be_succeeded_ = false;  ///< at its end
  bool is_stopping_ = false;         ///< somebody wants that
};

}  // namespace

int run_fleet(std::vector<config::BotConfig> configs, std::uint64_t seed,
              Reload reload, std::optional<watch::io::HttpOptions> status, base::Millis ready_within,
              holder::Kept* kept) {
  auto ahead = kept != nullptr && kept->start().is_understudy ? get_ready(*kept, configs)
                                                              : std::vector<std::shared_ptr<journal::io::RunAhead>>();
  std::vector<config::BotConfig> next;
  for (config::BotConfig& config : configs) {
    if (auto then = kept != nullptr ? Estate::config_of_run(*kept, config) : std::nullopt) {
      config.game.count = then->game.count;  // what is left of it
      next.push_back(std::exchange(config, std::move(*then)));
      ahead.clear();  // by other settings
    }
  }
  auto fleet = std::make_unique<Fleet>(std::move(configs), seed, std::move(reload), std::move(status), kept, std::move(ahead),
                                       std::move(next));
  int exit_status = base::exit_internal;
  try {
    exit_status = fleet->run(ready_within);
  } catch (const std::exception&) {
    if (kept != nullptr && kept->is_held()) {
      fleet->flush_logs();
      static_cast<void>(fleet.release());  // nothing is closed or ended: another process goes on with it
    }
    throw;
  }
  if (fleet->has_left_behind()) {
    fleet->flush_logs();
    std::_Exit(exit_status);
  }
  return exit_status;
}

// --- a configuration that was read again

namespace {

using config::BotConfig;
using config::PlainSetting;

/// Keys of which either configuration has a setting that the other has not. An order that differs
/// counts, since options are set in theirs.
std::set<std::string> differing_keys(const std::vector<PlainSetting>& a,
                                     const std::vector<PlainSetting>& b) {
  std::set<std::string> keys;
  const auto values_of = [](const std::vector<PlainSetting>& settings, const std::string& key) {
    std::vector<std::vector<std::string>> values;
    for (const PlainSetting& setting : settings) {
      if (setting.key == key) {
        values.push_back(setting.values);
      }
    }
    return values;
  };
  for (const auto* settings : {&a, &b}) {
    for (const PlainSetting& setting : *settings) {
      if (values_of(a, setting.key) != values_of(b, setting.key)) {
        keys.insert(setting.key);
      }
    }
  }
  return keys;
}

std::vector<std::string> sorted_names(const std::vector<BotConfig>& bots) {
  std::vector<std::string> names;
  names.reserve(bots.size());
  for (const BotConfig& bot : bots) {
    names.push_back(bot.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string only_in(const std::vector<std::string>& these, const std::vector<std::string>& those) {
  std::vector<std::string> names;
  std::set_difference(these.begin(), these.end(), those.begin(), those.end(), std::back_inserter(names));
  for (std::string& name : names) {
    name = base::quote_for_log(name);
  }
  return base::join(names, ", ");
}

/// As whom the server knows a bot.
bool is_same_login(const BotConfig& a, const BotConfig& b) {
  return a.account.name == b.account.name && a.server.port == b.server.port &&
         ::strcasecmp(a.server.host.c_str(), b.server.host.c_str()) == 0;
}

base::Message login_of(const BotConfig& bot) {
  return base::say("{} on {}:{}", base::quoted(bot.account.name), base::quoted(bot.server.host), bot.server.port);
}

/// Of several bots with one name the login tells which is meant.
const BotConfig* find_next(const BotConfig& bot, bool is_only_one, const std::vector<BotConfig>& next) {
  const auto found = std::find_if(next.begin(), next.end(), [&](const BotConfig& other) {
    return other.name == bot.name && (is_only_one || is_same_login(other, bot));
  });
  return found == next.end() ? nullptr : &*found;
}

}  // namespace

base::Result<std::vector<BotConfig>, base::Message> in_order_of(const std::vector<BotConfig>& running,
                                                                const std::vector<BotConfig>& next) {
  using Error = base::Failure<base::Message>;
  const auto names = sorted_names(running);
  if (const auto next_names = sorted_names(next); names != next_names) {
    const std::string added = only_in(next_names, names);
    const std::string gone = only_in(names, next_names);
    const auto difference = gone.empty()    ? base::say("new: {}", added)
                            : added.empty() ? base::say("gone: {}", gone)
                                            : base::say("new: {}; gone: {}", added, gone);
    return Error{base::say("the files hold other bots than run; {}: restart to begin, end or rename bots", difference)};
  }
  std::vector<BotConfig> matched;
  matched.reserve(running.size());
  for (const BotConfig& bot : running) {
    const bool is_only_one = std::count(names.begin(), names.end(), bot.name) == 1;
    const BotConfig* found = find_next(bot, is_only_one, next);
    if (found == nullptr) {
      return Error{base::say(
          "several bots are called {}, and none of them is {} any more: give each a name of its own and restart",
          base::quoted(bot.name), login_of(bot))};
    }
    for (const BotConfig& other : running) {
      if (&other != &bot && is_same_login(*found, other)) {
        return Error{base::say("{} would log in as {}, as another bot does that runs: restart to exchange accounts",
                               base::quoted(bot.name), login_of(other))};
      }
    }
    matched.push_back(*found);
  }
  return matched;
}

Changes changes_between(const BotConfig& now, const BotConfig& next) {
  auto keys = differing_keys(config::plain_settings(now), config::plain_settings(next));
  // Secrets are masked in plain settings, so that they are compared here.
  if (now.account.password.reveal() != next.account.password.reveal()) {
    keys.insert("account.password");
  }
  const auto proxy_password = [](const BotConfig& bot) {
    return bot.server.proxy ? bot.server.proxy->password.reveal() : std::string_view();
  };
  if (proxy_password(now) != proxy_password(next)) {
    keys.insert(next.server.proxy_password_file.empty() ? "server.proxy" : "server.proxy_password_file");
  }
  if (now.engine.environment != next.engine.environment) {
    keys.insert("engine.environment");
  }
  if (now.engine.standby.environment != next.engine.standby.environment) {
    keys.insert("engine.standby.environment");
  }
  const auto environments = [](const BotConfig& bot) {
    std::vector<base::Environment> all;
    for (const config::FurtherEngine& member : bot.engine.team) {
      all.push_back(member.environment);
    }
    return all;
  };
  if (environments(now) != environments(next)) {
    keys.insert("engine.team");
  }
  Changes changes;
  for (const std::string& key : keys) {
    // Several bots share a log, and its file is open.
    (key.starts_with("log.") ? changes.with_restart : changes.with_renewal).push_back(key);
  }
  return changes;
}

std::optional<std::vector<BotConfig>> configs_to_take(config::Loaded loaded,
                                                      const std::vector<BotConfig>& running,
                                                      const Report& report) {
  for (const auto& warning : loaded.warnings) {
    report(bridge::Level::warn, "reload_warning", config::describe(warning));
  }
  for (const auto& problem : loaded.problems) {
    report(bridge::Level::error, "reload_refused", base::say("{}; nothing was changed", config::describe(problem)));
  }
  if (!loaded.problems.empty()) {
    return std::nullopt;
  }
  auto matched = in_order_of(running, loaded.bots);
  if (!matched) {
    report(bridge::Level::error, "reload_refused", base::say("{}; nothing was changed", matched.error()));
    return std::nullopt;
  }
  return std::move(*matched);
}

}  // namespace kakehashi::daemon
