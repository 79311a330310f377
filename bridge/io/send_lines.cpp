#include "bridge/io/send_lines.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "base/secret.hpp"

namespace kakehashi::bridge::io {
namespace {

template <class... Obstacles>
std::size_t first_of(const Actions& actions) {
  const auto found = std::find_if(actions.begin(), actions.end(), [](const Action& action) {
    return (std::holds_alternative<Obstacles>(action) || ...);
  });
  return static_cast<std::size_t>(found - actions.begin());
}

/// Each engine's lines joined, the engines in the order in which they are spoken to.
std::vector<std::pair<EngineId, std::string>> lines_of_engines(const Actions& actions,
                                                               std::size_t until) {
  std::vector<std::pair<EngineId, std::string>> all;
  for (std::size_t i = 0; i < until; ++i) {
    const auto* write = std::get_if<WriteEngine>(&actions[i]);
    if (write == nullptr) {
      continue;
    }
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const auto& one) { return one.first == write->engine; });
    if (known == all.end()) {
      all.emplace_back(write->engine, write->line);
    } else {
      known->second += '\n';
      known->second += write->line;
    }
  }
  return all;
}

}  // namespace

SentLines send_lines(const Actions& actions, const Outlets& outlets) {
  const SentLines sent{first_of<ConnectServer, CloseServer, Exit>(actions),
                       first_of<StartEngine, KillEngine, Exit>(actions)};
  for (std::size_t i = 0; i < sent.server_until; ++i) {
    if (const auto* write = std::get_if<WriteServer>(&actions[i])) {
      outlets.to_server(write->line);
    }
  }
  for (const auto& [engine, lines] : lines_of_engines(actions, sent.engine_until)) {
    outlets.to_engine(engine, lines);
  }
  return sent;
}

void wipe_lines(Actions& actions) {
  for (Action& action : actions) {
    if (auto* write = std::get_if<WriteServer>(&action)) {
      base::wipe(write->line);
    }
  }
}

}  // namespace kakehashi::bridge::io
