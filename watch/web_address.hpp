// The address of a webhook. Its path is a secret: whoever knows it can write there. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/message.hpp"
#include "base/result.hpp"
#include "base/secret.hpp"

namespace kakehashi::watch {

struct WebAddress {
  bool is_tls = true;
  std::string host;  ///< an IPv6 address without brackets
  std::uint16_t port = 443;
  base::Secret target;  ///< path and query
};

/// "https://host/path" or "http://host:port/path". The error says what is wrong, and never shows the
/// text.
[[nodiscard]] base::Result<WebAddress, base::Message> parse_web_address(std::string_view text);

}  // namespace kakehashi::watch
