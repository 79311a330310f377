// Bounds what a flood of `info` lines costs: lines that arrived together are judged together, and
// those that a later one replaces are dropped. Knows no time and keeps nothing between calls.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kakehashi::usi {

/// Of the lines of one read: every line that is not `info`, every `info` of another kind than
/// search progress (string, error), and of the others the last `infos_max` with a pv and the last
/// `infos_max` without one, in their order.
/// Returns how many were dropped.
std::size_t thin_out(std::vector<std::string>& lines, std::size_t infos_max = 64);

}  // namespace kakehashi::usi
