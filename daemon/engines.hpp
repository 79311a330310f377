// The engine processes of one bot, each by its number: the first engine's, and those of its standby or of the other
// members of a team. One that is being killed may still be dying while its successor already runs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/time.hpp"
#include "bridge/event.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"
#include "daemon/estate.hpp"
#include "usi/io/engine_process.hpp"

namespace boost::asio {
class io_context;
}
namespace kakehashi::daemon {

class KeptEngine;

/// What an engine gets of this process's environment, with its own variables, and what not.
[[nodiscard]] base::PassedEnvironment engine_environment(const config::Engine& settings);

class Engines {
 public:
  /// `more`: another line of the same read follows at once.
  using Happened = std::function<void(bridge::Event event, bool more)>;

  /// What people should know and no game depends on.
  using Remark = std::function<void(const bridge::Note&)>;

  /// `settings` must outlive this object. `name` is what keepers know the bot by. `happened` is told what becomes of
  /// each engine, from the io_context or from inside start().
  /// `estate`: what an engine is kept for; null: for nothing.
  Engines(boost::asio::io_context& context, std::string name, const config::Engine& settings, Happened happened,
          Remark remark, std::shared_ptr<Estate> estate = nullptr);
  ~Engines();
  Engines(const Engines&) = delete;
  Engines& operator=(const Engines&) = delete;

  void start(bridge::EngineId engine);
  /// In its place: goes on with one that an earlier process had started. False: it is not to be had.
  [[nodiscard]] bool adopt(bridge::EngineId engine, int process, std::uint64_t bytes, std::string_view last);
  /// Ignored when that engine is gone: its end may cross with a line.
  void write(bridge::EngineId engine, std::string lines);
  /// Of an engine that a keeper holds.
  void stop_at(bridge::EngineId engine, base::SteadyTime at);
  void kill(bridge::EngineId engine, base::Millis grace);
  /// Inside `happened`: up to where the stream of the line's engine is worked off with it.
  [[nodiscard]] const base::io::Legacy::Place& told() const { return told_; }
  /// Of those that run.
  [[nodiscard]] std::vector<int> processes() const;
  /// Kills all of them at once, but those that are to live on (engine.keep); nothing is heard of them any more.
  void drop_all();

 private:
  /// A process of our own, or one that a keeper holds.
  using Engine = std::variant<std::unique_ptr<usi::io::EngineProcess>, std::unique_ptr<KeptEngine>>;
  using Running = std::map<bridge::EngineId, Engine>;
  using Tell = std::function<void(bridge::Event event, bool more)>;

  [[nodiscard]] usi::io::EngineProcess::Callbacks callbacks_of(bridge::EngineId engine);
  void tell_line(bridge::EngineId engine, bridge::Event line, bool more);
  [[nodiscard]] std::function<void()> telling_start(bridge::EngineId engine, const std::vector<std::string>& withheld,
                                                    const std::string& directory);
  void start_kept(bridge::EngineId engine, const config::Engine& settings, const Tell& tell);
  void tell_flood(bridge::EngineId engine);
  /// An engine must not be destroyed while it is telling something: the loop does it later.
  void bury(bridge::EngineId engine);
  void bury(Running dead);

  boost::asio::io_context& context_;
  std::string name_;
  const config::Engine& settings_;
  /// Watched weakly by the engines' callbacks: those of dropped engines find nobody any more.
  std::shared_ptr<Happened> happened_;
  Remark remark_;
  std::shared_ptr<Estate> estate_;  ///< shared with engines that are being buried
  base::io::Legacy::Place told_;
  std::set<bridge::EngineId> flooding_;  ///< told of
  Running running_;
};

}  // namespace kakehashi::daemon
