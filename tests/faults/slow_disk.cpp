// Preloaded into a program, it holds up all that waits for a disk while the file exists that
// KAKEHASHI_SLOW_DISK names: synchronisation everywhere, what is written reaching the system's memory as
// ever; and below the folder of KAKEHASHI_SLOW_FOLDER every call on a file, as a network disk does whose
// server is gone.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

bool stands_still() {
  const char* path = std::getenv("KAKEHASHI_SLOW_DISK");
  return path != nullptr && ::faccessat(AT_FDCWD, path, F_OK, 0) == 0;
}

void wait_for_disk() {
  const int error = errno;
  while (stands_still()) {
    ::usleep(10'000);
  }
  errno = error;
}

void wait_for(const char* path) {
  const char* folder = std::getenv("KAKEHASHI_SLOW_FOLDER");
  if (folder != nullptr && path != nullptr && std::strncmp(path, folder, std::strlen(folder)) == 0) {
    wait_for_disk();
  }
}

void wait_for(int file) {
  const int error = errno;
  if (std::getenv("KAKEHASHI_SLOW_FOLDER") != nullptr && stands_still()) {
    char path[4096];
    const auto size = ::readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path - 1);
    path[size > 0 ? size : 0] = '\0';
    wait_for(path);
  }
  errno = error;
}

template <class Function>
Function* real(Function* /*ours*/, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

mode_t mode_in(int flags, va_list& rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

}  // namespace

extern "C" {

int fsync(int file) {
  wait_for_disk();
  return real(fsync, "fsync")(file);
}

int fdatasync(int file) {
  wait_for_disk();
  return real(fdatasync, "fdatasync")(file);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_in(flags, rest);
  va_end(rest);
  wait_for(path);
  return real(open, "open")(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_in(flags, rest);
  va_end(rest);
  wait_for(path);
  return real(open64, "open64")(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_in(flags, rest);
  va_end(rest);
  wait_for(path);
  return real(openat, "openat")(folder, path, flags, mode);
}

int openat64(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_in(flags, rest);
  va_end(rest);
  wait_for(path);
  return real(openat64, "openat64")(folder, path, flags, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  wait_for(path);
  return real(fopen64, "fopen64")(path, mode);
}

FILE* fopen(const char* path, const char* mode) {
  wait_for(path);
  return real(fopen, "fopen")(path, mode);
}

ssize_t read(int file, void* bytes, size_t size) {
  wait_for(file);
  return real(read, "read")(file, bytes, size);
}

ssize_t pread(int file, void* bytes, size_t size, off_t at) {
  wait_for(file);
  return real(pread, "pread")(file, bytes, size, at);
}

ssize_t pread64(int file, void* bytes, size_t size, off64_t at) {
  wait_for(file);
  return real(pread64, "pread64")(file, bytes, size, at);
}

ssize_t write(int file, const void* bytes, size_t size) {
  wait_for(file);
  return real(write, "write")(file, bytes, size);
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  wait_for(file);
  return real(pwrite64, "pwrite64")(file, bytes, size, at);
}

int rename(const char* from, const char* to) {
  wait_for(from);
  return real(rename, "rename")(from, to);
}

int renameat2(int from_at, const char* from, int to_at, const char* to, unsigned int flags) {
  wait_for(from);
  return real(renameat2, "renameat2")(from_at, from, to_at, to, flags);
}

int ftruncate(int file, off_t size) {
  wait_for(file);
  return real(ftruncate, "ftruncate")(file, size);
}

int ftruncate64(int file, off64_t size) {
  wait_for(file);
  return real(ftruncate64, "ftruncate64")(file, size);
}

int flock(int file, int operation) {
  wait_for(file);
  return real(flock, "flock")(file, operation);
}

/// A network disk is told then what it has not been told yet.
int close(int file) {
  wait_for(file);
  return real(close, "close")(file);
}

DIR* opendir(const char* path) {
  wait_for(path);
  return real(opendir, "opendir")(path);
}

int remove(const char* path) {
  wait_for(path);
  return real(remove, "remove")(path);
}

int link(const char* from, const char* to) {
  wait_for(from);
  return real(link, "link")(from, to);
}

int unlink(const char* path) {
  wait_for(path);
  return real(unlink, "unlink")(path);
}

int mkdir(const char* path, mode_t mode) {
  wait_for(path);
  return real(mkdir, "mkdir")(path, mode);
}

int stat(const char* path, struct stat* status) {
  wait_for(path);
  return real(stat, "stat")(path, status);
}

int lstat(const char* path, struct stat* status) {
  wait_for(path);
  return real(lstat, "lstat")(path, status);
}

}  // extern "C"
