#include "cli/create_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/text.hpp"

namespace kakehashi::cli {

std::string create_file(const std::string& path, std::string_view text, mode_t mode) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (file < 0) {
    return "cannot create " + base::quote_for_log(path, 400) + ": " + std::strerror(errno);
  }
  while (!text.empty()) {
    const auto count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      std::string why =
          "cannot write " + base::quote_for_log(path, 400) + ": " + std::strerror(errno);
      ::close(file);
      ::unlink(path.c_str());
      return why;
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  ::close(file);
  return "";
}

std::optional<std::string> judge_new_file(const std::string& path) {
  std::error_code failed;
  if (path.empty()) {
    return "must be the name of a file";
  }
  return std::filesystem::exists(std::filesystem::symlink_status(path, failed))
             ? std::optional(base::quote_for_log(path, 400) + " exists, and nothing is overwritten")
             : std::nullopt;
}

std::string whole_path(const std::string& path) {
  std::error_code failed;
  return std::filesystem::absolute(path, failed).lexically_normal().string();
}

}  // namespace kakehashi::cli
