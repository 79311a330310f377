// The layers of one connection, in their order: proxy, TLS, WebSocket, as far as the address asks
// for them. It carries bytes through them and knows nothing of what they do. There is no way
// around a layer: what cannot be opened is never left out.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "csa/io/layer.hpp"
#include "csa/io/tls_context.hpp"
#include "csa/server_address.hpp"

namespace kakehashi::csa::io {

class LayerStack {
 public:
  struct Output {
    std::string to_peer;    ///< for the socket
    std::string from_peer;  ///< lines, in any pieces
  };

  LayerStack() = default;
  /// `tls` where the address asks for it.
  LayerStack(const ServerAddress& address, TlsContext tls);

  /// Once, when the socket is connected.
  [[nodiscard]] Output start();
  [[nodiscard]] Output receive(std::string_view bytes);
  /// One line with its end. Only when open.
  [[nodiscard]] Output send(std::string_view line);
  /// Whether what was handed out still waits to leave.
  [[nodiscard]] Output set_busy(bool is_busy);
  [[nodiscard]] Output finish();
  /// While opening: the peer has closed the connection.
  void hear_end();

  /// Open when all layers are; ended or failed as soon as one is.
  [[nodiscard]] Layer::State state() const;
  /// Why it ended or failed.
  [[nodiscard]] std::string why() const;
  /// The handshake that is running, and what to try when it gets no answer.
  [[nodiscard]] std::string handshake() const;
  [[nodiscard]] std::string advice() const;
  /// "TLS 1.3, TLS_AES_256_GCM_SHA384, WebSocket"; empty for a plain connection.
  [[nodiscard]] std::string description() const;

 private:
  void start_from(std::size_t level, Output& out);
  void rise(std::size_t level, std::string bytes, Output& out);
  void sink(std::size_t level, std::string bytes, Output& out);
  [[nodiscard]] Layer* opening() const;

  std::vector<std::unique_ptr<Layer>> layers_;  ///< from the socket upwards
};

}  // namespace kakehashi::csa::io
