// The room csa: the server's language, as a client hears and speaks it. It owns the lines, what they mean and when
// one may be sent, game summaries and clocks; it knows no engine and no setting, and touches no socket.
//
// One connection to a CSA server from the client's side: which lines mean what in which state, and
// which lines may be sent when. Pure: no socket, no clock; time is an argument. It knows CSA words
// and the turn, not engines; legality of own moves is checked by the caller.
//
//   state        | may send                        | what the server may say that changes the state
//   -------------+---------------------------------+-----------------------------------------------
//   connected    | LOGIN                           | LOGIN:… OK -> waiting, LOGIN:incorrect -> refused
//   waiting      | %%GAME, CHALLENGE, LOGOUT, blank| BEGIN Game_Summary -> (block) -> summary
//   summary      | AGREE, REJECT, blank            | START -> playing, REJECT -> waiting, another
//                |                                 | block -> summary; after a login with a token:
//                |                                 | Reconnect_State -> playing
//   agreed       | blank                           | START -> playing, REJECT -> waiting, another
//                |                                 | block -> summary
//   playing      | own turn: move, %TORYO, %KACHI  | a result, or a reason and silence -> ended
//   ended        | LOGOUT, blank                   | BEGIN Game_Summary -> summary
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/message.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "csa/game_summary.hpp"
#include "csa/message.hpp"

namespace kakehashi::csa {

enum class Outcome { win, lose, draw, none };
[[nodiscard]] const char* describe(Outcome outcome);  ///< "win", "lose", "draw", "no result"

/// How a game ended, as the server told it.
struct GameEnd {
  Outcome outcome = Outcome::none;
  std::string reason;  ///< "#RESIGN", "#TIME_UP", ...; empty when none was given
  std::string result;  ///< "#WIN", "#CENSORED", ...; empty when none was given

  friend bool operator==(const GameEnd&, const GameEnd&) = default;
};

// --- what a line turned out to mean ---
struct LoggedIn { std::string name; };
struct LoginFailed { std::string detail; std::optional<base::Seconds> retry_after; };
struct LoggedOut {};
struct SummaryReceived { GameSummary summary; };
/// A game that cannot be played: REJECT is the answer.
struct SummaryUnusable {
  std::string game_id;
  base::Message why;
};
struct GameStarted { std::string game_id; };
/// The game that a login with a token asked for goes on, on the position of the last summary.
struct GameResumed { ResumeState state; };
struct AgreementRejected { std::string game_id; std::string by; };
/// A move stands. `is_ours` by color.
struct MovePlayed {
  shogi::Color mover;
  std::string move;  ///< may be unparsable on some servers ("+9999XX")
  base::Millis consumed{0};
  bool is_ours = false;
  /// Our own move came back different from what was sent: trust the server.
  bool differs_from_sent = false;
  /// Our own move as it was sent: the opponent's reply shows that it stands, and no echo told its time.
  bool is_unechoed = false;
  std::optional<base::Millis> reply_took{};  ///< then: what the server counted for that reply
  std::string comment{};  ///< what the server passed on behind the move, without its apostrophe
};
struct SpecialPlayed { std::string word; std::optional<base::Millis> consumed; };
/// The first known '#' line of an end: the engine must be stopped now; the outcome may still follow.
struct GameEnding {
  std::string reason;
  bool may_stand_alone = false;  ///< some servers send it without a result
};
/// A move came behind it: the game was not over.
struct GameGoesOn { std::string reason; };
struct GameEnded { GameEnd end; };
/// Something to tell the log about, and nothing more.
struct Remark {
  enum class Weight { debug, info, warn };
  Weight weight;
  base::Message text;
};

using SessionEvent =
    std::variant<LoggedIn, LoginFailed, LoggedOut, SummaryReceived, SummaryUnusable, GameStarted,
                 GameResumed, AgreementRejected, MovePlayed, SpecialPlayed, GameEnding, GameGoesOn,
                 GameEnded, Remark>;

/// One game as the server tells it, from START to its end: whose turn it is, what was sent on it, and which words have
/// announced the end.
class PlayedGame {
 public:
  /// For "#CENSORED" and "#ABNORMAL", which may stand alone.
  static constexpr base::Millis silence_grace{2'000};
  /// For any other reason, which a result ought to follow.
  static constexpr base::Millis result_patience{60'000};

  PlayedGame(shogi::Color our_color, shogi::Color turn) : our_color_(our_color), turn_(turn) {}

  void on_move(MoveConfirmed confirmed, std::vector<SessionEvent>& events);
  /// A line with a number sign. How the game has ended, if it has, here and below: nothing is asked of it then.
  [[nodiscard]] std::optional<GameEnd> on_result(std::string word, base::SteadyTime now,
                                                 std::vector<SessionEvent>& events);
  [[nodiscard]] std::optional<GameEnd> on_silence(base::SteadyTime now);
  [[nodiscard]] GameEnd on_closed(std::vector<SessionEvent>& events);
  /// See ClientSession.
  void doubt_end();
  void follow_turn(shogi::Color turn) { turn_ = turn; }
  /// On our turn: a move, "%TORYO" or "%KACHI".
  void note_sent(std::string_view word, base::SteadyTime now);

  [[nodiscard]] bool may_send() const { return !is_ending_ && turn_ == our_color_ && sent_.empty(); }
  [[nodiscard]] bool is_echo_owed() const { return turn_ == our_color_ && !sent_.empty(); }
  [[nodiscard]] shogi::Color turn() const { return turn_; }
  [[nodiscard]] std::optional<base::SteadyTime> silence_deadline() const { return silence_; }

 private:
  void settle_missing_echo(MoveConfirmed& confirmed, std::vector<SessionEvent>& events);
  [[nodiscard]] GameEnd decide_by_silence() const;
  [[nodiscard]] std::string& last_move_of(shogi::Color mover) {
    return last_moves_[static_cast<std::size_t>(mover)];
  }

  shogi::Color our_color_;
  shogi::Color turn_;
  std::array<std::string, 2> last_moves_;  ///< as echoed, by color
  std::string sent_;    ///< what was sent on this turn and is not echoed yet
  std::string reason_;  ///< the last '#' word that announced an end and was no result
  std::string unknown_word_;  ///< the last other '#' line since a move: a reason only if a result follows
  bool is_ending_ = false;
  std::optional<base::SteadyTime> silence_;
};

class ClientSession {
 public:
  enum class State { connected, logging_in, refused, waiting, summary, agreed, playing, ended };

  [[nodiscard]] State state() const;

  /// Takes one line from the server.
  [[nodiscard]] std::vector<SessionEvent> on_line(std::string_view line, base::SteadyTime now);

  /// After a reason without a result the end is decided by silence: the instant at which
  /// on_silence() is to be called. Nothing when no such decision is pending.
  [[nodiscard]] std::optional<base::SteadyTime> silence_deadline() const;
  [[nodiscard]] std::vector<SessionEvent> on_silence(base::SteadyTime now);
  /// The result that a reason announced has not come, and our clock may be running: moves may be sent
  /// again. Silence decides behind the next one.
  void doubt_end();
  /// Who is to move on the board that the moves lead to, where their signs say something else.
  void follow_turn(shogi::Color turn);
  /// The connection is gone: an end that was pending is decided; a running game ends without
  /// outcome (reason and result empty).
  [[nodiscard]] std::vector<SessionEvent> on_closed();

  // --- what may be sent. Each returns the line, without LF; sending it in a wrong state is a
  // programmer error. All of them note the time for the keepalive rule.
  /// `mode`: "x1" is shogi-server's extended one.
  [[nodiscard]] std::string login(std::string_view name, std::string_view password,
                                  base::SteadyTime now, std::string_view mode = "");
  /// Asks for a game back whose line was lost (an extension of rshogi's servers): `token` is the
  /// Reconnect_Token of its summary.
  [[nodiscard]] std::string login_again(std::string_view name, std::string_view password,
                                        std::string_view game_id, std::string_view token,
                                        base::SteadyTime now);
  /// A line that asks for a game, while waiting or after a game: "CHALLENGE", "%%GAME name *".
  [[nodiscard]] std::string ask(std::string_view request, base::SteadyTime now);
  [[nodiscard]] std::string agree(base::SteadyTime now);
  [[nodiscard]] std::string reject(base::SteadyTime now);
  [[nodiscard]] std::string logout(base::SteadyTime now);
  /// `move` is seven bytes; `comment` empty or the text after the comma, "'* 52 -3334FU": commas
  /// and control bytes are removed, the whole line cut at line_bytes_max.
  [[nodiscard]] std::string move(std::string_view move, std::string_view comment,
                                 base::SteadyTime now);
  [[nodiscard]] std::string resign(base::SteadyTime now);   ///< %TORYO
  [[nodiscard]] std::string declare(base::SteadyTime now);  ///< %KACHI

  /// Our turn by the echoed moves, and nothing sent yet on it.
  [[nodiscard]] bool may_send_move() const;
  /// Our turn, and what was sent on it has not come back yet.
  [[nodiscard]] bool is_echo_owed() const;
  /// Whose turn it is by the echoed moves; only while playing.
  [[nodiscard]] std::optional<shogi::Color> turn() const;

  /// When the next keepalive may be sent: `interval` (never less than 30 s) after the last line
  /// that went either way. Nothing before login.
  [[nodiscard]] std::optional<base::SteadyTime> keepalive_due(base::Seconds interval) const;
  /// The empty line.
  [[nodiscard]] std::string keepalive(base::SteadyTime now);

  static constexpr std::size_t line_bytes_max = 1900;  ///< of what is sent
  static constexpr base::Seconds keepalive_interval_min{30};

 private:
  struct Connected {};
  struct LoggingIn {};
  struct Refused {};
  struct Waiting {};
  /// A summary has come, and no START yet.
  struct Offered {
    std::string game_id;
    shogi::Color our_color = shogi::Color::black;
    shogi::Color turn = shogi::Color::black;  ///< who moves first after START
    bool is_agreed = false;
  };
  struct Ended {};
  /// Inside a Reconnect_State.
  struct Resuming {
    ResumeReader reader;
    Offered game;
  };

  std::vector<SessionEvent> on_summary_line(std::string_view line, base::SteadyTime now);
  [[nodiscard]] bool may_take_summary() const;
  void on_login_accepted(LoginAccepted accepted, std::vector<SessionEvent>& events);
  void on_login_refused(LoginRefused refused, std::vector<SessionEvent>& events);
  void on_summary_begins(std::string_view line, std::vector<SessionEvent>& events);
  std::vector<SessionEvent> on_resume_line(std::string_view line);
  void on_start(GameStarts start, std::vector<SessionEvent>& events);
  void on_rejected(GameRejected rejected, std::vector<SessionEvent>& events);
  void on_move(MoveConfirmed confirmed, std::vector<SessionEvent>& events);
  void on_result(std::string word, base::SteadyTime now, std::vector<SessionEvent>& events);
  void end(std::optional<GameEnd> how, std::vector<SessionEvent>& events);
  [[nodiscard]] PlayedGame* game() { return std::get_if<PlayedGame>(&phase_); }
  [[nodiscard]] const PlayedGame* game() const { return std::get_if<PlayedGame>(&phase_); }
  std::string sent(std::string line, base::SteadyTime now);
  std::string sent_on_turn(std::string_view word, base::SteadyTime now);

  std::variant<Connected, LoggingIn, Refused, Waiting, Offered, PlayedGame, Ended> phase_;
  std::optional<SummaryReader> reader_;  ///< inside a summary
  std::optional<Resuming> resume_;
  std::string asked_back_;  ///< the game that a login with a token asked for, until it goes on
  std::optional<base::SteadyTime> last_sent_;
  std::optional<base::SteadyTime> last_heard_;
};

}  // namespace kakehashi::csa
