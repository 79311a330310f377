#include "bridge/io/new_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::bridge::io {
namespace {

/// Readable by all: a record holds no secret, and a web server may want to show it.
constexpr mode_t file_mode = 0644;

/// A descriptor that closes itself.
class File {
 public:
  File(const std::string& path, int flags) : descriptor_(::open(path.c_str(), flags, file_mode)) {}
  ~File() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] bool sync() const { return ::fsync(descriptor_) == 0; }
  [[nodiscard]] bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) {
        continue;
      }
      if (count <= 0) {
        return false;
      }
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

 private:
  int descriptor_;
};

std::string failure(std::string_view what, const std::string& path) {
  return "cannot " + std::string(what) + " " + base::quote_for_log(path, 400) + ": " +
         std::strerror(errno);
}

/// A link that leads nowhere has the name too.
bool exists(const std::string& path) {
  std::error_code failed;
  return std::filesystem::symlink_status(path, failed).type() !=
         std::filesystem::file_type::not_found;
}

std::string write_draft(const std::string& path, std::string_view bytes) {
  const File draft(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
  if (!draft.is_open()) {
    return failure("create", path);
  }
  if (!draft.write(bytes) || !draft.sync()) {
    auto why = failure("write", path);
    ::unlink(path.c_str());
    return why;
  }
  return "";
}

/// The new name itself is on the disk only when the directory is.
std::string synchronise_directory_of(const std::string& path) {
  auto directory = std::filesystem::path(path).parent_path().string();
  directory = directory.empty() ? "." : directory;
  const File opened(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return opened.is_open() && !opened.sync() ? failure("synchronise", directory) : "";
}

}  // namespace

FileWritten write_new_file(const std::string& path, std::string_view bytes) {
  if (exists(path)) {
    return {true, ""};
  }
  const auto draft = path + ".tmp";
  if (auto why = write_draft(draft, bytes); !why.empty()) {
    return {false, std::move(why)};
  }
  // Not every file system can rename without replacing; a second name for the draft does the same.
  bool is_done = ::renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0;
  if (!is_done) {
    is_done = errno != EEXIST && ::link(draft.c_str(), path.c_str()) == 0;
    const int why = errno;
    ::unlink(draft.c_str());
    errno = why;
  }
  if (!is_done) {
    const bool is_taken = errno == EEXIST;
    return {is_taken, is_taken ? "" : failure("create", path)};
  }
  return {false, synchronise_directory_of(path)};
}

}  // namespace kakehashi::bridge::io
