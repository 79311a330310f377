#include "bridge/phase.hpp"

namespace kakehashi::bridge {

const char* name_of(Phase phase) {
  switch (phase) {
    case Phase::preparing: return "preparing the engine";
    case Phase::connecting: return "connecting";
    case Phase::logging_in: return "logging in";
    case Phase::waiting: return "waiting for a game";
    case Phase::agreeing: return "agreeing";
    case Phase::playing: return "playing";
    case Phase::backoff: return "pausing before the next attempt";
    case Phase::resting: return "waiting for its window";
    case Phase::leaving: return "leaving";
    case Phase::gone: return "gone";
    case Phase::beginning_anew: return "beginning anew";
    case Phase::failed: return "failed";
  }
  return "gone";
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
