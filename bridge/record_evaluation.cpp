#include "bridge/record_evaluation.hpp"

#include "base/text.hpp"
#include "bridge/translate.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

namespace {

using shogi::Color;
using shogi::record::Bound;

/// At least so much for white is at most so much for black.
Bound black_bound(usi::Score::Bound bound, Color thinker) {
  const bool is_black = thinker == Color::black;
  switch (bound) {
    case usi::Score::Bound::exact: return Bound::exact;
    case usi::Score::Bound::lower: return is_black ? Bound::lower : Bound::upper;
    case usi::Score::Bound::upper: return is_black ? Bound::upper : Bound::lower;
  }
  return Bound::exact;
}

std::int64_t black_mate(const usi::Score& score, Color thinker) {
  const std::int64_t plies = score.value < 0 ? -score.value : score.value;
  const bool black_mates = score.mate_is_lost == (thinker == Color::white);
  return black_mates ? plies : -plies;
}

std::optional<std::int64_t> if_told(std::int64_t value) {
  return value > 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<shogi::record::Evaluation> evaluation_of(const Thought& thought,
                                                       const shogi::Move& move,
                                                       const shogi::Position& before) {
  if (!thought.score) {
    return std::nullopt;
  }
  const Color thinker = before.side_to_move();
  shogi::record::Evaluation evaluation;
  evaluation.score = black_score(*thought.score, thinker);
  if (!thought.pv.empty() && thought.pv.front() == shogi::usi::format_move(move)) {
    const std::string line = translate_pv(before, thought.pv, comment_pv_moves_max + 1);
    const auto words = base::split_words(line);
    for (std::size_t i = 1; i < words.size(); ++i) {
      evaluation.pv.emplace_back(words[i]);
    }
  }
  evaluation.depth = if_told(thought.depth);
  evaluation.nodes = if_told(thought.nodes);
  evaluation.bound = black_bound(thought.score->bound, thinker);
  if (thought.score->is_mate) {
    evaluation.mate = black_mate(*thought.score, thinker);
  }
  evaluation.seldepth = if_told(thought.seldepth);
  evaluation.nps = if_told(thought.nps);
  evaluation.hashfull = if_told(thought.hashfull);
  return evaluation;
}

}  // namespace kakehashi::bridge
