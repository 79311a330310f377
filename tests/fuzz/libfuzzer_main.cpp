// One target under libFuzzer: KAKEHASHI_FUZZ_TARGET names it. scripts/fuzz.sh runs them all.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/targets.hpp"

namespace {

const kakehashi::fuzz::Target& chosen() {
  static const kakehashi::fuzz::Target& target = []() -> const kakehashi::fuzz::Target& {
    const char* name = std::getenv("KAKEHASHI_FUZZ_TARGET");
    for (const kakehashi::fuzz::Target& each : kakehashi::fuzz::targets()) {
      if (name != nullptr && std::string_view(name) == each.name) {
        return each;
      }
    }
    std::fputs("fuzz: KAKEHASHI_FUZZ_TARGET must be one of:", stderr);
    for (const kakehashi::fuzz::Target& each : kakehashi::fuzz::targets()) {
      std::fprintf(stderr, " %s", each.name);
    }
    std::fputs("\n", stderr);
    std::exit(64);
  }();
  return target;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen().run({reinterpret_cast<const char*>(data), size});
  return 0;
}
