// The rows of describe's table for how the server is reached; keys.cpp has the others.
#pragma once

#include <vector>

#include "config/describe.hpp"

namespace kakehashi::config {

/// What a path is, in the words of a complaint.
inline constexpr const char* any_path = "a path; without a leading ~ or $";

[[nodiscard]] std::vector<Key> server_keys();
[[nodiscard]] std::vector<Key> tls_keys();
[[nodiscard]] std::vector<Key> websocket_keys();

}  // namespace kakehashi::config
