#include "daemon/driver.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <climits>
#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/io/alarm.hpp"
#include "base/io/clocks.hpp"
#include "base/io/priority.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "bridge/bot/bot.hpp"
#include "bridge/event.hpp"
#include "bridge/mask.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"
#include "csa/io/server_link.hpp"
#include "csa/io/socket_options.hpp"
#include "daemon/account_lock.hpp"
#include "daemon/book_loader.hpp"
#include "daemon/clock_memory.hpp"
#include "daemon/engines.hpp"
#include "daemon/log_sink.hpp"
#include "journal/io/earlier_runs.hpp"
#include "journal/io/journal_writer.hpp"
#include "journal/io/record_writer.hpp"
#include "journal/io/records.hpp"

namespace kakehashi::daemon {
namespace {

// What comes from the shells of server and engine, in the core's words and in the log's.

/// What a connection to a server says, as events. `more`: another line of the same read follows at once.
[[nodiscard]] csa::io::ServerLink::Callbacks callbacks_telling(
    std::function<void(bridge::Event event, bool more)> tell);

/// The core is broken. `starts_anew_in`: nothing when it does not. `journal`: its path, or empty.
[[nodiscard]] bridge::Note collapse_note(const char* why, std::optional<base::Millis> starts_anew_in,
                                 const std::string& journal);

/// Shows the line that an event brought, at debug, without what `mask` hides.
void trace(LogSink& log, std::string_view bot, base::WallTime time, const bridge::Event& event,
           const bridge::Mask& mask);

csa::io::ServerLink::Callbacks callbacks_telling(std::function<void(bridge::Event event, bool more)> tell) {
  csa::io::ServerLink::Callbacks callbacks;
  callbacks.connected = [tell](base::Message peer) {
    tell(bridge::ServerConnected{std::move(peer)}, false);
  };
  callbacks.line = [tell](std::string line, bool more) {
    tell(bridge::ServerLine{std::move(line), more}, more);
  };
  callbacks.closed = [tell](csa::HowClosed how, base::Message why) {
    tell(bridge::ServerClosed{how, std::move(why)}, false);
  };
  return callbacks;
}

bridge::Note collapse_note(const char* why, std::optional<base::Millis> starts_anew_in,
                   const std::string& journal) {
  bridge::Note note;
  note.level = bridge::Level::error;
  note.code = "bot_failed";
  note.text = base::say("the bot broke a promise to itself: {}; its connection and engine were dropped; {}", std::string(why),
                        starts_anew_in ? base::say("it starts anew in {}", base::duration(starts_anew_in->count()))
                                       : base::say("it stops"));
  if (!journal.empty()) {
    note.text = base::say("{}; its journal is {}", note.text, journal);
  }
  return note;
}

void trace(LogSink& log, std::string_view bot, base::WallTime time, const bridge::Event& event,
           const bridge::Mask& mask) {
  if (!log.shows(bridge::Level::debug)) {
    return;
  }
  if (const auto* server = std::get_if<bridge::ServerLine>(&event)) {
    const auto kept = mask.kept(event);
    log.traffic(time, bot, "server <", mask.hide(kept ? std::get<bridge::ServerLine>(*kept).text : server->text));
  } else if (const auto* engine = std::get_if<bridge::EngineLine>(&event)) {
    log.traffic(time, bot, bridge::seat_word(engine->engine.seat) + " <", engine->text);
  } else if (const auto* stderr_line = std::get_if<bridge::EngineStderr>(&event)) {
    log.traffic(time, bot, bridge::seat_word(stderr_line->engine.seat) + " !", stderr_line->text);
  }
}

// When the core should hear of the way's length: when it has changed, not with every line.

class LinkWatch {
 public:
  /// Nothing: the core knows as much already.
  [[nodiscard]] std::optional<bridge::LinkMeasured> take(const std::optional<csa::io::TcpQuality>& quality) {
    if (!quality || (told_ && !differs(quality->rtt, told_->rtt) &&
                     !differs(quality->variance, told_->variance))) {
      return std::nullopt;
    }
    told_ = quality;
    return bridge::LinkMeasured{quality->rtt, quality->variance};
  }

 private:
  /// By more than an eighth and half a millisecond.
  static bool differs(std::chrono::microseconds a, std::chrono::microseconds b) {
    return (a > b ? a - b : b - a) > b / 8 + std::chrono::microseconds{500};
  }

  std::optional<csa::io::TcpQuality> told_;
};

// The configuration that a bot plays by and the one that follows it, with the games that count for both:
// game.count is of a bot's whole life, however often it begins anew.

class ConfigInTurn {
 public:
  explicit ConfigInTurn(config::BotConfig config) : now_(std::move(config)) {}

  [[nodiscard]] const config::BotConfig& now() const { return now_; }
  void put_next(config::BotConfig config) { next_ = std::move(config); }
  void put_again() {
    next_ = now_;
    if (next_->game.count) {
      *next_->game.count += finished_;
    }
  }
  [[nodiscard]] bool has_next() const { return next_.has_value(); }
  /// The next one has games left to play, when this bot has finished that many.
  [[nodiscard]] bool has_games_for_next(int finished) const {
    return next_ && next_->game.count.value_or(INT_MAX) > finished_ + finished;
  }
  [[nodiscard]] bool is_played_out() const { return now_.game.count.value_or(1) <= 0; }

  /// A bot is gone that had finished so many games.
  void count(int finished) {
    finished_ += finished;
    if (now_.game.count) {
      *now_.game.count -= finished;
    }
  }
  void take_next() {
    now_ = std::move(*next_);
    next_.reset();
    if (now_.game.count) {
      *now_.game.count -= finished_;
    }
  }

 private:
  config::BotConfig now_;
  std::optional<config::BotConfig> next_;
  int finished_ = 0;  ///< by the bots before the present one
};

}  // namespace

class Driver::Machine {
 public:
  Machine(boost::asio::io_context& context, config::BotConfig config, std::uint64_t seed,
          LogSink& log, Hooks hooks, holder::Kept* kept, base::Millis rebuild_pause, std::shared_ptr<journal::io::RunAhead> ahead)
      : configs_(std::move(config)),
        mask_(config_),
        seed_(seed),
        log_(log),
        hooks_(std::move(hooks)),
        rebuild_pause_(rebuild_pause),
        bot_(std::in_place, config_, seed),
        estate_(std::make_shared<Estate>(kept, config_.name)),
        ahead_(std::move(ahead)),
        link_(context, link_callbacks(),
              {[estate = estate_](int socket) { return estate->keep_line(socket); }, [estate = estate_](const base::io::Legacy::Stream* stream) { estate->drop_line(stream); }}),
        engines_(context, config_.name, config_.engine,
                 [this](bridge::Event event, bool more) { happen(std::move(event), more, engines_.told()); },
                 [this](const bridge::Note& note) { tell(note); }, estate_),
        records_(context, journal::io::RecordWriter(config_.records.directory, config_.records.newline),
                 {[this](bridge::RecordWritten written) { happen(std::move(written)); },
                  [this] { leave_behind_records(); },
                  [this](const std::string& path) { tell_made_up(path); },
                  [this](std::function<void()> work, journal::io::Records::Pace pace) {
                    return journal_.behind([work = std::move(work)](const std::string&) { work(); }, pace);
                  }}),
        books_(context),
        clocks_(context, [this](bridge::ClockRecalled recalled) { happen(recalled); }),
        journal_(config_, context,
                 [this](const bridge::Note& note, std::optional<bridge::Incident> what) {
                   tell(note);
                   count(what);
                 }),
        cut_off_(journal::io::find_cut_off_game(config_)),
        token_(journal_),
        alarm_(context),
        priority_(base::io::Priority::of(context)),
        patience_(context) {
    journal_.leave_to(estate_->legacy());
  }

  /// Nobody of the process plays yet: what an earlier one was killed in is read at once.
  void start() {
    if (const auto status = estate_->ended_with()) {
      is_waiting_to_rebuild_ = true;
      waiting_status_ = *status;
      alarm_.set(base::io::read_clocks().steady, [this] { exit(waiting_status_); });
      return;
    }
    if (estate_->has_run() && follow()) {
      return;
    }
    if (estate_->has_lost_run()) {
      tell_not_followed(base::say("there is no whole journal of it"));
    }
    estate_->drop_rest();
    if (cut_off_) {
      cut_off_read_.emplace(journal::io::read_cut_off_game(*cut_off_, config_, base::io::read_clocks()));
    }
    is_waiting_to_rebuild_ = true;
    waiting_status_ = 0;
    books_.open(config_.book, [this] { begin_anew(); });
  }

  void request_stop(bridge::Urgency urgency) {
    is_stopping_ = true;
    if (is_waiting_to_rebuild_) {
      exit(waiting_status_);
      return;
    }
    if (leaves_with_ && urgency != bridge::Urgency::drain) {
      leave_without_records();
      return;
    }
    happen(bridge::StopRequested{urgency});
  }

  void renew(config::BotConfig config) {
    if (is_over_ || is_stopping_) {
      return;
    }
    configs_.put_next(std::move(config));
    happen(bridge::StopRequested{bridge::Urgency::renew});
  }

  /// A run of which the journal lacks something cannot be followed: behind the game another begins, now that a file opens again.
  void renew_for_journal() {
    if (!is_over_ && !is_stopping_ && !configs_.has_next() && journal_.could_begin_whole()) {
      configs_.put_again();
      tell({bridge::Level::info, "renewing",
            base::say("the journal lacks something, and a file opens again: the bot begins anew, so that another process can follow it"), {}});
      happen(bridge::StopRequested{bridge::Urgency::renew});
    }
  }

  [[nodiscard]] bridge::View view() const {
    if (is_waiting_to_rebuild_) {
      bridge::View nothing;
      nothing.phase = waiting_status_ == 0 ? bridge::Phase::beginning_anew : bridge::Phase::failed;
      return nothing;
    }
    return bot_->view();
  }

  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] std::vector<int> engine_processes() const { return engines_.processes(); }

 private:
  static constexpr base::Millis records_patience{10'000};
  static constexpr std::size_t lines_of_a_search_bytes = 256;  ///< behind `position`
  static constexpr int exit_internal = 70;  ///< EX_SOFTWARE: the bot broke a promise, and is not rebuilt
  struct Noticed { bridge::Event event; base::Now now; bool more; base::io::Legacy::Place told; };

  void begin() {
    if (const auto& trouble = books_.book().trouble(); !trouble.empty()) {
      tell({bridge::Level::error, "book_failed", base::say("{}; the engine plays by itself", trouble), {}});
    }
    if (config_.journal.enabled) {
      records_.leave_unfinished();  // it does what they would
    }
    complete_records();
    if (take_game_up()) {
      return;
    }
    run([this] {
      const auto now = base::io::read_clocks();
      const auto actions = of_core([&] { return bot_->start(now); });
      journal_.start(seed_, now, actions);
      steps_ = 0;
      perform(actions, {});
      mark_done();
    });
  }

  /// In the run of a process that was killed, as if nothing had happened: the same line, the same engines in the same
  /// searches. False: it is not to be had.
  bool follow() {
    const auto ahead = ahead_ ? std::exchange(ahead_, nullptr) : std::make_shared<journal::io::RunAhead>(config_);
    auto left = journal::io::read_left_run(*estate_->legacy(), *ahead, cut_off_ ? &*cut_off_ : nullptr);
    if (!left) {
      tell_not_followed(left.error());
      cut_off_.reset();
      return false;
    }
    const std::uint64_t steps = left->run.steps;
    tell(estate_->is_successors()
             ? bridge::Note{bridge::Level::info, "run_followed",
                            base::say("going on where the program before stood, {} steps into its run", steps), {}}
             : bridge::Note{bridge::Level::warn, "run_followed",
                            base::say("the process that played was killed; going on where it stood, {} steps into its run", steps), {}});
    books_.open(config_.book, [] {});
    go_on(*left, std::exchange(cut_off_, std::nullopt));
    return true;
  }

  void tell_not_followed(const base::Message& why) {
    tell({bridge::Level::warn, "run_not_followed", base::say("the process that played was killed, and its run cannot go on: {}", why), {}});
  }

  /// `game`: of the run, if its server would give it back.
  void go_on(journal::io::LeftRun& left, const std::optional<journal::io::CutOffGame>& game) {
    journal::FollowedRun& run = left.run;
    bot_.emplace(std::move(run.bot));
    steps_ = run.steps;
    is_stopping_ = run.stopping && *run.stopping != bridge::Urgency::renew;
    if (run.stopping && !is_stopping_) {
      configs_.put_again();  // until it is known by what it was to begin anew
    }
    if (left.journal.is_open()) {
      journal_.go_on(std::move(left.journal), left.journal_path, left.journal_bytes, run.filed_number, run.unwritten, run.unfiled);
    } else {
      journal_.start(run.started.seed, run.started.now, run.first, run.unfiled);
    }
    if (game) {
      token_.keep(config_, game->token);
    }
    last_finished_ = unrecorded_game_ = bot_->finished_game();
    if (run.record) {
      records_.go_on(*run.record, run.record_path);
    }
    std::vector<bridge::Event> losses;
    take_line(run, losses);
    take_engines(run, losses);
    estate_->drop_rest();
    if (run.armed) {
      arm_timer(*run.armed);
    }
    if (run.was_ready) {
      hooks_.ready();
    }
    for (const bridge::Actions& actions : run.undone) {
      for (const bridge::Action& action : actions) {
        make_up(action);
      }
    }
    mark_done();
    if (run.finish) {
      finish(*run.finish);
    }
    if (run.exit) {  // its record may have been waited for
      alarm_.set(base::io::read_clocks().steady, [this, status = *run.exit] { leave(status); });
      return;
    }
    if (run.look_up) {
      perform(*run.look_up, false);
    }
    if (run.recall) {
      perform(*run.recall, false);
    }
    for (bridge::Event& loss : losses) {
      happen(std::move(loss));
    }
  }

  void take_line(const journal::FollowedRun& run, std::vector<bridge::Event>& losses) {
    if (!run.has_line) {
      return;
    }
    auto line = estate_->take_line();
    if (line && line->is_plain) {
      tell({bridge::Level::error, "line_left_out",
            base::say("one process after the other died of a line of the server; only what the game needs of it is taken"), {}});
      log_.flush();  // should this process die of another, it is known all the same
    }
    const bool is_up = bot_->view().phase != bridge::Phase::connecting;
    if (line && is_up && line->bytes <= run.line_bytes && run.line_bytes - line->bytes <= run.line_last.size()) {
      const bool is_one_left_out = line->is_plain && !line->first;
      link_.adopt(config_.server.address(), line->socket, *line->stream,
                  std::string_view(run.line_last).substr(run.line_last.size() - (run.line_bytes - line->bytes)),
                  std::move(line->first));
      if (run.held) {
        link_.hold(*run.held);
      }
      if (is_one_left_out) {
        // The one before it may have been told as one with more behind it, which is waited for.
        losses.emplace_back(bridge::ServerLine{"", line->stream->left().find('\n') != std::string_view::npos});
      }
      static_cast<void>(account_lock_.take(config_));
      return;
    }
    if (line) {
      ::close(line->socket);
      estate_->drop_line(line->stream);
    }
    losses.emplace_back(bridge::ServerClosed{bridge::ServerClosed::How::broken, base::say("the process that had the line was killed")});
  }

  void take_engines(const journal::FollowedRun& run, std::vector<bridge::Event>& losses) {
    for (const auto& [engine, left] : run.engines) {
      if (left.process == 0) {
        losses.emplace_back(bridge::EngineFailedToStart{engine, base::say("the process that started it was killed")});
      } else if (!engines_.adopt(engine, left.process, left.bytes, left.last)) {
        losses.emplace_back(bridge::EngineExited{engine, base::say("the process that had started it was killed")});
      } else if (left.is_to_die) {
        engines_.kill(engine, base::Millis{0});
      }
    }
  }

  /// What an earlier process may have done or not: once more, where that does no harm. Lines and records are seen to.
  void make_up(const bridge::Action& action) {
    std::visit(base::Overload{
                   [this](const bridge::CloseServer&) { link_.close(); },
                   [this](const bridge::KeepClock& found) { clocks_.keep(config_, found); },
                   [this](const bridge::Note& note) { tell(note); },
                   [this](const bridge::IsFact auto& fact) { hooks_.happened(fact); },
                   [this](const bridge::PhaseChanged&) { hooks_.status(); },
                   [](const auto&) {},
               },
               action);
  }

  void mark_done() {
    if (estate_->legacy() != nullptr) {
      estate_->legacy()->mark_done(steps_ + 1);
    }
  }

  void complete_records() {
    const auto completion = std::make_shared<journal::io::RecordCompletion>(config_);
    // Before the run that begins now has its file.
    if (journal_.behind([completion](const std::string&) { completion->look(); })) {
      const auto outcome = std::make_shared<journal::io::RecordCompletion::Outcome>();
      records_.work_behind([completion, outcome] { *outcome = completion->run(); },
                           [this, outcome] { tell_completed(*outcome); });
    }
  }

  void tell_completed(const journal::io::RecordCompletion::Outcome& outcome) {
    for (const bridge::Note& note : outcome.completed) {
      tell(note);
    }
    for (const bridge::Note& note : outcome.failed) {
      tell(note);
      if (note.level == bridge::Level::error) {
        count(bridge::Incident::record_failed);
      }
    }
    if (!outcome.completed.empty()) {
      hooks_.completed();
    }
  }

  /// In the game that an earlier process was killed in, as if only its line and its engines had been lost.
  bool take_game_up() {
    const auto game = std::exchange(cut_off_, std::nullopt);
    auto left = std::exchange(cut_off_read_, std::nullopt);
    if (!game || !left) {
      return false;
    }
    if (!*left) {
      token_.forget(config_);
      if (!left->error().empty()) {
        tell({bridge::Level::warn, "game_not_taken_up",
              base::say("an earlier process was killed in a game that its server gives back; it is not asked for: {}",
                        left->error()),
              {}});
      }
      return false;
    }
    tell({bridge::Level::warn, "game_taken_up",
          base::say("an earlier process was killed in a game that its server may give back; going on from its journal"),
          {}});
    go_on(**left, game);
    return true;
  }

  /// A process that comes after this one, should it be killed, can ask for the game.
  void mind_token(const bridge::Event& event) {
    if (const auto token = bridge::token_in(event); token && config_.journal.enabled) {
      token_.keep(config_, *token);
      last_finished_ = bot_->finished_game();
    } else if (token_.is_kept() && bot_->finished_game() != last_finished_) {
      token_.forget(config_);
    }
  }

  /// Actions may cause events while they are performed (a record that was written, an engine that
  /// could not be started). Those wait in the queue: a step is never entered twice.
  void happen(bridge::Event event, bool more = false, const base::io::Legacy::Place& told = {}) {
    if (is_over_ || is_waiting_to_rebuild_ ||
        (leaves_with_ && !std::holds_alternative<bridge::RecordWritten>(event))) {
      return;
    }
    queue_.push_back({std::move(event), base::io::read_clocks(), more, told});
    if (!is_running_) {
      run([] {});
    }
  }

  template <class First>
  void run(First first) {
    is_running_ = true;
    try {
      first();
      while (!queue_.empty()) {
        const auto noticed = std::move(queue_.front());
        queue_.pop_front();
        take(noticed);
      }
    } catch (const std::exception& failure) {
      if (is_for_another_process(failure)) {
        throw;
      }
      collapse(failure.what());
    }
    is_running_ = false;
    tell_unrecorded_game();
    hooks_.stepped();
  }

  /// What the clock of a game waits for comes first, behind the note of what led to it; the journal is handed this
  /// step before another is read.
  void take(const Noticed& noticed) {
    auto actions = step(noticed);
    journal_.note(noticed.event, noticed.now, actions, noticed.more, noticed.told);
    const std::size_t sent = send_lines_of(actions);
    if (!noticed.more) {  // the next line of the same read may be what somebody waits for
      link_.acknowledge();
    }
    trace(log_, config_.name, noticed.now.wall, noticed.event, mask_);
    journal_.follow(noticed.event, actions, noticed.more);
    mind_token(noticed.event);
    perform(actions, sent);
    mind_priority();
    ++steps_;
    if (!noticed.more || !actions.empty()) {
      mark_done();
    }
    if (!noticed.more) {
      renew_for_journal();
    }
    for (bridge::Action& action : actions) {
      if (auto* write = std::get_if<bridge::WriteServer>(&action)) {
        base::wipe(write->line);  // it may have been a LOGIN
      }
    }
  }

  /// Behind the step, so that the change is on no move's way.
  void mind_priority() {
    if (!is_over_ && bot_->is_playing()) {
      priority_.play(this, bot_->decides_at());
    } else {
      priority_.forget(this);
    }
  }

  /// Those at the head of a step, each engine's in one write. Returns how many actions that were.
  std::size_t send_lines_of(const bridge::Actions& actions) {
    std::size_t at = 0;
    for (; at < actions.size() && std::holds_alternative<bridge::WriteServer>(actions[at]); ++at) {
      link_.write(std::get<bridge::WriteServer>(actions[at]).line);
    }
    while (at < actions.size() && std::holds_alternative<bridge::WriteEngine>(actions[at])) {
      const bridge::EngineId engine = std::get<bridge::WriteEngine>(actions[at]).engine;
      const auto next = [&]() -> const std::string* {
        const auto* write = at < actions.size() ? std::get_if<bridge::WriteEngine>(&actions[at]) : nullptr;
        return write != nullptr && write->engine == engine ? &write->line : nullptr;
      };
      std::string lines;
      lines.reserve(next()->size() + lines_of_a_search_bytes);
      lines += *next();
      for (++at; const std::string* line = next(); ++at) {
        (lines += '\n') += *line;
      }
      engines_.write(engine, std::move(lines));
    }
    return at;
  }

  bridge::Actions step(const Noticed& noticed) {
    try {
      return of_core([&] { return bot_->step(noticed.event, noticed.now); });
    } catch (const std::exception& failure) {
      if (is_for_another_process(failure)) {
        throw;
      }
      trace(log_, config_.name, noticed.now.wall, noticed.event, mask_);
      journal_.broke(noticed.event, noticed.now, failure.what());
      throw;
    }
  }

  void perform(const bridge::Actions& actions, std::size_t sent) {
    for (std::size_t i = 0; i < actions.size() && !is_over_; ++i) {
      perform(actions[i], i < sent);
    }
  }

  void perform(const bridge::Action& action, bool has_left) {
    std::visit(
        base::Overload{
            [this](const bridge::ConnectServer&) { connect(); },
            [&](const bridge::WriteServer& write) {
              if (log_.shows(bridge::Level::debug)) {
                log_.traffic(base::io::read_clocks().wall, config_.name, "server >", mask_.hide(write.log_as));
              }
              if (!has_left) {
                link_.write(write.line);
              }
              if (const auto measured = link_watch_.take(link_.quality())) {
                happen(*measured);
              }
            },
            [this](const bridge::CloseServer&) { link_.close(); },
            [this](const bridge::HoldLine& hold) { link_.hold(hold.patience); },
            [this](const bridge::StartEngine& start) { engines_.start(start.engine); },
            [&](const bridge::WriteEngine& write) {
              log_.traffic(base::io::read_clocks().wall, config_.name,
                           bridge::seat_word(write.engine.seat) + " >", write.line);
              if (!has_left) {
                engines_.write(write.engine, write.line);
              }
            },
            [this](const bridge::StopEngineAt& stop) { engines_.stop_at(stop.engine, stop.at); },
            [this](const bridge::KillEngine& kill) { engines_.kill(kill.engine, kill.grace); },
            [this](const bridge::ArmTimer& arm) { arm_timer(arm.deadline); },
            [this](const bridge::BeginRecord& record) { records_.begin(record); },
            [this](const bridge::AppendRecord& record) { records_.append(record); },
            [this](const bridge::FinishRecord& record) { finish(record); },
            [this](const bridge::LookUpBook& look_up) {
              books_.look_up(look_up.position, [this, number = look_up.number](const std::string& lines) {
                happen(bridge::BookAnswered{number, lines});
              });
            },
            [this](const bridge::RecallClock& wanted) { clocks_.recall(config_, wanted); },
            [this](const bridge::KeepClock& found) { clocks_.keep(config_, found); },
            [this](const bridge::Note& note) { tell(note); },
            [this](const bridge::IsFact auto& fact) { hooks_.happened(fact); },
            [this](const bridge::ReportReady&) { hooks_.ready(); },
            [this](const bridge::PhaseChanged&) { hooks_.status(); },
            [this](const bridge::Exit& done) { leave(done.status); },
        },
        action);
  }

  /// Where another process of this machine has the account, that is as good as no connection: its pauses grow.
  void connect() {
    if (const auto holder = account_lock_.take(config_)) {
      happen(bridge::ServerClosed{bridge::ServerClosed::How::refused,
                          base::say("{} of this machine plays there as {} already, and two would put each other out for ever",
                                    *holder, base::quoted(config_.account.name))});
      return;
    }
    if (const base::Message why = account_lock_.take_trouble(); !why.empty()) {
      tell({bridge::Level::warn, "account_not_locked",
            base::say("another process of this machine that plays with the same account would not be noticed: {}", why),
            {}});
    }
    link_.connect(config_.server.address());
  }

  void finish(const bridge::FinishRecord& record) {
    records_.finish(record, [this, game = bot_->finished_game(), config = played_with_](const std::string& path) {
      if (game) {
        hooks_.finished({game, path, config});
      }
      hooks_.stepped();
    });
  }

  /// Without records nothing else tells that a game is over.
  void tell_unrecorded_game() {
    const auto game = config_.records.enabled ? nullptr : bot_->finished_game();
    if (game && game != unrecorded_game_) {
      hooks_.finished({game, "", played_with_});
    }
    unrecorded_game_ = game;
  }

  void tell_made_up(const std::string& path) {
    tell({bridge::Level::info, "record_completed",
          base::say("the record {}, which could not be written when its game ended, is whole now", base::quoted(path, 400)),
          {}});
    hooks_.completed();
  }

  /// The core is done. Records that wait for the disk are waited for, and told.
  void leave(int status) {
    leaves_with_ = status;
    records_.close();
    patience_.set(base::io::read_clocks().steady + records_patience, [this] { leave_without_records(); });
    leave_behind_records();
  }

  void leave_without_records() {
    if (leaves_with_) {
      tell({bridge::Level::warn, "records_left",
            base::say("leaving while records wait for the disk; the next start completes them from the journal"), {}});
      exit(*std::exchange(leaves_with_, std::nullopt));
    }
  }

  void leave_behind_records() {
    if (leaves_with_ && !records_.is_busy()) {
      exit(*std::exchange(leaves_with_, std::nullopt));
    }
  }

  void release() {
    if (token_.is_kept()) {
      token_.forget(config_);
    }
    queue_.clear();
    alarm_.cancel();
    priority_.forget(this);
    patience_.cancel();
    link_.close();
    engines_.drop_all();
  }

  void exit(int status) {
    if (is_over_) {
      return;
    }
    if (status == 0 && !is_stopping_ && !is_waiting_to_rebuild_ &&
        configs_.has_games_for_next(bot_->view().games_finished)) {
      release();
      journal_.close("a new configuration");
      is_waiting_to_rebuild_ = true;
      waiting_status_ = 0;
      alarm_.set(base::io::read_clocks().steady, [this] { rebuild(); });  // not from inside its last step
      return;
    }
    is_over_ = true;
    is_waiting_to_rebuild_ = false;
    records_.close();
    release();
    estate_->end(status);
    account_lock_.release();
    journal_.close("exit status " + std::to_string(status));
    hooks_.exited(status);
  }

  void count(std::optional<bridge::Incident> what) {
    if (what) {
      hooks_.happened(bridge::Occurred{*what});
    }
  }

  [[nodiscard]] csa::io::ServerLink::Callbacks link_callbacks() {
    auto callbacks = callbacks_telling([this](bridge::Event event, bool more) {
      const bool is_line = std::holds_alternative<bridge::ServerLine>(event);
      happen(std::move(event), more, is_line ? link_.told() : base::io::Legacy::Place{});
    });
    callbacks.dropped = [this](std::size_t lines, const base::Message& why) {
      for (; lines > 0; --lines) {
        count(bridge::Incident::line_dropped);
      }
      if (!std::exchange(has_told_of_dropped_, true)) {
        tell({bridge::Level::warn, "line_dropped", base::say("{}; nothing hangs on it, and more of them are only counted", why), {}});
      }
    };
    return callbacks;
  }

  void arm_timer(base::SteadyTime at) {
    alarm_.set(at, [this] { happen(bridge::TimerFired{}); });
  }

  void tell(const bridge::Note& note) {
    if (log_.shows(note.level)) {
      log_.note(base::io::read_clocks().wall, config_.name, mask_.hide(note));
    }
    hooks_.noted(note);
  }

  template <class Step>
  bridge::Actions of_core(Step step) {
    is_in_core_ = true;
    auto actions = step();
    is_in_core_ = false;
    return actions;
  }

  /// Unless the core has broken a promise, which it would do again: one that follows does the step once more.
  [[nodiscard]] bool is_for_another_process(const std::exception& failure) const {
    return estate_->legacy() != nullptr && !(is_in_core_ && dynamic_cast<const base::CheckFailure*>(&failure) != nullptr);
  }

  /// The core is broken: nothing that it knows is trusted any more.
  void collapse(const char* why) {
    release();
    leaves_with_.reset();
    count_games_down();
    const bool is_last = is_stopping_ || configs_.is_played_out();
    const auto note = collapse_note(why, is_last ? std::nullopt : std::optional(rebuild_pause_),
                                    journal_.path());
    tell(note);
    count(bridge::Incident::bot_failed);
    journal_.close(note.text.english());
    if (is_last) {
      exit(exit_internal);
      return;
    }
    is_waiting_to_rebuild_ = true;
    waiting_status_ = exit_internal;
    alarm_.set(base::io::read_clocks().steady + rebuild_pause_, [this] { rebuild(); });
  }

  /// The next bot plays what this one has left over.
  void count_games_down() {
    try {
      configs_.count(bot_->view().games_finished);
    } catch (const std::exception&) {}  // it has finished no game that we know of
  }

  void rebuild() {
    if (configs_.has_next()) {
      take_next_config();
    }
    link_watch_ = {};
    bot_.emplace(config_, ++seed_);
    is_in_core_ = false;
    books_.open(config_.book, [this] { begin_anew(); });
  }

  void begin_anew() {
    if (!is_over_ && configs_.has_next()) {  // it came while the book was read
      rebuild();
    } else if (!is_over_) {
      is_waiting_to_rebuild_ = false;
      waiting_status_ = exit_internal;
      begin();
    }
  }

  void take_next_config() {
    if (waiting_status_ == 0) {  // a collapse has counted them already
      count_games_down();
    }
    configs_.take_next();
    played_with_ = std::make_shared<const config::BotConfig>(config_);
    mask_ = bridge::Mask(config_);
    records_.renew(journal::io::RecordWriter(config_.records.directory, config_.records.newline));
  }

  ConfigInTurn configs_;
  const config::BotConfig& config_ = configs_.now();
  std::shared_ptr<const config::BotConfig> played_with_ = std::make_shared<const config::BotConfig>(config_);
  bridge::Mask mask_;
  std::uint64_t seed_;
  LogSink& log_;
  Hooks hooks_;
  base::Millis rebuild_pause_;
  std::optional<bridge::Bot> bot_;
  std::shared_ptr<Estate> estate_;  ///< shared with engines that are being buried
  std::shared_ptr<journal::io::RunAhead> ahead_;  ///< null: nobody got ready for the run
  std::uint64_t steps_ = 0;         ///< of the present run
  csa::io::ServerLink link_;
  Engines engines_;
  journal::io::Records records_;
  BookLoader books_;
  ClockMemory clocks_;
  journal::io::JournalWriter journal_;
  LinkWatch link_watch_;
  AccountLock account_lock_;  ///< as long as the bot runs, between its connections too
  std::optional<journal::io::CutOffGame> cut_off_;  ///< of an earlier process, until begin()
  std::optional<base::Result<journal::io::LeftRun, base::Message>> cut_off_read_;
  journal::io::TokenFile token_;
  std::shared_ptr<const bridge::FinishedGame> last_finished_;  ///< before the game of the token
  base::io::Alarm alarm_;
  base::io::Priority& priority_;
  base::io::Alarm patience_;  ///< with records that wait for the disk, when the bot leaves
  std::deque<Noticed> queue_;
  bool is_running_ = false;
  bool has_told_of_dropped_ = false;
  bool is_stopping_ = false;
  bool is_in_core_ = false;
  bool is_waiting_to_rebuild_ = false;
  bool is_over_ = false;
  std::optional<int> leaves_with_;  ///< Exit was asked for while records wait for the disk
  int waiting_status_ = exit_internal;  ///< of an exit before it is rebuilt
  std::shared_ptr<const bridge::FinishedGame> unrecorded_game_;  ///< the last one, while no records are kept
};

Driver::Driver(boost::asio::io_context& context, config::BotConfig config, std::uint64_t seed,
               LogSink& log, Hooks hooks, base::Millis rebuild_pause, holder::Kept* kept,
               std::shared_ptr<journal::io::RunAhead> ahead)
    : machine_(std::make_unique<Machine>(context, std::move(config), seed, log, std::move(hooks), kept, rebuild_pause,
                                         std::move(ahead))) {}

Driver::~Driver() = default;
Driver::Driver(Driver&&) noexcept = default;
Driver& Driver::operator=(Driver&&) noexcept = default;

void Driver::start() { machine_->start(); }
void Driver::request_stop(bridge::Urgency urgency) { machine_->request_stop(urgency); }
void Driver::renew(config::BotConfig config) { machine_->renew(std::move(config)); }
bridge::View Driver::view() const { return machine_->view(); }
std::uint64_t Driver::steps() const { return machine_->steps(); }
std::vector<int> Driver::engine_processes() const { return machine_->engine_processes(); }

}  // namespace kakehashi::daemon
