// An engine that a keeper holds, on this machine or on another: the same door as that of a process of our own
// (usi/io/engine_process.hpp), and news of its links. What is said over which link is keeper/client.hpp's; here are the
// processes that carry it, ssh or kakehashi-keep, and the clock.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "base/time.hpp"
#include "bridge/event.hpp"
#include "config/engine_config.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::daemon {

class KeptEngine {
 public:
  /// Called from the io_context, never from inside a call of this class.
  struct Callbacks {
    std::function<void()> started;
    std::function<void(base::Message why)> failed;  ///< nothing follows
    std::function<void(std::string line, bool more)> line;
    std::function<void(std::string line)> stderr_line;
    std::function<void(base::Message status)> exited;  ///< nothing follows
    std::function<void(bridge::EngineLink link)> link;  ///< without the engine's number
    std::function<void()> floods;  ///< lines are left out
  };
  struct Wanted {
    std::string name;   ///< of the bot and seat
    bool fresh = false; ///< an engine that is there already was given up by this process
    std::vector<std::pair<std::string, std::string>> environment;
  };

  KeptEngine(boost::asio::io_context& context, const config::Engine& settings, Wanted wanted, Callbacks callbacks);
  /// Lets go. What was said last still gets its time to leave.
  ~KeptEngine();
  KeptEngine(const KeptEngine&) = delete;
  KeptEngine& operator=(const KeptEngine&) = delete;

  void start();
  void write(std::string_view lines);
  void stop_at(base::SteadyTime at);
  void kill();
  /// Of the first link that runs.
  [[nodiscard]] int process() const;

 private:
  class Run;
  std::shared_ptr<Run> run_;  ///< shared with its pending Asio handlers only
};

/// kakehashi-keep, beside this program, or by PATH.
[[nodiscard]] std::string keeper_program();

/// The command of each way to the engine's keeper, as it is started.
[[nodiscard]] std::vector<std::vector<std::string>> link_commands(const config::Engine& settings,
                                                                  const std::string& name, const std::string& fresh);

}  // namespace kakehashi::daemon
