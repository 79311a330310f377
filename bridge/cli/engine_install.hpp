// `kakehashi engine install`: puts the keeper on the machine of an engine, by ssh.
#pragma once

#include <string>

namespace kakehashi::bridge::cli {

/// `host` as engine.host has it; `file` is the keeper to copy, or empty: the one that fits there, beside this program.
/// Says what it did; the exit status.
[[nodiscard]] int install_keeper(const std::string& host, std::string file);

}  // namespace kakehashi::bridge::cli
