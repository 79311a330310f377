// Performs an examination on a real process: it writes, listens and waits as it is told, and decides
// nothing.
#pragma once

#include "usi/examination.hpp"
#include "usi/io/spawn.hpp"

namespace kakehashi::usi::io {

/// Returns when the examination is over, within a minute or so; the process and its group are gone
/// by then. To be called from the main thread (see spawn).
[[nodiscard]] ExamReport run_examination(ExamSetup setup, const SpawnRequest& engine);

}  // namespace kakehashi::usi::io
