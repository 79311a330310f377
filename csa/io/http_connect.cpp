#include "csa/io/layer.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::csa::io {
namespace {

constexpr std::string_view protocol = "HTTP/1.";

std::string base64(std::string_view text) {
  std::string encoded(4 * ((text.size() + 2) / 3) + 1, '\0');
  const int size = ::EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                                     reinterpret_cast<const unsigned char*>(text.data()),
                                     static_cast<int>(text.size()));
  encoded.resize(static_cast<std::size_t>(size));
  return encoded;
}

/// Behind the empty line that ends a head; npos: it has not come yet.
std::size_t end_of_head(std::string_view text) {
  const auto strict = text.find("\r\n\r\n");
  const auto lax = text.find("\n\n");
  if (strict == std::string_view::npos && lax == std::string_view::npos) {
    return std::string_view::npos;
  }
  return strict < lax ? strict + 4 : lax + 2;
}

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

}  // namespace

HttpConnect::HttpConnect(ProxySettings proxy, std::string host, std::uint16_t port)
    : proxy_(std::move(proxy)), host_(std::move(host)), port_(port) {}

Layer::Output HttpConnect::start() {
  const std::string target = format_host(host_, port_);
  std::string request = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n";
  if (!proxy_.user.empty()) {
    request += "Proxy-Authorization: Basic " +
               base64(proxy_.user + ":" + std::string(proxy_.password.reveal())) + "\r\n";
  }
  return {request + "\r\n", ""};
}

Layer::Output HttpConnect::receive(std::string_view bytes) {
  if (state() != State::opening) {
    return {"", std::string(bytes)};
  }
  heard_ += bytes;
  const auto known = std::min(heard_.size(), protocol.size());
  if (heard_.compare(0, known, protocol, 0, known) != 0) {
    fail("the proxy does not speak HTTP");
    return {};
  }
  const auto end = end_of_head(heard_);
  if (std::min(end, heard_.size()) > head_bytes_max) {
    fail("the head of the proxy's answer has more than " + std::to_string(head_bytes_max) +
         " bytes");
    return {};
  }
  if (end == std::string_view::npos) {
    return {};
  }
  judge(base::trim(std::string_view(heard_).substr(0, heard_.find('\n'))));
  Output out;
  if (state() == State::open) {
    out.above = heard_.substr(end);
  }
  heard_.clear();
  return out;
}

/// "HTTP/1.1 200 Connection established".
void HttpConnect::judge(std::string_view status_line) {
  const auto words = base::split_words(status_line);
  const auto status = words.size() < 2 ? std::nullopt : base::parse_int(words[1]);
  if (!status) {
    fail("the proxy does not speak HTTP");
  } else if (*status >= 200 && *status < 300) {
    open();
  } else if (*status == 407) {
    fail(proxy_.user.empty() ? "the proxy asks for a user and a password (server.proxy)"
                             : "the proxy refused the user and the password (server.proxy)");
  } else {
    fail("the proxy cannot reach " + format_host(host_, port_) + ": it answered " +
         base::quote_for_log(status_line.substr(status_line.find(' ') + 1), 100));
  }
}

std::unique_ptr<Layer> make_http_connect_layer(ProxySettings proxy, std::string host, std::uint16_t port) {
  return std::make_unique<HttpConnect>(std::move(proxy), std::move(host), port);
}

}  // namespace kakehashi::csa::io
