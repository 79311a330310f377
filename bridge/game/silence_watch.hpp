// How long the engine that plays may say nothing on our clock, and what is done about it then: another one is asked
// beside it, or it is told to stop. A link that is out is no silence of the engine's, but another is asked for it as
// well. It knows engines and clocks; it begins no search, and no move depends on it but through its owner.
#pragma once

#include <optional>

#include "base/time.hpp"
#include "bridge/game/context.hpp"

namespace kakehashi::bridge {

/// For so long an engine is waited for without a doubt, and an answer waits for others.
[[nodiscard]] base::Millis shortest_patience(const Game& game);

/// How long the engine that plays may say nothing before it is doubted.
[[nodiscard]] base::Millis patience(const TurnContext& in);

/// How long our search waits behind an old one that an engine was told to stop: before another is asked in its place, and
/// before it is replaced where there is none. A plain client waits for ever; but an engine that is merely slow is not to
/// lose its table for it, so that more is waited on a long turn, and for one that was seen to need more.
struct OldSearchPatience {
  base::Millis to_stand_in{0};
  base::Millis to_replace{0};
  base::Millis on_turn{0};  ///< of our turn at least, however long it was told before
};
[[nodiscard]] OldSearchPatience old_search_patience(const TurnContext& in, EngineTeam::Seat seat, base::Millis given);

class SilenceWatch {
 public:
  /// The engine that plays searches on our clock from here on.
  void begin(const TurnContext& in);
  /// None is there to search, and after a while that is looked at.
  void wait_for_engine(const TurnContext& in) { look_at_ = in.now.steady + patience(in); }
  void end() { look_at_.reset(); }
  /// A link to the one that searches has come or gone.
  void on_link(const TurnContext& in);
  /// Its deadline has passed, and the engine that plays searches. True when another one has its place, which is to be
  /// asked for a search; `may_doubt`: whether that is to be done at all.
  [[nodiscard]] bool look(const TurnContext& in, bool may_doubt);
  [[nodiscard]] const std::optional<base::SteadyTime>& deadline() const { return look_at_; }
  /// Two engines search.
  [[nodiscard]] bool has_doubted() const { return has_doubted_; }

  /// A link that is out for so long on our turn makes the standby search as well: most come back sooner.
  static constexpr base::Millis out_max{2'000};

 private:
  [[nodiscard]] bool look_at_link(const TurnContext& in, base::SteadyTime out_since, bool may_doubt);

  std::optional<base::SteadyTime> look_at_;
  bool has_doubted_ = false;
};

}  // namespace kakehashi::bridge
