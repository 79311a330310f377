// The engines of one bot: the first one, and the standby where engine.standby asks for it. One of
// the two plays; the other sits on the bench, ready, and is told nothing of the game. The team
// knows when they change places, and nothing of positions, clocks or servers.
//
//   who plays | what happens                                   | who plays then
//   ----------+------------------------------------------------+----------------------------------
//   either    | it is lost, and the other is ready             | the other, at once
//   either    | it is lost, and the other becomes ready sooner | the other
//   either    | it keeps silent for too long (doubt)           | the other, if that is idle; but whoever
//             |                                                | answers first answers for both
//   either    | it keeps silent at the deadline (hand_over)    | the other, if that is ready
//   either    | it is given up                                 | the other, ready or on its way
//   either    | a search is asked for while it is not ready    | the other, if that is ready
//   standby   | the first is idle, and nothing is searched     | the first (put_first_back), unless
//             |                                                | it has failed twice in this game
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/engine_seat.hpp"

namespace kakehashi::bridge {

class EngineTeam {
 public:
  EngineTeam(const config::Engine& config, bool ponder);

  /// Before start(): see EngineSeat. A standby is remembered, not asked: a game may be running by then.
  void learn_clock();
  void start(base::Now now, Outbox& out);

  // --- past facts of either engine; news are those of the one that plays
  std::vector<SeatNews> on_started(const EngineStarted& event, base::Now now, Outbox& out);
  std::vector<SeatNews> on_failed(const EngineFailedToStart& event, base::Now now, Outbox& out);
  std::vector<SeatNews> on_line(const EngineLine& event, base::Now now, Outbox& out);
  std::vector<SeatNews> on_stderr(const EngineStderr& event, base::Now now);
  std::vector<SeatNews> on_clock_recalled(const ClockRecalled& event, base::Now now, Outbox& out);
  std::vector<SeatNews> on_exited(const EngineExited& event, base::Now now, Outbox& out);
  std::vector<SeatNews> on_time(base::Now now, Outbox& out);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;

  // --- the one that plays; see EngineSeat
  [[nodiscard]] bool standby_plays() const { return standby_plays_; }
  [[nodiscard]] const EngineSeat& player() const { return standby_plays_ ? *standby_ : first_; }
  [[nodiscard]] bool is_idle() const { return player().is_idle(); }
  [[nodiscard]] bool is_given_up() const;
  /// Each engine is given up, or fails to get ready again and again.
  [[nodiscard]] bool is_missing() const;
  void watch_silence(base::Now now) { seated().watch_silence(now); }
  void new_game(Outbox& out) { seated().new_game(out); }
  void join_game(Outbox& out) { seated().join_game(out); }
  /// Whoever is ready searches; nothing when nobody is.
  [[nodiscard]] std::optional<usi::SearchId> search(usi::SearchRequest request, base::Now now,
                                                    Outbox& out);
  [[nodiscard]] std::vector<SeatNews> ponderhit(std::string_view times, Outbox& out);
  void hurry(base::Now now, Outbox& out);
  void abandon(base::Now now, Outbox& out) { seated().abandon(now, out); }
  std::vector<SeatNews> replace(const std::string& why, base::Now now, Outbox& out);

  // --- both
  /// The standby takes over what it does not set itself.
  void adopt(const config::Engine& config, bool ponder);
  void prepare_game(const GameRules& rules, base::Now now, Outbox& out);
  void game_over(usi::GameOver result, base::Now now, Outbox& out);
  void renew(base::Now now, Outbox& out);
  /// Between games: each engine proves that it is alive, a dead or hung one is replaced.
  void prove(base::Now now, Outbox& out);
  void prove_if_stale(base::Now now, Outbox& out, base::Millis within = base::Millis::max());
  void start_no_more();
  void kill(Outbox& out);
  /// SeatEmptied follows when both are gone.
  [[nodiscard]] std::vector<SeatNews> quit(base::Now now, Outbox& out);

  // --- the bench
  [[nodiscard]] bool has_substitute() const;
  /// The one that plays is silent: the substitute, which has to be idle, plays from here on, and is to be asked for a
  /// search. The other one goes on with its own, and its answer counts as long as it comes first.
  void doubt(const std::string& why, base::Now now, Outbox& out);
  [[nodiscard]] bool may_doubt() const;
  /// The one that plays gave no answer in time: the substitute plays from here on. The other one
  /// keeps its chance to answer the `stop`, and is replaced when it does not.
  void hand_over(const std::string& why, base::Now now, Outbox& out);
  /// To be called when nothing is searched: the first engine plays again if it is well.
  void put_first_back(Outbox& out);
  /// Asks the substitute for its opinion, besides the search that runs.
  void consult(usi::SearchRequest request, Outbox& out);
  [[nodiscard]] bool is_consulting() const { return consultation_.has_value(); }
  /// The substitute's move or the first of its line (USI); empty when it has said nothing yet.
  [[nodiscard]] const std::string& advice() const { return advice_; }
  /// Nor is the answer of an engine that was doubted wanted any more.
  void dismiss_advice(base::Now now, Outbox& out);

  /// As often as this in one game the first engine may fail and be put back before its end.
  static constexpr int failures_in_game_max = 1;

 private:
  using News = std::vector<SeatNews>;

  [[nodiscard]] EngineSeat& seated() { return standby_plays_ ? *standby_ : first_; }
  [[nodiscard]] EngineSeat* bench();
  [[nodiscard]] const EngineSeat* bench() const;
  [[nodiscard]] EngineSeat* seat_of(EngineId engine);
  void change_over(const std::string& why, base::Now now, Outbox& out);
  void share_clocks();
  News sort(bool of_standby, News news, base::Now now, Outbox& out);
  void take_over(SeatLost lost, News& sorted, base::Now now, Outbox& out);
  void take_late_answer(usi::SearchAnswered answer, News& sorted, base::Now now, Outbox& out);
  void listen_to_advice(const SeatNews& item);
  [[nodiscard]] bool have_both_left() const { return first_left_ && (!standby_ || standby_left_); }

  EngineSeat first_;
  std::optional<EngineSeat> standby_;
  bool is_same_program_ = false;  ///< first engine and standby
  bool standby_plays_ = false;
  int failures_in_game_ = 0;  ///< of the first engine
  bool starts_no_more_ = false;
  bool first_left_ = false;   ///< on the way out
  bool standby_left_ = false;
  std::optional<usi::SearchId> consultation_;
  /// The search of our turn that goes on at the engine which does not play any more.
  std::optional<usi::SearchId> doubted_;
  std::string advice_;
};

}  // namespace kakehashi::bridge
