// Files: a descriptor that is closed, a file that is new or not made at all, a file that is read or
// replaced whole. No call throws; what went wrong is said in words.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace kakehashi::base::io {

class File {
 public:
  /// None.
  File() = default;
  /// Of open(2); not open when that fails, with errno. By default a new file can be read by all: a
  /// record holds no secret, and a web server may want to show it.
  File(const std::string& path, int flags, mode_t mode = 0644);
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

/// Nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> read_whole(const std::string& path);

/// Writes a draft beside the file, synchronises it and renames it over the file, whose permissions
/// it keeps. Why it could not, or an empty text; the old file is then as it was.
[[nodiscard]] std::string replace_whole(const std::string& path, std::string_view text);

/// What a draft of replace_whole() is called.
inline constexpr const char* draft_extension = ".tmp";

}  // namespace kakehashi::base::io
