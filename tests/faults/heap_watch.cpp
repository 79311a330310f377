// Preloaded: tells the file that KAKEHASHI_HEAP_WATCH names when a holder begins to run, which is when its signals have a
// descriptor, and of each piece of memory that this process, and no child of it, takes from the heap from then on.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t number, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace {

pid_t holder = 0;

void tell(const char* what, std::size_t bytes) {
  const int error = errno;
  char text[64];
  const int size = std::snprintf(text, sizeof text, "%s %zu\n", what, bytes);
  const int file = ::open(std::getenv("KAKEHASHI_HEAP_WATCH"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  static_cast<void>(!::write(file, text, static_cast<std::size_t>(size)));
  ::close(file);
  errno = error;
}

void count(const char* what, std::size_t bytes) {
  if (holder != 0 && holder == ::getpid()) {
    tell(what, bytes);
  }
}

}  // namespace

extern "C" {

int signalfd(int descriptor, const sigset_t* signals, int flags) noexcept {
  using Function = int (*)(int, const sigset_t*, int);
  const int made = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "signalfd"))(descriptor, signals, flags);
  tell("runs", 0);
  holder = ::getpid();
  return made;
}

void* malloc(std::size_t bytes) {
  count("malloc", bytes);
  return __libc_malloc(bytes);
}

void* calloc(std::size_t number, std::size_t bytes) {
  count("calloc", number * bytes);
  return __libc_calloc(number, bytes);
}

void* realloc(void* memory, std::size_t bytes) {
  count("realloc", bytes);
  return __libc_realloc(memory, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) {
  count("memalign", bytes);
  return __libc_memalign(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  count("aligned_alloc", bytes);
  return __libc_memalign(alignment, bytes);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  count("posix_memalign", bytes);
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}

}  // extern "C"
