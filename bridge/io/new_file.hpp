// A new file that is whole or not there: written under another name, synchronised, and then given
// its own. It never replaces anything; whole_file.hpp does.
#pragma once

#include <string>
#include <string_view>

namespace kakehashi::bridge::io {

struct FileWritten {
  bool is_taken;    ///< something of that name exists, and stays as it is
  std::string why;  ///< empty: it was written, or the name is taken
};
[[nodiscard]] FileWritten write_new_file(const std::string& path, std::string_view bytes);

}  // namespace kakehashi::bridge::io
