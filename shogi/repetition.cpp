#include "shogi/repetition.hpp"

#include "shogi/legality.hpp"

namespace kakehashi::shogi {

namespace {

constexpr int deciding_count = 4;
// The first of four occurrences may stand before the opponent's run of checks began.
constexpr int escaping_count = 3;

int count_in(const std::unordered_map<std::uint64_t, int>& counts, std::uint64_t key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

Repetition RepetitionCounter::after_move(const Position& position) {
  const std::uint64_t key = position.key();
  const Color mover = opposite(position.side_to_move());
  auto& own_run = checks_[static_cast<int>(mover)];
  auto& other_run = checks_[static_cast<int>(opposite(mover))];

  const int occurrences = ++seen_[key];
  if (is_in_check(position, opposite(mover))) {
    ++own_run[key];
  } else {
    own_run.clear();
  }
  // The other side's run of checks goes on through this move, which answers its last check.
  if (!other_run.empty()) {
    ++other_run[key];
  }

  if (occurrences < deciding_count) {
    return Repetition::none;
  }
  if (count_in(own_run, key) >= deciding_count) {
    return Repetition::perpetual_check_by_mover;
  }
  if (count_in(other_run, key) >= escaping_count) {
    return Repetition::perpetual_check_by_other;
  }
  return Repetition::draw;
}

int RepetitionCounter::occurrences(const Position& position) const {
  return count_in(seen_, position.key());
}

}  // namespace kakehashi::shogi
