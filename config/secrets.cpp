#include "config/secrets.hpp"

#include "base/text.hpp"
#include "config/game_name.hpp"
#include "config/proxy.hpp"

namespace kakehashi::config {

namespace {

/// shogi-server takes a password that ends as game names do (-900-0, -300-10F) for a game name from
/// its first byte to its last, comma and trip included.
bool ends_like_game_name(std::string_view trip) {
  std::string whole = "game,";
  whole += trip;
  for (char& c : whole) {
    const bool is_alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    c = is_alphanumeric || c == '-' ? c : '_';  // what stands in front may be anything there
  }
  return parse_game_name(whole).has_value();
}

std::string_view without_newline(std::string_view text) {
  if (text.ends_with('\n')) {
    text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
  }
  return text;
}

}  // namespace

base::Result<base::Secret> read_proxy_password(std::string_view text) {
  text = without_newline(text);
  if (text.empty()) {
    return base::fail("is empty");
  }
  if (text.size() > proxy_word_bytes_max) {
    return base::fail("has more than " + std::to_string(proxy_word_bytes_max) +
                      " bytes, which proxies do not take");
  }
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      return base::fail("holds more than one line, or a control character");
    }
  }
  return base::Secret(std::string(text));
}

base::Result<base::Secret> read_password(std::string_view text) {
  text = without_newline(text);
  if (text.empty()) {
    return base::fail("is empty; it must hold the password (the trip), one line");
  }
  if (text.size() > password_bytes_max) {
    return base::fail("has more than " + std::to_string(password_bytes_max) + " bytes");
  }
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == '\n' || byte == '\r') {
      return base::fail("has more than one line; it must hold the trip or password and nothing else");
    }
    if (byte == ' ') {
      return base::fail("holds a space, where servers end a password");
    }
    if (byte < 0x20 || byte == 0x7F) {
      return base::fail("holds a control character");
    }
    if (byte >= 0x80) {
      return base::fail("holds a character outside ASCII, which servers do not take");
    }
  }
  return base::Secret(std::string(text));
}

base::Result<base::Secret> read_first_line(std::string_view text) {
  const std::string_view line = base::trim(text.substr(0, text.find('\n')));
  if (line.empty()) {
    return base::fail("has nothing in its first line");
  }
  if (line.size() > first_line_bytes_max) {
    return base::fail("has more than " + std::to_string(first_line_bytes_max) + " bytes in its first line");
  }
  if (base::has_control_byte(line)) {
    return base::fail("holds a control character in its first line");
  }
  return base::Secret(std::string(line));
}

std::optional<std::string> judge_password_with_game(const base::Secret& password,
                                                   std::string_view game_name) {
  const std::string_view text = password.reveal();
  if (game_name.empty()) {
    return std::nullopt;
  }
  if (ends_like_game_name(text)) {
    return "ends like a game's name (-number-number), so servers would take game name and trip "
           "together for the name of a game and never pair the bot; choose another trip";
  }
  if (!text.starts_with(game_name) || text.substr(game_name.size(), 1) != ",") {
    return std::nullopt;
  }
  return "begins with the game's name and a comma, which are sent anyway (game.name); it must hold "
         "the trip alone";
}

}  // namespace kakehashi::config
