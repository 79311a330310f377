// Preloaded into a program, it moves the clock on the wall by as many seconds as the file that
// KAKEHASHI_CLOCK_SHIFT names holds at the moment; without the file by none. The steady clock goes on.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>

namespace {

long shift_s() {
  const char* path = std::getenv("KAKEHASHI_CLOCK_SHIFT");
  const int error = errno;
  const int file = path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
  errno = error;
  if (file < 0) {
    return 0;
  }
  char text[32] = {};
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  return size > 0 ? std::strtol(text, nullptr, 10) : 0;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  using Function = int (*)(clockid_t, timespec*);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = real(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) {
    time->tv_sec += shift_s();
  }
  return result;
}
