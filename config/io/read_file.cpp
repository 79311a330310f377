#include "config/io/read_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/io/file.hpp"

namespace kakehashi::config::io {
namespace {

using base::Message;
using base::say;

FileRead trouble(Message what) {
  FileRead read;
  read.trouble = std::move(what);
  return read;
}

FileRead system_trouble(const Message& what) {
  const int why = errno;
  FileRead read = trouble(say("{}: {}", what, base::system_words(std::strerror(why))));
  read.is_absent = why == ENOENT;
  read.is_forbidden = why == EACCES;
  return read;
}

FileRead read_all(int descriptor, std::size_t bytes_max) {
  FileRead read;
  // Once, up front: growing would leave copies of a secret behind in freed memory.
  read.text.resize(bytes_max + 1);
  std::size_t size = 0;
  while (size < read.text.size()) {
    const auto count = ::read(descriptor, read.text.data() + size, read.text.size() - size);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return system_trouble(say("cannot be read"));
    }
    if (count == 0) {
      break;
    }
    size += static_cast<std::size_t>(count);
  }
  read.text.resize(size);
  return read;
}

}  // namespace

FileRead read_file(const std::string& path, std::size_t bytes_max) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  const base::io::File file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (!file.is_open()) {
    return system_trouble(say("cannot be opened"));
  }
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) {
    return system_trouble(say("cannot be examined"));
  }
  if (S_ISDIR(status.st_mode)) {
    return trouble(say("is a directory, not a file"));
  }
  if (!S_ISREG(status.st_mode)) {
    return trouble(say("is not a regular file"));
  }
  FileRead read = read_all(file.descriptor(), bytes_max);
  read.is_open_to_others = (status.st_mode & (S_IRGRP | S_IROTH)) != 0;
  read.is_open_to_all = (status.st_mode & S_IROTH) != 0;
  return read;
}

FileRead read_standard_input(std::size_t bytes_max) { return read_all(STDIN_FILENO, bytes_max); }

}  // namespace kakehashi::config::io
