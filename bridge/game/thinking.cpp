#include "bridge/game/thinking.hpp"

#include <utility>

#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

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
