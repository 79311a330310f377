// Preloaded into a program, it lets the system have no room for what is sent over the Internet while the file
// exists that KAKEHASHI_FULL_BUFFERS names; it removes that itself when it has refused five times.
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace {

constexpr int refusals_max = 5;

bool has_room(int socket) {
  static std::atomic<int> refusals{0};
  const char* path = std::getenv("KAKEHASHI_FULL_BUFFERS");
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  const int error = errno;
  const bool is_refused = path != nullptr && ::access(path, F_OK) == 0 &&
                          ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
                          address.ss_family != AF_UNIX;
  if (is_refused && ++refusals == refusals_max) {
    ::unlink(path);
  }
  errno = is_refused ? ENOBUFS : error;
  return !is_refused;
}

}  // namespace

extern "C" ssize_t send(int socket, const void* bytes, size_t size, int flags) {
  using Function = ssize_t (*)(int, const void*, size_t, int);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "send"));
  return has_room(socket) ? real(socket, bytes, size, flags) : -1;
}

extern "C" ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  using Function = ssize_t (*)(int, const msghdr*, int);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "sendmsg"));
  return has_room(socket) ? real(socket, message, flags) : -1;
}
