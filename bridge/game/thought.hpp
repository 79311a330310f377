// What engines have thought: of one search, kept from its info lines (Thought); of the search that runs or was the last, and
// of the one before it (Thinking); and the floodgate comment made of it ("'* 52 -3334FU +2726FU": score from black's point
// of view, the played move left out). Source: CSA reference, "Evaluation comments".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bridge/game/game.hpp"
#include "config/bot_config.hpp"
#include "shogi/position.hpp"
#include "usi/info.hpp"

namespace kakehashi::bridge {

/// What the engine said of one search so far: the last exact word on its best line.
struct Thought {
  std::optional<usi::Score> score;  ///< from the searching side's point of view
  std::optional<usi::Score> bound;  ///< the last one that came behind it, or without it
  std::vector<std::string> pv;
  std::int64_t depth = 0;
  std::int64_t seldepth = 0;
  std::int64_t nodes = 0;
  std::int64_t nps = 0;
  std::int64_t hashfull = 0;  ///< per mille

  /// Takes an info line. Lines of other variations (multipv 2…), bounds that are not exact (when
  /// an exact score is known) and `info string` change nothing.
  void take(const usi::Info& info);

  /// It is proved that the score is `limit` centipawns or less, or a mate against the searching side: by
  /// the last exact score, or by a bound behind it. A bound counts only in the direction that it proves.
  [[nodiscard]] bool is_at_most(std::int64_t limit) const;
};

/// The score from black's point of view; a mate is ±100000, centipawns are cut at ±99999.
[[nodiscard]] std::int64_t black_score(const usi::Score& score, shogi::Color thinker);

/// The comment for playing `played` (USI) on `position`: empty when nothing was thought (a book
/// move). The pv is given only when it begins with the played move, and only as far as it is legal.
[[nodiscard]] std::string floodgate_comment(const shogi::Position& position,
                                            const std::string& played, const Thought& thought);

/// Comments are a floodgate custom; elsewhere they are sent only when asked for.
[[nodiscard]] bool wants_comments(const config::Game& game);

inline constexpr std::int64_t mate_score = 100'000;
inline constexpr std::size_t comment_pv_moves_max = 20;

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
