// Our turn, when the engines of a team are all asked (engine.team_play: majority, optimist, first_with_advice): who was
// asked, what each has said, whether anything can still change the outcome, and whose answer is the team's. It knows
// members by their seat and moves by their text: no board, no engine, and no clock but the instants that it is given.
// What cannot be played, or was asked for on another turn, it is not told.
//
//   team_play           | whose answer                              | known before all have answered
//   --------------------+-------------------------------------------+-----------------------------------------------
//   majority            | the move with the largest sum of weights; | no other move can come before it
//                       | of two alike that of the heaviest member  |
//   optimist            | that with the best score                  | never
//   first_with_advice   | the main engine's; without it that of the | the first of them that may still answer has
//                       | heaviest                                  |
//   any                 | of two alike the heavier, then the first  | a win is declared
//
// Who resigns says so for all only once nothing can change that: as long as an answer is waited for, a resignation that
// others may still outvote is no answer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "bridge/game/thought.hpp"
#include "config/engine_config.hpp"
#include "usi/session.hpp"

namespace kakehashi::bridge {

class Consultation {
 public:
  using Seat = std::size_t;

  struct Opinion {
    std::string move;    ///< USI, in its one spelling; "resign", "win"
    std::string ponder;  ///< the reply that it expects
    std::string shown;   ///< the move as servers spell it, for people
  };
  struct Member {
    int weight = 0;
    std::optional<usi::SearchId> search{};      ///< while its answer is waited for
    std::optional<base::SteadyTime> stop_at{};  ///< then it is told to answer; nothing: it was, or that is another's to do
    Thought thought{};
    std::optional<Opinion> said{};
  };

  /// `weights` by seat. Where the team may not resign, who resigns is not counted as long as another says a move.
  Consultation(config::TeamPlay play, const std::vector<int>& weights, bool may_resign);

  // --- what happens
  /// Its answer is waited for, from here on that to this search.
  void ask(Seat seat, usi::SearchId search, std::optional<base::SteadyTime> stop_at);
  /// What it has thought before it was asked, while the opponent thought.
  void adopt(Seat seat, Thought thought) { members_[seat].thought = std::move(thought); }
  void on_info(Seat seat, const usi::SearchInfo& info);
  void say(Seat seat, Opinion opinion);
  /// Nothing more is to be heard of it; what it has said stands.
  void lose(Seat seat) { members_[seat].search.reset(); }
  void note_stopped(Seat seat) { members_[seat].stop_at.reset(); }

  // --- how it stands
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  /// More than one was asked.
  [[nodiscard]] bool is_shared() const { return asked_ > 1; }
  [[nodiscard]] bool is_awaited(Seat seat) const { return members_[seat].search.has_value(); }
  [[nodiscard]] bool is_awaiting() const;
  [[nodiscard]] bool is_awaiting_only(Seat seat) const;
  /// Somebody has said how the game can go on; a resignation is no such word.
  [[nodiscard]] bool has_move() const;
  /// When the next of them is to be told to answer.
  [[nodiscard]] std::optional<base::SteadyTime> next_stop() const;

  // --- what comes of it
  /// Whose answer is the team's, as soon as nothing can change that.
  [[nodiscard]] std::optional<Seat> decided() const;
  /// The same by what has been said so far; nothing where nobody has said anything, or a resignation alone while others
  /// may still say a move.
  [[nodiscard]] std::optional<Seat> choose() const;
  /// The first by weight that has told a line, answered or not.
  [[nodiscard]] std::optional<Seat> first_with_line() const;

 private:
  /// Who has the say before the other, all else alike.
  [[nodiscard]] bool precedes(Seat one, Seat other) const;
  template <class Is>
  [[nodiscard]] std::optional<Seat> first(Is is) const;
  /// The best of what has been said; resignations count beside moves, or only where there are none.
  [[nodiscard]] std::optional<Seat> best(bool resignations_count) const;
  [[nodiscard]] int sum_for(const std::string& move) const;
  [[nodiscard]] bool is_overruled(Seat seat) const;

  config::TeamPlay play_;
  bool may_resign_;
  std::vector<Member> members_;  ///< by seat
  int asked_ = 0;
};

}  // namespace kakehashi::bridge
