// A file of lines that makes room for itself: at its size it becomes NAME.1.EXT, the older ones move
// on, and a new one is begun. Where the directory does not take that, the file goes on growing: what
// stands in it is never thrown away. It knows nothing of what the lines say.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "bridge/io/file.hpp"

namespace kakehashi::bridge::io {

class RotatingFile {
 public:
  struct Limits {
    std::size_t bytes_max = 0;  ///< 0: never rotated
    int keep = 0;               ///< old ones; at least one
  };

  /// Goes on with a file that is there; not open when it cannot be, with errno.
  RotatingFile(std::string path, Limits limits);

  [[nodiscard]] bool is_open() const { return file_.is_open(); }
  /// What cannot be written is lost. Before the first line behind a rotation that failed, a line of its
  /// own says so, once; it is tried again each time as much has been written.
  void write(std::string_view line);

 private:
  void make_room();
  [[nodiscard]] bool rotate();
  [[nodiscard]] std::string old_name(int index) const;

  std::string path_;
  Limits limits_;
  File file_;
  std::size_t bytes_ = 0;  ///< since the last try to rotate
  bool has_told_ = false;
};

}  // namespace kakehashi::bridge::io
