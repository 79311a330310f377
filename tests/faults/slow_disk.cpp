// Preloaded into a program, it holds up all that waits for a disk while the file exists that
// KAKEHASHI_SLOW_DISK names. What is written reaches the system's memory as ever.
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace {

void wait_for_disk() {
  const char* path = std::getenv("KAKEHASHI_SLOW_DISK");
  const int error = errno;
  while (path != nullptr && ::access(path, F_OK) == 0) {
    ::usleep(10'000);
  }
  errno = error;
}

}  // namespace

extern "C" int fsync(int file) {
  wait_for_disk();
  return static_cast<int>(::syscall(SYS_fsync, file));
}

extern "C" int fdatasync(int file) {
  wait_for_disk();
  return static_cast<int>(::syscall(SYS_fdatasync, file));
}
