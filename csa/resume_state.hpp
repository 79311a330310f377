// The BEGIN Reconnect_State block, an extension of rshogi's servers: after a login with a
// Reconnect_Token a fresh Game_Summary gives the position as it is, and this block the clocks.
// Play goes on without AGREE and START.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "shogi/move.hpp"

namespace kakehashi::csa {

struct ResumeState {
  std::optional<shogi::Color> turn;
  /// What is left at the beginning of a turn, the increment of that turn included, at most a day.
  std::optional<base::Millis> black;
  std::optional<base::Millis> white;
  std::string last_move;  ///< as the server writes it; often absent
};

class ResumeReader {
 public:
  static constexpr std::string_view begin = "BEGIN Reconnect_State";
  /// More lines than this are left unread.
  static constexpr int lines_max = 64;

  /// Takes one line behind BEGIN. True when the block is complete.
  [[nodiscard]] bool feed(std::string_view line);
  [[nodiscard]] const ResumeState& state() const { return state_; }

 private:
  ResumeState state_;
  int lines_ = 0;
};

}  // namespace kakehashi::csa
