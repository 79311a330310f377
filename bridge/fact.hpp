// What happened to a bot, for all that act upon it: the files of the journal, archive, readiness, counters and
// notifications. Each is emitted beside the note that tells it to people; nothing reads notes.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <variant>

#include "bridge/note.hpp"
#include "csa/client_session.hpp"
#include "shogi/move.hpp"

namespace kakehashi::bridge {

struct Paired {
  std::string opponent;
  shogi::Color us = shogi::Color::black;
  std::string game_id;
};

struct GameStarted { std::string game_id; };

struct GameEnded {
  csa::Outcome outcome = csa::Outcome::none;
  std::string reason;         ///< "#RESIGN", as the server said it; empty: it said none
  bool is_lost_sight = false;  ///< the line was lost in it, and its end was not heard
  std::string opponent;
  std::string game_id;
  int moves = 0;
};

/// Why no engine chose a move of ours: there was none, it said nothing in time, what it said could not
/// be played, or it declared a win that does not hold.
enum class RescueCause { gone, silent, unusable, declaration };
[[nodiscard]] const char* describe(RescueCause cause);

/// A move of ours that no engine chose.
struct RescuePlayed {
  RescueCause cause = RescueCause::gone;
  base::Message how;  ///< what had happened, and which move is played
};

/// What is counted. A journal spells them by their numbers: new ones come at the end.
enum class Incident {
  connected,
  logged_in,
  login_refused,
  retrying,        ///< a pause before another attempt to connect or to log in
  game_rejected,
  agree_too_late,  ///< the engine was not ready for a game
  game_started,
  game_resumed,
  game_ended,
  game_lost_sight,
  engine_ready,
  engine_lost,
  engine_lost_on_turn,
  engine_given_up,
  engine_hurried,
  engine_option_skipped,
  search_repeated,
  unusable_bestmove,
  rescue_played,
  lost_by_fault,
  record_failed,
  journal_failed,
  bot_failed,
  line_dropped,  ///< of the server: too long, or with a NUL byte
};

/// An incident of which no more is known than this.
struct Occurred {
  Incident what = Incident::connected;
  base::Message trouble{};  ///< where it keeps the bot from playing: what a person should know
};

/// Compiled once, as an Action is.
struct Fact : std::variant<Paired, GameStarted, GameEnded, RescuePlayed, Occurred> {
  using variant::variant;
  Fact(const Fact& other);
  Fact(Fact&& other) noexcept;
  Fact& operator=(const Fact& other);
  Fact& operator=(Fact&& other) noexcept;
  ~Fact();
};

template <class T>
concept IsFact = std::same_as<T, Paired> || std::same_as<T, GameStarted> || std::same_as<T, GameEnded> ||
                 std::same_as<T, RescuePlayed> || std::same_as<T, Occurred>;

/// What it counts as; nothing for a pairing, which a game follows.
[[nodiscard]] std::optional<Incident> incident_of(const Fact& fact);
/// The code of the note that tells it to people.
[[nodiscard]] const char* code_of(Incident incident);

[[nodiscard]] Note in_words(const Paired& fact);
[[nodiscard]] Note in_words(const GameStarted& fact);
[[nodiscard]] Note in_words(const GameEnded& fact);
[[nodiscard]] Note in_words(const RescuePlayed& fact);

}  // namespace kakehashi::bridge
