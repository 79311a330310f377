// A real TLS server on the loopback in front of a plain one: decrypts, and passes on.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/system/certificates.hpp"

namespace kakehashi::test {

class TlsFront {
 public:
  TlsFront(boost::asio::io_context& context, const Identity& identity, std::uint16_t behind);
  ~TlsFront();
  TlsFront(const TlsFront&) = delete;
  TlsFront& operator=(const TlsFront&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  /// To be set before a client comes.
  [[nodiscard]] boost::asio::ssl::context& settings();
  /// Ends connections without close_notify, as many servers do.
  void be_abrupt();

  /// The names that clients asked for (SNI), "" for none.
  [[nodiscard]] const std::vector<std::string>& names() const;
  [[nodiscard]] int handshakes() const;
  /// The clients that said goodbye by close_notify.
  [[nodiscard]] int goodbyes() const;
  /// The failures of handshakes.
  [[nodiscard]] const std::vector<std::string>& failures() const;

 private:
  struct State;
  class Session;
  std::shared_ptr<State> state_;
};

}  // namespace kakehashi::test
