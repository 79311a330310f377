#include "bridge/outbox.hpp"

#include <algorithm>
#include <variant>

namespace kakehashi::bridge {
namespace {

template <class... Obstacles>
Actions::iterator first_of(Actions& actions) {
  return std::find_if(actions.begin(), actions.end(),
                      [](const Action& action) { return (std::holds_alternative<Obstacles>(action) || ...); });
}

/// Moves those that satisfy `is_wanted` before the others; neither lose their order. Returns where the others begin.
template <class Wanted>
Actions::iterator gather(Actions::iterator begin, Actions::iterator end, Wanted is_wanted) {
  const auto begin_of_rest = std::find_if_not(begin, end, is_wanted);
  return std::any_of(begin_of_rest, end, is_wanted) ? std::stable_partition(begin_of_rest, end, is_wanted)
                                                    : begin_of_rest;
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
