#include "bridge/note.hpp"

namespace kakehashi::bridge {

const char* describe(Level level) {
  switch (level) {
    case Level::debug: return "debug";
    case Level::info: return "info";
    case Level::warn: return "warn";
    case Level::error: return "error";
  }
  return "error";
}

}  // namespace kakehashi::bridge
