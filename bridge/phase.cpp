#include "bridge/phase.hpp"

#include "base/overload.hpp"

namespace kakehashi::bridge {

const char* name_of(const Phase& phase) {
  return std::visit(base::Overload{
                        [](const Preparing&) { return "preparing the engine"; },
                        [](const Connecting&) { return "connecting"; },
                        [](const LoggingIn&) { return "logging in"; },
                        [](const Waiting&) { return "waiting for a game"; },
                        [](const Agreeing&) { return "agreeing"; },
                        [](const Playing&) { return "playing"; },
                        [](const Backoff&) { return "pausing before the next attempt"; },
                        [](const Resting&) { return "waiting for its window"; },
                        [](const Leaving&) { return "leaving"; },
                        [](const Gone&) { return "gone"; },
                    },
                    phase);
}

}  // namespace kakehashi::bridge
