#include "bridge/io/record_writer.hpp"

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

constexpr std::size_t name_bytes_max = 200;
/// Readable by all: a record holds no secret, and a web server may want to show it.
constexpr mode_t file_mode = 0644;

std::string failure(std::string_view what, const std::string& path) {
  return "cannot " + std::string(what) + " " + base::quote_for_log(path, 400) + ": " +
         std::strerror(errno);
}

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
  [[nodiscard]] bool write(std::string_view text) const {
    while (!text.empty()) {
      const auto count = ::write(descriptor_, text.data(), text.size());
      if (count < 0 && errno == EINTR) {
        continue;
      }
      if (count <= 0) {
        return false;
      }
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

 private:
  int descriptor_;
};

/// Where the extension begins; the end when there is none.
std::size_t extension_at(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name.size() : dot;
}

}  // namespace

std::string safe_file_name(std::string_view name) {
  std::string safe;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    safe += byte < 0x20 || byte == 0x7f || c == '/' || c == '\\' ? '_' : c;
  }
  if (safe.size() > name_bytes_max) {
    const auto extension = safe.substr(extension_at(safe));
    const auto kept = extension.size() < 16 ? extension : "";
    safe.resize(name_bytes_max - kept.size());
    safe += kept;
  }
  if (safe.empty() || safe[0] == '.') {
    safe = "_" + safe;
  }
  return safe;
}

RecordWritten RecordWriter::begin(std::string_view name, std::string_view text) {
  auto safe = safe_file_name(name);
  if (safe == name_ && !path_.empty()) {
    return {path_, replace(text)};
  }
  name_ = std::move(safe);
  path_.clear();
  auto why = create(text);
  return {path_, std::move(why)};
}

RecordWritten RecordWriter::append(std::string_view text) {
  if (path_.empty()) {
    return {path_, "there is no record file to add to"};
  }
  const File file(path_, O_WRONLY | O_APPEND | O_CLOEXEC);
  const bool is_written = file.is_open() && file.write(text);
  return {path_, is_written ? "" : failure("add to", path_)};
}

RecordWritten RecordWriter::finish(std::string_view text) {
  if (name_.empty()) {
    return {"", "there is no game to finish the record of"};
  }
  auto why = path_.empty() ? create(text) : std::string();
  if (!path_.empty()) {
    why = replace(text);
  }
  name_.clear();
  return {path_, std::move(why)};
}

std::string RecordWriter::create(std::string_view text) {
  std::error_code failed;
  std::filesystem::create_directories(directory_, failed);
  if (failed) {
    return "cannot create the directory " + base::quote_for_log(directory_, 400) + ": " +
           failed.message();
  }
  const auto extension = extension_at(name_);
  for (int number = 1; number <= suffix_max; ++number) {
    const auto suffix = number == 1 ? std::string() : "-" + std::to_string(number);
    const auto path = (std::filesystem::path(directory_) /
                       (name_.substr(0, extension) + suffix + name_.substr(extension)))
                          .string();
    const File file(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
    if (!file.is_open() && errno == EEXIST) {
      continue;
    }
    if (!file.is_open()) {
      return failure("create", path);
    }
    path_ = path;
    return file.write(text) ? "" : failure("write", path);
  }
  return "there are too many records named " + base::quote_for_log(name_, 400);
}

std::string RecordWriter::replace(std::string_view text) const {
  const auto draft_path = path_ + ".tmp";
  {
    const File draft(draft_path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
    if (!draft.is_open()) {
      return failure("create", draft_path);
    }
    if (!draft.write(text) || !draft.sync()) {
      auto why = failure("write", draft_path);
      ::unlink(draft_path.c_str());
      return why;
    }
  }
  if (std::rename(draft_path.c_str(), path_.c_str()) != 0) {
    auto why = failure("replace", path_);
    ::unlink(draft_path.c_str());
    return why;
  }
  // The new name itself is on the disk only when the directory is.
  const File directory(directory_, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory.is_open() && !directory.sync()) {
    return failure("synchronise", directory_);
  }
  return "";
}

}  // namespace kakehashi::bridge::io
