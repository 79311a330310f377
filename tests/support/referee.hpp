// The referee watches a bot from outside, step by step, and writes down every breach of what must
// hold in any story, whatever the peers do. It reads the same lines as the bot, with its own eyes:
// it uses none of the bridge's sessions, only the reading of an engine's single line.
//
//   server  a move, %TORYO or %KACHI only on our turn of a running game, and one a turn; no line
//           without a connection; no keepalive sooner than 30 s after another line; AGREE once;
//           no LOGOUT in mid-game; no %CHUDAN, which shogi-server takes for an illegal move
//   engine  (each of them where there are several)
//           "usi" first; nothing else before its answer; no position or go while a bestmove is
//           owed; "go" only behind "position"; one "stop" a search; ponderhit only on a running
//           go ponder; gameover when nothing is owed; nothing after quit; one process alive
//           no go in a step behind whose line more lines wait: they may end the game
//   turn    our turn means: a search is owed, or an engine is on its
//           way, or the opening book was asked just now, or the move is sent, or the timer is about to ring for the rescue
//   rest    the password in nothing but the LOGIN line; a bounded number of actions a step;
//           records begun once and finished once; a timer is armed until the exit; after the exit
//           nothing
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/action.hpp"
#include "bridge/bot/bot.hpp"
#include "bridge/event.hpp"

namespace kakehashi::support {

class Referee {
 public:
  explicit Referee(std::string password) : password_(std::move(password)) {}

  void see(const bridge::Event& event, base::Millis at);
  /// `rings_at` is the instant of the armed timer.
  void judge(const bridge::Actions& actions, base::Millis at,
             std::optional<base::Millis> rings_at);
  void complain(std::string what);

  /// "@5.2s: what is wrong", in order of discovery.
  [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }

  static constexpr std::size_t actions_a_step_max = 48;
  static constexpr base::Millis keepalive_pause_min{30'000};
  /// So close to the rescue no search is begun.
  static constexpr base::Millis rescue_is_close{250};
  /// The opening book gets no longer for an answer.
  static constexpr base::Millis lookup_max{500};

 private:
  enum class Life { none, asked_for, alive, over };
  struct Engine {
    bridge::EngineId id{};
    Life life = Life::none;
    bool usi_sent = false;
    bool is_identified = false;  ///< usiok has come
    bool is_readying = false;    ///< isready, no readyok yet
    bool is_ready = false;
    bool position_sent = false;  ///< and no go yet
    int owed = 0;                ///< bestmoves
    bool is_pondering = false;
    bool stop_sent = false;
    bool quit_sent = false;
    bool in_game = false;        ///< usinewgame, or a search, and no gameover yet
  };
  struct Lookup {
    std::uint64_t number = 0;
    base::Millis asked_at{0};
  };
  struct Game {
    std::string id;
    char us = '+';
    char turn = '+';
    bool is_running = false;   ///< START, and no reason or result yet
    bool is_doubted = false;   ///< a reason, and no result
    bool has_sent = false;     ///< on this turn
    std::string sent;          ///< that line
    std::array<std::string, 2> last;  ///< the last move of black and of white
    bool is_agreed = false;
  };

  void see_server(const std::string& line, bool more);
  void see_engine(Engine& engine, const std::string& line);
  void see_move(const std::string& line);
  void read_summary_line(const std::string& line);
  void judge_server(const std::string& line);
  void judge_engine(Engine& engine, const bridge::WriteEngine& write);
  void judge_note(const bridge::Note& note);
  void judge_fact(const bridge::Fact& fact);
  void judge_told();
  void judge_secrecy(const std::string& text, const char* where);
  void judge_turn(std::optional<base::Millis> rings_at);
  void lose_engine(bridge::EngineId id);
  void start_engine(bridge::EngineId id);
  [[nodiscard]] Engine& engine(bridge::EngineId id) {
    Engine& found = engines_.at(id.seat);
    found.id.seat = id.seat;
    return found;
  }

  std::string password_;
  bool is_password_public_ = false;  ///< it stands in what the server shows to everybody
  bool server_knows_password_ = false;  ///< it said it itself, and may hear it again (a Game_ID)
  std::vector<std::string> complaints_;
  std::string untold_;  ///< code of the last note, whose fact follows
  base::Millis at_{0};
  bool is_connected_ = false;
  bool is_connecting_ = false;
  std::optional<base::Millis> last_sent_;
  std::optional<Game> game_;
  std::string login_;  ///< the last one; it may ask for a game back
  bool in_summary_ = false;
  bool in_position_ = false;
  bool more_lines_wait_ = false;
  bool step_has_more_lines_ = false;  ///< the line of this step is not the last of its segment
  /// By seat.
  std::array<Engine, 16> engines_{};
  std::optional<Lookup> lookup_;
  bool record_is_open_ = false;
  bool has_exited_ = false;
};

}  // namespace kakehashi::support
