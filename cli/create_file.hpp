// A small new file for the person at the command line: a configuration, or a secret of its own.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/message.hpp"

namespace kakehashi::cli {

/// Creates a file that must not exist yet, links included. What went wrong, or nothing; nothing is
/// left behind then.
[[nodiscard]] base::Message create_file(const std::string& path, std::string_view text, mode_t mode);

/// Whether a file can be made there: nothing, or what stands in the way, as a sentence.
[[nodiscard]] std::optional<base::Message> judge_new_file(const std::string& path);

/// `path` from the root on, since a configuration may be used from another directory.
[[nodiscard]] std::string whole_path(const std::string& path);

}  // namespace kakehashi::cli
