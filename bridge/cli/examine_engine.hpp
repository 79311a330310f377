// Performs an examination on a real process: puts the positions, with the moves that the rules allow there, writes,
// listens and waits as it is told, and decides nothing.
#pragma once

#include "usi/examination.hpp"
#include "usi/io/spawn.hpp"

namespace kakehashi::bridge::cli {

/// `setup` as the person wants it; the positions are added here: shogi for USI and UCI, for TEI and UCGI a position of
/// their own game, whose moves nobody here can judge. Returns when the examination is over, within a minute or so; the
/// process and its group are gone by then. To be called from the main thread (see spawn).
[[nodiscard]] usi::ExamReport examine_engine(usi::ExamSetup setup, const usi::io::SpawnRequest& engine);

}  // namespace kakehashi::bridge::cli
