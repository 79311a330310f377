// An open file of ours: its descriptor closes itself, its writes are whole. It knows no name for what
// it holds and reports by errno; what a failure means is its owner's business.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace kakehashi::bridge::io {

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

}  // namespace kakehashi::bridge::io
