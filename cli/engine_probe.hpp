// A process of an engine for a person's question, and its end: brought to readyok as `run` would, and asked for a first
// move; or examined.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "base/time.hpp"
#include "config/bot_config.hpp"
#include "usi/clock_probe.hpp"
#include "usi/examination.hpp"
#include "usi/io/spawn.hpp"
#include "usi/option.hpp"

namespace kakehashi::cli {

struct EngineProbe {
  bool is_ready = false;
  base::Message why;  ///< of a failure, for people; with what the engine last wrote to stderr
  std::string name;
  std::string author;
  std::vector<usi::Option> declared;
  /// For each setting that does not fit what the engine declares: what is wrong with it. Such a
  /// setting is left out before isready.
  std::vector<base::Message> bad_settings;
  base::Millis until_identified{0};
  base::Millis until_ready{0};  ///< from isready on
  /// Of the first move, where it was asked for: in the engine's words, and what is wrong with it.
  std::string move;
  base::Message move_problem;
  base::Millis until_move{0};
  /// What decides a game's time and is asked behind the first move: from `stop` to its answer; and what is wrong, with what
  /// to do about it, for people. In a game the bridge copes with it.
  std::optional<base::Millis> until_stopped;
  std::vector<base::Message> troubles;
  /// How it reads its clock; found by asking it, or by its name. Where a first move was asked for with main time or
  /// increments.
  usi::EngineClocks clocks;
  bool is_clock_asked = false;  ///< it has shown it
  std::string clock_facts;      ///< what that depends on
  /// Of one that a keeper holds: the way to it and back, and what is odd about the keeper.
  std::optional<std::chrono::microseconds> round_trip;
  base::Message keeper_problem;
};

enum class ProbeMove { not_asked, asked, asked_with_main_time, asked_with_increments };

/// What the engine is granted for its first move, and how long it is waited for. With increments: as main time
/// and again as increment.
inline constexpr base::Millis probe_byoyomi{1'000};
inline constexpr base::Millis probe_move_timeout{10'000};

/// `wants_ponder` as in the configuration: USI_Ponder is set accordingly, where declared.
[[nodiscard]] EngineProbe probe_engine(const config::Engine& engine, bool wants_ponder,
                                       ProbeMove move = ProbeMove::not_asked);

/// Performs an examination on a real process: puts the positions, with the moves that the rules allow there, writes,
/// listens and waits as it is told, and decides nothing. `setup` as the person wants it; the positions are added here: shogi for USI and UCI, for TEI and UCGI a position of
/// their own game, whose moves nobody here can judge. Returns when the examination is over, within a minute or so; the
/// process and its group are gone by then. To be called from the main thread (see spawn).
[[nodiscard]] usi::ExamReport examine_engine(usi::ExamSetup setup, const usi::io::SpawnRequest& engine);

}  // namespace kakehashi::cli
