// What nobody may see of what a server says: our password, should it repeat it, and the token that
// takes a lost game back. Owns where these are looked for: in events before a journal or a log gets
// them, in a server's words for people before the core reads them, and in every action's texts.
// A password that stands in the account's or the game's own name is shown to everybody by the
// server anyway; hiding it would only spoil names, so it is left alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/secret.hpp"
#include "bridge/action.hpp"
#include "bridge/event.hpp"
#include "config/bot_config.hpp"
#include "csa/client_session.hpp"

namespace kakehashi::bridge {

/// The Reconnect_Token that a server's line tells.
[[nodiscard]] std::optional<std::string> token_in(const Event& event);
/// The event as it was before Mask::hide() had hidden its token.
[[nodiscard]] Event with_token(const Event& event, const std::string& token);

class Mask {
 public:
  explicit Mask(const config::BotConfig& config);

  [[nodiscard]] std::string hide(std::string text) const;
  /// The event as a journal or a log may hold it, if it holds anything that must not be seen.
  [[nodiscard]] std::optional<Event> hide(const Event& event) const;
  /// The line as the core may read it: where no rule of the game hangs on the text (names and
  /// chat) the password goes at once, before anything quotes or cuts it.
  [[nodiscard]] std::string hide_in_line(const std::string& line) const;
  /// As records and views show them; what goes back to the server stays as it came.
  [[nodiscard]] csa::GameSummary hide(csa::GameSummary summary) const;
  [[nodiscard]] csa::GameEnd hide(csa::GameEnd end) const;
  /// Notes, statuses and what is shown of a line. Nothing that a peer or a record reads.
  void hide(std::vector<Action>& actions) const;

 private:
  base::Secret password_;
  base::Secret quoted_;  ///< as base::quote_for_log spells it, when that differs
};

}  // namespace kakehashi::bridge
