// The customary handicap starts, by the names that shogi-server uses in game names.
#pragma once

#include <optional>
#include <string_view>

#include "shogi/position.hpp"

namespace kakehashi::shogi {

/// "hclance", "hcbishop", "hcrook", "hcrooklance", "hc2p", "hc4p", "hc6p", "hc8p", "hc10p": the
/// start with the named pieces removed from black, black ("+") to move: there the handicapper is
/// "+" and moves first, unlike in customary shogi (observed on shogi-server).
[[nodiscard]] std::optional<Position> handicap_start(std::string_view name);

}  // namespace kakehashi::shogi
