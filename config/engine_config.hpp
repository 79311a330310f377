// What a bot can be told about its engine and the standby, as plain structs with the defaults stated
// once, here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "config/pass_environment.hpp"

namespace kakehashi::config {

using base::Millis;

enum class OnFailure { play_on, resign };

/// What the engine speaks. TEI and UCGI engines can be examined, and play no shogi.
enum class EngineProtocol { usi, uci, tei, ucgi };

/// How an engine reads btime in a game with increments.
enum class EngineClock {
  automatic,  ///< found by asking the engine
  separate,   ///< btime is what is left before the increment, which the engine adds (Shogidokoro)
  included,   ///< btime holds the present move's increment already
  byoyomi,    ///< the engine knows no increments: it is given them as byoyomi
};

/// In the written order; no value: a button.
using EngineOptions = std::vector<std::pair<std::string, std::optional<std::string>>>;

/// What the standby engine speaks: what the first one does, or a protocol of its own.
enum class StandbyProtocol { same, usi, uci };

/// A second engine that waits, ready, for the first one to fail. Without a command it is the first
/// one's program again, with all that is not given here; with a command it has only what is given.
struct Standby {
  bool enabled = false;
  std::vector<std::string> command;
  StandbyProtocol protocol = StandbyProtocol::same;
  std::string directory;
  Environment environment;
  EngineOptions options;
};

/// What each engine process may take of the machine.
struct Limits {
  std::uint64_t memory = 0;         ///< bytes of data and anonymous memory; 0: no limit
  std::uint64_t address_space = 0;  ///< bytes; 0: no limit
  std::optional<int> open_files;
  bool core_dumps = false;
  int nice = 0;
  std::string cpus;                 ///< "0-3,8"; empty: all
};

struct Engine {
  std::vector<std::string> command;   ///< program and arguments; required; no shell
  EngineProtocol protocol = EngineProtocol::usi;
  std::string directory;              ///< working directory; empty: the program's own
  Environment environment;            ///< added to what is passed
  /// Of the bridge's own variables: names and patterns. Empty: none but those that every program needs.
  std::vector<std::string> pass_environment{std::string(usual_environment)};
  EngineOptions options;
  Millis start_timeout{30'000};       ///< for usiok
  Millis ready_timeout{120'000};      ///< for readyok, from the engine's last sign of life on
  Millis ready_max{1'800'000};        ///< for readyok in all, however lively the engine is
  /// How long it may say nothing while our clock runs before it is doubted. Nothing: auto.
  std::optional<Millis> silence_max;
  Millis quit_timeout{5'000};         ///< from quit to SIGKILL
  /// A fresh process for every game; the next login waits for its readyok.
  bool restart_each_game = false;
  /// Whether the clocks go along with ponderhit. Nothing: with ponder: early only.
  std::optional<bool> timed_ponderhit;
  EngineClock clock = EngineClock::automatic;
  /// When no engine can give a move in time: play any legal move, or resign.
  OnFailure on_failure = OnFailure::play_on;
  Standby standby;
  Limits limits;
};

}  // namespace kakehashi::config
