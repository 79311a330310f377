// The opponent's turn: the engine thinks about the reply that it expects, and goes on with the same search when that
// reply comes. With ponder: early it begins when our move leaves; a server that plays another move for us, or ends
// the game, only costs it that search. Owns what is thought ahead of and what came of it; it knows no server, and
// nothing of our turn but that it begins.
#pragma once

#include <optional>
#include <string>

#include "bridge/game/context.hpp"
#include "bridge/game/game.hpp"
#include "bridge/game/thinking.hpp"

namespace kakehashi::bridge {

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
[[nodiscard]] std::string describe(const PonderStatistics& statistics);

class Ahead {
 public:
  /// Our move that left and that the server has not confirmed, and what it will be charged.
  struct Unconfirmed {
    shogi::Move move;
    base::Millis charge{0};
  };
  /// What the reply that came finds.
  struct Found {
    bool has_pondered = false;
    bool is_hit = false;
    std::optional<usi::SearchId> search{};         ///< that goes on as our turn's
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
  /// The opponent's reply is on the board of `game`, since `turn_started`. `is_late`: the engine, which counts from
  /// `ponderhit`, would think past its time.
  [[nodiscard]] Found take_up(const Context& context, const Game& game, base::SteadyTime turn_started, bool is_late);
  /// The engine was lost. It begins anew with the same reply where another has its place, unless our turn runs.
  void on_lost(const EngineLost& lost, bool is_our_turn);
  /// Given up without a word to the engine.
  void forget() { pondering_.reset(); }
  /// Given up, as the server has not played what it builds on.
  void drop(const Context& context);

  /// An engine searches for it.
  [[nodiscard]] bool is_searching() const { return pondering_ && !pondering_->parked; }
  /// An info line of that search tells something of the reply's position.
  [[nodiscard]] bool tells(usi::SearchId search) const {
    return pondering_ && pondering_->search == search && !pondering_->is_rewound;
  }
  [[nodiscard]] std::optional<shogi::Move> predicted() const {
    return pondering_ ? std::optional(pondering_->predicted) : std::nullopt;
  }
  [[nodiscard]] const PonderStatistics& statistics() const { return statistics_; }

 private:
  /// A `go ponder` that runs, or its parked answer.
  struct Pondering {
    usi::SearchId search;
    shogi::Move predicted;
    base::SteadyTime started;
    /// Stochastic_Ponder: until the hit the engine thinks about the position before the prediction,
    /// so that its lines and scores are of the other side.
    bool is_rewound = false;
    /// What an engine that is lost had answered before: it holds when the prediction comes true.
    std::optional<usi::SearchAnswered> parked{};
  };

  std::optional<Pondering> pondering_;
  std::string expected_;
  bool is_due_ = false;
  PonderStatistics statistics_;
};

}  // namespace kakehashi::bridge
