// While the opponent thinks, each engine of a team thinks ahead on another likely reply, so that nearly every reply has
// been thought about when it comes. This decides which member ponders which reply, who is stopped, and who takes our
// turn when the reply is there. It is told of members by their seat and of replies by their text alone: it knows no
// board, no engine and no clock but the instants that it is given.
//
//   what happens                     | what follows
//   ---------------------------------+---------------------------------------------------------------
//   the opponent's turn begins       | the mover, whose table knows the line, takes the best reply; the
//                                    | others the next ones, the strongest first; where there are fewer
//                                    | replies than members, the weakest of the free looks for more (survey)
//   more or better replies are known | a member whose reply is not among the best, one for each member, takes
//                                    | one of those that nobody thinks about; the others are left in peace
//   members are lost                 | the best of the replies that are left alone go to who has the worst
//   a member is ready                | it takes the best reply that nobody thinks about
//   the survey is over               | the member that made it is free
//   the reply, a member has it       | that one goes on, all others are stopped
//   the reply, nobody has it         | all are stopped, and the strongest searches
//   the game ends                    | all are stopped
//
// Members that consult on our turn all ponder the best reply: on a hit all of them go on.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/time.hpp"

namespace kakehashi::bridge {

class MultiPonder {
 public:
  using Seat = std::size_t;

  /// Thinks ahead on that reply; whatever it did before ends.
  struct Ponder {
    Seat seat = 0;
    std::string reply;
    friend bool operator==(const Ponder&, const Ponder&) = default;
  };
  /// Looks at the opponent's position, several lines at once: replies() is told what it finds.
  struct Survey {
    Seat seat = 0;
    friend bool operator==(const Survey&, const Survey&) = default;
  };
  struct Stop {
    Seat seat = 0;
    friend bool operator==(const Stop&, const Stop&) = default;
  };
  /// Our turn: it goes on with what it pondered.
  struct Hit {
    Seat seat = 0;
    friend bool operator==(const Hit&, const Hit&) = default;
  };
  /// Our turn: it searches from the beginning.
  struct Search {
    Seat seat = 0;
    friend bool operator==(const Search&, const Search&) = default;
  };
  using Order = std::variant<Ponder, Survey, Stop, Hit, Search>;
  using Orders = std::vector<Order>;

  /// What thinking ahead was good for, in one game, by member.
  struct Gain {
    int searches = 0;
    int hits = 0;
    base::Millis gained{0};  ///< on the opponent's time, on hits
    friend bool operator==(const Gain&, const Gain&) = default;
  };

  /// By seat; the heavier is the stronger, and of two alike the first one. They are there once ready() says so.
  /// `is_divided`: each takes another reply.
  explicit MultiPonder(std::vector<int> weights, bool is_divided = true);

  // --- the members
  [[nodiscard]] bool is_there(Seat seat) const { return members_[seat].is_there; }
  [[nodiscard]] Orders ready(Seat seat, base::SteadyTime now);
  /// They are gone, or of no use for a while: those of one moment together, so that none is given what another had.
  [[nodiscard]] Orders lost(const std::vector<Seat>& seats, base::SteadyTime now);

  // --- the opponent's turn
  /// It begins, behind a move of `mover`; the most likely reply first. `survey`: for so long at most, replies are
  /// looked for; 0: not at all.
  [[nodiscard]] Orders begin(std::vector<std::string> replies, Seat mover, base::Millis survey, base::SteadyTime now);
  /// What is thought of the replies now, the most likely first. What is pondered and not among them is the least
  /// likely.
  [[nodiscard]] Orders replies(std::vector<std::string> better, base::SteadyTime now);
  [[nodiscard]] Orders on_time(base::SteadyTime now);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const { return survey_until_; }

  // --- its end
  /// The reply is there. Nothing to do for nobody: no member is there, or the turn is another's already.
  [[nodiscard]] Orders reply(std::string_view move, base::SteadyTime now);
  /// The game is over, or our turn begins otherwise.
  [[nodiscard]] Orders end();

  /// Who thinks about it; nobody.
  [[nodiscard]] std::optional<Seat> holder(std::string_view reply) const;
  [[nodiscard]] const std::vector<Gain>& gains() const { return gains_; }
  /// The opponent thinks, and so do members.
  [[nodiscard]] bool is_open() const { return is_open_; }

 private:
  struct Idle {};
  struct Pondering {
    std::string reply;
    base::SteadyTime since;
  };
  struct Surveying {};
  struct Member {
    int weight = 0;
    bool is_there = false;
    std::variant<Idle, Pondering, Surveying> task{};
  };

  [[nodiscard]] bool is_free(Seat seat) const;
  /// How likely the reply is, 0 the most; the number of replies for one that is not expected.
  [[nodiscard]] std::size_t rank(std::string_view reply) const;
  /// Of those that are there and `may` be chosen, the strongest.
  template <class May>
  [[nodiscard]] std::optional<Seat> strongest(May may) const;
  void give(Seat seat, const std::string& reply, base::SteadyTime now, Orders& orders);
  /// Covers the best replies, one for each member, with as few changes as that takes.
  void cover(base::SteadyTime now, Orders& orders);
  void stop(Seat seat, Orders& orders);

  bool is_divided_;
  std::vector<Member> members_;
  std::vector<Gain> gains_;
  std::vector<std::string> replies_;  ///< the most likely first, each once; empty on our turn
  bool is_open_ = false;              ///< the opponent thinks
  Seat mover_ = 0;
  std::optional<base::SteadyTime> survey_until_;
};

}  // namespace kakehashi::bridge
