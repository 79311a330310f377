// What the server tells those who watch its games (the demo's view, the rehearsal report, tests):
// past facts, complete enough to print moves, times, result and reason. Never sent to a client.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rehearse/server/game_name.hpp"
#include "shogi/move.hpp"
#include "shogi/position.hpp"

namespace kakehashi::rehearse::server {

enum class EndReason {
  resign,
  time_up,
  illegal_move,
  drop_pawn_mate,      ///< uchifuzume
  king_left_in_check,  ///< oute_kaihimore
  declaration,
  wrong_declaration,
  repetition,
  perpetual_check,
  max_moves,
  abnormal,        ///< a side was gone, by disconnect or LOGOUT
  illegal_action,  ///< a breach of the protocol, of a strict server only
};

/// The word of shogi-server's record after "'summary:": "toryo", "time up", "oute_sennichite", ...
[[nodiscard]] const char* summary_word(EndReason reason);

struct PlayedMove {
  shogi::Color mover;
  shogi::Move move;
  std::string text;  ///< "+7776FU"
  std::int64_t seconds = 0;
};

struct GameStarted {
  std::string game_id;
  std::array<std::string, 2> names;  ///< black, white
  ClockRules clock;
  int max_moves = 0;  ///< 0: no limit
  shogi::Position position;
};

struct MovePlayed {
  std::string game_id;
  int ply = 0;  ///< 1 for the first; moves of a prepared start are counted
  PlayedMove move;
  std::array<std::int64_t, 2> main_time_s{};  ///< what both clocks hold after it
};

struct GameEnded {
  std::string game_id;
  std::array<std::string, 2> names;
  EndReason reason;
  std::optional<shogi::Color> winner;
  std::vector<PlayedMove> moves;
  std::string last_line;  ///< the line that ended it; empty for time, disconnect
};

/// No game came of a pairing.
struct GameRejected {
  std::string game_id;
  std::array<std::string, 2> names;
  std::string by;  ///< a player's name, or "the Server (timed out)"
};

using GameReport = std::variant<GameStarted, MovePlayed, GameEnded, GameRejected>;

}  // namespace kakehashi::rehearse::server
