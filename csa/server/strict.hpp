// The CSA server protocol 1.2.1 to the letter, without what shogi-server adds or lets pass: which line
// of a client breaks it. Pure text and times; what a breach costs is the server's business.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.hpp"
#include "csa/server/session.hpp"

namespace kakehashi::csa::server {

/// `LOGIN <name> <password>` with single spaces: a name of letters, digits, _ and -, at most 32
/// bytes; a password of visible ASCII, at most 32 bytes.
[[nodiscard]] bool is_strict_login(std::string_view line);

/// A move, a resignation or a declaration, as the protocol writes them.
[[nodiscard]] bool is_strict_action(std::string_view line);

/// What is known of the sender when its line comes.
struct StrictView {
  Status status;
  bool is_turn = false;        ///< in a game: its own
  std::string_view game_id{};  ///< of the game that is offered or played
  base::Millis silence{0};     ///< since its last line
};

/// Which rule a line of a client that is logged in breaks; nothing: it is fine.
[[nodiscard]] std::optional<std::string_view> strict_fault(std::string_view line,
                                                           const StrictView& view);

/// The protocol forbids an empty line sooner after any line of the same client.
inline constexpr base::Millis strict_keepalive_min{30'000};

/// Between a game and the next pairing on the same connection: time for a LOGOUT that is under way.
inline constexpr base::Millis strict_rest{1'000};

}  // namespace kakehashi::csa::server
