// What a finished game came to, as plain values, for the archive of games. It knows nothing of where
// that is kept.
#pragma once

#include <string>
#include <vector>

#include "base/message.hpp"
#include "bridge/view.hpp"
#include "csa/client_session.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::bridge {

/// A move of ours that no engine chose.
struct RescueMove {
  int ply = 0;  ///< from 1
  base::Message why;
};

struct FinishedGame {
  std::string bot;
  std::string server;     ///< "host:port"
  std::string game_name;  ///< as configured; may be empty
  std::string engine;
  shogi::Color our_color = shogi::Color::black;
  csa::GameEnd end;
  shogi::record::Record record;  ///< moves, times, evaluations, clocks, names, dates
  ViewedPonder ponder;
  std::vector<ViewedMember> members;  ///< of a team that thinks together, by seat
  TimeStatistics time;                ///< of our moves that a clock was granted for
  std::vector<RescueMove> rescues;

  static constexpr std::size_t rescues_max = 100;  ///< more are not kept
};

}  // namespace kakehashi::bridge
