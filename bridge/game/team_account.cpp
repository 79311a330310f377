#include "bridge/game/team_account.hpp"

#include <fmt/format.h>

#include "bridge/game/thought.hpp"

namespace kakehashi::bridge {

namespace {

std::optional<ViewedOpinion> opinion_of(const Consultation::Member& member, shogi::Color us) {
  if (!member.said) {
    return std::nullopt;
  }
  ViewedOpinion opinion{.move = member.said->shown, .depth = member.thought.depth};
  if (member.thought.score) {
    opinion.score = black_score(*member.thought.score, us);
  }
  return opinion;
}

}  // namespace

void TeamAccount::send(std::optional<Seat> by, const EngineTeam& team) {
  chosen_by_.clear();
  if (by && team.thinks_together()) {
    moves_by_seat_.resize(team.size());
    ++moves_by_seat_[*by];
    chosen_by_ = team.member(*by).known().name_in_team;
  }
}

std::vector<ViewedMember> TeamAccount::members(const EngineTeam& team, const Ahead& ahead,
                                               const std::optional<Consultation>& said, shogi::Color us) const {
  std::vector<ViewedMember> all;
  for (Seat seat = 0; team.thinks_together() && seat < team.size(); ++seat) {
    const EngineKnowledge& known = team.member(seat).known();
    all.push_back({.name = known.name_in_team,
                   .engine = known.name,
                   .is_ready = team.member(seat).is_ready(),
                   .plays = seat == team.player_seat(),
                   .is_out = team.is_out(seat),
                   .moves = seat < moves_by_seat_.size() ? moves_by_seat_[seat] : 0,
                   .ponder = ahead.gain_of(seat),
                   .said = said ? opinion_of(said->members()[seat], us) : std::nullopt});
  }
  return all;
}

std::string describe_opinions(const std::vector<ViewedMember>& members) {
  std::string text;
  for (const ViewedMember& member : members) {
    if (const auto& said = member.said) {
      const std::string depth = said->depth > 0 ? fmt::format(" (depth {})", said->depth) : "";
      const std::string score = said->score ? fmt::format(" {}{}", *said->score, depth) : "";
      text += fmt::format("{}{} {}{}", text.empty() ? "team: " : ", ", member.name, said->move, score);
    }
  }
  return text;
}

}  // namespace kakehashi::bridge
