// What was found out about how engines read their clocks: one small file beside the journals, so that an engine
// is asked once and not at each start. An entry holds for one program file as it is now (its path, size and
// times), its arguments, and the facts that the core gives. A file that cannot be read or written costs the
// asking again, and nothing else.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bridge/action.hpp"
#include "bridge/event.hpp"
#include "config/bot_config.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::daemon {

/// Beside the journals of that bot.
[[nodiscard]] std::string clock_file(const config::BotConfig& config);
/// Waits for the disk. unknown: nothing is remembered.
[[nodiscard]] usi::EngineClocks recall_clocks(const std::string& file, const config::Engine& engine,
                                              const std::string& facts);
/// Waits for the disk. The oldest entries make room.
void keep_clocks(const std::string& file, const config::Engine& engine, const std::string& facts,
                 const usi::EngineClocks& clocks);

inline constexpr std::size_t clocks_kept_max = 100;

/// The same for the loop: the disk's thread waits.
class ClockMemory {
 public:
  /// `recalled` is called from the io_context, or from inside recall().
  ClockMemory(boost::asio::io_context& context, std::function<void(bridge::ClockRecalled)> recalled);

  void recall(const config::BotConfig& config, const bridge::RecallClock& wanted);
  void keep(const config::BotConfig& config, const bridge::KeepClock& found);

 private:
  boost::asio::io_context& context_;
  /// Watched weakly: what comes too late finds nobody.
  std::shared_ptr<std::function<void(bridge::ClockRecalled)>> recalled_;
};

}  // namespace kakehashi::daemon
