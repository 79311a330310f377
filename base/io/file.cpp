#include "base/io/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::base::io {

File::File(const std::string& path, int flags, mode_t mode)
    : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}

File::~File() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

File::File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

bool File::write(std::string_view bytes) const {
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

bool File::sync() const { return ::fsync(descriptor_) == 0; }

namespace {

std::string write_draft(const std::string& path, std::string_view bytes) {
  ::unlink(path.c_str());  // a process that was killed may have left one
  const File draft(path, O_WRONLY | O_CREAT | O_EXCL);
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

}  // namespace

std::string failure(std::string_view what, const std::string& path) {
  return "cannot " + std::string(what) + " " + base::quote_for_log(path, 400) + ": " +
         std::strerror(errno);
}

bool exists(const std::string& path) {
  std::error_code failed;
  return std::filesystem::symlink_status(path, failed).type() !=
         std::filesystem::file_type::not_found;
}

std::string synchronise_directory_of(const std::string& path) {
  auto directory = std::filesystem::path(path).parent_path().string();
  directory = directory.empty() ? "." : directory;
  const File opened(directory, O_RDONLY | O_DIRECTORY);
  return opened.is_open() && !opened.sync() ? failure("synchronise", directory) : "";
}

std::string rename_new(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
    return "";
  }
  // Not every file system can rename without replacing; a second name for the file does the same.
  if (errno != EEXIST && ::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return "";
  }
  return failure("create", to);
}

FileWritten write_new_file(const std::string& path, std::string_view bytes) {
  if (exists(path)) {
    return {true, ""};
  }
  const auto draft = path + ".tmp";
  if (auto why = write_draft(draft, bytes); !why.empty()) {
    return {false, std::move(why)};
  }
  if (auto why = rename_new(draft, path); !why.empty()) {
    ::unlink(draft.c_str());
    const bool is_taken = exists(path);
    return {is_taken, is_taken ? "" : std::move(why)};
  }
  return {false, synchronise_directory_of(path)};
}

namespace {

constexpr mode_t private_mode = 0600;

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : private_mode;
}

}  // namespace

std::optional<std::string> read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) {
    return std::nullopt;
  }
  std::string text{std::istreambuf_iterator<char>(file), {}};
  return file.bad() ? std::nullopt : std::optional(std::move(text));
}

std::string replace_whole(const std::string& path, std::string_view text) {
  const std::string draft = path + draft_extension;
  const File file(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, private_mode);
  bool is_done = file.is_open() && file.write(text) &&
                 ::fchmod(file.descriptor(), mode_of(path)) == 0 && file.sync();
  is_done = is_done && std::rename(draft.c_str(), path.c_str()) == 0;
  const std::string why = is_done ? "" : std::strerror(errno);
  if (!is_done) {
    std::remove(draft.c_str());
  }
  return why;
}

}  // namespace kakehashi::base::io
