#include "rehearse/io/rehearsal_pair.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "base/checksum.hpp"
#include "base/exit_status.hpp"
#include "base/io/clocks.hpp"
#include "base/text.hpp"
#include "bridge/view.hpp"
#include "daemon/driver.hpp"
#include "daemon/log_sink.hpp"
#include "daemon/signals.hpp"
#include "games/io/archive_writer.hpp"
#include "journal/io/journal_files.hpp"
#include "rehearse/server/game_name.hpp"
#include "rehearse/server/game_report.hpp"
#include "rehearse/server/io/server_shell.hpp"
#include "usi/io/spawn.hpp"

namespace kakehashi::rehearse::io {
namespace {

using base::say;

// Kills an engine of this process in the middle of each rehearsed game, as a crash would. It knows the
// engines only as children of this process.

constexpr std::size_t moves_before = 6;

/// Engines are started from the main thread (usi/io/spawn.hpp).
std::vector<pid_t> children() {
  const std::string self = std::to_string(::getpid());
  std::ifstream list("/proc/self/task/" + self + "/children");
  std::vector<pid_t> found;
  for (pid_t one = 0; list >> one;) {
    found.push_back(one);
  }
  return found;
}

class EngineKiller {
 public:
  explicit EngineKiller(std::uint64_t seed) : random_(seed) {}

  /// Once in each game, some moves after its beginning. True: an engine was killed.
  [[nodiscard]] bool strikes(const bridge::View& view) {
    if (!view.game || view.game->end || view.phase != bridge::Phase::playing ||
        view.game->moves.size() < moves_before || view.game->game_id == last_game_) {
      return false;
    }
    last_game_ = view.game->game_id;
    const auto engines = children();
    if (engines.empty()) {
      return false;
    }
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;
    const auto chosen = engines[static_cast<std::size_t>((random_ >> 33U) % engines.size())];
    return ::kill(chosen, SIGKILL) == 0;
  }

 private:
  std::uint64_t random_;
  std::string last_game_;
};

namespace asio = boost::asio;

constexpr base::Millis redraw_interval{100};

class Rehearsal {
 public:
  Rehearsal(const RehearsalPlan& plan, Series& series, Show& show, RehearsalReport& report, const KeepResult& keep)
      : plan_(plan),
        series_(series),
        show_(show),
        report_(report),
        keep_(keep),
        log_(plan.configs[0].log),
        signals_(context_, signal_callbacks()),
        redraw_timer_(context_) {
    if (!plan.directory.empty()) {
      archive_.emplace(context_, [this](const std::string& bot, const bridge::Note& note) {
        log_.note(base::io::read_clocks().wall, bot, note);
      });
    }
  }

  int run() {
    for (int number = 0; number < plan_.concurrency; ++number) {
      const auto game = series_.begin_next();
      if (!game) {
        break;
      }
      if (const base::Message why = add_pair(number, *game); !why.empty()) {
        show_.tell(why);
        return base::exit_unavailable;
      }
    }
    if (pairs_.empty()) {
      return status_;
    }
    redraw();
    for (const auto& pair : pairs_) {
      pair->start();
    }
    context_.run();
    show_.draw(base::io::read_clocks().steady);
    return status_;
  }

 private:
  /// Two bots and their server, who play one game after the other.
  class Pair {
   public:
    Pair(Rehearsal& rehearsal, int number)
        : rehearsal_(rehearsal),
          number_(number),
          server_(rehearsal.context_, shell_options(rehearsal.plan_, number),
                  {[this](const rehearse::server::GameReport& told) {
                     // Not from inside the server, which is to be told what comes next.
                     asio::post(rehearsal_.context_, [this, game = game_, told] { rehearsal_.reported(*this, game, told); });
                   },
                   {}}),
          killer_(rehearsal.plan_.seed) {}

    /// Why not, or nothing.
    base::Message open() {
      const auto port = server_.start();
      if (!port) {
        return say("cannot start the embedded server: {}", port.error());
      }
      const auto way = open_fault_proxy(*port);
      if (!way) {
        return say("cannot open the way to the embedded server: {}", way.error());
      }
      auto configs = prepare_configs(rehearsal_.plan_, *way, number_);
      names_ = {configs[0].account.name, configs[1].account.name};
      if (rehearsal_.archive_) {
        rehearsal_.archive_->catch_up(configs[0]);
      }
      for (std::size_t bot = 0; bot < drivers_.size(); ++bot) {
        const std::uint64_t seed = rehearsal_.plan_.seed + 2 * static_cast<std::uint64_t>(number_) + bot;
        drivers_[bot] = std::make_unique<daemon::Driver>(rehearsal_.context_, std::move(configs[bot]), seed, rehearsal_.log_,
                                                         hooks(bot));
      }
      return {};
    }

    void start() {
      for (const auto& driver : drivers_) {
        driver->start();
      }
    }

    /// Said of the next game that is paired, before the bots can have logged in for it.
    void arrange(const SeriesGame& game) {
      game_ = game;
      rehearse::server::Arrangement next;
      next.black = names_[game.first_is_black ? 0 : 1];
      if (!rehearsal_.plan_.starts.empty()) {
        const StartPosition& from = rehearsal_.plan_.starts[game.start];
        next.start = from.start;
        for (auto& move : csa_moves(from)) {
          next.moves.push_back({std::move(move), 0});
        }
      }
      if (rehearsal_.plan_.is_series) {
        next.event = "game" + std::to_string(game.number);
      }
      server_.arrange(std::move(next));
    }

    void stop(bridge::Urgency urgency) {
      for (std::size_t bot = 0; bot < drivers_.size(); ++bot) {
        if (drivers_[bot] && !is_done_[bot]) {
          drivers_[bot]->request_stop(urgency);
        }
      }
    }

    [[nodiscard]] bool is_done() const { return is_done_[0] && is_done_[1]; }

    void close() {
      if (fault_proxy_) {
        fault_proxy_->stop();
      }
      server_.stop();
    }

   private:
    static rehearse::server::io::ShellOptions shell_options(const RehearsalPlan& plan, int number) {
      rehearse::server::io::ShellOptions options;
      options.seed = plan.seed + static_cast<std::uint64_t>(number);
      options.settings.max_moves = plan.max_moves;
      options.settings.least_time_per_move_s = plan.least_time_s;
      options.settings.floodgate_interval = plan.habits.pair_every;
      return options;
    }

    base::Result<std::uint16_t, base::Message> open_fault_proxy(std::uint16_t server_port) {
      FaultPlan way;
      way.server_port = server_port;
      way.agree_held = rehearsal_.plan_.habits.agree_held;
      way.rejected_pairings = rehearsal_.plan_.habits.rejected_pairings;
      way.faults = rehearsal_.plan_.faults;
      way.seed = rehearsal_.plan_.seed;
      fault_proxy_ = std::make_unique<FaultProxy>(rehearsal_.context_, way,
                                                  [this](RehearsalReport::Injected what) { rehearsal_.report_.injected(what); });
      return fault_proxy_->start();
    }

    daemon::Driver::Hooks hooks(std::size_t bot) {
      daemon::Driver::Hooks made;
      made.happened = [this, bot](const bridge::Fact& fact) { rehearsal_.report_.take(bot, fact); };
      if (rehearsal_.show_.wants_views() || rehearsal_.plan_.is_judged) {
        made.stepped = [this, bot] { look(bot); };
      }
      if (rehearsal_.archive_ && bot == 0) {
        made.finished = [this](const daemon::RecordedGame& finished) {
          rehearsal_.archive_->take(*finished.config, finished.game, finished.path);
        };
      }
      made.exited = [this, bot](int status) { ended(bot, status); };
      return made;
    }

    void look(std::size_t bot) {
      if (!drivers_[bot]) {
        return;
      }
      auto view = drivers_[bot]->view();
      rehearsal_.report_.observe(bot, view);
      if (rehearsal_.plan_.faults.kills_engines && killer_.strikes(view)) {
        rehearsal_.report_.engine_killed(bot);
      }
      if (rehearsal_.show_.wants_views()) {
        rehearsal_.show_.observe(bot, std::move(view));
      }
    }

    void ended(std::size_t bot, int status) {
      is_done_[bot] = true;
      if (status != base::exit_ok) {
        rehearsal_.failed(status);
      }
      if (is_done()) {
        rehearsal_.leave_when_done();
      }
    }

    Rehearsal& rehearsal_;
    int number_;
    rehearse::server::io::ServerShell server_;
    EngineKiller killer_;
    std::array<std::string, 2> names_;
    SeriesGame game_;
    std::unique_ptr<FaultProxy> fault_proxy_;
    std::array<std::unique_ptr<daemon::Driver>, 2> drivers_;
    std::array<bool, 2> is_done_{};
  };

  base::Message add_pair(int number, const SeriesGame& game) {
    pairs_.push_back(std::make_unique<Pair>(*this, number));
    base::Message why = pairs_.back()->open();
    if (why.empty()) {
      pairs_.back()->arrange(game);
    }
    return why;
  }

  void reported(Pair& pair, const SeriesGame& played, const rehearse::server::GameReport& told) {
    if (const auto* move = std::get_if<rehearse::server::MovePlayed>(&told)) {
      show_.moved(played.number, move->ply);
    } else if (const auto* end = std::get_if<rehearse::server::GameEnded>(&told)) {
      take(pair, played, *end);
    }
    // A game that was rejected is offered again.
  }

  /// One bot left; nobody is left to play against.
  void failed(int status) {
    if (!is_breaking_off_) {
      status_ = status_ == base::exit_ok ? status : status_;
      asio::post(context_, [this] { break_off(); });
    }
  }

  /// What the server says counts. What the end of a game that is given up comes to does not.
  void take(Pair& pair, const SeriesGame& played, const rehearse::server::GameEnded& end) {
    if (is_breaking_off_ || is_giving_up_) {
      show_.broken_off(played.number);
      return;
    }
    SeriesResult result{played.number, csa::Outcome::draw, rehearse::server::summary_word(end.reason),
                        static_cast<int>(end.moves.size()), base::fnv1a(std::to_string(played.start))};
    if (end.winner) {
      const bool black_won = *end.winner == shogi::Color::black;
      result.outcome = black_won == played.first_is_black ? csa::Outcome::win : csa::Outcome::lose;
    }
    for (const auto& move : end.moves) {
      result.moves = base::fnv1a(move.text, result.moves);
    }
    if (series_.take(result)) {
      base::Message why = keep_(result);
      show_.ended(result, base::io::read_clocks().steady);
      if (!why.empty()) {
        show_.tell(say("{}; stopping, for what is played would be lost", std::move(why)));
        status_ = base::exit_cannot_create;
        pair.stop(bridge::Urgency::drain);
        break_off(&pair);
        return;
      }
    }
    go_on(pair);
  }

  void go_on(Pair& pair) {
    if (is_stopping_) {
      return;  // its bots know that it was the last game
    }
    if (const auto next = series_.begin_next()) {
      pair.arrange(*next);
      return;
    }
    pair.stop(bridge::Urgency::drain);
    if (series_.answer() != SprtAnswer::open) {
      if (pairs_.size() > 1) {
        show_.tell(say("the answer is known; what is being played would not change it and is broken off"));
      }
      break_off(&pair);
    }
  }

  daemon::Signals::Callbacks signal_callbacks() {
    daemon::Signals::Callbacks callbacks;
    callbacks.stop_requested = [this](bridge::Urgency urgency, const char* name) {
      const bool is_patient = urgency == bridge::Urgency::drain;
      const std::string_view signal(name);
      show_.tell(!is_patient ? say("{}: stopping", signal)
                : plan_.is_series
                    ? say("{}: what is being played is finished first; again to break it off", signal)
                    : say("{}: this game is finished first; again to resign it", signal));
      is_stopping_ = true;
      if (!is_patient && plan_.is_series) {
        status_ = status_ == base::exit_ok ? base::exit_left : status_;
        break_off();
      } else {
        is_giving_up_ = !is_patient;
        stop(urgency);
      }
    };
    callbacks.hangup = [] {};
    return callbacks;
  }

  void stop(bridge::Urgency urgency) {
    for (const auto& pair : pairs_) {
      pair->stop(urgency);
    }
  }

  /// At once, and nothing counts any more. `but`: that pair's game is over, and its bots hear of that first.
  void break_off(const Pair* but = nullptr) {
    if (std::exchange(is_breaking_off_, true)) {
      return;
    }
    for (const auto& pair : pairs_) {
      if (pair.get() != but) {
        pair->stop(bridge::Urgency::at_once);
      }
    }
  }

  void leave_when_done() {
    if (!std::all_of(pairs_.begin(), pairs_.end(), [](const auto& pair) { return pair->is_done(); })) {
      return;
    }
    for (const auto& pair : pairs_) {
      pair->close();
    }
    if (archive_) {
      archive_->close();
    }
    signals_.stop();
    redraw_timer_.cancel();
    is_over_ = true;
  }

  void redraw() {
    if (is_over_) {
      return;
    }
    show_.draw(base::io::read_clocks().steady);
    redraw_timer_.expires_after(redraw_interval);
    redraw_timer_.async_wait([this](boost::system::error_code failed) {
      if (!failed) {
        redraw();
      }
    });
  }

  const RehearsalPlan& plan_;
  Series& series_;
  Show& show_;
  RehearsalReport& report_;
  const KeepResult& keep_;
  asio::io_context context_{1};
  daemon::LogSink log_;
  daemon::Signals signals_;
  asio::steady_timer redraw_timer_;
  std::optional<games::io::ArchiveWriter> archive_;
  std::vector<std::unique_ptr<Pair>> pairs_;
  bool is_stopping_ = false;      ///< no further game is begun
  bool is_giving_up_ = false;     ///< the running game is resigned
  bool is_breaking_off_ = false;  ///< running games are left
  bool is_over_ = false;
  int status_ = base::exit_ok;
};

/// Members of a team may run on all processors that the team has, but for those whose own the person wrote. Teams that
/// play at the same time would divide the same processors in the same way, and all their first engines share one.
void leave_processors_undivided(config::Engine& first) {
  std::vector<std::string> all;
  for (const int cpu : usi::io::processors()) {
    all.push_back(std::to_string(cpu));
  }
  for (config::FurtherEngine& member : first.team) {
    if (member.cpus.empty()) {
      member.cpus = first.limits.cpus.empty() ? base::join(all, ",") : first.limits.cpus;
    }
  }
}

/// The first name with "-2", still short enough for an account.
std::string second_name(const std::string& first) {
  return first.substr(0, rehearse::server::identifier_bytes_max - 2) + "-2";
}

}  // namespace

std::array<config::BotConfig, 2> prepare_configs(const RehearsalPlan& plan, std::uint16_t port, int pair) {
  auto configs = plan.configs;
  for (auto& config : configs) {
    config.server.host = "127.0.0.1";
    config.server.port = port;
    config.server.tls = {};  // the embedded server is spoken to straight
    config.server.websocket = {};
    config.server.proxy.reset();
    config.account.password = base::Secret("rehearsal");
    config.game.name = plan.game_name;
    config.game.count.reset();  // the series knows how many
    config.game.meet_own = true;
    config.schedule = {};
    if (plan.concurrency > 1) {
      leave_processors_undivided(config.engine);
    }
    if (plan.directory.empty()) {
      // Of their own: the next run would take the games for ones that it has to add to the archive.
      config.journal.directory = journal::io::journal_directory(config) + "/rehearsal";
    } else {
      config.records.directory = plan.directory + "/records";
      config.journal.directory = plan.directory + "/journal";
      config.archive = {true, plan.directory + "/games.db"};
    }
  }
  if (configs[0].account.name == configs[1].account.name) {
    configs[1].account.name = second_name(configs[0].account.name);
  }
  for (auto& config : configs) {
    // Journals and logs of all pairs stand side by side; who plays is called the same in each.
    config.name = config.account.name + (pair == 0 ? "" : "." + std::to_string(pair + 1));
  }
  return configs;
}

int play_rehearsal(const RehearsalPlan& plan, Series& series, Show& show, RehearsalReport& report,
                   const KeepResult& keep) {
  return Rehearsal(plan, series, show, report, keep).run();
}

}  // namespace kakehashi::rehearse::io
