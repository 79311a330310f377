// The keeper's loop: carries bytes between the engine, its clients and keeper.hpp, which decides.
// It adds no rule, and needs no library.
#pragma once

#include <string>

#include "keeper/io/engine.hpp"
#include "keeper/keeper.hpp"

namespace kakehashi::keeper::io {

/// What a client must want to get this engine.
struct Identity {
  std::string command;  ///< a fingerprint of what was started
  std::string fresh;    ///< the word that it was started with; empty: none
};

/// Returns when nothing is left to keep; the engine has ended then, or was killed. The loop owns the descriptors.
void serve(Keeper::Rules rules, Engine engine, int listening, const Identity& identity);

}  // namespace kakehashi::keeper::io
