// New files: one that is whole or not there, written under another name, synchronised, and then given
// its own. Nothing is ever replaced; whole_file.hpp does that.
#pragma once

#include <string>
#include <string_view>

namespace kakehashi::bridge::io {

/// Whether anything has that name; a link that leads nowhere has it too.
[[nodiscard]] bool exists(const std::string& path);
/// "cannot write "game.csa": No space left on device", from errno.
[[nodiscard]] std::string failure(std::string_view what, const std::string& path);
/// A new name itself is on the disk only when its directory is. Empty when it worked.
[[nodiscard]] std::string synchronise_directory_of(const std::string& path);

struct FileWritten {
  bool is_taken;    ///< something of that name exists, and stays as it is
  std::string why;  ///< empty: it was written, or the name is taken
};
/// Gives a file another name that nothing has; what went wrong, or an empty text.
[[nodiscard]] std::string rename_new(const std::string& from, const std::string& to);
[[nodiscard]] FileWritten write_new_file(const std::string& path, std::string_view bytes);

}  // namespace kakehashi::bridge::io
