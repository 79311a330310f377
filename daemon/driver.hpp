// One bot in the world: feeds the core with what happens and does what it says, in order. It adds
// no rule of its own. It alone reads the clocks for the core. When the core breaks a promise that
// it made to itself (base/check.hpp), the driver drops everything and builds the bot anew.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "bridge/event.hpp"
#include "bridge/fact.hpp"
#include "bridge/finished_game.hpp"
#include "bridge/view.hpp"
#include "config/bot_config.hpp"
#include "daemon/log_sink.hpp"

namespace boost::asio {
class io_context;
}
namespace kakehashi::holder {
class Kept;
}
namespace kakehashi::journal::io {
class RunAhead;
}

namespace kakehashi::daemon {

struct RecordedGame {
  std::shared_ptr<const bridge::FinishedGame> game;  ///< never null
  std::string path;                          ///< of the record's first file; empty: none
  std::shared_ptr<const config::BotConfig> config;  ///< that it was played with
};

class Driver {
 public:
  /// Called from the io_context or from inside start() and request_stop(); none may destroy the
  /// driver.
  struct Hooks {
    std::function<void()> ready = [] {};  ///< logged in and waiting, for the first time
    std::function<void()> status = [] {};  ///< another phase
    std::function<void()> stepped = [] {};  ///< view() may have changed
    /// A game has ended and has its record, or none is kept or could be written.
    std::function<void(const RecordedGame&)> finished = [](const RecordedGame&) {};
    std::function<void(const bridge::Fact&)> happened = [](const bridge::Fact&) {};
    std::function<void(const bridge::Note&)> noted = [](const bridge::Note&) {};  ///< besides the log, for people
    /// Records of earlier games have been completed.
    std::function<void()> completed = [] {};
    /// The bot is done; `status` follows sysexits. Dying engines and last lines to the server
    /// still keep the io_context busy for a moment.
    std::function<void(int status)> exited = [](int) {};
  };

  /// From a failed check to the new bot: long enough not to hammer a server.
  static constexpr base::Millis default_rebuild_pause{10'000};

  /// `log` must outlive the driver, and `kept`, where there is a holder. `ahead`: the run that an earlier process has left, as
  /// far as it was repeated; null: not at all.
  Driver(boost::asio::io_context& context, config::BotConfig config, std::uint64_t seed,
         LogSink& log, Hooks hooks, base::Millis rebuild_pause = default_rebuild_pause, holder::Kept* kept = nullptr,
         std::shared_ptr<journal::io::RunAhead> ahead = nullptr);
  /// Drops the connection and kills the engine; no hook is called any more.
  ~Driver();
  Driver(Driver&&) noexcept;
  Driver& operator=(Driver&&) noexcept;

  /// Once.
  void start();
  void request_stop(bridge::Urgency urgency);
  /// Begins anew with another configuration: now when no game runs, else behind the game. The bot
  /// logs out and its engine quits in between; a stop that is asked for comes first.
  void renew(config::BotConfig config);

  [[nodiscard]] bridge::View view() const;
  /// Of its run.
  [[nodiscard]] std::uint64_t steps() const;
  /// The process ids of its engines.
  [[nodiscard]] std::vector<int> engine_processes() const;

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace kakehashi::daemon
