// The links between the bridge and an engine that a keeper holds, for one process of that engine: which ways are lost,
// since when none is up, and how long they take. The search goes on at the other end, whoever listens.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "base/time.hpp"
#include "bridge/event.hpp"
#include "bridge/outbox.hpp"

namespace kakehashi::bridge {

/// Over all processes of an engine: how often nothing of it could be heard, and for how long.
struct KeeperLinkCuts {
  int count = 0;
  base::Millis out{0};
  std::optional<base::SteadyTime> out_since{};

  void take(bool is_out, base::SteadyTime now) {
    if (is_out && !out_since) {
      ++count;
      out_since = now;
    } else if (!is_out && out_since) {
      out += base::millis_between(*std::exchange(out_since, std::nullopt), now);
    }
  }
};

class KeeperLink {
 public:
  /// A way came or went, or was measured; `who` is the engine, for people. When that ends a time without any way, how
  /// long that was.
  std::optional<base::Millis> take(const EngineLink& event, const std::string& who, base::Now now, Outbox& out) {
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

  /// Since when no way leads to it; meanwhile nothing is expected of it.
  [[nodiscard]] const std::optional<base::SteadyTime>& out_since() const { return out_since_; }
  /// What the way to it and back takes, and by how much that varies; 0 without a keeper.
  [[nodiscard]] std::chrono::microseconds round_trip() const { return round_trip_; }
  [[nodiscard]] std::chrono::microseconds deviation() const { return deviation_; }
  [[nodiscard]] std::size_t ways_lost() const { return lost_.size(); }

 private:
  void note(const EngineLink& event, const std::string& who, base::Now now, Outbox& out) {
    const auto lost = std::find(lost_.begin(), lost_.end(), event.way);
    if (!event.is_up) {
      if (lost == lost_.end()) {
        lost_.push_back(event.way);
      }
      if (event.is_out) {
        out.warn("engine_link_lost",
                 fmt::format("the link to the {} is lost: {}, {}; its search goes on there, and the link is tried again",
                             who, event.way, event.why));
      } else {
        out.warn("engine_way_lost", fmt::format("a way to the {} is lost: {}, {}; the other one carries on", who, event.way,
                                                event.why));
      }
      return;
    }
    if (lost == lost_.end()) {  // it came up for the first time
      if (!event.why.empty()) {
        out.warn("engine_keeper_differs", fmt::format("the keeper of the {}, {}: {}", who, event.way, event.why));
      }
      return;
    }
    lost_.erase(lost);
    if (out_since_) {
      const base::Millis gone = base::millis_between(*out_since_, now.steady);
      out.info("engine_link_back",
               fmt::format("the link to the {} is back after {}: {}", who, base::format_millis(gone.count()), event.way));
    } else {
      out.info("engine_way_back", fmt::format("a way to the {} is back: {}", who, event.way));
    }
  }

  std::optional<base::SteadyTime> out_since_;
  std::vector<std::string> lost_;  ///< ways that were up before
  std::chrono::microseconds round_trip_{0};
  std::chrono::microseconds deviation_{0};
};

}  // namespace kakehashi::bridge
