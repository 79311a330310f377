// Preloaded: the program dies of each line that begins with KAKEHASHI_POISON, when it looks how the line begins.
#include <csignal>
#include <cstddef>
#include <cstdlib>

extern "C" int memcmp(const void* one, const void* other, std::size_t bytes) noexcept {
  static const char* const poison = std::getenv("KAKEHASHI_POISON");
  const auto* a = static_cast<const unsigned char*>(one);
  const auto* b = static_cast<const unsigned char*>(other);
  for (std::size_t i = 0; poison != nullptr && a[i] == static_cast<unsigned char>(poison[i]); ++i) {
    if (poison[i + 1] == '\0') {
      std::raise(SIGSEGV);
    }
  }
  for (std::size_t i = 0; i < bytes; ++i) {
    if (a[i] != b[i]) {
      return a[i] < b[i] ? -1 : 1;
    }
  }
  return 0;
}
