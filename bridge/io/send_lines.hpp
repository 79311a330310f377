// The lines of a step leave before anything else is done about it: the journal, the records and the log
// cost three times as much as sending does, and the clock of the game runs (docs/performance.md). It
// knows no socket and no process.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "bridge/bot.hpp"

namespace kakehashi::bridge::io {

/// Where lines go: one to the server, or several of an engine, LF between them, at once.
struct Outlets {
  std::function<void(std::string_view line)> to_server;
  std::function<void(EngineId engine, std::string_view lines)> to_engine;
};

/// What of a step has left: the server's lines before the one index, the engines' before the other.
struct SentLines {
  std::size_t server_until = 0;
  std::size_t engine_until = 0;
};

/// The server's lines first, among them our move. A line stays behind what opens or closes its way
/// (ConnectServer, CloseServer; StartEngine, KillEngine) and behind Exit: those wait for their turn,
/// and so does it.
SentLines send_lines(const Actions& actions, const Outlets& outlets);

/// Overwrites what was said to the server: it may have been a LOGIN.
void wipe_lines(Actions& actions);

}  // namespace kakehashi::bridge::io
