#include "sim/plain_client.hpp"

#include <algorithm>

#include "sim/sim_engine.hpp"

namespace kakehashi::sim {

using base::Millis;

namespace {

/// The server's that gives the turn, and its engine's with the move.
constexpr int lines_read = 2;

}  // namespace

std::string describe(const Turn& turn) {
  const auto ms = [](const std::optional<Millis>& time, const char* none) {
    return time ? std::to_string(time->count()) + " ms" : std::string(none);
  };
  return "its turn began @" + ms(turn.began, "") + ", was granted " + ms(turn.budget, "no clock") +
         ", was heard of @" + ms(turn.heard, "never") + ", answered @" + ms(turn.answered, "never");
}

bool plain_client_keeps(const Way& way, const Turn& turn) {
  if (!turn.budget) {
    return true;
  }
  const Millis heard =
      turn.heard.value_or(way.arrival(Way::Direction::down, turn.began, way.ordinary_max()));
  const Millis arrives =
      way.arrival(Way::Direction::up, heard + lines_read * turn.late_max + SimEngine::word_max, way.ordinary_max());
  return arrives - turn.began < *turn.budget;
}

bool is_accident(const Way& way, const Turn& turn) {
  if (!turn.budget) {
    return false;
  }
  const Millis ordinarily_heard = turn.began + way.ordinary_max();
  const Millis heard = turn.heard.value_or(turn.over);
  const Millis accident = std::max(Millis{0}, heard - ordinarily_heard) + turn.stood_still;
  const Millis answered = turn.answered.value_or(turn.over) - accident;
  return answered + way.ordinary_max() - turn.began < *turn.budget;
}

}  // namespace kakehashi::sim
