// Several bots in one process: their logs, their common supervisor, the signals they all obey, and
// the one exit status that comes of it. Each bot is on its own otherwise: one that ends or fails
// leaves the others alone.
// The room knows no game: it starts, reloads, watches and ends bots, each through its Driver, and what it shows of
// them is made by bridge/status.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "bridge/fleet/io/supervisor.hpp"
#include "bridge/status/io/http_server.hpp"
#include "config/bot_config.hpp"
#include "config/yaml/load_yaml.hpp"

namespace kakehashi::bridge::fleet::io {

/// Reads the configurations again, passwords included; in whatever order they stand now.
using Reload = std::function<config::Loaded()>;

/// Runs the bots until all are done. Returns 0, or the exit status of the first bot that did not
/// end well. `seed` feeds the jitter of retries. With `status` the state of the bots can be read
/// there; a port that cannot be opened costs the page and not the games.
/// The supervisor is told that all is ready when each bot has been tried, or after `ready_within`.
/// `reload` answers SIGHUP; empty: it cannot be done.
[[nodiscard]] int run_fleet(std::vector<config::BotConfig> configs, std::uint64_t seed,
                            Reload reload,
                            std::optional<status::io::HttpOptions> status = {},
                            base::Millis ready_within = Readiness::default_within);

}  // namespace kakehashi::bridge::fleet::io
