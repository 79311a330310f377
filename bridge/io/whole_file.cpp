#include "bridge/io/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "bridge/io/file.hpp"

namespace kakehashi::bridge::io {
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

}  // namespace kakehashi::bridge::io
