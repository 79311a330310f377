#include "bridge/io/rotating_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::bridge::io {
namespace {

File open_at_end(const std::string& path) { return {path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666}; }

}  // namespace

RotatingFile::RotatingFile(std::string path, Limits limits) : path_(std::move(path)), limits_(limits) {
  const auto directory = std::filesystem::path(path_).parent_path();
  if (!directory.empty()) {
    std::error_code told_by_open;
    std::filesystem::create_directories(directory, told_by_open);
  }
  file_ = open_at_end(path_);
  struct stat state {};
  if (file_.is_open() && ::fstat(file_.descriptor(), &state) == 0) {
    bytes_ = static_cast<std::size_t>(state.st_size);
  }
}

void RotatingFile::write(std::string_view line) {
  if (limits_.bytes_max > 0 && bytes_ > 0 && bytes_ + line.size() > limits_.bytes_max) {
    make_room();
  }
  if (file_.write(line)) {
    bytes_ += line.size();
  }
}

void RotatingFile::make_room() {
  bytes_ = 0;
  if (rotate()) {
    has_told_ = false;
    return;
  }
  const int error = errno;
  if (!std::exchange(has_told_, true)) {
    const std::string text = "(no new file is begun, this one grows: " + base::quote_for_log(path_) +
                             " cannot be renamed: " + std::system_category().message(error) + ")\n";
    static_cast<void>(file_.write(text));
  }
}

/// The new file is open before the old one is let go.
bool RotatingFile::rotate() {
  for (int index = limits_.keep; index > 0; --index) {
    const std::string from = index == 1 ? path_ : old_name(index - 1);
    if (std::rename(from.c_str(), old_name(index).c_str()) != 0 && errno != ENOENT) {
      return false;
    }
  }
  File fresh = open_at_end(path_);
  if (!fresh.is_open()) {
    return false;
  }
  file_ = std::move(fresh);
  return true;
}

/// "kakehashi.log": "kakehashi.1.log".
std::string RotatingFile::old_name(int index) const {
  const std::filesystem::path path(path_);
  const auto name = path.stem().string() + "." + std::to_string(index) + path.extension().string();
  return (path.parent_path() / name).string();
}

}  // namespace kakehashi::bridge::io
