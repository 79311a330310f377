// How a command declares what it takes: its options by name, where their values go, what they mean, and what a value is
// called in its help. Only the commands' sources include this. What options are read into is shared with the callback: both
// outlive the function that registers a command.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/message.hpp"

namespace kakehashi::cli {

template <class Target>
CLI::Option* option(CLI::App& command, const std::string& name, Target& into, const base::Message& help,
                    const std::string& type = "") {
  CLI::Option* made = command.add_option(name, into, help.english());
  return type.empty() ? made : made->type_name(type);
}

template <class Target>
CLI::Option* flag(CLI::App& command, const std::string& name, Target& into, const base::Message& help) {
  return command.add_flag(name, into, help.english());
}

}  // namespace kakehashi::cli
