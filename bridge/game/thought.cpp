#include "bridge/game/thought.hpp"

#include <algorithm>

#include "bridge/game/translate.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

void Thought::take(const usi::Info& info) {
  if (info.string.has_value() || info.multipv.value_or(1) != 1) {
    return;
  }
  nodes = info.nodes.value_or(nodes);
  nps = info.nps.value_or(nps);
  hashfull = info.hashfull.value_or(hashfull);
  if (info.score) {
    const bool is_exact = info.score->bound == usi::Score::Bound::exact;
    bound = is_exact ? std::nullopt : info.score;
    const bool have_exact = score && score->bound == usi::Score::Bound::exact;
    if (!is_exact && have_exact) {
      return;
    }
    score = info.score;
  }
  if (!info.pv.empty()) {
    pv = info.pv;
    depth = info.depth.value_or(depth);
    seldepth = info.seldepth.value_or(seldepth);
  }
}

bool Thought::is_at_most(std::int64_t limit) const {
  const auto is_low = [&](const usi::Score& told) {
    return told.is_mate ? told.mate_is_lost : told.value <= limit;
  };
  if (bound && bound->bound == usi::Score::Bound::upper && is_low(*bound)) {
    return true;
  }
  if (bound && bound->bound == usi::Score::Bound::lower && !is_low(*bound)) {
    return false;
  }
  return score && score->bound == usi::Score::Bound::exact && is_low(*score);
}

std::int64_t black_score(const usi::Score& score, shogi::Color thinker) {
  std::int64_t value = 0;
  if (score.is_mate) {
    value = score.mate_is_lost ? -mate_score : mate_score;
  } else {
    value = std::clamp(score.value, -(mate_score - 1), mate_score - 1);
  }
  return thinker == shogi::Color::black ? value : -value;
}

std::string floodgate_comment(const shogi::Position& position, const std::string& played,
                              const Thought& thought) {
  if (!thought.score) {
    return {};
  }
  std::string comment =
      "'* " + std::to_string(black_score(*thought.score, position.side_to_move()));
  if (!thought.pv.empty() && thought.pv.front() == played) {
    const std::string line = translate_pv(position, thought.pv, comment_pv_moves_max + 1);
    // The first move is the one that is being played: the comment begins with the reply.
    if (const std::size_t space = line.find(' '); space != std::string::npos) {
      comment += line.substr(space);
    }
  }
  return comment;
}

bool wants_comments(const config::Game& game) {
  return game.comments.value_or(game.name.starts_with("floodgate-"));
}

// --- of the game's searches

void Thinking::begin(int ply, shogi::Color us) {
  if (!thought_.pv.empty()) {
    earlier_ = {ply_, std::move(thought_.pv)};
  }
  thought_ = {};
  ply_ = ply;
  thinker_ = us;
}

bool Thinking::is_low(int ply, std::int64_t score, int moves) {
  low_scores_ = ply_ == ply && thought_.is_at_most(score) ? low_scores_ + 1 : 0;
  return low_scores_ >= moves;
}

std::vector<std::string> Thinking::line_from(const Game& game,
                                             const std::optional<shogi::Move>& predicted) const {
  const std::vector<std::string>& pv = thought_.pv;
  const int passed = game.ply() - ply_;
  if (passed < 0) {
    if (!predicted) {
      return {};
    }
    std::vector<std::string> line{shogi::usi::format_move(*predicted)};
    line.insert(line.end(), pv.begin(), pv.end());
    return line;
  }
  const auto count = static_cast<std::size_t>(passed);
  for (std::size_t i = 0; i < count; ++i) {
    const auto ply = static_cast<std::size_t>(ply_) + i;
    if (i >= pv.size() || shogi::usi::format_move(game.moves()[ply].move) != pv[i]) {
      return {};
    }
  }
  return {pv.begin() + passed, pv.end()};
}

}  // namespace kakehashi::bridge
