// What the engines of a team that consults have said on the bot's turn, and what follows from it: read off the lines that
// pass between the bot and its engines, with eyes of its own. It uses nothing of the bridge but the shape of events.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "bridge/action.hpp"
#include "bridge/event.hpp"
#include "config/engine_config.hpp"
#include "shogi/position.hpp"

namespace kakehashi::sim {

class PanelJudge {
 public:
  explicit PanelJudge(const config::Engine& engine);

  /// `turn`: how many moves the game has, as the bot has read them; of what game.
  /// `at` by the clock of the story.
  void see(const bridge::Event& event, const std::string& turn, base::Millis at);
  void see(const bridge::Action& action, const std::string& turn);

  /// From here on this turn is not as others: only some are asked, and some again.
  void spoil();

  struct Verdict {
    std::string expected;          ///< "7g7f", or "resign"; empty: nobody has said anything that can be played
    bool is_determined = false;    ///< nothing that is still to be said can change it
    bool is_complete = false;      ///< and nobody is left to say anything
    /// Since when none of those that are still to say something can be heard.
    std::optional<base::Millis> out_since{};
    bool is_known = true;          ///< nothing was said that only the bridge can tell the worth of
  };
  [[nodiscard]] Verdict verdict(const shogi::Position& position) const;

 private:
  struct Said {
    std::string move;
    std::optional<std::int64_t> score;  ///< on one scale with mates
  };
  struct Seat {
    int weight = 100;
    std::uint32_t process = 0;
    std::optional<base::Millis> out_since{};
    bool is_in_game = false;  ///< else it is asked how it reads its clocks
    std::optional<std::string> asked{};  ///< a search runs, on that turn; empty: of another one
    bool is_stopped = false;
    std::optional<std::int64_t> score{};
    bool is_exact = false;
    std::optional<Said> said{};
    bool is_early = false;  ///< it answered before the move came that it thought ahead on
    bool is_odd = false;    ///< on this turn: it declared a win, or was asked twice
  };
  void hear(Seat& seat, const std::string& line);
  void lose(Seat& seat);
  void tell(Seat& seat, const std::string& line);
  void begin(const std::string& turn);
  [[nodiscard]] bool precedes(std::size_t one, std::size_t other) const;
  [[nodiscard]] std::map<std::string, int> votes(const std::vector<std::size_t>& answered) const;
  [[nodiscard]] std::size_t best_of(const std::vector<std::size_t>& answered) const;
  [[nodiscard]] bool is_determined(std::size_t best, const std::vector<std::size_t>& answered,
                                   const std::vector<std::size_t>& awaited) const;

  config::TeamPlay play_;
  std::vector<Seat> seats_;
  std::string turn_;
};

}  // namespace kakehashi::sim
