// server.proxy as a user writes it: "socks5://user:password@host:port". Pure; no message repeats
// any part of the text, which may hold a password.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "csa/server_address.hpp"

namespace kakehashi::config {

/// Schemes socks5, socks5h and http; the host is always looked up by the proxy. In user and password
/// %XX stands for any byte. The error is the end of a sentence that begins with the key.
[[nodiscard]] base::Result<csa::ProxySettings> parse_proxy(std::string_view text);

/// RFC 1929: one byte counts each.
inline constexpr std::size_t proxy_word_bytes_max = 255;

}  // namespace kakehashi::config
