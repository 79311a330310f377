#include "rehearse/series.hpp"

#include <algorithm>

namespace kakehashi::rehearse {
namespace {

std::optional<int> half_points_of(csa::Outcome outcome) {
  switch (outcome) {
    case csa::Outcome::win: return 2;
    case csa::Outcome::draw: return 1;
    case csa::Outcome::lose: return 0;
    case csa::Outcome::none: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<SeriesGame> Series::begin_next() {
  if (is_over()) {
    return std::nullopt;
  }
  while (half_points_.contains(first_open_) || begun_.contains(first_open_)) {
    ++first_open_;
  }
  if (first_open_ > rules_.games) {
    return std::nullopt;
  }
  begun_.insert(first_open_);
  const auto pair = static_cast<std::size_t>(first_open_ - 1) / 2;
  return SeriesGame{first_open_, first_open_ % 2 == 1, pair % std::max<std::size_t>(1, rules_.starts)};
}

bool Series::take(const SeriesResult& result) {
  const auto half_points = half_points_of(result.outcome);
  if (!half_points || !half_points_.emplace(result.number, *half_points).second) {
    return false;
  }
  begun_.erase(result.number);
  ++endings_[{result.outcome, result.reason}];
  repeated_ += moves_.insert(result.moves).second ? 0 : 1;
  const int other = result.number % 2 == 1 ? result.number + 1 : result.number - 1;
  if (const auto found = half_points_.find(other); found != half_points_.end()) {
    ++pairs_.at(static_cast<std::size_t>(*half_points) + static_cast<std::size_t>(found->second));
  }
  return true;
}

int Series::count(csa::Outcome outcome) const {
  int games = 0;
  for (const auto& [ending, times] : endings_) {
    games += ending.first == outcome ? times : 0;
  }
  return games;
}

SprtAnswer Series::answer() const {
  return rules_.sprt ? rehearse::answer(pairs_, *rules_.sprt) : SprtAnswer::open;
}

}  // namespace kakehashi::rehearse
