// The CONNECT method of HTTP proxies (RFC 9110, section 9.3.6), with Basic credentials (RFC 7617):
// asks for a connection to the server by its name. Afterwards bytes pass as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "csa/io/layer.hpp"
#include "csa/server_address.hpp"

namespace kakehashi::csa::io {

class HttpConnect : public Layer {
 public:
  HttpConnect(ProxySettings proxy, std::string host, std::uint16_t port);

  Output start() override;
  Output receive(std::string_view bytes) override;
  Output send(std::string_view bytes) override { return {std::string(bytes), ""}; }
  Output finish() override { return {}; }
  [[nodiscard]] std::string handshake() const override { return "the answer of the proxy"; }

  static constexpr std::size_t head_bytes_max = std::size_t{8} * 1024;

 private:
  void judge(std::string_view status_line);

  ProxySettings proxy_;
  std::string host_;
  std::uint16_t port_;
  std::string heard_;  ///< of the answer's head
};

}  // namespace kakehashi::csa::io
