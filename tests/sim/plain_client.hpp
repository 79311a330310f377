// The measure of a lost game: what a plain client at the bridge's place would have made of the turn on which
// it was lost. A plain client has the same way to the same server, the same position and the same clock; it tells
// its engine to stop at once and has a legal move as late as one of ours that is well has it then; it runs on the
// same machine, and is late with every line by the most that anything there is ever late; it never gives up a line
// by itself, and never comes back on another one. It is built from the protocol's text alone: a turn begins when
// the server says so, and is lost on time when it has lasted as long as the clock grants.
//
// A game that the plain client would have kept is the bridge's own loss, with one exception. An instant
// answer also escapes what strikes later, while an engine thinks by right. So what this turn was delayed by
// beyond the ordinary, which nobody could foresee (a segment held up once, an outage, a process that
// stood still), is taken off: the bridge is blamed where it would have been too late even without it. It is
// always blamed for a line that it gave up itself.
#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "sim/way.hpp"

namespace kakehashi::sim {

/// Our turn at the server, as far as it went.
struct Turn {
  base::Millis began{0};                ///< at the server
  std::optional<base::Millis> budget;   ///< nothing: no clock
  std::optional<base::Millis> heard;    ///< the line that gives it has come to our end of the way
  std::optional<base::Millis> answered; ///< our line has left
  base::Millis over{0};                 ///< the server ended it
  base::Millis late_max{0};             ///< the most that the place is late with a line, as a rule
  base::Millis stood_still{0};          ///< how long it stood still beside that, between heard and answered
};

/// For a person who looks at a failure.
[[nodiscard]] std::string describe(const Turn& turn);

/// The plain client's move arrives in time.
[[nodiscard]] bool plain_client_keeps(const Way& way, const Turn& turn);
/// It was the unforeseeable that made the difference.
[[nodiscard]] bool is_accident(const Way& way, const Turn& turn);

}  // namespace kakehashi::sim
