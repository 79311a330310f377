// The room engine: the engines of a bot. It owns their lives, what they are told before a game, and who plays; it
// knows no position, no server, and no process but by its id.
//
// The engines of one bot, each with its supervisor in a seat of its own: the first one in seat 0, and behind it the
// standby or the members of engine.team. One of them plays; the others wait, ready, and are told nothing of the game,
// unless who owns the team gives them something to think ahead on (engine.team_play). The team knows when they change
// places, and nothing of positions, clocks or servers.
//
//   who plays | what happens                                   | who plays then
//   ----------+------------------------------------------------+----------------------------------
//   anyone    | it is lost, and another is ready               | the other, at once
//   anyone    | it is lost, and another becomes ready sooner   | the other
//   anyone    | it keeps silent for too long (doubt)           | another, if that is idle; but whoever
//             |                                                | answers first answers for both
//   anyone    | it keeps silent at the deadline (hand_over)    | another, if one is ready
//   anyone    | it is given up                                 | another, ready or on its way
//   anyone    | a search is asked for while it is not ready,   | another, if one is ready
//             | or no link leads to it                         |
//   a standby | the first is idle, and nothing is searched     | the first (put_first_back), unless
//             |                                                | it has failed twice in this game
//   anyone    | the turn is another's (play)                   | the other
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bridge/engine/engine_supervisor.hpp"
#include "bridge/engine_seats.hpp"

namespace kakehashi::bridge {

/// Searches of engines that do not play: of one whose opinion is asked besides the search that runs, and of one that was
/// doubted on our turn and goes on with its own. It knows engines by their seat alone.
class AsideSearches {
 public:
  using Seat = std::size_t;
  struct Search {
    Seat seat = 0;
    usi::SearchId id{};
  };

  void consult(Search search);
  void doubt(Search search) { doubted_ = search; }
  [[nodiscard]] bool is_consulting() const { return consulted_.has_value(); }
  [[nodiscard]] const std::optional<Search>& doubted() const { return doubted_; }
  [[nodiscard]] bool concerns(Seat seat) const {
    return (consulted_ && consulted_->seat == seat) || (doubted_ && doubted_->seat == seat);
  }
  /// The move of who was asked, or the first of its line (USI); empty when it has said nothing yet.
  [[nodiscard]] const std::string& advice() const { return advice_; }

  /// What an engine says that does not play. True when it is the answer of the one that was doubted, which is then no
  /// longer.
  [[nodiscard]] bool listen(Seat of, const EngineNews& item);
  /// That engine plays from here on: the search that it goes on with.
  [[nodiscard]] std::optional<usi::SearchId> take(Seat seat);
  void forget_doubted() { doubted_.reset(); }
  void forget_advice() { advice_.clear(); }
  /// Nothing is asked any more: whose searches are to be given up.
  [[nodiscard]] std::vector<Seat> end();

 private:
  std::optional<Search> consulted_;
  std::optional<Search> doubted_;
  std::string advice_;
};

class EngineTeam {
 public:
  using News = std::vector<EngineNews>;
  using Seat = AsideSearches::Seat;

  EngineTeam(const config::Engine& config, bool ponder);

  /// Before start(): see ClockKnowledge. Each program is asked once, in the first of its seats.
  void learn_clock();
  void start(base::Now now, Outbox& out);

  /// A past fact of any engine; news are those of the one that plays.
  template <class Event>
  News on(const Event& event, base::Now now, Outbox& out) {
    const Seat seat = event.engine.seat;
    return seat < seats_.size() ? sort(seat, seats_[seat].on(event, now, out), now, out) : News{};
  }
  News on_time(base::Now now, Outbox& out);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;

  // --- the one that plays; see EngineSupervisor
  /// In place of the first engine, which has failed.
  [[nodiscard]] bool standby_plays() const { return player_ != 0 && !thinks_together_; }
  [[nodiscard]] const EngineSupervisor& player() const { return seats_[player_]; }
  [[nodiscard]] bool is_idle() const { return player().is_idle(); }
  /// Each engine is given up, or fails to get ready again and again.
  [[nodiscard]] bool is_missing() const;
  [[nodiscard]] bool may_be_ready_by(base::SteadyTime at) const;
  /// Of the first engine that a keeper holds.
  [[nodiscard]] std::optional<ViewedEngineLink> view_link(base::SteadyTime now) const;
  void watch_silence(base::Now now) { seats_[player_].watch_silence(now); }
  void new_game(Outbox& out) { seats_[player_].new_game(out); }
  void join_game(Outbox& out) { seats_[player_].join_game(out); }
  /// Before a search: another that is ready plays, where the one that did is not, or is out of reach.
  void seek_player(base::Now now, Outbox& out);
  /// Nothing when the one that plays is not ready.
  [[nodiscard]] std::optional<usi::SearchId> search(usi::SearchRequest request, Outbox& out) {
    return search_at(player_, std::move(request), out);
  }
  [[nodiscard]] News ponderhit(std::string_view times, Outbox& out);
  void hurry(base::Now now, Outbox& out);
  void abandon(base::Now now, Outbox& out) { seats_[player_].abandon(now, out); }
  News replace(const std::string& why, base::Now now, Outbox& out) { return replace_at(player_, why, now, out); }

  // --- members that think at the same time (engine.team_play); each search is its owner's to watch
  [[nodiscard]] bool thinks_together() const { return thinks_together_; }
  /// All are asked on our turn.
  [[nodiscard]] bool consults() const { return consults_; }
  [[nodiscard]] std::size_t size() const { return seats_.size(); }
  [[nodiscard]] Seat player_seat() const { return player_; }
  [[nodiscard]] const EngineSupervisor& member(Seat seat) const { return seats_[seat]; }
  [[nodiscard]] const std::vector<int>& weights() const { return weights_; }
  /// It can be given something to think about: it is ready for this game, and has not failed again and again in it.
  [[nodiscard]] bool may_think(Seat seat) const {
    const EngineSearches* searches = seats_[seat].searches();
    return searches != nullptr && searches->can_join_game() && failures_in_game_[seat] <= failures_in_game_max;
  }
  /// Of a team that thinks together: it has failed again and again in this game, and is given nothing to think about
  /// before the next one, ready or not.
  [[nodiscard]] bool is_out(Seat seat) const {
    return thinks_together_ && is_in_game_ && failures_in_game_[seat] > failures_in_game_max;
  }
  /// Nothing when it is not ready. What it searched before has to be abandoned.
  [[nodiscard]] std::optional<usi::SearchId> search_at(Seat seat, usi::SearchRequest request, Outbox& out);
  void abandon_at(Seat seat, base::Now now, Outbox& out) { seats_[seat].abandon(now, out); }
  /// The same besides the one that plays, on our turn: until ask_no_more() or dismiss_advice() its answer is news.
  [[nodiscard]] std::optional<usi::SearchId> ask_at(Seat seat, usi::SearchRequest request, Outbox& out);
  [[nodiscard]] News ponderhit_at(Seat seat, std::string_view times, base::Now now, Outbox& out);
  void hurry_at(Seat seat, base::Now now, Outbox& out, bool is_due = true) { seats_[seat].hurry(now, out, is_due); }
  /// Their answers are no news any more.
  void ask_no_more() { std::fill(are_asked_.begin(), are_asked_.end(), false); }
  News replace_at(Seat seat, const std::string& why, base::Now now, Outbox& out);
  /// It plays from here on, with the search that it has, if it has one.
  void play(Seat seat) { player_ = seat; }

  // --- all of them
  /// A standby takes over what it does not set itself.
  void adopt(const config::Engine& config, bool ponder);
  void prepare_game(const GameRules& rules, base::Now now, Outbox& out);
  void game_over(usi::GameOver result, base::Now now, Outbox& out);
  void renew(base::Now now, Outbox& out);
  /// Between games: each engine proves that it is alive, a dead or hung one is replaced.
  void prove(base::Now now, Outbox& out);
  void prove_if_stale(base::Now now, Outbox& out, base::Millis within = base::Millis::max());
  void start_no_more();
  void kill(Outbox& out);
  /// EngineLeft follows when all are gone.
  [[nodiscard]] News quit(base::Now now, Outbox& out);

  // --- those that wait
  [[nodiscard]] bool has_substitute() const { return substitute().has_value(); }
  /// The one that plays is silent: a substitute, which has to be idle, plays from here on, and is to be asked for a
  /// search. The other one goes on with its own, if that has begun, and its answer counts as long as it comes first.
  void doubt(const std::string& why, base::Now now, Outbox& out);
  [[nodiscard]] bool may_doubt() const;
  /// The one that plays gave no answer in time: a substitute plays from here on. The other one
  /// keeps its chance to answer the `stop`, and is replaced when it does not.
  void hand_over(const std::string& why, base::Now now, Outbox& out);
  /// To be called when nothing is searched: the first engine plays again if it is well.
  void put_first_back(Outbox& out);
  /// Asks a substitute for its opinion, besides the search that runs.
  void consult(usi::SearchRequest request, Outbox& out);
  [[nodiscard]] bool is_consulting() const { return aside_.is_consulting(); }
  /// The substitute's move or the first of its line (USI); empty when it has said nothing yet.
  [[nodiscard]] const std::string& advice() const { return aside_.advice(); }
  /// Nor is the answer of an engine that was doubted wanted any more, or of those that were asked besides.
  void dismiss_advice(base::Now now, Outbox& out);

  /// As often as this in one game the first engine may fail and be put back before its end.
  static constexpr int failures_in_game_max = 1;

 private:
  [[nodiscard]] std::optional<Seat> substitute() const;
  void change_over(Seat to, const std::string& why, base::Now now, Outbox& out);
  /// A person is told when that takes it out of the game.
  void count_failure(Seat of, Outbox& out);
  void share_clocks();
  News sort(Seat of, News news, base::Now now, Outbox& out);
  void take_over(Seat by, EngineLost lost, News& sorted, base::Now now, Outbox& out);
  void take_late_answer(Seat by, usi::SearchAnswered answer, News& sorted, base::Now now, Outbox& out);
  /// Who is next to play where no other is ready: the one that is not given up.
  [[nodiscard]] std::optional<Seat> heir() const;

  std::vector<EngineSupervisor> seats_;
  std::vector<Seat> programs_;  ///< by seat: the first one with the same program
  Seat player_ = 0;
  std::vector<int> weights_;           ///< by seat
  std::vector<int> failures_in_game_;  ///< by seat
  bool thinks_together_ = false;
  bool consults_ = false;
  bool is_in_game_ = false;  ///< one is prepared for, or runs
  std::vector<bool> are_asked_;  ///< besides, by seat
  bool starts_no_more_ = false;
  std::vector<bool> have_left_;  ///< on the way out, by seat
  AsideSearches aside_;
};

}  // namespace kakehashi::bridge
