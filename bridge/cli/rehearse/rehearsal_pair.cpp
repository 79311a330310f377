#include "bridge/cli/rehearse/rehearsal_pair.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bridge/cli/rehearse/fault_proxy.hpp"
#include "bridge/fleet/io/exit_status.hpp"
#include "bridge/fleet/io/signals.hpp"
#include "bridge/io/driver.hpp"
#include "bridge/journal/io/journal_files.hpp"
#include "bridge/log/io/log_sink.hpp"
#include "bridge/view.hpp"
#include "csa/server/game_name.hpp"
#include "csa/server/io/server_shell.hpp"

namespace kakehashi::bridge::cli {
namespace {

// Kills an engine of this process in the middle of each rehearsed game, as a crash would. It knows the
// engines only as children of this process.

class EngineKiller {
 public:
  explicit EngineKiller(std::uint64_t seed) : random_(seed) {}

  /// Once in each game, some moves after its beginning. True: an engine was killed.
  [[nodiscard]] bool strikes(const View& view);

 private:
  std::uint64_t random_;
  std::string last_game_;
};

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

bool EngineKiller::strikes(const View& view) {
  if (!view.game || view.game->end || view.phase != Phase::playing ||
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

namespace asio = boost::asio;

constexpr base::Millis redraw_interval{100};

class Pair {
 public:
  Pair(const RehearsalPlan& plan, RehearsalShow& show, RehearsalReport& report)
      : plan_(plan),
        show_(show),
        report_(report),
        log_(plan.configs[0].log),
        server_(context_, shell_options(plan)),
        signals_(context_, signal_callbacks()),
        redraw_timer_(context_),
        killer_(plan.seed) {}

  int run() {
    const auto port = server_.start();
    if (!port) {
      show_.say("cannot start the embedded server: " + port.error());
      return exit_unavailable;
    }
    const auto way = open_fault_proxy(*port);
    if (!way) {
      show_.say("cannot open the way to the embedded server: " + way.error());
      return exit_unavailable;
    }
    auto configs = prepare_configs(plan_, *way);
    for (std::size_t bot = 0; bot < drivers_.size(); ++bot) {
      drivers_[bot] = std::make_unique<io::Driver>(context_, std::move(configs[bot]),
                                                   plan_.seed + bot, log_, hooks(bot));
    }
    redraw();
    for (const auto& driver : drivers_) {
      driver->start();
    }
    context_.run();
    show_.draw(io::read_clocks().steady);
    return status_;
  }

 private:
  static csa::server::io::ShellOptions shell_options(const RehearsalPlan& plan) {
    csa::server::io::ShellOptions options;
    options.seed = plan.seed;
    options.settings.max_moves = plan.max_moves;
    options.settings.least_time_per_move_s = plan.least_time_s;
    options.settings.floodgate_interval = plan.habits.pair_every;
    return options;
  }

  base::Result<std::uint16_t, std::string> open_fault_proxy(std::uint16_t server_port) {
    FaultPlan way;
    way.server_port = server_port;
    way.agree_held = plan_.habits.agree_held;
    way.rejected_pairings = plan_.habits.rejected_pairings;
    way.faults = plan_.faults;
    way.seed = plan_.seed;
    fault_proxy_ = std::make_unique<FaultProxy>(context_, way,
                                       [this](const std::string& what) { report_.injected(what); });
    return fault_proxy_->start();
  }

  io::Driver::Hooks hooks(std::size_t bot) {
    io::Driver::Hooks made;
    made.happened = [this, bot](const Fact& fact) { report_.take(bot, fact); };
    made.stepped = [this, bot] {
      if (!drivers_[bot]) {
        return;
      }
      auto view = drivers_[bot]->view();
      report_.observe(bot, view);
      if (plan_.faults.kills_engines && killer_.strikes(view)) {
        report_.engine_killed(bot);
        report_.injected("an engine is killed in mid-game");
      }
      show_.observe(bot, std::move(view));
    };
    made.exited = [this, bot](int status) { ended(bot, status); };
    return made;
  }

  io::Signals::Callbacks signal_callbacks() {
    io::Signals::Callbacks callbacks;
    callbacks.stop_requested = [this](Urgency urgency, const char* name) {
      show_.say(std::string(name) +
                (urgency == Urgency::drain ? ": this game is finished first; again to resign it"
                                           : ": stopping"));
      stop(urgency);
    };
    callbacks.hangup = [] {};
    return callbacks;
  }

  void stop(Urgency urgency) {
    for (std::size_t bot = 0; bot < drivers_.size(); ++bot) {
      if (drivers_[bot] && !is_done_[bot]) {
        drivers_[bot]->request_stop(urgency);
      }
    }
  }

  void ended(std::size_t bot, int status) {
    is_done_[bot] = true;
    status_ = status_ == exit_ok ? status : status_;
    if (!is_done_[1 - bot]) {
      if (status != exit_ok) {
        // Nobody is left to play against.
        asio::post(context_, [this] { stop(Urgency::at_once); });
      }
      return;
    }
    fault_proxy_->stop();
    server_.stop();
    signals_.stop();
    redraw_timer_.cancel();
  }

  void redraw() {
    if (is_done_[0] && is_done_[1]) {
      return;
    }
    show_.draw(io::read_clocks().steady);
    redraw_timer_.expires_after(redraw_interval);
    redraw_timer_.async_wait([this](boost::system::error_code failed) {
      if (!failed) {
        redraw();
      }
    });
  }

  const RehearsalPlan& plan_;
  RehearsalShow& show_;
  RehearsalReport& report_;
  asio::io_context context_{1};
  io::LogSink log_;
  csa::server::io::ServerShell server_;
  io::Signals signals_;
  asio::steady_timer redraw_timer_;
  EngineKiller killer_;
  std::unique_ptr<FaultProxy> fault_proxy_;
  std::array<std::unique_ptr<io::Driver>, 2> drivers_;
  std::array<bool, 2> is_done_{};
  int status_ = exit_ok;
};

/// The first name with "-2", still short enough for an account.
std::string second_name(const std::string& first) {
  return first.substr(0, csa::server::identifier_bytes_max - 2) + "-2";
}

}  // namespace

std::array<config::BotConfig, 2> prepare_configs(const RehearsalPlan& plan, std::uint16_t port) {
  auto configs = plan.configs;
  for (auto& config : configs) {
    config.server.host = "127.0.0.1";
    config.server.port = port;
    config.account.password = base::Secret("rehearsal");
    config.game.name = plan.game_name;
    config.game.count = plan.games;
    config.game.meet_own = true;
    config.schedule = {};
    // Of their own: the next run would take the games for ones that it has to add to the archive.
    config.journal.directory = io::journal_directory(config) + "/rehearsal";
  }
  if (configs[0].account.name == configs[1].account.name) {
    configs[1].account.name = second_name(configs[0].account.name);
  }
  configs[0].name = configs[0].account.name;
  configs[1].name = configs[1].account.name;
  return configs;
}

int play_rehearsal(const RehearsalPlan& plan, RehearsalShow& show, RehearsalReport& report) {
  return Pair(plan, show, report).run();
}

}  // namespace kakehashi::bridge::cli
