// Collects the actions of one step, and says in which order they are performed: lines leave before anything else
// is done, for journal, records and log cost three times as much as sending does, and the clock of the game runs
// (docs/internals/performance.md).
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bridge/action.hpp"

namespace kakehashi::bridge {

/// In the order in which they are performed.
using Actions = std::vector<Action>;

class Outbox {
 public:
  void add(Action action) {
    if (actions_.capacity() == 0) {
      actions_.reserve(at_hand_bytes / sizeof(Action));
    }
    actions_.push_back(std::move(action));
  }

  using Fields = std::vector<std::pair<std::string, std::string>>;
  void note(Level level, std::string code, base::Message text, Fields fields = {}) {
    add(Note{level, std::move(code), std::move(text), std::move(fields)});
  }
  void info(std::string code, base::Message text, Fields fields = {}) {
    note(Level::info, std::move(code), std::move(text), std::move(fields));
  }
  [[gnu::cold]] void warn(std::string code, base::Message text, Fields fields = {}) {
    note(Level::warn, std::move(code), std::move(text), std::move(fields));
  }
  [[gnu::cold]] void error(std::string code, base::Message text, Fields fields = {}) {
    note(Level::error, std::move(code), std::move(text), std::move(fields));
  }

  /// A fact, and the note that tells it.
  template <IsFact T>
  void tell(T fact) {
    add(in_words(fact));
    add(std::move(fact));
  }
  /// Beside its note. `trouble`: what a person should know, where it keeps the bot from playing.
  void count(Incident what, base::Message trouble = {}) { add(Occurred{what, std::move(trouble)}); }

  /// The server's lines first, among them our move; then those of each engine, the engines in the order in which they
  /// are spoken to; then everything else as it came. A line stays behind what opens or closes its way (ConnectServer,
  /// CloseServer; StartEngine, KillEngine) and behind Exit.
  [[nodiscard]] Actions take();

 private:
  /// Enough for a move. For a larger block malloc sorts first what was freed.
  static constexpr std::size_t at_hand_bytes = 1024;
  Actions actions_;
};

}  // namespace kakehashi::bridge
