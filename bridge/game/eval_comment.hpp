// The evaluation that goes with a move: what the engine thought, kept from its info lines, and the
// floodgate comment made of it ("'* 52 -3334FU +2726FU": score from black's point of view, the
// played move left out). Source: CSA reference, "Evaluation comments".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace kakehashi::bridge
