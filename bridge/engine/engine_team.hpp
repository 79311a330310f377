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
//   anyone    | it does not stop an old search (stand_in)      | another, if that is idle
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

/// The engines of one bot by their seats: each one's life, what all of them are told, and what several processes of one
/// program know in common. Who of them plays is the team's to say.
class EnginePool {
 public:
  using Seat = AsideSearches::Seat;
  using News = std::vector<EngineNews>;

  EnginePool(const config::Engine& config, bool ponder);

  [[nodiscard]] std::size_t size() const { return seats_.size(); }
  [[nodiscard]] EngineSupervisor& operator[](Seat seat) { return seats_[seat]; }
  [[nodiscard]] const EngineSupervisor& operator[](Seat seat) const { return seats_[seat]; }
  [[nodiscard]] const std::vector<int>& weights() const { return weights_; }

  // --- their lives
  /// Before start(): see ClockKnowledge. Each program is asked once, in the first of its seats.
  void learn_clock();
  void start(base::Now now, Outbox& out);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;
  /// Each is given up, or fails to get ready again and again.
  [[nodiscard]] bool is_missing() const;
  [[nodiscard]] bool may_be_ready_by(base::SteadyTime at) const;
  /// Of the first one that a keeper holds.
  [[nodiscard]] std::optional<ViewedEngineLink> view_link(base::SteadyTime now) const;
  /// From here on one that is lost stays lost, and none takes another's place.
  void start_no_more();
  [[nodiscard]] bool starts_no_more() const { return starts_no_more_; }
  void kill(Outbox& out);
  /// What each has said to it, by seat.
  [[nodiscard]] std::vector<News> quit(base::Now now, Outbox& out);
  /// That one is gone, behind its quit: true when all are.
  [[nodiscard]] bool leave(Seat seat);

  // --- games, and what is between them
  /// One that others stand in for takes over what it does not set itself.
  void adopt(const config::Engine& config, bool ponder);
  /// Each proves that it is alive; a dead or hung one is replaced.
  void prove(base::Now now, Outbox& out);
  void prove_if_stale(base::Now now, Outbox& out, base::Millis within = base::Millis::max());
  void prepare_game(const GameRules& rules, base::Now now, Outbox& out);
  void game_over(usi::GameOver result, base::Now now, Outbox& out);
  /// One is prepared for, or runs.
  [[nodiscard]] bool is_in_game() const { return is_in_game_; }
  /// As often it has failed in this game, with the present time.
  int count_failure(Seat seat) { return ++failures_in_game_[seat]; }
  /// It has failed again and again in this game.
  [[nodiscard]] bool is_unreliable(Seat seat) const { return failures_in_game_[seat] > failures_in_game_max; }
  /// In this game it has not obeyed `stop` while it thought ahead; a person is told when that ends its thinking ahead.
  void count_deaf(Seat seat, Outbox& out);
  /// It may think ahead: of its program no process was deaf to `stop` again and again in this game.
  [[nodiscard]] bool may_ponder(Seat seat) const { return deaf_in_game_[programs_[seat]] < deaf_in_game_max; }
  /// It can be given something to think about: it is ready for this game, and has not failed again and again in it.
  [[nodiscard]] bool may_think(Seat seat) const;

  // --- one in place of another
  /// One that is ready, besides that one: an idle one first, then the one of most weight.
  [[nodiscard]] std::optional<Seat> ready_besides(Seat seat) const;
  /// Where none is ready: one that is not given up.
  [[nodiscard]] std::optional<Seat> living_besides(Seat seat) const;

  // --- what one process of a program has shown holds for the others
  void share_clocks();
  void share_stops(Seat of);

  /// As often as this in one game an engine may fail and be put back before its end.
  static constexpr int failures_in_game_max = 1;
  /// And as often as this it may go on thinking ahead when it is told to stop.
  static constexpr int deaf_in_game_max = 2;

 private:
  std::vector<EngineSupervisor> seats_;
  std::vector<Seat> programs_;         ///< by seat: the first one with the same program
  std::vector<int> weights_;           ///< by seat
  std::vector<int> failures_in_game_;  ///< by seat
  std::vector<int> deaf_in_game_;      ///< by program
  std::vector<bool> have_left_;        ///< on the way out, by seat
  bool is_in_game_ = false;
  bool starts_no_more_ = false;
};

class EngineTeam {
 public:
  using News = EnginePool::News;
  using Seat = EnginePool::Seat;

  EngineTeam(const config::Engine& config, bool ponder);

  /// All of them, whoever plays.
  [[nodiscard]] EnginePool& engines() { return engines_; }
  [[nodiscard]] const EnginePool& engines() const { return engines_; }
  [[nodiscard]] EngineSupervisor& member(Seat seat) { return engines_[seat]; }
  [[nodiscard]] const EngineSupervisor& member(Seat seat) const { return engines_[seat]; }
  [[nodiscard]] std::size_t size() const { return engines_.size(); }

  /// A past fact of any engine; news are those of the one that plays.
  template <class Event>
  News on(const Event& event, base::Now now, Outbox& out) {
    const Seat seat = event.engine.seat;
    return seat < size() ? sort(seat, engines_[seat].on(event, now, out), now, out) : News{};
  }
  News on_time(base::Now now, Outbox& out);

  // --- the one that plays
  [[nodiscard]] EngineSupervisor& player() { return engines_[player_]; }
  [[nodiscard]] const EngineSupervisor& player() const { return engines_[player_]; }
  [[nodiscard]] Seat player_seat() const { return player_; }
  /// In place of the first engine, which has failed.
  [[nodiscard]] bool standby_plays() const { return player_ != 0 && !thinks_together_; }
  /// Before a search: another that is ready plays, where the one that did is not, or is out of reach.
  void seek_player(base::Now now, Outbox& out);
  /// And the one that was doubted.
  void hurry(base::Now now, Outbox& out);
  /// It plays from here on, with the search that it has, if it has one.
  void play(Seat seat) { player_ = seat; }
  News replace(Seat seat, const base::Message& why, base::Now now, Outbox& out);

  // --- members that think at the same time (engine.team_play); each search is its owner's to watch
  [[nodiscard]] bool thinks_together() const { return thinks_together_; }
  /// All are asked on our turn.
  [[nodiscard]] bool consults() const { return consults_; }
  /// Of a team that thinks together: it has failed again and again in this game, and is given nothing to think about
  /// before the next one, ready or not.
  [[nodiscard]] bool is_out(Seat seat) const { return thinks_together_ && engines_.is_in_game() && engines_.is_unreliable(seat); }
  /// A search besides that of the one that plays, on our turn: until ask_no_more() or dismiss_advice() its answer is
  /// news. Nothing when it is not ready.
  [[nodiscard]] std::optional<usi::SearchId> ask(Seat seat, usi::SearchRequest request, Outbox& out);
  /// The same of what it ponders.
  [[nodiscard]] News ask_by_ponderhit(Seat seat, std::string_view times, base::Now now, Outbox& out);
  /// Their answers are no news any more.
  void ask_no_more() { std::fill(are_asked_.begin(), are_asked_.end(), false); }

  // --- the end of a game, and of all
  void game_over(usi::GameOver result, base::Now now, Outbox& out);
  /// A fresh process for each that has searched; the others prove that they are alive.
  void renew(base::Now now, Outbox& out);
  /// EngineLeft follows when all are gone.
  [[nodiscard]] News quit(base::Now now, Outbox& out);

  // --- those that wait
  /// Who could play instead, at once.
  [[nodiscard]] std::optional<Seat> substitute() const;
  /// The one that plays is silent: a substitute, which has to be idle, plays from here on, and is to be asked for a
  /// search. The other one goes on with its own, if that has begun, and its answer counts as long as it comes first.
  void doubt(const base::Message& why, base::Now now, Outbox& out);
  [[nodiscard]] bool may_doubt() const;
  /// The one that plays has yet to stop an old search, and the present one waits behind that: it drops both, and is
  /// replaced if it does not stop. The substitute, which has to be idle, plays from here on, and is to be asked.
  void stand_in(const base::Message& why, base::Now now, Outbox& out);
  /// That one goes on with an old search although it was told to stop.
  void note_deaf(Seat seat, Outbox& out);
  /// The one that plays gave no answer in time: a substitute plays from here on. The other one
  /// keeps its chance to answer the `stop`, and is replaced when it does not.
  void hand_over(const base::Message& why, base::Now now, Outbox& out);
  /// To be called when nothing is searched: the first engine plays again if it is well.
  void put_first_back(Outbox& out);
  /// Asks a substitute for its opinion, besides the search that runs.
  void consult(usi::SearchRequest request, Outbox& out);
  /// Of the one that was asked for its opinion, or is doubted.
  [[nodiscard]] const AsideSearches& aside() const { return aside_; }
  /// Nor is the answer of an engine that was doubted wanted any more, or of those that were asked besides.
  void dismiss_advice(base::Now now, Outbox& out);

 private:
  /// `fails`: it counts as a failure of the one that played.
  void change_over(Seat to, const base::Message& why, base::Now now, Outbox& out, bool fails = true);
  /// A person is told when that takes it out of the game.
  void count_failure(Seat of, Outbox& out);
  News sort(Seat of, News news, base::Now now, Outbox& out);
  void take_over(Seat by, EngineLost lost, News& sorted, base::Now now, Outbox& out);
  void take_late_answer(Seat by, usi::SearchAnswered answer, News& sorted, base::Now now, Outbox& out);

  EnginePool engines_;
  bool thinks_together_;
  bool consults_;
  Seat player_ = 0;
  std::vector<bool> are_asked_;  ///< besides, by seat
  AsideSearches aside_;
};

}  // namespace kakehashi::bridge
