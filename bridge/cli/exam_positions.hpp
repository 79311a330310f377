// The positions that an examination puts to an engine, with the moves that the rules allow there.
#pragma once

#include "usi/examination.hpp"

namespace kakehashi::bridge {

/// Fills in the positions for the protocol: shogi for USI and UCI; for TEI and UCGI a position of
/// their own game, whose moves nobody here can judge.
void add_exam_positions(usi::ExamSetup& setup);

}  // namespace kakehashi::bridge
