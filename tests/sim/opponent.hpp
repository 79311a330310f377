// Who plays a lone bot: a client of the embedded server that plays any legal move at once, or, when it
// is rude, does what people's programs do.
#pragma once

#include <optional>
#include <string>

#include "sim/boards.hpp"
#include "sim/network.hpp"

namespace kakehashi::sim {

class Opponent : public Client {
 public:
  Opponent(Agenda& agenda, Network& network, Boards& boards, const Scenario& scenario);

  void start();
  [[nodiscard]] bool has_started() const { return has_started_; }
  void be_polite() { manners_.is_rude = false; }

  void on_connected() override;
  void on_line(const std::string& line, bool more) override;
  void on_closed(bridge::ServerClosed::How how, const std::string& why) override;

 private:
  void come_back(base::Millis delay);
  void leave();
  void answer_summary();
  void think(const Board& board);
  void play(int plies);
  [[nodiscard]] std::optional<std::string> be_rude(const Board& board);
  [[nodiscard]] std::optional<shogi::Move> choose_foul(const shogi::Position& position);
  [[nodiscard]] std::string choose(const Board& board);
  void say(const std::string& line);

  Agenda& agenda_;
  Network& network_;
  Boards& boards_;
  Dice dice_;
  OpponentManners manners_;
  Way way_;
  std::string login_;
  std::uint64_t taste_;
  bool has_started_ = false;
  std::optional<LineId> line_;
  std::string game_id_;
  std::optional<int> said_on_;  ///< the ply of its last line in that game
  std::optional<shogi::Move> last_own_;
};

}  // namespace kakehashi::sim
