// Reaching the server and staying logged in: connect, log in, keep alive, back off, the hours of play, and the way
// back to a game whose line was lost. It knows nothing of positions, clocks and engines; when an engine must be ready
// first, its owner calls connect() then.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/time.hpp"
#include "bridge/bot/schedule.hpp"
#include "bridge/outbox.hpp"
#include "bridge/phase.hpp"
#include "bridge/view.hpp"
#include "config/bot_config.hpp"
#include "csa/client_session.hpp"

namespace kakehashi::bridge {

struct ServerConnected;

/// The pause before the next attempt: doubling from a first value to a maximum, with jitter so that many bots that
/// lost one server do not come back in step.
class Retry {
 public:
  /// `first` > 0, `longest` >= `first`.
  Retry(base::Millis first, base::Millis longest, std::uint64_t seed);

  /// The pause for the next attempt: between three quarters and the whole of the present step,
  /// and never shorter than `at_least` (a server's own wish). The step then doubles.
  [[nodiscard]] base::Millis next(base::Millis at_least = base::Millis{0});
  /// Something worked: the next pause is the first one again.
  void reset() { step_ = first_; }

 private:
  base::Millis first_;
  base::Millis longest_;
  base::Millis step_;
  std::uint64_t random_;
};

class Connection {
 public:
  Connection(const config::BotConfig& config, std::uint64_t seed);

  // --- what is wanted of it
  /// Connects, unless these are no hours of play.
  void connect(base::Now now, Outbox& out);
  void close(Outbox& out);
  /// Its one game is over, or its pairing: with LOGOUT where the user wants one before each login.
  void end(base::Now now, Outbox& out);
  /// Nothing is under way until connect(): the engine is got ready.
  void prepare(Outbox& out);
  /// The next attempt comes behind a pause.
  void back_off(const base::Message& why, base::Now now, Outbox& out, base::Millis at_least = base::Millis{0});
  /// Waits for a game, or rests outside the hours of play.
  void wait_for_game(base::Now now, Outbox& out);
  /// Waits without asking for a game: it was asked for, or one is offered back.
  void wait(Outbox& out) { enter(LoggedIn{}, out); }
  void ask_for_game(base::Now now, Outbox& out);
  void reject(base::Now now, Outbox& out) { send(session_.reject(now.steady), out); }
  void log_out(base::Now now, Outbox& out) { send(session_.logout(now.steady), out); }
  /// For how long the connection is to be held from here on; see HoldLine.
  void hold(base::Millis patience, Outbox& out);
  /// No game is to follow: the hours of play do not matter any more.
  void take_no_more_games() { takes_games_ = false; }
  /// Nothing but a LOGOUT is to follow: what comes of an attempt that is under way is not wanted.
  void retire() { state_ = Preparing{}; }
  /// A game has begun: this login was a success.
  void succeed();
  /// The game that was offered does not begin. Where the server gives one game a connection it is done with us, and this
  /// one ends: true when the next is due at once (it is being prepared), and not behind a pause, as when it happens again and again. Else another
  /// game is waited for.
  [[nodiscard]] bool end_pairing(base::Now now, Outbox& out);
  /// A game is over, and another is waited for.
  void wait_behind_game(base::Now now, Outbox& out);

  // --- past facts
  /// `may_log_in`: an engine is ready, or a lost game waits. False: it is closed again.
  void on_connected(const ServerConnected& event, bool may_log_in, base::Now now, Outbox& out);
  /// What the line means.
  [[nodiscard]] std::vector<csa::SessionEvent> on_line(const std::string& line, base::Now now);
  /// From LOGIN to its answer; nothing when none was asked for.
  [[nodiscard]] std::optional<base::Millis> on_logged_in(const csa::LoggedIn& event, base::Now now, Outbox& out);
  /// False when none was asked for. Closes it; whoever owns it backs off behind that.
  [[nodiscard]] bool on_login_failed(const csa::LoginFailed& event, Outbox& out);
  void back_off_refused(const csa::LoginFailed& event, base::Now now, Outbox& out);
  /// It is down. `was_idle`: no game ran on it; a login that was cut off at once is told, and not repeated at once.
  void on_closed(const base::Message& why, bool was_idle, base::Now now, Outbox& out);

  // --- time
  /// What it sees to: an announced end that silence decides, a sign of life, and, while no game is offered or played, the
  /// end of what its state waits for and the hours of play.
  enum class Due { end_by_silence, keepalive, state };
  [[nodiscard]] std::optional<base::SteadyTime> deadline_of(Due what, base::Now now) const;
  // Each when its time has come.
  /// What the silence means.
  [[nodiscard]] std::vector<csa::SessionEvent> end_by_silence(base::Now now) { return session_.on_silence(now.steady); }
  void keep_alive(base::Now now, Outbox& out);
  /// True when the next attempt is due: prepare() has been called.
  [[nodiscard]] bool leave_state(base::Now now, Outbox& out);

  // --- the way back into a game whose line was lost
  struct WayBack {
    std::string game_id;
    std::string token;  ///< the latest one
    base::SteadyTime give_up;
    std::optional<csa::GameSummary> summary{};  ///< of the game given back
  };
  void seek_back(const csa::GameSummary& game, base::Now now);
  [[nodiscard]] const std::optional<WayBack>& way_back() const { return way_back_; }
  /// It is offered back.
  void find_back(csa::GameSummary summary) { way_back_->summary = std::move(summary); }
  /// It goes on, or is given up.
  std::optional<WayBack> end_way_back() { return std::exchange(way_back_, std::nullopt); }
  /// The game is lost with its line, and the server may still hold our name for it.
  void lose_game() { logins_.is_after_lost_game = true; }

  // --- the state
  [[nodiscard]] Phase phase() const;
  [[nodiscard]] bool is_up() const { return is_up_; }  ///< as far as it was told
  [[nodiscard]] csa::ClientSession& session() { return session_; }
  [[nodiscard]] const csa::ClientSession& session() const { return session_; }
  /// After a game, for the next one.
  [[nodiscard]] bool stays_connected() const { return stays_connected_ && !is_one_game_; }
  /// LOGOUT would be understood; `behind_games`: also on a connection whose game is over.
  [[nodiscard]] bool may_log_out(bool behind_games) const;
  [[nodiscard]] std::optional<ViewedWindow> window(base::Now now) const;

 private:
  struct Preparing {};
  struct Connecting { base::SteadyTime give_up; };
  struct LoggingIn {
    base::SteadyTime give_up;
    base::SteadyTime asked;  ///< when LOGIN left
  };
  struct LoggedIn {};
  struct Backoff { base::SteadyTime until; };
  struct Resting {};
  struct Logins {
    base::SteadyTime last{};
    int cut_off = 0;  ///< in a row, before anything came of them
    bool is_after_lost_game = false;  ///< the last line was lost in a game, and no login since
    int rejected = 0;  ///< pairings in a row
    bool is_behind_game = false;  ///< a game or a pairing has ended on this connection
    std::optional<base::SteadyTime> spoke{};  ///< behind that
  };
  using State = std::variant<Preparing, Connecting, LoggingIn, LoggedIn, Backoff, Resting>;

  template <class Which>
  [[nodiscard]] bool is() const { return std::holds_alternative<Which>(state_); }
  void enter(State state, Outbox& out);
  void send(std::string line, Outbox& out) const;
  void log_in(base::Now now, Outbox& out);
  [[nodiscard]] bool rests(base::Now now) const;
  void rest(base::Now now, Outbox& out);
  void report_ready(Outbox& out);
  [[nodiscard]] std::optional<base::SteadyTime> state_deadline(base::Now now) const;

  config::BotConfig config_;
  bool stays_connected_;
  bool is_one_game_ = false;  ///< the server was seen to close what we had stayed on
  csa::ClientSession session_;
  Retry retry_;
  Schedule schedule_;
  State state_ = Preparing{};
  bool is_up_ = false;
  base::Millis line_patience_{0};  ///< of this connection, as the shell was told
  bool takes_games_ = true;
  bool has_reported_ready_ = false;
  Logins logins_;
  std::optional<WayBack> way_back_;
};

}  // namespace kakehashi::bridge
