// The room config/io: configurations and secrets on the disk. It owns how they are opened, and who else may read a
// secret; it reads no YAML itself, and judges no setting but by what only a file system can tell.
//
// Configuration files from the disk, with their passwords: all that a command needs before it
// opens anything. Adds no rule to load_yaml's but what only a file system can tell.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "config/game_config.hpp"
#include "config/yaml/load_yaml.hpp"

namespace kakehashi::config::io {

enum class Passwords {
  read,   ///< and to miss one is a problem
  leave,  ///< unread, for commands that do not log in anywhere
};

/// One bot for each path. Every problem of every file at once; the bots may be used when there are
/// none. Print each with config::describe(problem).
[[nodiscard]] Loaded load_files(const std::vector<std::string>& paths, Passwords passwords);

/// What a zone's name stands for on this machine; what its file means is schedule's business.
/// "local" is $TZ where it names a zone, else /etc/localtime, else UTC. The error is the end of a
/// sentence.
[[nodiscard]] base::Result<std::vector<ZoneOffset>> read_zone(const std::string& name, base::WallTime now);

}  // namespace kakehashi::config::io
