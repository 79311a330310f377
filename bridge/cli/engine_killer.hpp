// Kills an engine of this process in the middle of each rehearsed game, as a crash would. It knows the
// engines only as children of this process.
#pragma once

#include <cstdint>
#include <string>

#include "bridge/view.hpp"

namespace kakehashi::bridge::cli {

class EngineKiller {
 public:
  explicit EngineKiller(std::uint64_t seed) : random_(seed) {}

  /// Once in each game, some moves after its beginning. True: an engine was killed.
  [[nodiscard]] bool strikes(const View& view);

 private:
  std::uint64_t random_;
  std::string last_game_;
};

}  // namespace kakehashi::bridge::cli
