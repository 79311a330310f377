// The LOGIN line: who logs in, in which form, and what a CSA-mode password hides (game name,
// color, trip). It knows no other player. Source: shogi-server's two login forms, as observed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "csa/server/game_name.hpp"
#include "shogi/move.hpp"

namespace kakehashi::csa::server {

/// The color that a player asks for; nothing: either ("*").
using ColorWish = std::optional<shogi::Color>;

enum class LoginForm { csa, x1 };

/// What a CSA-mode login waits for.
struct GameWish {
  GameName game;
  ColorWish color;
};

struct Login {
  std::string name;
  LoginForm form = LoginForm::csa;
  /// The md5 of the trip; nothing for a player without one, who is unrated.
  std::optional<std::string> trip;
  GameWish wish;  ///< csa form only
};

struct LoginRefusal {
  /// The line had four words or more: shogi-server then explains the syntax.
  bool wants_explanation = false;
};

struct LoginParse {
  std::optional<Login> login;
  LoginRefusal refusal;
};

/// Any line at all may come before the login; all but a good LOGIN are refused.
[[nodiscard]] LoginParse parse_login(std::string_view line);

}  // namespace kakehashi::csa::server
