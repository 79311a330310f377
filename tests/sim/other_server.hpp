// A CSA server of another make, from the protocol's text and not from shogi-server's ways: a connection stays
// for the next game, a summary has its fields in another order and some that nobody knows, and of the rules
// it knows only how pieces move. Two pawns on a file, a king left in check, a mate by a dropped pawn: it takes
// them all and plays on. The taker of a king wins.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rehearse/server/server.hpp"
#include "shogi/legality.hpp"

namespace kakehashi::sim {

/// What such a server lets pass of a move.
[[nodiscard]] bool is_taken_by_the_lenient(shogi::Verdict verdict);

class OtherServer {
 public:
  using Id = rehearse::server::ConnectionId;
  using Output = rehearse::server::Output;

  OtherServer(rehearse::server::ClockRules clock, int max_moves, std::uint64_t first_game)
      : clock_(clock), max_moves_(max_moves), games_(first_game) {}

  [[nodiscard]] Output connected(Id id, base::Now now);
  [[nodiscard]] Output on_line(Id id, std::string_view line, base::Now now);
  [[nodiscard]] Output on_closed(Id id, base::Now now);
  [[nodiscard]] Output on_timer(base::Now now);
  [[nodiscard]] std::optional<base::SteadyTime> next_deadline() const;

 private:
  enum class Phase { none, agreeing, playing };
  struct Game {
    Phase phase = Phase::none;
    std::string id;
    std::array<Id, 2> players{};  ///< black, white
    std::array<std::string, 2> names;
    std::array<bool, 2> agreed{};
    shogi::Position position;
    std::array<std::int64_t, 2> main_s{};
    base::SteadyTime turn_began{};
    base::SteadyTime agree_by{};
    std::vector<rehearse::server::PlayedMove> moves;
  };

  void log_in(Id id, std::string_view line);
  void pair();
  void agree(Id id);
  void play(Id id, std::string_view line);
  void end(rehearse::server::EndReason reason, const char* word, std::optional<shogi::Color> winner,
           std::string_view last_line);
  void reject(const std::string& by);
  void look_at_clock();
  void send(Id id, std::string line);
  void send_both(const std::string& line);
  void send_summary(shogi::Color side);
  [[nodiscard]] bool has_side(Id id) const;
  [[nodiscard]] shogi::Color side_of(Id id) const;
  [[nodiscard]] std::int64_t budget_s() const;

  rehearse::server::ClockRules clock_;
  int max_moves_;
  std::uint64_t games_;
  std::map<Id, std::string> names_;  ///< of those who have logged in
  Game game_;
  base::SteadyTime rests_until_{};  ///< behind a game: who wants to go may go
  base::Now now_{};
  Output output_;
};

}  // namespace kakehashi::sim
