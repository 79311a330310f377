// The room base/io: what the shells need of the system: files, threads, an alarm. It owns how these are used and
// what is said when they fail; it knows no game, no protocol and no setting.
//
// Files: a descriptor that is closed, a file that is new or not made at all, a file that is read or replaced whole, and a
// file of lines that makes room for itself. No call throws; what went wrong is said in words.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/message.hpp"

namespace kakehashi::base::io {

class File {
 public:
  /// None.
  File() = default;
  /// Of open(2); not open when that fails, with errno. By default a new file can be read by all: a
  /// record holds no secret, and a web server may want to show it.
  File(const std::string& path, int flags, mode_t mode = 0644);
  /// One that is there, in a directory that is open.
  File(const File& directory, const std::string& name, int flags);
  ~File();
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  /// For what only its owner asks of it; it stays this object's.
  [[nodiscard]] int descriptor() const { return descriptor_; }

  /// All of it; false, with errno, when a part may be missing.
  [[nodiscard]] bool write(std::string_view bytes) const;
  /// Waits until everything is on the disk.
  [[nodiscard]] bool sync() const;

 private:
  int descriptor_ = -1;
};

/// Whether anything has that name; a link that leads nowhere has it too.
[[nodiscard]] bool exists(const std::string& path);
/// "No space left on device": what errno says.
[[nodiscard]] base::Message last_error();
/// A new name itself is on the disk only when its directory is. Empty when it worked.
[[nodiscard]] base::Message synchronise_directory_of(const std::string& path);

struct FileWritten {
  bool is_taken;      ///< something of that name exists, and stays as it is
  base::Message why;  ///< empty: it was written, or the name is taken
};
/// Gives a file another name that nothing has; what went wrong, or nothing.
[[nodiscard]] base::Message rename_new(const std::string& from, const std::string& to);
[[nodiscard]] FileWritten write_new_file(const std::string& path, std::string_view bytes);

/// A regular file that a person has named; a link may lead to it. Nothing when it cannot be read, is no regular file (a
/// device has no end, and a FIFO may wait for ever) or is larger than whole_bytes_max.
[[nodiscard]] std::optional<std::string> read_whole(const std::string& path);
inline constexpr std::size_t whole_bytes_max = std::size_t{1} << 30;

// What we once wrote is believed only if nobody else can have written it: a regular file and no link, of this user or
// root, which nobody else may write, in a directory of this user or root from which nobody but its group can take it away
// (a sticky one, as /tmp, keeps it too).

/// As open(2), but never followed, never waited for, and not open unless it is such a file: EPERM, where it is another.
[[nodiscard]] File open_own(const std::string& path, int flags);
/// Nothing when it is no such file, cannot be read, or is larger than that.
[[nodiscard]] std::optional<std::string> read_own(const std::string& path, std::size_t bytes_max = whole_bytes_max);
/// The same of its first `bytes`, however large it is.
[[nodiscard]] std::optional<std::string> read_own_beginning(const std::string& path, std::size_t bytes);
/// The same judgement of what a name, or the link there, leads to: for what a library opens, and a person has named.
/// Of a file of this user the right of others to write it is taken away first.
[[nodiscard]] bool keep_to_owner(const std::string& path);

/// Writes a draft beside the file, synchronises it and renames it over the file, whose permissions
/// it keeps. Why it could not, or nothing; the old file is then as it was.
[[nodiscard]] base::Message replace_whole(const std::string& path, std::string_view text);

/// What a draft of replace_whole() is called.
inline constexpr const char* draft_extension = ".tmp";

/// A file of lines: at its size it becomes NAME.1.EXT, the older ones move on, and a new one is begun. Where the directory
/// does not take that, the file goes on growing: what stands in it is never thrown away. One writer has it at a time, and
/// each of its lines is whole. It knows nothing of what the lines say.
class RotatingFile {
 public:
  struct Limits {
    std::size_t bytes_max = 0;  ///< 0: never rotated
    int keep = 0;               ///< old ones; at least one
  };

  /// What the file has to say of itself, as a whole line: `code` and sentence.
  using Tell = std::function<std::string(std::string_view code, base::Message text)>;

  /// Goes on with a file that is there. Waits for no other process longer than a moment: what is no regular file (a FIFO
  /// that nobody reads), and a file that another writer has, are troubles like any other.
  RotatingFile(std::string path, Limits limits, Tell tell);

  /// Why it is not open; empty when it is.
  [[nodiscard]] const base::Message& trouble() const { return trouble_; }
  /// What cannot be written is lost, and so much is said before the next line that can ("log_lines_lost"). Before the
  /// first line behind a rotation that failed, a line of its own says so ("log_not_rotated"), once; it is tried again
  /// each time as much has been written.
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
  Tell tell_;
  File file_;
  base::Message trouble_;
  std::size_t bytes_ = 0;  ///< since the last try to rotate
  bool is_torn_ = false;   ///< the last line stopped in the middle
  std::uint64_t lost_ = 0;  ///< lines, since the last that was written
  base::Message error_;     ///< why
  bool has_told_ = false;
};

}  // namespace kakehashi::base::io
