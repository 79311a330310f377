#include "bridge/phase.hpp"

namespace kakehashi::bridge {

base::Message name_of(Phase phase) {
  switch (phase) {
    case Phase::preparing: return base::say("preparing the engine");
    case Phase::connecting: return base::say("connecting");
    case Phase::logging_in: return base::say("logging in");
    case Phase::waiting: return base::say("waiting for a game");
    case Phase::agreeing: return base::say("agreeing");
    case Phase::playing: return base::say("playing");
    case Phase::backoff: return base::say("pausing before the next attempt");
    case Phase::resting: return base::say("waiting for its window");
    case Phase::leaving: return base::say("leaving");
    case Phase::gone: return base::say("gone");
    case Phase::beginning_anew: return base::say("beginning anew");
    case Phase::failed: return base::say("failed");
  }
  return base::say("gone");
}

const char* code_of(Phase phase) {
  switch (phase) {
    case Phase::preparing: return "preparing";
    case Phase::connecting: return "connecting";
    case Phase::logging_in: return "logging_in";
    case Phase::waiting: return "waiting";
    case Phase::agreeing: return "agreeing";
    case Phase::playing: return "playing";
    case Phase::backoff: return "backoff";
    case Phase::resting: return "resting";
    case Phase::leaving: return "leaving";
    case Phase::gone: return "gone";
    case Phase::beginning_anew: return "beginning_anew";
    case Phase::failed: return "failed";
  }
  return "gone";
}

}  // namespace kakehashi::bridge
