// Preloaded: behind SIGRTMIN the thread that a process begins with gets no memory, once.
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

volatile std::sig_atomic_t is_short = 0;

void run_short(int) { is_short = 1; }

__attribute__((constructor)) void listen() { std::signal(SIGRTMIN, run_short); }

}  // namespace

void* operator new(std::size_t bytes) {
  if (is_short != 0 && ::gettid() == ::getpid()) {
    is_short = 0;
    throw std::bad_alloc();
  }
  if (void* memory = std::malloc(bytes)) {
    return memory;
  }
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
