// A file of lines that makes room for itself: at its size it becomes NAME.1.EXT, the older ones move
// on, and a new one is begun. Where the directory does not take that, the file goes on growing: what
// stands in it is never thrown away. One writer has it at a time, and each of its lines is whole. It knows
// nothing of what the lines say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/io/file.hpp"

namespace kakehashi::base::io {

class RotatingFile {
 public:
  struct Limits {
    std::size_t bytes_max = 0;  ///< 0: never rotated
    int keep = 0;               ///< old ones; at least one
  };

  /// Goes on with a file that is there. Waits for no other process longer than a moment: what is no regular file (a FIFO
  /// that nobody reads), and a file that another writer has, are troubles like any other.
  RotatingFile(std::string path, Limits limits);

  /// Why it is not open; empty when it is.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  /// What cannot be written is lost, and so much is said before the next line that can. Before the first
  /// line behind a rotation that failed, a line of its own says so, once; it is tried again each time as
  /// much has been written.
  void write(std::string_view line);
  /// Whether the name still leads to this file.
  [[nodiscard]] bool has_its_name() const;

 private:
  [[nodiscard]] File open_locked();
  [[nodiscard]] bool write_whole(std::string_view text);
  void make_room();
  [[nodiscard]] bool rotate();
  [[nodiscard]] File take_its_place();
  [[nodiscard]] std::string old_name(int index) const;

  std::string path_;
  Limits limits_;
  File file_;
  std::string trouble_;
  std::size_t bytes_ = 0;  ///< since the last try to rotate
  bool is_torn_ = false;   ///< the last line stopped in the middle
  std::uint64_t lost_ = 0;  ///< lines, since the last that was written
  int error_ = 0;           ///< why
  bool has_told_ = false;
};

}  // namespace kakehashi::base::io
