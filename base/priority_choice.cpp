#include "base/priority_choice.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi::base {

namespace {

bool is_crowded(const PriorityChoice::Waited& before, const PriorityChoice::Waited& now) {
  const auto time = now.time - before.time;
  return time > PriorityChoice::crowded && time > (now.turns - before.turns) * PriorityChoice::crowded_each;
}

}  // namespace

void PriorityChoice::raise_until(SteadyTime until) {
  raised_until_ = std::max(raised_until_.value_or(until), until);
  waited_.reset();  // one that runs before others waits for nobody, and tells nothing of the machine
}

bool PriorityChoice::expect(SteadyTime now, SteadyTime due) {
  if (due - now <= ahead) {
    raise_until(due + behind);
  }
  return raised_until_.has_value();
}

bool PriorityChoice::look(SteadyTime now, std::optional<Waited> waited, std::optional<SteadyTime> due) {
  if (!waited) {
    return true;
  }
  if (raised_until_ && now >= *raised_until_) {
    raised_until_.reset();
    lowered_at_ = now;
  }
  if (!raised_until_) {
    const auto before = std::exchange(waited_, waited);
    if (before && is_crowded(*before, *waited)) {
      stay_ = lowered_at_ && now - *lowered_at_ < trial ? std::min(2 * stay_, stay_max) : stay_min;
      raise_until(now + stay_);
    }
  }
  return due ? expect(now, *due) : raised_until_.has_value();
}

}  // namespace kakehashi::base
