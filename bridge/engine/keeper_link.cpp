#include "bridge/engine/keeper_link.hpp"

#include <algorithm>
#include <utility>

#include "bridge/event.hpp"

namespace kakehashi::bridge {

void KeeperLinkCuts::take(bool is_out, base::SteadyTime now) {
  if (is_out && !out_since) {
    ++count;
    out_since = now;
  } else if (!is_out && out_since) {
    out += base::millis_between(*std::exchange(out_since, std::nullopt), now);
  }
}

std::optional<base::Millis> KeeperLink::take(const EngineLink& event, const base::Message& who, base::Now now,
                                             Outbox& out) {
  if (!event.way.empty()) {
    note(event, who, now, out);
  }
  round_trip_ = event.round_trip;
  deviation_ = event.deviation;
  if (event.is_out && !out_since_) {
    out_since_ = now.steady;
  } else if (!event.is_out && out_since_) {
    const base::Millis gone = base::millis_between(*out_since_, now.steady);
    out_since_.reset();
    return gone;
  }
  return std::nullopt;
}

void KeeperLink::note(const EngineLink& event, const base::Message& who, base::Now now, Outbox& out) {
  const auto lost = std::find(lost_.begin(), lost_.end(), event.way);
  if (!event.is_up) {
    if (lost == lost_.end()) {
      lost_.push_back(event.way);
    }
    if (event.is_out) {
      out.warn("engine_link_lost",
               base::say("the link to the {} is lost: {}, {}; its search goes on there, and the link is tried again",
                         who, event.way, event.why));
    } else {
      out.warn("engine_way_lost",
               base::say("a way to the {} is lost: {}, {}; the other one carries on", who, event.way, event.why));
    }
    return;
  }
  if (lost == lost_.end()) {  // it came up for the first time
    if (!event.why.empty()) {
      out.warn("engine_keeper_differs", base::say("the keeper of the {}, {}: {}", who, event.way, event.why));
    }
    return;
  }
  lost_.erase(lost);
  if (out_since_) {
    const base::Millis gone = base::millis_between(*out_since_, now.steady);
    out.info("engine_link_back",
             base::say("the link to the {} is back after {}: {}", who, base::duration(gone.count()), event.way));
  } else {
    out.info("engine_way_back", base::say("a way to the {} is back: {}", who, event.way));
  }
}

}  // namespace kakehashi::bridge
