// The inside of Bot: its life. It owns the machines, hands each what concerns it, and passes on what they want of one
// another: the Connection to the server, the game (an Offer, then a Match) and the EngineTeam. What it decides by
// itself is which of them runs: start, stop, a new configuration, the next game, the exit.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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

/// The game that is offered, or played, or was lost with its line: one at most.
class PresentGame {
 public:
  void put(Offer offer) { game_ = std::move(offer); }
  void put(Match match) { game_ = std::move(match); }
  void clear() { game_ = std::monostate{}; }

  [[nodiscard]] Offer* offer() { return std::get_if<Offer>(&game_); }
  [[nodiscard]] const Offer* offer() const { return std::get_if<Offer>(&game_); }
  /// Played, or lost with its line.
  [[nodiscard]] Match* begun() { return std::get_if<Match>(&game_); }
  [[nodiscard]] const Match* begun() const { return std::get_if<Match>(&game_); }
  /// The game that is played; none while its line is lost.
  [[nodiscard]] Match* match() { return begun() != nullptr && !begun()->is_suspended() ? begun() : nullptr; }
  [[nodiscard]] const Match* match() const { return begun() != nullptr && !begun()->is_suspended() ? begun() : nullptr; }
  [[nodiscard]] Match* lost() { return begun() != nullptr && begun()->is_suspended() ? begun() : nullptr; }
  [[nodiscard]] const Match* lost() const { return begun() != nullptr && begun()->is_suspended() ? begun() : nullptr; }
  /// Nothing is offered or played.
  [[nodiscard]] bool is_free() const { return match() == nullptr && offer() == nullptr; }
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;

 private:
  std::variant<std::monostate, Offer, Match> game_;
};

/// The way out of a bot's life: no new game, how the present one is to end, then LOGOUT where it is due, and the
/// engines' `quit`. It knows when each of them has taken long enough.
class WayOut {
 public:
  // --- while it lives
  void take_no_more_games() { is_asked_ = true; }
  [[nodiscard]] bool is_asked() const { return is_asked_; }
  /// The present game is finished first; it is resigned at that instant.
  void drain(base::SteadyTime until) { drain_until_ = until; }
  /// It is resigned on our next turn; when the server does not end it by then, it is left.
  void resign(base::SteadyTime leave_by);
  [[nodiscard]] bool is_resigning() const { return is_resigning_; }
  /// The server has ended it.
  void end_game() { leave_by_.reset(); }
  /// Of the exit behind the present game.
  void set_status(int exit_status) { exit_status_ = exit_status; }
  [[nodiscard]] int exit_status() const { return exit_status_; }

  // --- on its way out
  /// LOGOUT leaves, and its answer is waited for until then.
  void leave(base::SteadyTime give_up, int exit_status);
  void quit_engines() { std::get<Leaving>(life_).engines_quit = true; }
  void be_gone() { life_ = Gone{}; }
  /// It lives no more: nothing is begun.
  [[nodiscard]] bool is_over() const { return !std::holds_alternative<Living>(life_); }
  [[nodiscard]] bool is_leaving() const { return std::holds_alternative<Leaving>(life_); }
  [[nodiscard]] bool is_gone() const { return std::holds_alternative<Gone>(life_); }
  /// Nothing else is waited for: with what status it exits when they are gone.
  [[nodiscard]] std::optional<int> waits_for_engines() const;

  // --- time
  [[nodiscard]] const std::optional<base::SteadyTime>& drain_until() const { return drain_until_; }
  [[nodiscard]] const std::optional<base::SteadyTime>& leave_by() const { return leave_by_; }
  [[nodiscard]] std::optional<base::SteadyTime> logout_by() const;

 private:
  struct Living {};
  struct Leaving {
    base::SteadyTime give_up;
    int exit_status = 0;
    bool engines_quit = false;
  };
  struct Gone {};

  std::variant<Living, Leaving, Gone> life_;
  bool is_asked_ = false;
  bool is_resigning_ = false;
  std::optional<base::SteadyTime> drain_until_;
  std::optional<base::SteadyTime> leave_by_;
  int exit_status_ = 0;
};

/// The one timer, armed for the earliest deadline, and what its ringing tells of how late this process is.
class WakeTimer {
 public:
  /// Behind each step. `may_pulse`: it may ring for nothing, as long as it is not known how late it rings.
  void arm(std::optional<base::SteadyTime> earliest, bool has_rung, bool may_pulse, base::Now now, LinkMargin& link,
           Outbox& out);

 private:
  std::optional<base::SteadyTime> armed_;
};

class Bot::Core {
 public:
  Core(config::BotConfig config, std::uint64_t seed);

  Actions start(base::Now now);
  Actions step(const Event& event, base::Now now);
  [[nodiscard]] bool is_playing() const { return !game_.is_free(); }
  [[nodiscard]] std::optional<base::SteadyTime> decides_at() const {
    return game_.match() == nullptr ? std::nullopt : game_.match()->decides_at();
  }
  [[nodiscard]] View view() const;
  [[nodiscard]] std::shared_ptr<const FinishedGame> finished_game() const { return kept_.finished; }

 private:
  /// What is kept from game to game.
  struct Kept {
    LinkMargin link{};
    BookState book{};
    Statistics statistics{};
    bool has_told_engine_times = false;  ///< what is particular about its clock
    // Of the game that ended last:
    std::optional<GameView> view{};
    std::shared_ptr<const FinishedGame> finished{};  ///< shared with whoever archives it, and constant
    std::string record_path{};
  };

  // --- bot.cpp: events, and what is passed on
  [[nodiscard]] Actions take_actions();
  void dispatch(const Event& event);
  void on_record(const RecordWritten& record);
  void note_waiting_lines(const Event& event);
  [[nodiscard]] GameContext context();
  /// Calls the game that is played with what concerns it, and deals with what its engines said to that.
  template <class Call>
  void tell_match(Call call) {
    if (Match* playing = game_.match()) {
      call(*playing, context());
      if (!news_.empty()) {
        on_news(std::exchange(news_, {}));
      }
    }
  }
  void on_news(std::vector<EngineNews> news);
  void on_info(std::size_t seat, const usi::SearchInfo& info);
  void on_team_given_up();
  void put_first_engine_back();
  [[nodiscard]] Phase phase() const;
  void report(Phase phase) { out_.add(PhaseChanged{phase}); }

  // --- deadlines
  /// What is seen to when its time has come, in this order.
  enum class Due { engines, end_by_silence, keepalive, lost_game, drain, leave, logout, game, connection };
  static constexpr std::array all_due{Due::engines, Due::end_by_silence, Due::keepalive, Due::lost_game, Due::drain,
                                      Due::leave,   Due::logout,         Due::game,      Due::connection};
  [[nodiscard]] std::optional<base::SteadyTime> deadline_of(Due what) const;
  void see_to(Due what);
  void look_at_deadlines();
  void arm_timer(bool has_rung);

  // --- the connection
  /// Never without a living engine: one that was silent for long proves itself first.
  void connect_when_idle();
  void hold_line();
  void on_server_closed(const ServerClosed& event);
  void on_session_events(std::vector<csa::SessionEvent> events);
  void on_session(csa::LoginFailed& event);

  // --- from one game to the next
  void on_session(csa::SummaryReceived& event);
  void on_session(csa::SummaryUnusable& event);
  void on_session(csa::GameStarted& event);
  void on_session(csa::AgreementRejected& event);
  void on_session(csa::GameEnded& event);
  void on_session(csa::GameResumed& event);
  [[nodiscard]] bool refuses_own_account(const csa::GameSummary& summary);
  void choose_game_settings(const csa::GameSummary& summary);
  void agree_when_idle();
  [[nodiscard]] Match new_match(Game game, base::SteadyTime started, base::SteadyTime agreed);
  void finish_game(Match& match, const csa::GameEnd& end);
  void renew_engines();
  [[nodiscard]] bool takes_back(csa::GameSummary& summary);
  void give_up_lost_game(const base::Message& why);

  // --- the way out
  void on_stop(const StopRequested& event);
  void take_no_more_games();
  void give_up_game(const base::Message& why);
  void leave(int exit_status, const base::Message& why);
  void quit_engine();
  void exit_at_once();
  void be_gone(int exit_status);

  const config::BotConfig standing_config_;  ///< as it was given
  config::BotConfig config_;  ///< the same, with what its rules set for the game that was offered last
  Mask mask_;  ///< of the password: no rule changes that
  EngineTeam team_;
  Connection connection_;
  PresentGame game_;
  WayOut way_out_;
  Kept kept_;
  WakeTimer timer_;
  bool lines_wait_ = false;     ///< further server lines are in the buffer, as the last one said
  base::Now now_;  ///< of the step that runs
  Outbox out_;
  std::vector<EngineNews> news_;  ///< that a machine's call has brought, until they are dealt with
};

}  // namespace kakehashi::bridge
