// What the core tells the shells to do, in order, after each step. Imperatives; their outcomes
// come back as events.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/time.hpp"
#include "bridge/engine_id.hpp"
#include "bridge/fact.hpp"
#include "bridge/note.hpp"
#include "bridge/phase.hpp"
#include "usi/clock_probe.hpp"

namespace kakehashi::bridge {

struct ConnectServer {};
/// `line` without LF; `log_as` is what may be shown (a LOGIN line is masked).
struct WriteServer { std::string line; std::string log_as; };
struct CloseServer {};
/// How long the connection may stay without a sign of life from now on, where that is longer than it would be
/// given anyway; zero: nothing hangs on it. Each connection begins with zero.
struct HoldLine { base::Millis patience{0}; };

/// Starts the configured engine command; words of earlier engines are ignored from here on.
struct StartEngine { EngineId engine; };
struct WriteEngine { EngineId engine; std::string line; };
/// When its keeper tells it to stop by itself, should nothing else come before: the link to it may be out by then.
struct StopEngineAt { EngineId engine; base::SteadyTime at; };
/// Ends the process group: politely first (SIGTERM), then by force after `grace`.
struct KillEngine { EngineId engine; base::Millis grace{0}; };

/// Wakes the core at that instant, by a TimerFired. There is one timer; this moves it.
struct ArmTimer { base::SteadyTime deadline; };

/// Begins the records of a new game under that name (made safe; never overwriting another), or
/// replaces the whole content of the one that grows.
struct BeginRecord {
  std::string stem;                     ///< of the names of all files of this game
  std::vector<std::string> extensions;  ///< ".csa" …; the first is that of the file that grows
  std::string text;  ///< empty: nothing grows, the first file holds the name until the end
  /// For the journal alone: the game so far as JSON Lines, from which the files that do not grow
  /// are written after a crash; empty when there are none.
  std::string source{};
};
/// Adds to the file that grows, and to the source.
struct AppendRecord {
  std::string text;
  std::string source{};
};
/// One file of a game's records, whole.
struct RecordFile {
  std::string extension;
  std::string text;           ///< UTF-8
  bool is_shift_jis = false;  ///< to be stored so
};
/// Writes all files of the game, each as a whole, and closes it; in the order of BeginRecord.
struct FinishRecord {
  std::vector<RecordFile> files;
  std::string stem{};  ///< a new one, for all of them; empty: as begun
};

/// Asks the opening book for a position, "board side hands"; a BookAnswered with the number follows.
struct LookUpBook { std::uint64_t number = 0; std::string position; };

/// Asks what is remembered of how an engine reads its clock; a ClockRecalled follows. `facts` is what the
/// answer depends on besides the program: its name and the options that it is sent.
struct RecallClock { EngineId engine; std::string facts; };
/// Remembers it.
struct KeepClock { EngineId engine; std::string facts; usi::EngineClocks clocks; };

/// The bot is logged in and waiting for the first time (readiness for supervisors).
struct ReportReady {};
/// What the bot is at from now on.
struct PhaseChanged { Phase phase = Phase::preparing; };
/// The bot is done; the shell releases everything. `status` follows sysexits.
struct Exit { int status = 0; };

/// Its copying and destruction are compiled once: in each source that has one they were a third of the object code.
struct Action : std::variant<ConnectServer, WriteServer, CloseServer, HoldLine, StartEngine, WriteEngine,
                             StopEngineAt, KillEngine, ArmTimer, BeginRecord, AppendRecord, FinishRecord, LookUpBook,
                             RecallClock, KeepClock, Note, Paired, GameStarted, GameEnded, RescuePlayed, Occurred,
                             ReportReady, PhaseChanged, Exit> {
  using variant::variant;
  Action(const Action& other);
  Action(Action&& other) noexcept;
  Action& operator=(const Action& other);
  Action& operator=(Action&& other) noexcept;
  ~Action();
};

}  // namespace kakehashi::bridge
