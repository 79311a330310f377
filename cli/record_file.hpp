// Record files of `kakehashi record`: reads one of any format and encoding, writes one whole or not
// at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "cli/lines.hpp"
#include "shogi/record/format.hpp"

namespace kakehashi::cli {

struct RecordsRead {
  /// What of the games was not understood and left aside: a line each on standard error.
  void tell_doubts(const std::string& path, const Terminal& terminal) const;

  std::vector<shogi::record::Record> games;  ///< at least one, or there is a trouble
  base::Message trouble;                     ///< names the line where there is one
  int status = 0;                            ///< the exit status that goes with the trouble
};

/// `path` "-": standard input. Format and encoding are found out; `format` overrides the former.
[[nodiscard]] RecordsRead read_record_file(const std::string& path,
                                           std::optional<shogi::record::Format> format);

/// Nothing when it is written; else why not. An existing file is replaced only when that is wanted.
[[nodiscard]] std::optional<base::Message> write_record_file(const std::string& path, const std::string& bytes, bool replace);

/// For messages; "-" is standard input.
[[nodiscard]] base::Message shown_input(const std::string& path);

}  // namespace kakehashi::cli
