// Which of the bridge's own environment variables an engine gets: names and patterns (engine.pass_environment).
// Pure: the environment is an argument.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kakehashi::base {

using Environment = std::vector<std::pair<std::string, std::string>>;

/// In engine.pass_environment: the variables of libraries, GPUs, threads, ssh and language runtimes.
inline constexpr std::string_view usual_environment = "usual";

/// Whether the variable is passed. What every program needs (PATH, HOME, the locale) always is. A pattern lets
/// nothing through that looks like a secret; a full name does.
[[nodiscard]] bool passes(const std::vector<std::string>& patterns, std::string_view name);

struct PassedEnvironment {
  Environment passed;
  std::vector<std::string> withheld;  ///< names, sorted; without those that no engine looks at
};
[[nodiscard]] PassedEnvironment pass_environment(const std::vector<std::string>& patterns, const Environment& all);

/// Whether an engine that has not come to play may have failed for want of a withheld variable ("A, B"): it has said
/// nothing of its own, or something of a library or of one of them.
[[nodiscard]] bool may_miss(std::string_view withheld, const std::vector<std::string>& last_words);

}  // namespace kakehashi::base
