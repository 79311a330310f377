// A server that behaves: it follows what was said to and by the server of a stage, and when it is
// asked to act it does the next thing that a good server owes, from accepting a connection to the
// end of a game. It judges our moves by the rules and the clock, and complains about each that the
// bridge promised never to send.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "bridge/bot/bot.hpp"
#include "csa/game_clock.hpp"
#include "csa/game_summary.hpp"

namespace kakehashi::support {

class FakeServer {
 public:
  void see(const bridge::Event& event, base::Millis at);
  void see(const bridge::Actions& actions, base::Millis at);

  /// The next thing it owes, if it owes anything yet.
  [[nodiscard]] std::optional<bridge::Event> act(base::Millis at);
  /// The sudden end of the connection, or of the attempt. Nothing when there is none.
  [[nodiscard]] std::optional<bridge::Event> die() const;
  /// Refuses the next connection and the next login, as after a failure.
  void be_difficult() { refusals_left_ = 2; }

  [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }

  /// After so many plies of its own the game reaches its limit.
  static constexpr int plies_max = 6;

 private:
  struct Table {
    csa::GameSummary summary;
    shogi::Position position;
    csa::GameClock game_clock;
    bool is_running = false;
    bool is_followed = true;
    bool is_ending = false;       ///< a '#' line came
    std::string sent{};           ///< our line that was not answered
    base::Millis turn_started{0};
    base::Millis sent_at{0};
    int plies = 0;                ///< played by this fake
  };

  void hear(const std::string& line, base::Millis at);
  void take(const std::string& line, base::Millis at);
  /// The game on the table, by the last LOGIN.
  [[nodiscard]] bool was_asked_back() const;
  void play(const std::string& move, std::optional<base::Millis> consumed, base::Millis at);
  void owe_game(base::Millis at);
  void answer_move(base::Millis at);
  void end_game(const char* reason, const char* result);
  void owe(std::string line, bool more = false) { owed_.push_back({std::move(line), more}); }
  void complain(base::Millis at, const std::string& what);

  bool is_connecting_ = false;
  bool is_connected_ = false;
  bool is_waiting_ = false;
  bool owes_login_ = false;
  bool owes_reject_ = false;
  bool owes_start_ = false;
  bool owes_logout_ = false;
  bool owes_close_ = false;
  int refusals_left_ = 0;
  int games_ = 0;
  base::Millis quiet_since_{0};
  std::optional<csa::SummaryReader> reader_;
  std::string login_;  ///< the last one; it may ask for a game back
  std::optional<Table> table_;
  std::deque<bridge::ServerLine> owed_;
  std::vector<std::string> complaints_;
};

}  // namespace kakehashi::support
