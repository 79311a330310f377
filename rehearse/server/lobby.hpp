// Who waits for which game, and who plays whom: on which side, from which start, under which game id. It knows players by
// their logins and hands a pairing on; it knows no connection's state, and no game once it is paired.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/time.hpp"
#include "rehearse/server/game_room.hpp"
#include "rehearse/server/session.hpp"
#include "shogi/move.hpp"
#include "shogi/position.hpp"

namespace kakehashi::rehearse::server {

/// Of all games, whatever their names say.
struct PairingSettings {
  std::string event = "local";  ///< the first part of game ids
  int max_moves = 256;          ///< 0: no limit
  std::int64_t least_time_per_move_s = 0;
  /// Floodgate names are paired when the clock on the wall shows a multiple of this; nothing: as
  /// soon as two wait, like any other name.
  std::optional<base::Millis> floodgate_interval;
};

/// How the next games of a player are paired, until it is said anew: who has black, and from where.
struct Arrangement {
  std::string black;                    ///< that player has black, whoever the other one is; empty: by lot
  std::optional<shogi::Position> start;  ///< nothing: as the game name says
  std::vector<ListedMove> moves;        ///< legal ones from there; of a `start` only
  std::string event;                    ///< first part of the game id; empty: that of the settings
};

/// Two who are to play, and what. They wait no longer.
struct Pairing {
  Player black;
  Player white;
  GameSetup setup;
};

class Lobby {
 public:
  struct Waits {};
  /// The words after "##[ERROR] ".
  struct Refused {
    std::string why;
  };
  using Answer = std::variant<Waits, Pairing, Refused>;

  /// Colors and floodgate pairs are drawn from `seed`.
  Lobby(const PairingSettings& settings, std::uint64_t seed);

  /// Of a player who plays no game; what it has waited for so far it waits for no longer, unless the wish cannot be.
  [[nodiscard]] Answer wait(const Player& player, const GameWish& wish, base::Now now);
  void leave(const Player& player) { waiting_.erase(player.login_order); }
  /// What the player waits for; nothing when it does not.
  [[nodiscard]] const GameWish* wish_of(const Player& player) const;

  /// Plans the first tick, once.
  void begin_ticks(base::Now now);
  [[nodiscard]] std::optional<base::SteadyTime> next_tick() const { return next_tick_; }
  /// At a tick everyone who waits for the same floodgate name and has a trip is paired by lot; with
  /// an odd number one is left over. (The real one prefers near ratings; here nobody has one.)
  [[nodiscard]] std::vector<Pairing> pair_at_tick(base::Now now);

  void arrange(Arrangement next) { arrangement_ = std::move(next); }

 private:
  struct Waiting {
    Player player;
    GameWish wish;
  };

  [[nodiscard]] const Waiting* find_rival(const Player& player, const GameWish& wish) const;
  [[nodiscard]] Pairing pair(const Waiting& a, const Waiting& b, base::Now now);
  [[nodiscard]] std::string new_game_id(const std::string& event, const GameName& game, const Player& black,
                                        const Player& white, base::WallTime wall);
  void plan_tick(base::Now now);
  [[nodiscard]] std::uint64_t draw();

  PairingSettings settings_;
  std::uint64_t random_state_;
  std::map<std::uint64_t, Waiting> waiting_;  ///< in the order of the logins
  std::optional<Arrangement> arrangement_;
  std::int64_t last_stamp_ = 0;
  std::optional<base::SteadyTime> next_tick_;
};

}  // namespace kakehashi::rehearse::server
