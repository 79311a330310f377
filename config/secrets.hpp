// What texts must be like that are or hold secrets, whatever they were read from: passwords, words of the owner's own, and
// server.proxy. Pure; reading is io/read_secret's business. No message repeats any part of the text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/secret.hpp"
#include "config/schema/text.hpp"
#include "csa/server_address.hpp"

namespace kakehashi::config {

inline constexpr std::size_t password_bytes_max = 1024;
inline constexpr std::size_t first_line_bytes_max = 4096;

/// Drops one newline (LF or CRLF) from the end; servers split LOGIN at spaces and speak ASCII, so
/// the rest must be printable ASCII without a space. The error is the end of a sentence.
[[nodiscard]] base::Result<base::Secret> read_password(std::string_view text);

/// As above, for server.proxy: any bytes that RFC 1929 can carry but control characters.
[[nodiscard]] base::Result<base::Secret> read_proxy_password(std::string_view text);

/// As above, for a word of the owner's own (--status-token-file, notify.url_file): the first line without
/// the spaces around it, in any bytes but control characters. Below it may stand what its owner wants to
/// remember.
[[nodiscard]] base::Result<base::Secret> read_first_line(std::string_view text);

/// Whether "<game>,<password>" means what it should: a password that already carries the game's
/// name would be sent with it twice, and be another trip; one that ends like a game's name would
/// make a game's name of the whole (shogi-server). Nothing, or what to do.
[[nodiscard]] Complaint judge_password_with_game(const base::Secret& password, std::string_view game_name);

// --- server.proxy as a user writes it: "socks5://user:password@host:port"

/// Schemes socks5, socks5h and http; the host is always looked up by the proxy. In user and password
/// %XX stands for any byte. The error is the end of a sentence that begins with the key.
[[nodiscard]] base::Result<csa::ProxySettings> parse_proxy(std::string_view text);

/// RFC 1929: one byte counts each.
inline constexpr std::size_t proxy_word_bytes_max = 255;

}  // namespace kakehashi::config
