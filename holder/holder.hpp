// Begins the process that plays, the player, and outlives it: keeps its descriptors, passes signals on, reaps every process
// whose parent has left, kills a player that hangs, and when one dies that has left something, begins another, which finds
// it (kept.hpp). When the player wants it, it executes the program's file of now in its own place, which goes on with
// all of that. It reads nothing that anybody else says, and allocates nothing while it runs. In a container it is the first process.
#pragma once

#include <functional>
#include <string>

#include "base/time.hpp"
#include "holder/kept.hpp"

namespace kakehashi::holder {

using Player = std::function<int(Kept& kept)>;

/// The program's file, and the words that it was started with (argv).
struct Program {
  std::string file;  ///< empty: it has no successor
  char* const* words = nullptr;
};
/// Call it at the start: later another file may have that name.
[[nodiscard]] Program own_program(char* const* words);

/// The first word of a program that is tried. It was asked with it whether it could go on (Kept::Start::is_trial).
inline constexpr const char* trial_word = "--on-trial";
/// Runs `player` so. Its exit status.
[[nodiscard]] int try_on(const Player& player);

/// Whether the kernel hands orphans to this process (PID 1 of a container).
[[nodiscard]] bool is_first_process();

/// Runs `player` in a child, in a process group of its own, which gets the terminal if there is one: Ctrl-C would
/// otherwise reach it twice, as the terminal's signal and as ours. Returns when it ends: its exit status, or 128 + the signal
/// that killed the last of them, when too many came to nothing one after the other, or one that had left nothing to go on with; -1 when
/// no child could be made, and nothing was run then. Call it before any thread is started.
///
/// What the player says to a supervisor (NOTIFY_SOCKET) is handed on to the holder's own. While it is to beat
/// (Kept::expect_beats) it is killed when it does not, after silent_looks_max looks.
[[nodiscard]] int hold(const Player& player, const Program& program = {});

/// So many players may die in a row before their hearts have beaten, and so many so soon after they began: a program
/// that comes to nothing is left to a supervisor.
inline constexpr int still_births_max = 5;
inline constexpr base::Millis short_life{100};
inline constexpr int short_lives_max = 100;
/// A player that lived for less has died soon after the one before.
inline constexpr base::Millis recent_within{2'000};

/// For a successor's trial.
inline constexpr base::Millis trial_max{10'000};

}  // namespace kakehashi::holder
