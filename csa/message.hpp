// The lines a CSA server sends, as values, and the reader of one. Reading a line needs no memory of earlier lines; what it
// means in its context is client_session.hpp's business.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/time.hpp"
#include "shogi/move.hpp"

namespace kakehashi::csa {

/// A longer line of a server is left out on its way, as one with a NUL byte is: a stranger's chat may be one.
inline constexpr std::size_t server_line_bytes_max = std::size_t{64} * 1024;

/// A blank line: a keepalive's echo, or nothing at all. Allowed anywhere.
struct Blank {};
struct LoginAccepted { std::string name; };
/// "LOGIN:incorrect" with whatever followed it.
struct LoginRefused {
  std::string detail;
  std::optional<base::Seconds> retry_after;
};
struct LogoutCompleted {};
struct ChallengeAccepted {};
struct SummaryBegins {};
struct GameStarts { std::string game_id; };                 ///< START:<id>
struct GameRejected { std::string game_id; std::string by; };  ///< REJECT:<id> by <name>
/// "+7776FU,T12": a move that the server confirms to both sides.
struct MoveConfirmed {
  shogi::Color mover;
  std::string move;                      ///< sign, four digits, two capitals; may be no move
  std::optional<base::Millis> consumed;  ///< T, in seconds on the wire, decimals allowed
  /// What stands behind an apostrophe, "* 52 -3334FU +2726FU", of servers that pass comments on. Cut at
  /// comment_bytes_max.
  std::string comment{};
};
inline constexpr std::size_t comment_bytes_max = 1'024;
/// "%TORYO", "%KACHI,T8": informational.
struct SpecialMove {
  std::string word;  ///< with the percent sign
  std::optional<base::Millis> consumed;
};
/// "#RESIGN", "#WIN", ...: the word with its number sign.
struct ResultWord { std::string word; };
/// "##[TAG] ...": chatter of shogi-server; "##[ERROR] ..." deserves a warning.
struct Extended { bool is_error = false; };
struct Unknown { std::string text; };

using ServerMessage =
    std::variant<Blank, LoginAccepted, LoginRefused, LogoutCompleted, ChallengeAccepted,
                 SummaryBegins, GameStarts, GameRejected, MoveConfirmed, SpecialMove, ResultWord,
                 Extended, Unknown>;

/// Total: every byte sequence gives some message, Unknown at worst. `line` without its LF; a trailing CR is tolerated.
[[nodiscard]] ServerMessage parse_line(std::string_view line);

/// As much of a line as a game needs: no chatter, and nothing behind a move's time. Nothing: none of it.
[[nodiscard]] std::optional<std::string> plainest(std::string_view line);

/// "T12", "T3.5", "T1.": seconds on every known server, whatever Time_Unit says. Nothing when it
/// is not a time. Clamped to one day.
[[nodiscard]] std::optional<base::Millis> parse_consumed(std::string_view field);

}  // namespace kakehashi::csa
