#include "watch/web_address.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace kakehashi::watch {

namespace {

constexpr std::size_t bytes_max = 4096;

base::Failure<base::Message> wrong(base::Message why) { return {std::move(why)}; }

}  // namespace

base::Result<WebAddress, base::Message> parse_web_address(std::string_view text) {
  WebAddress address;
  address.is_tls = text.starts_with("https://");
  if (!address.is_tls && !text.starts_with("http://")) {
    return wrong(base::say("the webhook's address must begin with https:// or http://"));
  }
  // Control bytes or spaces would write further headers of HTTP.
  const bool is_printable = std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
  if (!is_printable || text.size() > bytes_max) {
    return wrong(base::say("the webhook's address must be one line of printable ASCII, at most 4096 bytes"));
  }
  text.remove_prefix(address.is_tls ? 8 : 7);
  const auto path = text.find_first_of("/?#");
  std::string_view authority = text.substr(0, path);
  std::string target(path == std::string_view::npos ? "/" : text.substr(path, text.find('#') - path));
  if (!target.starts_with('/')) {
    target = "/" + target;
  }
  if (authority.find('@') != std::string_view::npos) {
    return wrong(base::say("the webhook's address must hold no user and password"));
  }
  address.port = address.is_tls ? 443 : 80;
  const auto bracket = authority.rfind(']');
  const auto colon = authority.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    const auto port = base::parse_int(authority.substr(colon + 1));
    if (!port || *port < 1 || *port > 65535) {
      return wrong(base::say("the webhook's address has no port from 1 to 65535"));
    }
    address.port = static_cast<std::uint16_t>(*port);
    authority = authority.substr(0, colon);
  }
  if (authority.starts_with('[') && authority.ends_with(']')) {
    authority = authority.substr(1, authority.size() - 2);
  }
  if (authority.empty()) {
    return wrong(base::say("the webhook's address names no host"));
  }
  address.host = std::string(authority);
  address.target = base::Secret(std::move(target));
  return address;
}

}  // namespace kakehashi::watch
