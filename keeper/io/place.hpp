// Where a keeper can be found on its machine: a directory that only its user can open, and in it a lock and a
// socket of the keeper's name. Nothing listens on a network.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace kakehashi::keeper::io {

/// Letters, digits and _ - . ; not a dot or a dash first; 64 at most.
[[nodiscard]] bool is_name(std::string_view name);

/// Makes the directory (mode 0700) and goes into it: a socket's path has 107 bytes at most, so that all names are
/// relative to it. Refuses one that is not ours alone, or a link. Without `directory`: ~/.kakehashi/keep.
[[nodiscard]] base::Result<std::string, std::string> enter_directory(std::string directory);

/// A descriptor that holds the lock of that name while it is open; -1 when another process holds it.
[[nodiscard]] base::Result<int, std::string> lock(const std::string& name);
/// Listening; takes the place of a socket that was left behind. Only with the lock held.
[[nodiscard]] base::Result<int, std::string> listen(const std::string& name);
/// -1: nobody listens.
[[nodiscard]] int connect(const std::string& name);
void remove_socket(const std::string& name);

}  // namespace kakehashi::keeper::io
