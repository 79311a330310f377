// What one process of an engine is told and asked in a game, and what it owes: it numbers nothing itself (usi::Session
// does), but knows when an answer to `stop` is overdue, since when nothing was heard on our clock, and whether the
// process has heard of the game at all. Its owner asks it for searches only while the process is ready.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "bridge/engine/last_moves.hpp"
#include "bridge/outbox.hpp"
#include "usi/session.hpp"

namespace kakehashi::bridge {

/// How an engine has behaved, over all its processes.
struct EngineHabits {
  base::SteadyTime heard{};  ///< the end of the slice of time in which it last said anything
  base::Millis longest_silence{0};  ///< in a search of our turn, before it said something
  base::Millis slowest_ready{0};
  StopDelays stops{};
  StopDelays given_up{};  ///< the same of searches that were not wanted any more
};

/// Up to which length `position` lines seem to reach the engine whole. What lies between may cut a longer one, and so may
/// the engine: then it answers for an older position, mostly with a move that cannot be played. Such an answer to a long
/// line is what this learns from: from that length on the engine is asked by the present position alone, without the
/// moves that led there. It knows no repetition then, so that this is done only where the moves were seen to fail.
class LineLimit {
 public:
  [[nodiscard]] bool is_too_long(std::size_t bytes) const { return limit_ && bytes >= *limit_; }
  void on_asked(std::size_t bytes) { asked_ = bytes; }
  /// The answer can be played.
  void on_usable();
  /// It cannot. True when it may lie at the length of the line, so that the position alone is to be tried.
  [[nodiscard]] bool on_unusable();
  /// What was learned of a line that hardly anything cuts is forgotten.
  void begin_game();

  /// A terminal in its usual mode takes lines of so many bytes (POSIX, _POSIX_MAX_CANON); nothing cuts shorter ones.
  static constexpr std::size_t short_max = 255;
  /// The usual buffers are of 1,024 bytes and more.
  static constexpr std::size_t usual_min = 1'000;

 private:
  std::size_t asked_ = 0;
  std::optional<std::size_t> limit_;
  bool is_confirmed_ = false;  ///< the position alone was answered well
  bool is_refuted_ = false;    ///< it was not, in this game
};

class EngineSearches {
 public:
  EngineSearches(EngineId engine, usi::Protocol protocol) : engine_(engine), session_(usi::dialect_of(protocol)) {}

  [[nodiscard]] usi::Session& session() { return session_; }
  [[nodiscard]] const usi::Session& session() const { return session_; }
  void write(std::vector<std::string> lines, Outbox& out) const;

  // --- the game
  void new_game(Outbox& out);
  /// To a process that has not heard of the game yet.
  void join_game(Outbox& out);
  [[nodiscard]] usi::SearchId search(usi::SearchRequest request, Outbox& out);
  /// With `times` behind the word when not empty. May bring the parked answer at once.
  [[nodiscard]] std::optional<usi::SearchAnswered> ponderhit(std::string_view times, Outbox& out);
  /// Asks for the answer now; and gives it up. Where the stop `is_due`, how soon it is obeyed is measured: engines look
  /// less often for one as long as they have much time.
  void hurry(base::Now now, Outbox& out, bool is_due);
  void abandon(base::Now now, Outbox& out);
  /// A process that came too late for a game is not told of its end.
  void game_over(usi::GameOver result, base::Now now, Outbox& out);

  // --- past facts
  struct Obedience {
    bool was_told = false;                 ///< to stop, for whatever reason
    std::optional<base::Millis> delay{};  ///< from a stop that was due to the answer
    std::optional<base::Millis> given_up_after{};  ///< from the stop of a search that was not wanted any more
  };
  /// It has answered, wanted or not.
  [[nodiscard]] Obedience on_answered(base::Now now);
  /// The search of our turn is through.
  void end_watch() { waiting_since_.reset(); }
  /// It was out of reach until now: that tells nothing of how soon it obeys, nor of its silence.
  void on_out_of_reach() { hurried_at_.reset(); }
  void on_in_reach(base::Millis gone, base::Now now);
  /// From here on an answer to `stop` is waited for, where one is owed.
  void watch_stop(base::Now now);
  /// Our clock runs for the present search from here on, so that silence counts until it is answered.
  void watch_silence(base::Now now) { waiting_since_ = now.steady; }

  // --- the state
  [[nodiscard]] std::optional<usi::SearchId> current() const { return session_.current_search(); }
  [[nodiscard]] bool owes_nothing() const { return session_.owed() == 0; }
  /// It can be given a search of the game: it does not owe an answer of the game before, whose end it has yet to hear.
  [[nodiscard]] bool can_join_game() const { return is_in_game_ || owes_nothing(); }
  /// The present search waits for an abandoned one to be answered.
  [[nodiscard]] bool is_queued() const { return session_.is_queued(); }
  /// This process was given a search.
  [[nodiscard]] bool has_searched() const { return has_searched_; }
  /// Since when it owes the answer to a search that it was told to stop.
  [[nodiscard]] std::optional<base::SteadyTime> told_to_stop_at() const {
    return answer_by_ ? std::optional(*answer_by_ - stop_timeout) : std::nullopt;
  }
  /// True once for each search that was thought ahead and is not answered: its `stop` was not obeyed.
  [[nodiscard]] bool note_deaf() { return session_.owes_old_thought() && !std::exchange(is_deaf_noted_, true); }
  /// By when `stop` is to be answered.
  [[nodiscard]] const std::optional<base::SteadyTime>& answer_by() const { return answer_by_; }
  /// Since when nothing was heard of the search that is watched.
  [[nodiscard]] std::optional<base::SteadyTime> silent_since(const EngineHabits& habits) const;

  /// From "stop" to the engine's bestmove.
  static constexpr base::Millis stop_timeout{5'000};

 private:
  EngineId engine_;
  usi::Session session_;
  bool is_in_game_ = false;  ///< it heard of the game: usinewgame, or a search
  bool has_searched_ = false;
  std::optional<base::SteadyTime> answer_by_;
  bool is_told_to_stop_ = false;                   ///< the search that owes its answer
  bool is_deaf_noted_ = false;                     ///< of that search
  std::optional<base::SteadyTime> hurried_at_;     ///< so was it, when it was due
  std::optional<base::SteadyTime> waiting_since_;  ///< for the answer to the present search, on our clock
};

}  // namespace kakehashi::bridge
