// A program that gives each hardening flag of the release build something to do: an array on the
// stack, and a copy into it whose length only the run knows. check_release_flags.sh looks at it.
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace {

[[gnu::noinline]] std::size_t copy_and_measure(const char* text, std::size_t size) {
  char copy[64];
  std::memcpy(copy, text, size);
  copy[sizeof copy - 1] = '\0';
  return std::strlen(copy);
}

}  // namespace

int main(int argc, char** argv) {
  const char* text = argc > 1 ? argv[1] : "kakehashi";
  std::printf("%zu\n", copy_and_measure(text, std::strlen(text) + 1));
  return 0;
}
