// The inside of Bot: its life. It owns the machines, hands each what concerns it, and passes on what they want of one
// another: the Connection to the server, the game (an Offer, then a Match) and the EngineTeam. What it decides by
// itself is which of them runs: start, stop, a new configuration, the next game, the exit.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bridge/bot/bot.hpp"
#include "bridge/bot/connection.hpp"
#include "bridge/engine/engine_team.hpp"
#include "bridge/game/context.hpp"
#include "bridge/game/link_margin.hpp"
#include "bridge/game/match.hpp"
#include "bridge/game/offer.hpp"
#include "bridge/mask.hpp"
#include "bridge/outbox.hpp"
#include "bridge/phase.hpp"

namespace kakehashi::bridge {

inline constexpr int exit_game_left = 75;  ///< sysexits: a running game was left
inline constexpr int exit_line_lost = 69;  ///< the server went away, and the bot was told not to come back

class Bot::Core {
 public:
  Core(config::BotConfig config, std::uint64_t seed);

  Actions start(base::Now now);
  Actions step(const Event& event, base::Now now);
  [[nodiscard]] View view() const;
  [[nodiscard]] std::shared_ptr<const FinishedGame> finished_game() const { return last_.finished; }

 private:
  /// No new game; and how the present one is to end.
  struct Stopping {
    bool is_asked = false;
    bool is_resigning = false;  ///< on our next turn
    std::optional<base::SteadyTime> drain_until{};  ///< then the game is resigned
    std::optional<base::SteadyTime> leave_by{};     ///< of a resignation that the server does not answer
    int exit_status = 0;  ///< of the exit after the present game
  };
  /// On the way out: LOGOUT where it is due, then the engine's `quit`.
  struct Leaving {
    base::SteadyTime give_up;
    bool engine_is_quitting = false;
    int exit_status = 0;
  };
  struct Gone {};
  struct Living {};
  /// What is kept of the game that ended last.
  struct Last {
    std::optional<GameView> view;
    std::shared_ptr<const FinishedGame> finished;  ///< shared with whoever archives it, and constant
    std::string record_path;
  };

  // --- bot.cpp: events, and what is passed on
  [[nodiscard]] Actions take_actions();
  void dispatch(const Event& event);
  void note_waiting_lines(const Event& event);
  void on_engine_line(const EngineLine& event);
  void on_record_written(const RecordWritten& event);
  [[nodiscard]] GameContext context();
  /// Calls the game that is played with what concerns it, and deals with what its engines said to that.
  template <class Call>
  void tell_match(Call call) {
    if (Match* playing = match()) {
      call(*playing, context());
      deal_with_news();
    }
  }
  void deal_with_news();
  void on_news(std::vector<EngineNews> news);
  void on_team_given_up(const EngineGivenUp& gave_up);
  void note_engine_times();
  void put_first_engine_back();
  [[nodiscard]] bool is_over() const { return !std::holds_alternative<Living>(life_); }
  [[nodiscard]] Phase phase() const;
  void report(Phase phase) { out_.add(PhaseChanged{phase}); }
  [[nodiscard]] Offer* offer() { return std::get_if<Offer>(&game_); }
  /// The game that is played; none while its line is lost.
  [[nodiscard]] Match* match();
  [[nodiscard]] const Match* match() const;
  [[nodiscard]] Match* lost_match();
  [[nodiscard]] const Match* lost_match() const;
  [[nodiscard]] bool is_free() const { return match() == nullptr && !std::holds_alternative<Offer>(game_); }

  // --- deadlines
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;
  [[nodiscard]] std::optional<base::SteadyTime> life_deadline() const;
  void look_at_deadlines();
  [[nodiscard]] bool expired(const std::optional<base::SteadyTime>& deadline) const {
    return deadline && now_.steady >= *deadline;
  }
  [[nodiscard]] bool wants_pulse() const;
  void arm_timer(bool has_rung);

  // --- the connection
  /// Never without a living engine: one that was silent for long proves itself first.
  void connect_when_idle();
  void hold_line();
  void on_server_closed(const ServerClosed& event);
  void on_session_events(std::vector<csa::SessionEvent> events);
  void on_session(csa::LoggedIn& event);
  void on_session(csa::LoginFailed& event);
  void on_session(csa::LoggedOut& event);
  void on_session(csa::Remark& event);

  // --- bot_game.cpp: from one game to the next
  void on_session(csa::SummaryReceived& event);
  void on_session(csa::SummaryUnusable& event);
  void on_session(csa::GameStarted& event);
  void on_session(csa::AgreementRejected& event);
  void on_session(csa::MovePlayed& event);
  void on_session(csa::SpecialPlayed& event);
  void on_session(csa::GameEnding& event);
  void on_session(csa::GameGoesOn& event);
  void on_session(csa::GameEnded& event);
  void on_session(csa::GameResumed& event);
  [[nodiscard]] bool refuses_own_account(const csa::GameSummary& summary);
  void choose_game_settings(const csa::GameSummary& summary);
  void agree_when_idle();
  [[nodiscard]] Match new_match(Game game, base::SteadyTime started, base::SteadyTime agreed);
  void finish_game(Match& match, const csa::GameEnd& end);
  void renew_engines();
  [[nodiscard]] bool takes_back(csa::GameSummary& summary);
  void give_up_lost_game(const std::string& why);

  // --- bot_stop.cpp: the way out
  void on_stop(const StopRequested& event);
  void take_no_more_games();
  void drain();
  void give_up_game(const std::string& why);
  void leave(int exit_status, const std::string& why);
  void quit_engine();
  void finish_leaving();
  void exit_at_once();
  void be_gone(int exit_status);

  const config::BotConfig standing_config_;  ///< as it was given
  config::BotConfig config_;  ///< the same, with what its rules set for the game that was offered last
  Mask mask_;  ///< of the password: no rule changes that
  EngineTeam team_;
  Connection connection_;
  std::variant<std::monostate, Offer, Match> game_;
  std::variant<Living, Leaving, Gone> life_;
  Stopping stopping_;
  LinkMargin link_;
  BookState book_;
  Statistics statistics_;
  Last last_;
  bool has_told_engine_times_ = false;  ///< what is particular about its clock
  bool lines_wait_ = false;     ///< further server lines are in the buffer, as the last one said
  std::optional<base::SteadyTime> armed_;
  base::Now now_;  ///< of the step that runs
  Outbox out_;
  std::vector<EngineNews> news_;  ///< that a machine's call has brought, until they are dealt with
};

}  // namespace kakehashi::bridge
