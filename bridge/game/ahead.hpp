// The opponent's turn: engines think about the replies that are expected, and the one that has the reply which comes
// goes on with the same search. With ponder: early it begins when our move leaves; a server that plays another move
// for us, or ends the game, only costs it that search. One engine thinks about the reply that it predicted; with
// engine.team_play: multi_ponder each of the team thinks about another one. Who thinks about which is MultiPonder's
// to say; this finds the replies, asks the engines, and knows what came of it. It knows no server, and nothing of our
// turn but that it begins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/game/context.hpp"
#include "bridge/game/game.hpp"
#include "bridge/game/multi_ponder.hpp"
#include "bridge/game/thought.hpp"

namespace kakehashi::bridge {

struct BookAnswered;

/// What thinking ahead was good for, in one game or in many.
struct PonderStatistics {
  int searches = 0;
  int hits = 0;
  base::Millis gained{0};  ///< on the opponent's time, on hits

  void add(const PonderStatistics& other) {
    searches += other.searches;
    hits += other.hits;
    gained += other.gained;
  }
  [[nodiscard]] ViewedPonder view() const { return {searches, hits, gained}; }
};

/// "12 times, 5 replies came as expected (41 %), which gained 3 s"; `searches` > 0.
[[nodiscard]] base::Message describe(const PonderStatistics& statistics);

class Ahead {
 public:
  using Seat = MultiPonder::Seat;

  /// Our move that left and that the server has not confirmed, and what it will be charged.
  struct Unconfirmed {
    shogi::Move move;
    base::Millis charge{0};
  };
  /// A member that has thought about the reply that came.
  struct Hit {
    Seat seat = 0;
    usi::SearchId search{};
    Thought thought;
  };
  /// What the reply that came finds.
  struct Found {
    bool has_pondered = false;
    bool is_hit = false;
    std::optional<usi::SearchId> search{};         ///< that goes on as our turn's
    std::vector<Hit> others{};                     ///< that go on besides, of a team that consults
    std::optional<usi::SearchAnswered> answer{};   ///< of an engine that is lost, and as good as before
  };

  /// The reply that our last answer predicted (USI; empty: none).
  void expect(std::string reply) { expected_ = std::move(reply); }
  /// Our move stands (with ponder: early: it left): thinking begins as soon as nothing more is to be read.
  void be_due(bool is_due) { is_due_ = is_due; }
  [[nodiscard]] bool is_due() const { return is_due_; }
  /// Begins, if there is anything to think about and an engine for it; `is_free` where no turn of ours runs and
  /// no end was announced.
  void begin(const Context& context, const Game& game, Thinking& thinking, bool is_free,
             const std::optional<Unconfirmed>& unconfirmed);
  /// Members of the team that have come or gone since, and a survey that is over; when no further line waits.
  void follow(const Context& context, Thinking& thinking);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;
  /// What the book knows of the opponent's replies, if it was asked for that.
  void on_book_answered(const BookAnswered& answer);
  void on_info(Seat seat, const usi::SearchInfo& info, Thinking& thinking);
  /// The opponent's reply is on the board of `game`, since `turn_started`. `is_late`: the engine, which counts from
  /// `ponderhit`, would think past its time.
  [[nodiscard]] Found take_up(const Context& context, const Game& game, Thinking& thinking, base::SteadyTime turn_started,
                              bool is_late);
  /// The engine that plays was lost. It begins anew with the same reply where another has its place, unless our turn
  /// runs.
  void on_lost(const EngineLost& lost, bool is_our_turn, bool thinks_together);
  /// Given up, as the server has not played what it builds on, or the turn is answered otherwise.
  void drop(const Context& context);

  /// An engine searches for it.
  [[nodiscard]] bool is_searching() const { return !pondering_.empty(); }
  [[nodiscard]] std::optional<shogi::Move> predicted() const;
  [[nodiscard]] const PonderStatistics& statistics() const { return statistics_; }
  [[nodiscard]] ViewedPonder gain_of(Seat seat) const {
    return scheduler_ ? ViewedPonder{scheduler_->gains()[seat].searches, scheduler_->gains()[seat].hits,
                                     scheduler_->gains()[seat].gained}
                      : ViewedPonder{};
  }

  /// For the survey at most, and this part of what we have for a move, or of what the opponent mostly takes.
  static constexpr base::Millis survey_max{500};
  static constexpr int survey_parts = 20;
  static constexpr int survey_parts_of_reply = 4;
  /// With less it tells nothing.
  static constexpr base::Millis survey_min{20};
  static constexpr std::size_t lines_max = 16;

 private:
  /// A `go ponder` that runs.
  struct Pondering {
    Seat seat = 0;
    usi::SearchId search{};
    shogi::Move predicted;
    std::string reply;
    base::SteadyTime started;
    /// Stochastic_Ponder: until the hit the engine thinks about the position before the prediction,
    /// so that its lines and scores are of the other side.
    bool is_rewound = false;
    Thought thought{};
  };
  /// What an engine that is lost had answered before: it holds when the prediction comes true.
  struct Kept {
    Pondering pondering;
    usi::SearchAnswered answer;
  };
  struct Survey {
    Seat seat = 0;
    usi::SearchId search{};
    std::vector<std::string> lines{};  ///< the first move of each, the best first
  };
  /// The opponent's turn that is thought about.
  struct Situation {
    base::SteadyTime began;
    shogi::Position position;
    PositionCommand command;
    csa::GameClock game_clock;  ///< as it will stand on our next turn, as far as that is known
    int ply = 0;
    shogi::Color us = shogi::Color::black;
    std::vector<std::string> predicted{};  ///< by the engine that moved
    std::vector<std::string> surveyed{};
    std::vector<std::string> in_book{};
    std::optional<std::uint64_t> lookup{};  ///< the book is asked
    bool has_news = false;                  ///< the book has answered
    base::Millis survey{0};                 ///< how long it may take
    std::string shown{};                    ///< the reply whose line people see
    bool is_counted = false;                ///< among the times that were thought ahead
  };

  [[nodiscard]] bool is_over() const { return pondering_.empty() && !kept_ && !survey_; }
  [[nodiscard]] bool is_shown(const Pondering& pondering) const;
  /// On a hit it can go on: it is at the search still, and what it says is an answer to it.
  [[nodiscard]] bool is_good(const Pondering& pondering, const Context& context) const;
  [[nodiscard]] MultiPonder& scheduler(const Context& context);
  void begin_alone(const Context& context, Thinking& thinking);
  void begin_together(const Context& context, Thinking& thinking);
  /// The most likely first, each legal.
  [[nodiscard]] std::vector<std::string> replies(bool with_guesses) const;
  /// Tells the scheduler who is there, for our turn or for the opponent's.
  enum class For { our_turn, opponents_turn };
  [[nodiscard]] MultiPonder::Orders muster(const Context& context, For turn);
  void obey(const MultiPonder::Orders& orders, const Context& context, Thinking& thinking);
  void ponder(const MultiPonder::Ponder& order, const Context& context, Thinking& thinking);
  void survey(const MultiPonder::Survey& order, const Context& context);
  void stop(Seat seat, const Context& context);
  void drop_members(const Context& context);
  /// Those that owe an answer of long ago, or are out of reach.
  [[nodiscard]] std::vector<Seat> slow_members(const Context& context) const;
  /// Nobody has thought about the reply: the strongest does, of the slow ones only where all are.
  void give_turn(const std::vector<Seat>& slow, const Context& context);
  [[nodiscard]] const Pondering* find(std::string_view reply) const;

  std::optional<MultiPonder> scheduler_;
  std::optional<Situation> situation_;
  std::vector<Pondering> pondering_;
  std::optional<Survey> survey_;
  std::optional<Kept> kept_;
  std::string expected_;
  LastMoves replies_took_{base::Millis{60'000}};
  bool is_due_ = false;
  PonderStatistics statistics_;
};

}  // namespace kakehashi::bridge
