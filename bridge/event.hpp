// The room bridge: the words that its rooms share (events, actions, facts, notes, views). It owns no state, and
// knows none of those rooms.
//
// What the shells tell the core: past facts, each with the instant it was noticed (an argument of
// Bot::step). The core never asks the world anything.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

#include "base/message.hpp"
#include "base/time.hpp"
#include "bridge/engine_id.hpp"
#include "csa/server_address.hpp"
#include "usi/clock_probe.hpp"

namespace kakehashi::bridge {

struct ServerConnected {
  base::Message peer;
};  ///< "127.0.0.1:4081"
/// One line, without its end. `more` says that further complete lines are already in the buffer:
/// the core starts no search before it has seen them all.
struct ServerLine { std::string text; bool more = false; };
struct ServerClosed {
  using How = csa::HowClosed;
  How how = How::eof;
  base::Message why;  ///< "Connection refused"
};

struct EngineStarted {
  EngineId engine;
  int process = 0;
  std::string withheld{};  ///< names of variables that it did not get of the bridge's environment, for people
  std::string directory{};  ///< in which it runs, for people; empty: none of its own
};
struct EngineFailedToStart {
  EngineId engine;
  base::Message why;
};
/// What an engine says is a sign of life for the slice of time that it comes in: a condensed journal keeps one line
/// of each slice. Both measure from the slice's end.
inline constexpr std::chrono::seconds life_slice{2};
inline base::SteadyTime end_of_life_slice(base::SteadyTime at) {
  return base::SteadyTime((at.time_since_epoch() / life_slice + 1) * life_slice);
}

struct EngineLine { EngineId engine; std::string text; };
struct EngineStderr { EngineId engine; std::string text; };
/// "exit status 0", "signal 9 (Killed)"; of one that a keeper holds also why it is not to be had any more.
struct EngineExited {
  EngineId engine;
  base::Message status;
};

/// A way to an engine that its keeper holds came or went; without a way's name, the round trip was measured anew.
struct EngineLink {
  EngineId engine;
  std::string way{};    ///< as engine.host has it
  bool is_up = false;   ///< that way
  bool is_out = false;  ///< no way is up
  base::Message why{};  ///< why it went; of one that came, what is odd about the keeper
  std::chrono::microseconds round_trip{0};  ///< of the fastest way
  std::chrono::microseconds deviation{0};
};

/// A timer rang: early, late or for nothing, it only makes the core look at its deadlines.
struct TimerFired {};
enum class Urgency {
  drain,    ///< finish the game first
  resign,   ///< resign it on our turn
  at_once,  ///< leave it
  renew,    ///< as drain, but the bot begins anew behind it
};
struct StopRequested { Urgency urgency; };
/// The outcome of a record action; `why` is empty when it worked.
struct RecordWritten {
  std::string path;
  base::Message why;
};

/// The kernel's view of the connection (TCP_INFO): its smoothed round trip and mean deviation.
struct LinkMeasured { std::chrono::microseconds rtt; std::chrono::microseconds variance; };

/// The lines of the book behind the position that was looked up; empty when it is not in it.
struct BookAnswered { std::uint64_t number = 0; std::string lines; };

/// How that engine reads its clock, as it was found out earlier; unknown when nothing is remembered.
struct ClockRecalled { EngineId engine; usi::EngineClocks clocks; };

/// Compiled once, as an Action is.
struct Event : std::variant<ServerConnected, ServerLine, ServerClosed, EngineStarted,
                            EngineFailedToStart, EngineLine, EngineStderr, EngineExited, EngineLink, TimerFired,
                            StopRequested, RecordWritten, LinkMeasured, BookAnswered, ClockRecalled> {
  using variant::variant;
  Event(const Event& other);
  Event(Event&& other) noexcept;
  Event& operator=(const Event& other);
  Event& operator=(Event&& other) noexcept;
  ~Event();
};

}  // namespace kakehashi::bridge
