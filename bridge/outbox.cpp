#include "bridge/outbox.hpp"

#include <algorithm>
#include <iterator>
#include <variant>

namespace kakehashi::bridge {
namespace {

template <class... Obstacles>
Actions::iterator first_of(Actions& actions) {
  return std::find_if(actions.begin(), actions.end(),
                      [](const Action& action) { return (std::holds_alternative<Obstacles>(action) || ...); });
}

/// Moves those that satisfy `is_wanted` before the others; neither lose their order. Returns where the others begin.
/// They are few, and stand near the beginning: std::stable_partition would take memory for all.
template <class Wanted>
Actions::iterator gather(Actions::iterator rest, Actions::iterator end, Wanted is_wanted) {
  for (auto next = rest; next != end; ++next) {
    if (is_wanted(*next)) {
      if (next != rest) {
        Action wanted = std::move(*next);
        std::move_backward(rest, next, std::next(next));
        *rest = std::move(wanted);
      }
      ++rest;
    }
  }
  return rest;
}

}  // namespace

Actions Outbox::take() {
  Actions actions = std::move(actions_);
  actions_.clear();
  const auto is_server_line = [](const Action& action) { return std::holds_alternative<WriteServer>(action); };
  const auto is_engine_line = [](const Action& action) { return std::holds_alternative<WriteEngine>(action); };
  auto rest = gather(actions.begin(), first_of<ConnectServer, CloseServer, Exit>(actions), is_server_line);
  const auto end = first_of<StartEngine, KillEngine, Exit>(actions);
  for (auto next = std::find_if(rest, end, is_engine_line); next != end; next = std::find_if(rest, end, is_engine_line)) {
    const EngineId engine = std::get<WriteEngine>(*next).engine;
    rest = gather(rest, end, [&](const Action& action) {
      const auto* write = std::get_if<WriteEngine>(&action);
      return write != nullptr && write->engine == engine;
    });
  }
  return actions;
}

}  // namespace kakehashi::bridge
