// A whole small file as text, or why not. The only place where config opens a file.
#pragma once

#include <cstddef>
#include <string>

#include "base/message.hpp"

namespace kakehashi::config::io {

struct FileRead {
  std::string text;
  base::Message trouble;          ///< "cannot be opened: No such file or directory"; empty: all well
  bool is_open_to_others = false; ///< its mode lets its group or everyone read it
  bool is_open_to_all = false;    ///< everyone, that is
  bool is_absent = false;         ///< there is no such file
  bool is_forbidden = false;      ///< this user may not open it

  [[nodiscard]] bool is_good() const { return trouble.empty(); }
};

/// Regular files only: a pipe or a device could keep the program waiting. Reads at most
/// `bytes_max` + 1 bytes, so that the caller can tell a longer one.
[[nodiscard]] FileRead read_file(const std::string& path, std::size_t bytes_max);

/// All of standard input, waiting for its end; at most `bytes_max` + 1 bytes of it.
[[nodiscard]] FileRead read_standard_input(std::size_t bytes_max);

}  // namespace kakehashi::config::io
