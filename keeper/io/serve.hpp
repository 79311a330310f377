// The keeper's loop: carries bytes between the engine, its clients and keeper.hpp, which decides.
#pragma once

#include <string>

#include "keeper/io/engine.hpp"
#include "keeper/keeper.hpp"

namespace kakehashi::keeper::io {

/// Returns when nothing is left to keep; the engine has ended then, or was killed. `command` is what a client must
/// want (its fingerprint); the loop owns the descriptors.
void serve(Keeper::Rules rules, Engine engine, int listening, const std::string& command);

}  // namespace kakehashi::keeper::io
