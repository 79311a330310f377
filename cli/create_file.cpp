#include "cli/create_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace kakehashi::cli {

using base::say;

base::Message create_file(const std::string& path, std::string_view text, mode_t mode) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (file < 0) {
    return say("cannot create {}: {}", base::quoted(path, 400), base::system_words(std::strerror(errno)));
  }
  while (!text.empty()) {
    const auto count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      auto why = say("cannot write {}: {}", base::quoted(path, 400), base::system_words(std::strerror(errno)));
      ::close(file);
      ::unlink(path.c_str());
      return why;
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  ::close(file);
  return {};
}

std::optional<base::Message> judge_new_file(const std::string& path) {
  std::error_code failed;
  if (path.empty()) {
    return say("must be the name of a file");
  }
  return std::filesystem::exists(std::filesystem::symlink_status(path, failed))
             ? std::optional(say("{} exists, and nothing is overwritten", base::quoted(path, 400)))
             : std::nullopt;
}

std::string whole_path(const std::string& path) {
  std::error_code failed;
  return std::filesystem::absolute(path, failed).lexically_normal().string();
}

}  // namespace kakehashi::cli
