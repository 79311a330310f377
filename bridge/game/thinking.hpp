// What our engines have thought in one game: of the search that runs or was the last, and of the one
// before it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bridge/game/eval_comment.hpp"
#include "bridge/game/game.hpp"
#include "usi/info.hpp"

namespace kakehashi::bridge {

/// A principal variation and the ply of the position that it begins at.
struct ThoughtLine {
  int ply = 0;
  std::vector<std::string> pv;  ///< USI
};

class Thinking {
 public:
  /// A search of the position at `ply` begins, for the side that is ours.
  void begin(int ply, shogi::Color us);
  void take(const usi::Info& info) { thought_.take(info); }
  /// What was thought of it by another engine than the one that was listened to.
  void adopt(Thought thought) { thought_ = std::move(thought); }
  /// Whether the search of `ply` is at or below that score, for so many of our moves in a row.
  [[nodiscard]] bool is_low(int ply, std::int64_t score, int moves);

  [[nodiscard]] const Thought& thought() const { return thought_; }
  [[nodiscard]] int ply() const { return ply_; }
  [[nodiscard]] shogi::Color thinker() const { return thinker_; }
  [[nodiscard]] ThoughtLine line() const { return {ply_, thought_.pv}; }
  [[nodiscard]] const ThoughtLine& earlier() const { return earlier_; }
  /// The principal variation as it goes on from the present position: what was played of it is gone, and when
  /// something else was played, so is the rest. `predicted` stands before a line of the next position.
  [[nodiscard]] std::vector<std::string> line_from(const Game& game,
                                                   const std::optional<shogi::Move>& predicted) const;

 private:
  Thought thought_;
  int ply_ = 0;  ///< of the position that was searched
  ThoughtLine earlier_;
  shogi::Color thinker_ = shogi::Color::black;
  int low_scores_ = 0;  ///< own moves in a row
};

}  // namespace kakehashi::bridge
