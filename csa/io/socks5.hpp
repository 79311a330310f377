// SOCKS5 (RFC 1928, with the user and password of RFC 1929): asks a proxy for a connection to the
// server, by the server's name, so that the proxy looks it up. Afterwards bytes pass as they are.
#pragma once

#include <cstdint>
#include <string>

#include "csa/io/layer.hpp"
#include "csa/server_address.hpp"

namespace kakehashi::csa::io {

class Socks5 : public Layer {
 public:
  Socks5(ProxySettings proxy, std::string host, std::uint16_t port);

  Output start() override;
  Output receive(std::string_view bytes) override;
  Output send(std::string_view bytes) override { return {std::string(bytes), ""}; }
  Output finish() override { return {}; }
  [[nodiscard]] std::string handshake() const override { return "the answer of the proxy"; }

 private:
  enum class Step { method, login, reply };

  bool take_answer(Output& out);
  bool take_method(Output& out);
  bool take_login(Output& out);
  bool take_reply();
  [[nodiscard]] std::string login() const;
  [[nodiscard]] std::string request() const;
  [[nodiscard]] unsigned char byte(std::size_t at) const;

  ProxySettings proxy_;
  std::string host_;
  std::uint16_t port_;
  Step step_ = Step::method;
  std::string heard_;  ///< of the answer that is awaited; never more than one read
};

}  // namespace kakehashi::csa::io
