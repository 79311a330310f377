// The room daemon: what runs bots. It owns the clocks, connections, engines' processes, books and accounts' locks of
// each, the log, signals, reload, readiness, what systemd is told, and the exit status; it decides nothing of a game:
// that is the core's.
//
// Several bots in one process: their logs, their common supervisor, the signals they all obey, and
// the one exit status that comes of it. Each bot is on its own otherwise: one that ends or fails
// leaves the others alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "base/result.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"
#include "config/yaml/load_yaml.hpp"
#include "daemon/systemd.hpp"
#include "watch/io/http_server.hpp"

namespace kakehashi::holder {
class Kept;
}

namespace kakehashi::daemon {

/// Reads the configurations again, passwords included; in whatever order they stand now.
using Reload = std::function<config::Loaded()>;

/// Runs the bots until all are done. Returns 0, or the exit status of the first bot that did not
/// end well. `seed` feeds the jitter of retries. With `status` the state of the bots can be read
/// there; a port that cannot be opened costs the page and not the games.
/// The supervisor is told that all is ready when each bot has been tried, or after `ready_within`.
/// With `kept` the bots' runs outlive this process.
/// `reload` answers SIGHUP; empty: it cannot be done.
[[nodiscard]] int run_fleet(std::vector<config::BotConfig> configs, std::uint64_t seed,
                            Reload reload,
                            std::optional<watch::io::HttpOptions> status = {},
                            base::Millis ready_within = Readiness::default_within, holder::Kept* kept = nullptr);

// --- a configuration that was read again: what it changes, key by key, and whether it may be taken at all

struct Changes {
  std::vector<std::string> with_renewal;  ///< keys that a bot takes when it begins anew
  std::vector<std::string> with_restart;  ///< keys that only the next process takes
};

[[nodiscard]] Changes changes_between(const config::BotConfig& now, const config::BotConfig& next);

/// The next configuration of each running bot, in their order: a bot is known by its name, wherever
/// its file stands now. The error says why not: other bots, or one that would log in as another does.
[[nodiscard]] base::Result<std::vector<config::BotConfig>, base::Message> in_order_of(
    const std::vector<config::BotConfig>& running, const std::vector<config::BotConfig>& next);

/// Tells the logs, and whoever asked.
using Report = std::function<void(bridge::Level level, const char* code, const base::Message& text)>;

/// The same of files that were read again; what is wrong with them is reported, and nothing is to be
/// changed then.
[[nodiscard]] std::optional<std::vector<config::BotConfig>> configs_to_take(
    config::Loaded loaded, const std::vector<config::BotConfig>& running, const Report& report);

}  // namespace kakehashi::daemon
