// An engine that behaves: it follows what was said to and by the engine of a stage, and when it is
// asked to act it does the next thing that a good engine owes. It plays any legal move and predicts
// any legal reply, sometimes the right one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bridge/bot/bot.hpp"
#include "shogi/position.hpp"

namespace kakehashi::support {

/// The position behind a `position` line that the bridge wrote.
[[nodiscard]] shogi::Position read_position(const std::string& line);

class FakeEngine {
 public:
  /// In that seat: the first engine, the standby or a member of the team.
  explicit FakeEngine(std::uint32_t seat = 0) : seat_(seat) {}

  void see(const bridge::Event& event);
  void see(const bridge::Actions& actions);

  /// The next thing it owes, if it owes anything.
  [[nodiscard]] std::optional<bridge::Event> act();
  /// Its sudden end: an exit, or a start that fails. Nothing when no engine is there.
  [[nodiscard]] std::optional<bridge::Event> die() const;

 private:
  [[nodiscard]] bridge::Event say(std::string line) const;
  [[nodiscard]] std::string choose();

  std::uint32_t seat_;
  bridge::EngineId id_{};
  bool is_asked_for_ = false;
  bool is_alive_ = false;
  bool owes_usiok_ = false;
  bool owes_readyok_ = false;
  bool owes_move_ = false;
  bool is_pondering_ = false;
  bool is_quitting_ = false;
  std::string position_;
  std::uint64_t choices_ = 0;
};

}  // namespace kakehashi::support
