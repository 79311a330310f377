// A WebSocket (RFC 6455) that carries one protocol line in each text message. Pings are answered,
// the latest only where they come faster than answers leave; messages are bounded as lines are. Only its source includes Beast, which takes long to compile.
#pragma once

#include <memory>

#include "csa/io/layer.hpp"
#include "csa/server_address.hpp"

namespace kakehashi::csa::io {

/// `address` names the server in the request; what lies below is not this layer's business.
[[nodiscard]] std::unique_ptr<Layer> make_websocket_layer(const WebSocketSettings& settings,
                                                          const ServerAddress& address);

}  // namespace kakehashi::csa::io
