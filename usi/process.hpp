// An engine's process as plain data: what it may take of the machine, which usi/io/spawn applies, how it ended, and what
// is odd with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"

namespace kakehashi::usi {

struct ProcessLimits {
  std::uint64_t memory = 0;         ///< bytes of data and anonymous memory (RLIMIT_DATA); 0: no limit
  std::uint64_t address_space = 0;  ///< bytes (RLIMIT_AS); 0: no limit
  std::optional<int> open_files{};  ///< RLIMIT_NOFILE
  bool core_dumps = true;
  int nice = 0;                     ///< 0 to 19
  std::string cpus{};               ///< that it may run on, "0-3,8"; empty: all
};

/// Processors as people list them, by the kernel's numbers: in rising order and each once; nothing when the text is no
/// list, or names more than cpu_max.
[[nodiscard]] std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

inline constexpr int cpu_max = 1023;

/// How a process ended.
struct ProcessEnd {
  enum class How {
    exited,
    killed,   ///< by a signal
    unknown,  ///< it is being traced, and who traces it keeps its status
  };
  How how = How::exited;
  int number = 0;  ///< the exit status, or the signal
};

/// "exit status 3", "signal 9 (Killed)".
[[nodiscard]] base::Message in_words(ProcessEnd end);

/// What only who examines an engine wants to know of its process and its pipes.
enum class Oddity {
  flood,            ///< so many info lines at once that some were dropped
  babble,           ///< so many lines that are no info that some were dropped
  line_too_long,    ///< or with a NUL byte: the line was left out
  unfinished_line,  ///< the last one came without its end; it is told as a line all the same
  output_closed,    ///< standard output was closed while the process lived on
  children_left,    ///< its process group was not empty when it ended; killed
};

}  // namespace kakehashi::usi
