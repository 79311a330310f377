#include "base/priority_choice.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::base {

bool PriorityChoice::is_crowded(const Look& before, const Look& now) {
  const auto time = now.waited.time - before.waited.time;
  const bool is_late = now.at - before.at > look_every + crowded;
  return is_late || (time > crowded && time > (now.waited.turns - before.waited.turns) * crowded_each);
}

std::optional<PriorityChoice::Waited> PriorityChoice::Waited::read(std::string_view line) {
  const auto words = split_words(line.substr(0, line.find('\n')));
  const auto time = words.size() == 3 ? parse_int(words[1]) : std::nullopt;
  const auto turns = words.size() == 3 ? parse_int(words[2]) : std::nullopt;
  return time && turns ? std::optional(Waited{std::chrono::nanoseconds{*time}, *turns}) : std::nullopt;
}

void PriorityChoice::raise_until(SteadyTime until) {
  raised_until_ = std::max(raised_until_.value_or(until), until);
  before_.reset();  // one that runs before others waits for nobody, and tells nothing of the machine
}

bool PriorityChoice::expect(SteadyTime now, SteadyTime due) {
  if (due - now <= ahead) {
    raise_until(due + behind);
  }
  return raised_until_.has_value();
}

bool PriorityChoice::look(SteadyTime now, std::optional<Waited> waited, std::optional<SteadyTime> due) {
  if (!waited) {
    raise_until(SteadyTime::max());
    return true;
  }
  if (raised_until_ && now >= *raised_until_) {
    raised_until_.reset();
    lowered_at_ = now;
  }
  if (!raised_until_) {
    const Look look{now, *waited};
    const auto before = std::exchange(before_, look);
    if (before && is_crowded(*before, look)) {
      stay_ = lowered_at_ && now - *lowered_at_ < trial ? std::min(2 * stay_, stay_max) : stay_min;
      raise_until(now + stay_);
    }
  }
  return due ? expect(now, *due) : raised_until_.has_value();
}

}  // namespace kakehashi::base
