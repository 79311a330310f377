// A golden script as data: one scenario with both peers and virtual time in one column.
//
//   # What the scenario proves, in a paragraph.
//   config ponder = true                      a few keys, see script.cpp
//   show records                              whole record texts instead of their news
//
//   @0s        & logged_in                    the usual beginning, outputs left out
//   @0.3s      & ready standby seat2          so are these engines, each with a name
//   @1.1s      & game your_turn=-             a game was offered (words of &summary), agreed to, and has begun
//   @10s       < server &summary your_turn=+  a line, or a block that is written out
//   @10s       > server AGREE …               what the bot does about it
//   @12s      <+ server +7776FU,T2            more lines wait in the buffer
//   @12s       < server #SENNICHITE
//   @12s       < engine bestmove 7g7f         also: < engine#2 …
//   @13s       ! server closed eof            connected, refused …, closed eof|broken …
//   @13s       ! engine exits signal 9        started, failed …, stderr …, exits …
//   @14s       ! stop drain                   resign, at_once
//   @15s       ! record failed no space left
//   @15s       ! book 2 7g7f none 50 0 1; …   the answer to the second question to the opening book
//   @15s       ! link measured 30000 5000     the round trip and its deviation, in microseconds
//   @60s       ! time passes
//
// `<`, `<+`, `!` and `&` are inputs. `>` (to a peer or the supervisor), `*` (a note of level info
// or above) and `=` (the record) are what came of them. Comments stand before an input.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "bridge/event.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::support {

struct BotStarts {};
struct TimePasses {};
using Happening = std::variant<BotStarts, TimePasses, bridge::Event>;

struct ScriptInput {
  std::vector<std::string> before;  ///< comments and blank lines, as written
  base::Millis at{0};
  std::string text;                 ///< from the marker on
  std::vector<Happening> happenings;
  bool is_quiet = false;            ///< its outputs are left out
};

struct Script {
  std::string name;
  std::vector<std::string> header;
  config::BotConfig config;
  bool shows_records = false;
  bool tells_clocks = false;  ///< says itself what is remembered of an engine's clock
  std::vector<ScriptInput> inputs;
  std::vector<std::string> after;   ///< comments behind the last input
};

[[nodiscard]] base::Result<Script> read_script(std::string name, std::string_view text);

/// "@5.25s": an instant as scripts write it.
[[nodiscard]] std::string format_instant(base::Millis at);

}  // namespace kakehashi::support
