// The inside of Bot: one class, its definitions split by verb. bot.cpp dispatches and looks at the deadlines,
// bot_server.cpp connects and logs in, bot_game.cpp follows a game, bot_rejoin.cpp goes back into one whose line
// was lost, bot_engine.cpp follows the engine, bot_turn.cpp plays our turns, bot_book.cpp answers them from a
// book, bot_time.cpp accounts, bot_policy.cpp ends games, bot_ponder.cpp uses the opponent's turns, bot_rescue.cpp
// plays ours without an engine, bot_schedule.cpp knows the hours of play, bot_stop.cpp leaves.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bridge/bot.hpp"
#include "bridge/engine_team.hpp"
#include "bridge/link_margin.hpp"
#include "bridge/mask.hpp"
#include "bridge/outbox.hpp"
#include "bridge/phase.hpp"
#include "bridge/retry.hpp"
#include "bridge/schedule.hpp"

namespace kakehashi::bridge {

inline constexpr int exit_game_left = 75;  ///< sysexits: a running game was left
inline constexpr int exit_line_lost = 69;  ///< the server went away, and the bot was told not to come back

class Bot::Core {
 public:
  Core(config::BotConfig config, std::uint64_t seed);

  Actions start(base::Now now);
  Actions step(const Event& event, base::Now now);
  [[nodiscard]] View view() const;
  [[nodiscard]] std::shared_ptr<const FinishedGame> finished_game() const { return finished_game_; }

 private:
  // --- bot.cpp
  [[nodiscard]] Actions take_actions();
  void dispatch(const Event& event);
  void note_waiting_lines(const Event& event);
  void look_at_deadlines();
  [[nodiscard]] std::optional<base::SteadyTime> earliest_deadline() const;
  [[nodiscard]] bool wants_pulse() const;
  void arm_timer();
  void enter(Phase phase);
  [[nodiscard]] bool expired(base::SteadyTime deadline) const { return now_.steady >= deadline; }

  // --- bot_server.cpp
  void connect();
  void connect_when_idle();
  void close_server();
  void back_off(const std::string& why, base::Millis at_least = base::Millis{0});
  [[nodiscard]] base::Millis line_patience() const;
  void hold_line();
  void send(std::string line);
  void send_secret(std::string line, std::string log_as);
  void on_connected(const ServerConnected& event);
  void log_in();
  void wait_for_game();
  void ask_for_game();
  void judge_login(const std::string& why);
  void on_server_line(const ServerLine& event);
  void on_server_closed(const ServerClosed& event);
  void on_session_events(std::vector<csa::SessionEvent> events);
  void on_session(csa::LoggedIn& event);
  void on_session(csa::LoginFailed& event);
  void on_session(csa::LoggedOut& event);
  void on_session(csa::Remark& event);

  // --- bot_game.cpp
  void on_session(csa::SummaryReceived& event);
  void on_session(csa::SummaryUnusable& event);
  void on_session(csa::GameStarted& event);
  void on_session(csa::AgreementRejected& event);
  void on_session(csa::MovePlayed& event);
  void on_session(csa::SpecialPlayed& event);
  void on_session(csa::GameEnding& event);
  void doubt_end_later(Playing& playing, const csa::GameEnding& event);
  void doubt_end(Playing& playing);
  void on_session(csa::GameGoesOn& event);
  void on_session(csa::GameEnded& event);
  void choose_game_settings(const csa::GameSummary& summary);
  void agree_when_idle();
  void add_to_record(Playing& playing, const csa::MovePlayed& event, const shogi::Position& before,
                     const std::optional<Deviation>& deviation);
  void finish_game(Playing& playing, const csa::GameEnd& end);

  // --- bot_rejoin.cpp
  [[nodiscard]] bool may_rejoin(const Playing& playing) const;
  void await_rejoining(Playing& playing, const std::string& why);
  bool takes_back(csa::GameSummary& summary);
  void on_session(csa::GameResumed& event);
  bool catch_up(LostGame& lost, const csa::ResumeState& state);
  void play_on(Playing& playing, const std::string& unanswered);
  void give_up_lost_game(const std::string& why);
  void watch_lost_game();

  // --- bot_engine.cpp
  void on_news(std::vector<SeatNews> news);
  void on_seat_ready();
  void on_seat_lost(const SeatLost& lost);
  void lose_ponder_search(Playing& playing, const SeatLost& lost);
  void on_seat_given_up(const SeatGaveUp& gave_up);
  void on_info(const usi::SearchInfo& info);
  void on_stop_obeyed(const StopObeyed& stop);
  void on_answer(const usi::SearchAnswered& answer);
  void put_first_engine_back();

  // --- bot_book.cpp
  bool ask_book(Playing& playing);
  void on_book_answered(const BookAnswered& answer);
  void watch_lookup(Playing& playing);

  // --- bot_turn.cpp
  void begin_turn(Playing& playing);
  void think(Playing& playing);
  void search(Playing& playing);
  void request_search(Playing& playing);
  void renew_queued_search(const EngineLine& event);
  void begin_thought(Playing& playing, int ply);
  void choose(Playing& playing, const usi::SearchAnswered& answer);
  void play(Playing& playing, const shogi::Move& move);
  void resign(Playing& playing, const std::string& why);
  void declare(Playing& playing);
  void refuse_declaration(Playing& playing, const std::string& why);
  void drop_search(Playing& playing);
  void watch_turn(Playing& playing);
  void hurry(Playing& playing);

  // --- bot_time.cpp
  [[nodiscard]] ThinkTimeRules think_time_rules() const;
  [[nodiscard]] base::Millis charge_until(const Playing& playing, base::SteadyTime sent) const;
  [[nodiscard]] base::Millis charge_unechoed(const Playing& playing, const csa::MovePlayed& move) const;
  void note_long_way(const csa::GameSummary& summary);
  void watch_idleness();
  [[nodiscard]] base::Millis time_of_engine(const OwnTurn& turn) const;
  void account_for(Playing& playing, const csa::MovePlayed& echo);
  void note_time_tally(const Playing& playing);
  [[nodiscard]] base::Millis kept_by_engine() const;
  void note_engine_times();

  // --- bot_policy.cpp
  [[nodiscard]] bool ends_without_a_search(Playing& playing);
  void answer_resignation(Playing& playing);
  [[nodiscard]] bool gives_up_by_score(Playing& playing) const;
  void note_rules(const Playing& playing);

  // --- bot_ponder.cpp
  void ponder(Playing& playing);
  [[nodiscard]] bool take_up_ponder(Playing& playing);
  [[nodiscard]] bool take_up_parked(Playing& playing, const Pondering& pondering);
  void settle_sent_move(Playing& playing);
  void note_ponder_tally(const Playing& playing);

  // --- bot_rescue.cpp
  void report_unusable(const Playing& playing, const std::string& why);
  void rescue(Playing& playing, const std::string& why);
  void play_without_engine(Playing& playing, RescueCause cause, const std::string& why);
  /// How long the engine that plays may say nothing on our clock before it is doubted.
  [[nodiscard]] base::Millis patience(const Playing& playing) const;
  void watch_silence(Playing& playing);
  void look_at_silence(Playing& playing);
  void lose_search(Playing& playing, const SeatLost& lost);
  void play_fallback(Playing& playing, const std::string& why, std::optional<RescueCause> cause);

  // --- bot_schedule.cpp
  [[nodiscard]] bool rests() const;
  void rest();
  void look_at_schedule();
  [[nodiscard]] std::optional<base::SteadyTime> schedule_deadline() const;
  [[nodiscard]] bool refuses_own_account(const csa::GameSummary& summary);

  // --- bot_stop.cpp
  void on_stop(const StopRequested& event);
  void drain();
  void give_up_game(const std::string& why);
  void leave(int exit_status, const std::string& why);
  void quit_engine(Leaving& leaving);
  void finish_leaving();
  void exit_at_once();

  // --- bot_view.cpp
  [[nodiscard]] GameView view_of(const Playing& playing) const;
  [[nodiscard]] FinishedGame finished(const Playing& playing, const csa::GameEnd& end) const;
  config::BotConfig standing_config_;  ///< as it was given
  config::BotConfig config_;  ///< the same, with what its rules set for the game that was offered last
  Mask mask_;  ///< of the password: no rule changes that
  bool comments_;
  bool stays_connected_;  ///< after a game, for the next one
  EngineTeam team_;
  csa::ClientSession session_;
  Retry retry_;
  base::SteadyTime logged_in_at_{};
  int short_logins_ = 0;  ///< in a row that were cut off before anything came of them
  Schedule schedule_;
  LinkMargin link_margin_;
  bool has_told_engine_times_ = false;  ///< what is particular about its clock
  Phase phase_ = Preparing{};
  bool is_connected_ = false;   ///< as far as the core was told
  base::Millis line_patience_{0};  ///< of this connection, as the shell was told
  bool lines_wait_ = false;     ///< further server lines are in the buffer, as the last one said
  bool is_draining_ = false;    ///< no new game
  bool is_resigning_ = false;   ///< and the present one is given up on our next turn
  std::optional<base::SteadyTime> drain_until_;  ///< then the game is resigned
  std::optional<base::SteadyTime> leave_by_;  ///< of a resignation that the server does not answer
  bool has_been_ready_ = false;
  std::optional<LostGame> lost_game_;
  bool is_after_lost_game_ = false;  ///< the last line was lost in a game, and no login since
  int games_finished_ = 0;
  Totals<PonderTally> ponder_totals_;
  int searches_lost_ = 0;  ///< of our turns, with their engine, since the last answer
  Totals<TimeTally> time_totals_;
  int final_status_ = 0;        ///< of the exit after the present game
  std::optional<GameView> last_game_;
  std::shared_ptr<const FinishedGame> finished_game_;  ///< shared with whoever archives it, and constant
  std::string record_path_;
  std::uint64_t lookups_ = 0;  ///< in the book, so far
  std::uint64_t book_random_;
  std::optional<base::SteadyTime> armed_;
  base::Now now_;  ///< of the step that runs
  Outbox out_;
};

}  // namespace kakehashi::bridge
