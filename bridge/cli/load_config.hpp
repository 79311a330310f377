// Configuration files as the commands need them: read, judged and completed with their secrets, or
// explained to the person who wrote them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/bot_config.hpp"

namespace kakehashi::bridge::cli {

/// The configuration in `path`, or nothing after all its problems went to standard error, each as
/// "file:line:column: …". With `needs_secret` the password is read too, and missing it is a problem.
[[nodiscard]] std::optional<config::BotConfig> load_config(const std::string& path,
                                                           bool needs_secret);

/// All of them, or nothing after the problems of every one were told. Two bots with one account on
/// one server are a problem: each login would end the other's connection.
[[nodiscard]] std::optional<std::vector<config::BotConfig>> load_configs(
    const std::vector<std::string>& paths);

}  // namespace kakehashi::bridge::cli
