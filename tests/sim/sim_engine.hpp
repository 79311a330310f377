// The engine of a bot: plays any legal move, fast, and misbehaves when the plan says so. It reads
// `position` lines by itself, so that what it believes can be held against the server's board.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "bridge/action.hpp"
#include "bridge/event.hpp"
#include "shogi/position.hpp"
#include "sim/agenda.hpp"
#include "sim/dice.hpp"
#include "sim/fault.hpp"
#include "sim/scenario.hpp"

namespace kakehashi::sim {

/// A `go` as the engine got it.
struct Search {
  shogi::Position position;
  bool is_ponder = false;
  bool is_in_game = false;  ///< else it is asked how it reads its clocks
  std::optional<base::Millis> allowance;  ///< what it reads from the clocks for this move; nothing: no times
  bool has_no_limit = false;              ///< it will not answer before it is told to
};

class SimEngine {
 public:
  /// The longest that it takes to obey "stop" while it is well.
  static constexpr base::Millis word_max{10};

  using EventSink = std::function<void(const bridge::Event&)>;
  using SearchSink = std::function<void(const Search&)>;

  SimEngine(Agenda& agenda, const Scenario& scenario, std::size_t bot, FaultPlan& plan,
            EventSink events, SearchSink searches, std::uint64_t dice = 20);

  void perform(const bridge::StartEngine& start);
  void perform(const bridge::WriteEngine& write);
  void perform(const bridge::KillEngine& kill);

  /// It said so on its last turn: the bot may resign.
  [[nodiscard]] bool has_resigned() const { return has_resigned_; }
  /// A game begins. A process that is started in the middle of one does not take back what another said.
  void forget_resignation() { has_resigned_ = false; }
  /// When it gave its last answer.
  [[nodiscard]] base::Millis answered_at() const { return answered_at_; }
  [[nodiscard]] bool is_alive() const { return is_alive_; }
  [[nodiscard]] int deaths_of_increments() const { return deaths_of_increments_; }
  /// It is well again, at the next start if not before.
  void thaw() { is_frozen_ = false; }

 private:
  enum class Mood { well, hangs, hangs_until_stop, exits };

  void say_after(base::Millis delay, std::string line);
  void exit_after(base::Millis delay, const char* status);
  void boot();
  void go(const std::string& line);
  void act_up(FaultKind kind);
  void think();
  void tell_lines();
  [[nodiscard]] Search read_go(const std::string& line) const;
  void answer_after(base::Millis delay);
  void on_stop();
  [[nodiscard]] std::string choose();
  [[nodiscard]] shogi::Move choose_move(const std::vector<shogi::Move>& moves,
                                        const shogi::Position& position);
  void read_position(const std::string& whole);

  Agenda& agenda_;
  Dice dice_;
  EngineManners manners_;
  std::uint64_t taste_;  ///< shared by all players of a story: predictions come true
  FaultPlan& plan_;
  EventSink events_;
  SearchSink searches_;

  bridge::EngineId id_{};
  bool is_alive_ = false;
  bool ignores_quit_ = false;
  bool is_deaf_ahead_ = false;  ///< to stop, while it ponders; the program does, whichever process
  std::optional<std::size_t> cuts_at_;  ///< the way to it: longer lines arrive up to there
  bool is_misled_ = false;      ///< by a line that was cut
  base::Millis last_word_at_{0};
  bool is_in_game_ = false;  ///< usinewgame, and no gameover yet
  std::string position_line_;
  shogi::Position position_;
  std::optional<shogi::Move> last_own_;  ///< to go back on

  // Of the search that runs.
  std::uint64_t search_ = 0;
  bool owes_ = false;
  bool is_pondering_ = false;
  Mood mood_ = Mood::well;
  base::Millis late_by_{0};
  std::string planned_;  ///< instead of a move
  bool doubles_ = false;
  std::optional<base::Millis> allowance_;
  base::Millis answered_at_{0};
  bool has_resigned_ = false;
  bool is_frozen_ = false;  ///< and whatever is started in its place
  int deaths_of_increments_ = 0;
};

}  // namespace kakehashi::sim
