// What a strict server does about a breach of the protocol, and how its clients come to the next game.
#include <utility>

#include "rehearsal/server.hpp"
#include "rehearsal/strict.hpp"

namespace kakehashi::rehearsal {

/// Whether the line was a breach, which is dealt with then.
bool Server::forbid(Session& session, std::string_view line, base::Millis silence) {
  const auto id = session.id;
  if (session.status == Status::before_login) {
    const bool is_good = is_strict_login(line);
    if (!is_good) {
      send(id, "LOGIN:incorrect");
      close(id);
    }
    return !is_good;
  }
  if (session.status == Status::connected && is_strict_action(line) &&
      std::exchange(session.may_cross, false)) {
    return true;  // it has crossed with the end of the game, and counts no more
  }
  StrictView view{session.status};
  view.silence = silence;
  if (session.table != nullptr) {
    view.is_turn = session.table->room.is_turn(session.side);
    view.game_id = session.table->room.setup().id;
  }
  if (!strict_fault(line, view)) {
    return false;
  }
  if (session.status == Status::game && session.table != nullptr) {
    perform(*session.table, session.table->room.foul(session.side, line, now_));
  } else {
    close(id);
  }
  return true;
}

/// The connection outlives the game, and whoever was not closed waits again after a rest.
void Server::wait_for_next_games() {
  for (auto* player : players()) {
    if (player->status == Status::connected && player->login_wish &&
        player->rests_until <= now_.steady) {
      wait_for_game(*player, *player->login_wish, false);
    }
  }
}

}  // namespace kakehashi::rehearsal
