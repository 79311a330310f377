// The opening book as configured: which file, and how a move is chosen from it. It reads nothing.
#pragma once

#include <string>

namespace kakehashi::config {

/// Which move of a book is played.
enum class BookRule {
  best,      ///< the first
  by_count,  ///< by chance, as often as each was played
  by_score,  ///< by chance, the better the likelier
};

/// An opening book in YaneuraOu's text format, which is asked before the engine.
struct Book {
  std::string file;         ///< empty: none
  bool on_the_fly = false;  ///< searched on the disk, which needs it sorted, instead of read whole
  BookRule rule = BookRule::best;
  int temperature = 100;    ///< of by_score, in centipawns
};

}  // namespace kakehashi::config
