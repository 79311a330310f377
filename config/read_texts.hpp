// A key that holds a list of texts of one kind, or one text alone.
#pragma once

#include <cstddef>

#include "config/read_key.hpp"

namespace kakehashi::config {

/// Each text is judged by itself; one that breaks its rule leaves the whole list as it was.
void read_texts(const KeyValue& value, const TextsKey& shape, BotConfig& bot, Report& report);

inline constexpr std::size_t texts_max = 100;

}  // namespace kakehashi::config
