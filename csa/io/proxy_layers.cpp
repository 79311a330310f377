// The layers by which a proxy is asked for a connection to the server.
#include <boost/asio/ip/address.hpp>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "csa/io/layers.hpp"

namespace kakehashi::csa::io {

using base::quoted;
using base::say;

namespace {

/// What both have: behind the handshake bytes pass as they are.
class ProxyLayer : public Layer {
 public:
  ProxyLayer(ProxySettings proxy, std::string host, std::uint16_t port)
      : proxy_(std::move(proxy)), host_(std::move(host)), port_(port) {}

  Output send(std::string_view bytes) override { return {std::string(bytes), ""}; }
  Output finish() override { return {}; }
  [[nodiscard]] base::Message handshake() const override { return say("the answer of the proxy"); }

 protected:
  ProxySettings proxy_;
  std::string host_;
  std::uint16_t port_;
  std::string heard_;  ///< of the answer that is awaited
};

// --- SOCKS5

constexpr char version = 5;
constexpr char login_version = 1;
constexpr char method_open = 0;
constexpr char method_login = 2;
constexpr unsigned char method_none = 0xFF;
constexpr char command_connect = 1;
constexpr char address_v4 = 1;
constexpr char address_name = 3;
constexpr char address_v6 = 4;

/// RFC 1928, section 6.
base::Message meaning(unsigned reply) {
  switch (reply) {
    case 1: return say("the proxy has failed");
    case 2: return say("the proxy's rules do not allow it");
    case 3: return say("its network is unreachable");
    case 4: return say("the host is unreachable");
    case 5: return say("it refused the connection");
    case 6: return say("it did not answer in time");
    case 7: return say("the proxy does not support connections");
    case 8: return say("the proxy does not support this kind of address");
    default: return say("the proxy answered with the unknown code {}", reply);
  }
}

std::string counted(std::string_view text) {
  return std::string(1, static_cast<char>(text.size())) + std::string(text);
}

template <std::size_t count>
std::string raw(const std::array<unsigned char, count>& bytes) {
  return {bytes.begin(), bytes.end()};
}

class Socks5 : public ProxyLayer {
 public:
  using ProxyLayer::ProxyLayer;

  Output start() override {
    const std::string methods =
        proxy_.user.empty() ? std::string(1, method_open) : std::string{method_open, method_login};
    return {version + counted(methods), ""};
  }

  Output receive(std::string_view bytes) override {
    if (state() == State::open) {
      return {"", std::string(bytes)};
    }
    Output out;
    heard_ += bytes;
    while (state() == State::opening && take_answer(out)) {
    }
    if (state() == State::open) {
      out.above = std::move(heard_);
      heard_.clear();
    }
    return out;
  }

 private:
  enum class Step { method, login, reply };

  /// False when more bytes are needed.
  bool take_answer(Output& out) {
    switch (step_) {
      case Step::method: return take_method(out);
      case Step::login: return take_login(out);
      case Step::reply: return take_reply();
    }
    return false;
  }

  bool take_method(Output& out) {
    if (!heard_.empty() && heard_[0] != version) {
      fail(say("the proxy does not speak SOCKS5"));
      return false;
    }
    if (heard_.size() < 2) {
      return false;
    }
    const auto method = byte(1);
    heard_.erase(0, 2);
    if (method == method_open) {
      out.below += request();
      step_ = Step::reply;
    } else if (method == method_login && !proxy_.user.empty()) {
      out.below += login();
      step_ = Step::login;
    } else if (method == method_none && proxy_.user.empty()) {
      fail(say("the proxy asks for a user and a password (server.proxy)"));
    } else {
      fail(say("the proxy offers no way to log in that is known here"));
    }
    return true;
  }

  bool take_login(Output& out) {
    if (heard_.size() < 2) {
      return false;
    }
    if (byte(1) != 0) {
      fail(say("the proxy refused the user and the password (server.proxy)"));
      return false;
    }
    heard_.erase(0, 2);
    out.below += request();
    step_ = Step::reply;
    return true;
  }

  bool take_reply() {
    // The reply and the bound address, whose length its kind tells; a failure may be cut short.
    if (heard_.size() < 2) {
      return false;
    }
    if (heard_[0] != version) {
      fail(say("the proxy does not speak SOCKS5"));
      return false;
    }
    if (byte(1) != 0) {
      fail(say("the proxy cannot reach {}: {}", format_host(host_, port_), meaning(byte(1))));
      return false;
    }
    if (heard_.size() < 5) {
      return false;
    }
    const std::size_t address = heard_[3] == address_v4   ? 4
                                : heard_[3] == address_v6 ? 16
                                                          : std::size_t{1} + byte(4);
    const std::size_t size = 4 + address + 2;
    if (heard_.size() < size) {
      return false;
    }
    heard_.erase(0, size);
    open();
    return true;
  }

  [[nodiscard]] std::string login() const {
    return login_version + counted(proxy_.user) + counted(proxy_.password.reveal());
  }

  [[nodiscard]] std::string request() const {
    std::string address;
    boost::system::error_code not_numeric;
    const auto numeric = boost::asio::ip::make_address(host_, not_numeric);
    if (not_numeric) {
      address = address_name + counted(host_);
    } else if (numeric.is_v4()) {
      address = address_v4 + raw(numeric.to_v4().to_bytes());
    } else {
      address = address_v6 + raw(numeric.to_v6().to_bytes());
    }
    return std::string{version, command_connect, 0} + address +
           std::string{static_cast<char>(port_ >> 8), static_cast<char>(port_ & 0xFF)};
  }

  [[nodiscard]] unsigned char byte(std::size_t at) const { return static_cast<unsigned char>(heard_[at]); }

  Step step_ = Step::method;
};

// --- the CONNECT method of HTTP proxies

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

class HttpConnect : public ProxyLayer {
 public:
  using ProxyLayer::ProxyLayer;

  Output start() override {
    const std::string target = format_host(host_, port_);
    std::string request = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n";
    if (!proxy_.user.empty()) {
      request += "Proxy-Authorization: Basic " +
                 base64(proxy_.user + ":" + std::string(proxy_.password.reveal())) + "\r\n";
    }
    return {request + "\r\n", ""};
  }

  Output receive(std::string_view bytes) override {
    if (state() != State::opening) {
      return {"", std::string(bytes)};
    }
    heard_ += bytes;
    const auto known = std::min(heard_.size(), protocol.size());
    if (heard_.compare(0, known, protocol, 0, known) != 0) {
      fail(say("the proxy does not speak HTTP"));
      return {};
    }
    const auto end = end_of_head(heard_);
    if (std::min(end, heard_.size()) > head_bytes_max) {
      fail(say("the head of the proxy's answer has more than {} bytes", head_bytes_max));
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

  static constexpr std::size_t head_bytes_max = std::size_t{8} * 1024;

 private:
  /// "HTTP/1.1 200 Connection established".
  void judge(std::string_view status_line) {
    const auto words = base::split_words(status_line);
    const auto status = words.size() < 2 ? std::nullopt : base::parse_int(words[1]);
    if (!status) {
      fail(say("the proxy does not speak HTTP"));
    } else if (*status >= 200 && *status < 300) {
      open();
    } else if (*status == 407) {
      fail(proxy_.user.empty() ? say("the proxy asks for a user and a password (server.proxy)")
                               : say("the proxy refused the user and the password (server.proxy)"));
    } else {
      fail(say("the proxy cannot reach {}: it answered {}", format_host(host_, port_),
               quoted(status_line.substr(status_line.find(' ') + 1), 100)));
    }
  }
};

}  // namespace

std::unique_ptr<Layer> make_proxy_layer(const ProxySettings& proxy, const std::string& host, std::uint16_t port) {
  switch (proxy.kind) {
    case ProxySettings::Kind::socks5: return std::make_unique<Socks5>(proxy, host, port);
    case ProxySettings::Kind::http: return std::make_unique<HttpConnect>(proxy, host, port);
  }
  return nullptr;
}

}  // namespace kakehashi::csa::io
