#include "tests/places.hpp"

namespace kakehashi::test {

// Asked for by others' initialisers too: each is made when it is first asked for.
#define KAKEHASHI_PLACE(name, path)     \
  const std::string& name() {           \
    static const std::string it = path; \
    return it;                          \
  }
KAKEHASHI_PLACE(source_dir, KAKEHASHI_SOURCE_DIR)
KAKEHASHI_PLACE(tests_dir, KAKEHASHI_TESTS_DIR)
KAKEHASHI_PLACE(binary, KAKEHASHI_BINARY)
KAKEHASHI_PLACE(keeper_binary, KAKEHASHI_KEEPER)
KAKEHASHI_PLACE(fake_engine_binary, KAKEHASHI_FAKE_ENGINE)
KAKEHASHI_PLACE(fairy_stockfish, KAKEHASHI_FAIRY_STOCKFISH)
KAKEHASHI_PLACE(clock_shift, KAKEHASHI_CLOCK_SHIFT)
KAKEHASHI_PLACE(full_buffers, KAKEHASHI_FULL_BUFFERS)
KAKEHASHI_PLACE(heap_watch, KAKEHASHI_HEAP_WATCH)
KAKEHASHI_PLACE(no_memory, KAKEHASHI_NO_MEMORY)
KAKEHASHI_PLACE(poison, KAKEHASHI_POISON)
KAKEHASHI_PLACE(slow_disk, KAKEHASHI_SLOW_DISK)
#undef KAKEHASHI_PLACE

}  // namespace kakehashi::test
