// The engine processes of one bot, by their numbers: the first one and its standby. One that is being
// killed may still be dying while its successor already runs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "bridge/event.hpp"
#include "config/bot_config.hpp"

namespace boost::asio {
class io_context;
}
namespace kakehashi::usi::io {
class EngineProcess;
}

namespace kakehashi::bridge::io {

/// What an engine gets of this process's environment, with its own variables, and what not.
[[nodiscard]] config::PassedEnvironment engine_environment(const config::Engine& settings);

class Engines {
 public:
  /// `more`: another line of the same read follows at once.
  using Happened = std::function<void(Event event, bool more)>;

  /// `settings` must outlive this object. `happened` is told what becomes of each engine, from the
  /// io_context or from inside start().
  Engines(boost::asio::io_context& context, const config::Engine& settings, Happened happened);
  ~Engines();
  Engines(const Engines&) = delete;
  Engines& operator=(const Engines&) = delete;

  void start(EngineId engine);
  /// Ignored when that engine is gone: its end may cross with a line.
  void write(EngineId engine, std::string_view lines);
  void kill(EngineId engine, base::Millis grace);
  /// Of those that run.
  [[nodiscard]] std::vector<int> processes() const;
  /// Kills all of them at once; nothing is heard of them any more.
  void drop_all();

 private:
  using Running = std::map<EngineId, std::unique_ptr<usi::io::EngineProcess>>;

  /// An engine must not be destroyed while it is telling something: the loop does it later.
  void bury(EngineId engine);
  void bury(Running dead);

  boost::asio::io_context& context_;
  const config::Engine& settings_;
  /// Watched weakly by the engines' callbacks: those of dropped engines find nobody any more.
  std::shared_ptr<Happened> happened_;
  Running running_;
};

}  // namespace kakehashi::bridge::io
