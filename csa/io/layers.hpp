// The layers that there are. Each is its source's own; layer_stack puts them in order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "csa/io/layer.hpp"
#include "csa/io/tls_context.hpp"
#include "csa/server_address.hpp"

namespace kakehashi::csa::io {

/// SOCKS5 (RFC 1928, with the user and password of RFC 1929): asks a proxy for a connection to the
/// server, by the server's name, so that the proxy looks it up. Afterwards bytes pass as they are.
[[nodiscard]] std::unique_ptr<Layer> make_socks5_layer(ProxySettings proxy, std::string host, std::uint16_t port);

/// The CONNECT method of HTTP proxies (RFC 9110, section 9.3.6), with Basic credentials (RFC 7617):
/// asks for a connection to the server by its name. Afterwards bytes pass as they are.
[[nodiscard]] std::unique_ptr<Layer> make_http_connect_layer(ProxySettings proxy, std::string host,
                                                             std::uint16_t port);

/// TLS to the server, by OpenSSL on memory buffers: the socket stays with the connection. The
/// server's certificate must be trusted and be for the host, or be the very one that was pinned.
[[nodiscard]] std::unique_ptr<Layer> make_tls_layer(TlsContext context, TlsSettings settings,
                                                    const std::string& host);

/// A WebSocket (RFC 6455) that carries one protocol line in each text message. Pings are answered,
/// the latest only where they come faster than answers leave; messages are bounded as lines are.
/// `address` names the server in the request; what lies below is not this layer's business.
[[nodiscard]] std::unique_ptr<Layer> make_websocket_layer(const WebSocketSettings& settings,
                                                          const ServerAddress& address);

}  // namespace kakehashi::csa::io
