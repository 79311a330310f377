// What nobody may see of what a server says: our password, should it repeat it, and the token that takes a lost game
// back. Owns where these are looked for. What the server itself shows to everybody, the games with their names, ids and
// moves, is public whatever letters stand in it: the core, the records, the archive and the journal have it as it came,
// so that a password such as "wcsc36" spoils no event's name. Of everything else the password goes before the core or a
// journal hears it; and the log, which people pass on, shows it nowhere.
// A password that stands in the account's or the game's own name is no secret, and is left alone.
#pragma once

#include <optional>
#include <string>

#include "base/secret.hpp"
#include "bridge/event.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge {

/// The Reconnect_Token that a server's line tells.
[[nodiscard]] std::optional<std::string> token_in(const Event& event);
/// The event as it was before Mask::kept() had hidden its token. Without one it stays hidden, which does for a game that is over:
/// the lines that were sent with it are as long.
[[nodiscard]] Event with_token(const Event& event, const std::string& token);

class Mask {
 public:
  explicit Mask(const config::BotConfig& config);

  /// A server's line as the core may read it: what is no part of a game (chat, refusals, errors) without the password,
  /// before anything quotes or cuts it.
  [[nodiscard]] std::string heard(const std::string& line) const;
  /// The event as a journal may hold it, if it holds anything that must not be seen: what the core heard, without the
  /// token.
  [[nodiscard]] std::optional<Event> kept(const Event& event) const;
  /// As a log may show it.
  [[nodiscard]] std::string hide(std::string text) const;
  [[nodiscard]] Note hide(Note note) const;

 private:
  base::Secret password_;
  base::Secret quoted_;  ///< as base::quote_for_log spells it, when that differs
};

}  // namespace kakehashi::bridge
