// The links between the bridge and an engine that a keeper holds, for one process of that engine: which ways are lost,
// since when none is up, and how long they take. The search goes on at the other end, whoever listens.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "bridge/outbox.hpp"

namespace kakehashi::bridge {

struct EngineLink;

/// Over all processes of an engine: how often nothing of it could be heard, and for how long.
struct KeeperLinkCuts {
  int count = 0;
  base::Millis out{0};
  std::optional<base::SteadyTime> out_since{};

  void take(bool is_out, base::SteadyTime now);
};

class KeeperLink {
 public:
  /// A way came or went, or was measured; `who` is the engine. When that ends a time without any way, how
  /// long that was.
  std::optional<base::Millis> take(const EngineLink& event, const base::Message& who, base::Now now, Outbox& out);

  /// Since when no way leads to it; meanwhile nothing is expected of it.
  [[nodiscard]] const std::optional<base::SteadyTime>& out_since() const { return out_since_; }
  /// What the way to it and back takes, and by how much that varies; 0 without a keeper.
  [[nodiscard]] std::chrono::microseconds round_trip() const { return round_trip_; }
  [[nodiscard]] std::chrono::microseconds deviation() const { return deviation_; }
  [[nodiscard]] std::size_t ways_lost() const { return lost_.size(); }

 private:
  void note(const EngineLink& event, const base::Message& who, base::Now now, Outbox& out);

  std::optional<base::SteadyTime> out_since_;
  std::vector<std::string> lost_;  ///< ways that were up before
  std::chrono::microseconds round_trip_{0};
  std::chrono::microseconds deviation_{0};
};

}  // namespace kakehashi::bridge
