#include "config/secrets.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "config/schema/text.hpp"

namespace kakehashi::config {

using base::say;

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
    return base::fail(say("is empty"));
  }
  if (text.size() > proxy_word_bytes_max) {
    return base::fail(say("has more than {} bytes, which proxies do not take", proxy_word_bytes_max));
  }
  if (base::has_control_byte(text)) {
    return base::fail(say("holds more than one line, or a control character"));
  }
  return base::Secret(std::string(text));
}

base::Result<base::Secret> read_password(std::string_view text) {
  text = without_newline(text);
  if (text.empty()) {
    return base::fail(say("is empty; it must hold the password (the trip), one line"));
  }
  if (text.size() > password_bytes_max) {
    return base::fail(say("has more than {} bytes", password_bytes_max));
  }
  if (text.find_first_of("\r\n") != std::string_view::npos) {
    return base::fail(say("has more than one line; it must hold the trip or password and nothing else"));
  }
  if (text.find(' ') != std::string_view::npos) {
    return base::fail(say("holds a space, where servers end a password"));
  }
  if (base::has_control_byte(text)) {
    return base::fail(say("holds a control character"));
  }
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
    return base::fail(say("holds a character outside ASCII, which servers do not take"));
  }
  return base::Secret(std::string(text));
}

base::Result<base::Secret> read_first_line(std::string_view text) {
  const std::string_view line = base::trim(text.substr(0, text.find('\n')));
  if (line.empty()) {
    return base::fail(say("has nothing in its first line"));
  }
  if (line.size() > first_line_bytes_max) {
    return base::fail(say("has more than {} bytes in its first line", first_line_bytes_max));
  }
  if (base::has_control_byte(line)) {
    return base::fail(say("holds a control character in its first line"));
  }
  return base::Secret(std::string(line));
}

Complaint judge_password_with_game(const base::Secret& password, std::string_view game_name) {
  const std::string_view text = password.reveal();
  if (game_name.empty()) {
    return std::nullopt;
  }
  if (ends_like_game_name(text)) {
    return say("ends like a game's name (-number-number), so servers would take game name and trip together for the name "
               "of a game and never pair the bot; choose another trip");
  }
  if (!text.starts_with(game_name) || text.substr(game_name.size(), 1) != ",") {
    return std::nullopt;
  }
  return say("begins with the game's name and a comma, which are sent anyway (game.name); it must hold the trip alone");
}

// --- server.proxy

namespace {

/// Neither protocol has a way to carry these.
bool is_word(std::string_view text) {
  return text.size() <= proxy_word_bytes_max && !base::has_control_byte(text);
}

base::Result<csa::ProxySettings> take_credentials(csa::ProxySettings proxy, std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto user = base::percent_decoded(text.substr(0, colon));
  const auto password =
      colon == std::string_view::npos ? std::string() : base::percent_decoded(text.substr(colon + 1));
  if (!user || !password) {
    return base::fail(say("has a % in its user or password that two hexadecimal digits do not follow; write %25 for "
                          "a % itself"));
  }
  if (user->empty() || !is_word(*user) || user->find(':') != std::string::npos ||
      !is_word(*password)) {
    return base::fail(say("must have a user, without a colon, and a password of at most {} bytes each before the @",
                          proxy_word_bytes_max));
  }
  proxy.user = *user;
  proxy.password = base::Secret(*password);
  return proxy;
}

base::Result<csa::ProxySettings> take_host(csa::ProxySettings proxy, std::string_view text) {
  const bool is_bracketed = text.starts_with('[');
  const std::size_t end = is_bracketed ? text.find(']') : text.find(':');
  if (end == std::string_view::npos) {
    return base::fail(say("must end with the proxy's port: write socks5://host:port or http://host:port"));
  }
  std::string_view rest = text.substr(is_bracketed ? end + 1 : end);
  if (rest.ends_with('/')) {
    rest.remove_suffix(1);
  }
  const auto port = rest.starts_with(':') ? base::parse_int(rest.substr(1)) : std::nullopt;
  if (!port || *port < 1 || *port > 65535) {
    return base::fail(
        say("must end with the proxy's port, 1 to 65535: write socks5://host:port or http://host:port"));
  }
  proxy.host = text.substr(is_bracketed ? 1 : 0, is_bracketed ? end - 1 : end);
  proxy.port = static_cast<std::uint16_t>(*port);
  if (judge_host(proxy.host)) {
    return base::fail(say("must name the proxy by a name or an address; an IPv6 address stands in brackets"));
  }
  return proxy;
}

}  // namespace

base::Result<csa::ProxySettings> parse_proxy(std::string_view text) {
  csa::ProxySettings proxy;
  const std::size_t scheme_end = text.find("://");
  const std::string_view scheme = text.substr(0, scheme_end);
  if (scheme_end == std::string_view::npos) {
    return base::fail(say("must begin with its kind: write socks5://host:port or http://host:port"));
  }
  if (scheme == "socks5" || scheme == "socks5h") {
    proxy.kind = csa::ProxySettings::Kind::socks5;
  } else if (scheme == "http") {
    proxy.kind = csa::ProxySettings::Kind::http;
  } else if (scheme == "https") {
    return base::fail(say("must not be an https proxy, to which the way itself would need TLS; most proxies take "
                          "http://host:port, and server.tls protects what passes through"));
  } else {
    return base::fail(say("is of a kind that is not supported: write socks5://host:port or http://host:port"));
  }
  std::string_view rest = text.substr(scheme_end + 3);
  const std::size_t at = rest.rfind('@');
  if (at != std::string_view::npos) {
    auto credentials = take_credentials(std::move(proxy), rest.substr(0, at));
    if (!credentials) {
      return credentials;
    }
    proxy = std::move(credentials).value();
    rest.remove_prefix(at + 1);
  }
  return take_host(std::move(proxy), rest);
}

}  // namespace kakehashi::config
