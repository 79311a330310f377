// TLS to the server, by OpenSSL on memory buffers: the socket stays with the connection. The
// server's certificate must be trusted and be for the host, or be the very one that was pinned.
#pragma once

#include <memory>
#include <string>

#include "csa/io/layer.hpp"
#include "csa/io/tls_context.hpp"
#include "csa/server_address.hpp"

struct ssl_st;
struct x509_store_ctx_st;

namespace kakehashi::csa::io {

class TlsLayer : public Layer {
 public:
  TlsLayer(TlsSettings settings, const std::string& host);

  /// Reads the files of the settings; with one that cannot be used the layer fails.
  Output start() override;
  Output receive(std::string_view bytes) override;
  Output send(std::string_view bytes) override;
  Output finish() override;
  [[nodiscard]] std::string handshake() const override { return "the TLS handshake"; }
  [[nodiscard]] std::string advice() const override;
  [[nodiscard]] std::string description() const override;

 private:
  struct FreeConnection {
    void operator()(ssl_st* connection) const;
  };

  [[nodiscard]] bool prepare();
  [[nodiscard]] bool name_the_server();
  void shake_hands();
  void read(Output& out);
  void fail_by(int outcome);
  [[nodiscard]] std::string take_outgoing();
  /// OpenSSL's question whether the server's chain is good: 1 or 0.
  static int judge(x509_store_ctx_st* verification, void* self);

  TlsSettings settings_;
  std::string name_;  ///< what the certificate must be for
  TlsContext context_;
  std::unique_ptr<ssl_st, FreeConnection> connection_;
  std::string verdict_;  ///< why judge() said no
};

}  // namespace kakehashi::csa::io
