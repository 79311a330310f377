// The keys of an engine that hold more than one value: its command, its environment and its
// options. A part that breaks its rule is reported by its own path.
#pragma once

#include <cstddef>

#include "config/read_key.hpp"

namespace kakehashi::config {

void read_command(const KeyValue& value, std::vector<std::string>& command, Report& report);
void read_environment(const KeyValue& value, Environment& environment, Report& report);
/// Adds the place of each option to `places`.
void read_options(const KeyValue& value, EngineOptions& options, Places& places, Report& report);

inline constexpr std::size_t command_texts_max = 256;
inline constexpr std::size_t environment_names_max = 256;
inline constexpr std::size_t options_max = 1000;

}  // namespace kakehashi::config
