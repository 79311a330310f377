#include "keeper/io/place.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace kakehashi::keeper::io {

namespace {

constexpr std::size_t name_bytes_max = 64;
constexpr int waiting_max = 16;

base::Failure<std::string> failed(const std::string& what) {
  return {what + ": " + std::strerror(errno)};
}

sockaddr_un address_of(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = name + ".socket";
  std::copy(path.begin(), path.end(), std::begin(address.sun_path));
  return address;
}

/// Ours, a directory and no link, and closed to everybody else.
base::Result<bool, std::string> judge(const std::string& directory) {
  struct stat found{};
  if (::lstat(directory.c_str(), &found) != 0) {
    return failed(directory);
  }
  if (!S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() || (found.st_mode & 077U) != 0) {
    return base::Failure<std::string>{directory + " must be a directory of this user that nobody else can open "
                                      "(chmod 700), and no link"};
  }
  return true;
}

}  // namespace

bool is_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= name_bytes_max && name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), is_plain);
}

base::Result<std::string, std::string> enter_directory(std::string directory) {
  if (directory.empty()) {
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home != '/') {
      return base::Failure<std::string>{"HOME is not set: give --directory"};
    }
    const std::string above = std::string(home) + "/.kakehashi";
    if (::mkdir(above.c_str(), 0700) != 0 && errno != EEXIST) {
      return failed(above);
    }
    directory = above + "/keep";
  }
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return failed(directory);
  }
  if (const auto judged = judge(directory); !judged) {
    return base::Failure<std::string>{judged.error()};
  }
  if (::chdir(directory.c_str()) != 0) {
    return failed(directory);
  }
  return directory;
}

base::Result<int, std::string> lock(const std::string& name) {
  const int descriptor = ::open((name + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) {
    return failed(name + ".lock");
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    return descriptor;
  }
  const bool is_held = errno == EWOULDBLOCK;
  const auto why = failed(name + ".lock");
  ::close(descriptor);
  if (is_held) {
    return -1;
  }
  return why;
}

base::Result<int, std::string> listen(const std::string& name) {
  remove_socket(name);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) {
    return failed("socket");
  }
  const sockaddr_un address = address_of(name);
  const mode_t before = ::umask(0177);
  const bool is_bound = ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int error = errno;
  ::umask(before);
  errno = error;
  if (!is_bound || ::listen(descriptor, waiting_max) != 0) {
    const auto why = failed(name + ".socket");
    ::close(descriptor);
    return why;
  }
  return descriptor;
}

int connect(const std::string& name) {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = address_of(name);
  if (descriptor >= 0 && ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return descriptor;
  }
  if (descriptor >= 0) {
    ::close(descriptor);
  }
  return -1;
}

void remove_socket(const std::string& name) { ::unlink((name + ".socket").c_str()); }

}  // namespace kakehashi::keeper::io
