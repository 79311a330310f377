// Configuration files as the commands need them: read, judged and completed with their secrets, or
// explained to the person who wrote them; and new ones, with secrets of their own.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/lines.hpp"
#include "config/bot_config.hpp"
#include "config/io/load_files.hpp"

namespace kakehashi::cli {

/// The configuration in `path`, or nothing. All its problems go to standard error, each as
/// "file:line:column: …", and so do its warnings.
[[nodiscard]] std::optional<config::BotConfig> load_config(const std::string& path, config::io::Passwords passwords,
                                                           const Terminal& terminal);

/// All of them, with all that can be known of them before a connection.
[[nodiscard]] config::Loaded judged_configs(const std::vector<std::string>& paths,
                                            config::io::Passwords passwords = config::io::Passwords::read);

/// Creates a file that must not exist yet, links included. What went wrong, or nothing; nothing is
/// left behind then.
[[nodiscard]] base::Message create_file(const std::string& path, std::string_view text, mode_t mode);

/// Whether a file can be made there: nothing, or what stands in the way, as a sentence.
[[nodiscard]] std::optional<base::Message> judge_new_file(const std::string& path);

/// `path` from the root on, since a configuration may be used from another directory.
[[nodiscard]] std::string whole_path(const std::string& path);

/// The bots, or nothing after all problems were told; warnings are told in any case.
[[nodiscard]] std::optional<std::vector<config::BotConfig>> told(config::Loaded loaded, const Terminal& terminal);

}  // namespace kakehashi::cli
