// What the members of a team that thinks together have chosen and said in one game: whose our moves were, and what each
// said on our last turn. It is for the record and for people; no move depends on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bridge/engine/engine_team.hpp"
#include "bridge/game/ahead.hpp"
#include "bridge/game/consultation.hpp"
#include "bridge/view.hpp"

namespace kakehashi::bridge {

class TeamAccount {
 public:
  using Seat = EngineTeam::Seat;

  /// Our turn has its answer, behind what was said on it; nothing: no others were asked.
  void end_turn(const std::optional<Consultation>& said) { said_ = said; }
  /// A move of ours leaves that this member chose; nothing: no engine did.
  void send(std::optional<Seat> by, const EngineTeam& team);
  /// Whose our last move was; empty where no team thinks together.
  [[nodiscard]] const std::string& chosen_by() const { return chosen_by_; }
  [[nodiscard]] const std::optional<Consultation>& said() const { return said_; }
  /// Of a team that thinks together, by seat; empty for any other. With what has been `said`, on this turn or the last
  /// one, by whoever has our color.
  [[nodiscard]] std::vector<ViewedMember> members(const EngineTeam& team, const Ahead& ahead,
                                                  const std::optional<Consultation>& said, shogi::Color us) const;

 private:
  std::vector<int> moves_by_seat_;  ///< that it chose
  std::string chosen_by_;
  std::optional<Consultation> said_;  ///< on our last turn
};

/// "team: engine +7776FU 80 (depth 12), second +2726FU": empty when nothing was said.
[[nodiscard]] std::string describe_opinions(const std::vector<ViewedMember>& members);

}  // namespace kakehashi::bridge
