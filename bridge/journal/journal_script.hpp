// A journal as a golden script (tests/golden/README.md): the inputs of a run, so that a failure in
// the field becomes a regression test. The outputs are added by the runner of the scripts.
#pragma once

#include <string>

#include "bridge/journal/journal.hpp"

namespace kakehashi::bridge::journal {

/// Settings that are not the default, then each event in its order, times in milliseconds from the
/// start. Timers and records that went well are left out: the runner gives them by itself.
[[nodiscard]] std::string write_script(const Contents& contents);

}  // namespace kakehashi::bridge::journal
