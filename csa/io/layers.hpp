// The layers of one connection, from the socket to the lines (proxy, TLS, WebSocket): bytes in, bytes out. A layer touches
// no socket and no clock, so that whatever has arrived is worked off at once, up to its last line, and nothing waits for a
// callback in between. It knows no other layer; LayerStack has their order.
#pragma once

#include <boost/asio/io_context.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "base/result.hpp"
#include "csa/server_address.hpp"

struct ssl_ctx_st;

namespace kakehashi::csa::io {

// --- what TLS connections are made from: the trusted authorities and the client's certificate, read from the files of the
// settings. It knows no server.

struct FreeTlsContext {
  void operator()(ssl_ctx_st* context) const;
};
using TlsContext = std::unique_ptr<ssl_ctx_st, FreeTlsContext>;

/// TLS 1.2 or newer. The error names the file that cannot be used, and nothing that stands in it;
/// a key with a passphrase is refused, never asked for. Reads the files each time: a certificate
/// that was renewed counts from the next connection on.
[[nodiscard]] base::Result<TlsContext> make_tls_context(const TlsSettings& settings);

/// The same by a thread, for the files may lie on a disk that stands still. A service of the io_context.
class TlsContexts : public boost::asio::execution_context::service {
 public:
  using Done = std::function<void(base::Result<TlsContext> made)>;

  /// Of the same files: more attempts are refused until a thread comes back from them.
  static constexpr int threads_per_files_max = 2;

  explicit TlsContexts(boost::asio::io_context& context);
  [[nodiscard]] static TlsContexts& of(boost::asio::io_context& context);

  /// `done` is called once, from the io_context, and never from inside.
  void make(const TlsSettings& settings, const Done& done);

  static boost::asio::execution_context::id id;  ///< by which Asio finds the service

 private:
  using Files = std::array<std::string, 3>;

  void shutdown() override {}

  boost::asio::io_context& loop_;
  std::map<Files, int> threads_;
};

/// OpenSSL looks for the system's authorities where the distribution had them that it was built on. A
/// program that brings its OpenSSL along meets other systems, and images that hold nothing but the file:
/// that file, where neither of OpenSSL's own places is there. Empty: they are, or there is none.
/// `root` stands before each path, for tests.
[[nodiscard]] std::string authorities_elsewhere(const std::filesystem::path& root = "/");

// ---

class Layer {
 public:
  /// opening: its handshake runs. ended: the peer said goodbye. failed: it is of no more use.
  enum class State { opening, open, ended, failed };

  struct Output {
    std::string below;  ///< to be sent to the peer
    std::string above;  ///< what the peer says, unwrapped; also before an end or a failure
  };

  Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
  virtual ~Layer() = default;

  /// Once, when the layer below is open.
  [[nodiscard]] virtual Output start() = 0;
  [[nodiscard]] virtual Output receive(std::string_view bytes) = 0;
  /// Only when open.
  [[nodiscard]] virtual Output send(std::string_view bytes) = 0;
  /// Says goodbye, if its protocol has a word for that. Only when open, and the last call.
  [[nodiscard]] virtual Output finish() = 0;

  /// What was sent before still waits to leave, or has left: answers that may be left out wait for that.
  [[nodiscard]] virtual Output set_busy([[maybe_unused]] bool is_busy) { return {}; }

  /// While opening: nothing will come any more. A layer that understands its peer now fails with why.
  virtual void hear_end() {}

  /// What the opening waits for: "the TLS handshake".
  [[nodiscard]] virtual base::Message handshake() const = 0;
  /// What to try when the handshake gets no answer; empty: nothing.
  [[nodiscard]] virtual base::Message advice() const { return {}; }
  /// For people, once open: "TLS 1.3, TLS_AES_256_GCM_SHA384"; empty: nothing to say.
  [[nodiscard]] virtual std::string description() const { return ""; }

  [[nodiscard]] State state() const { return state_; }
  /// Why it failed or ended.
  [[nodiscard]] const base::Message& why() const { return why_; }

 protected:
  void open() { state_ = State::open; }
  /// The first reason stays.
  void end(base::Message why) { leave(State::ended, std::move(why)); }
  void fail(base::Message why) { leave(State::failed, std::move(why)); }

 private:
  void leave(State state, base::Message why) {
    if (state_ == State::opening || state_ == State::open) {
      state_ = state;
      why_ = std::move(why);
    }
  }

  State state_ = State::opening;
  base::Message why_;
};

/// SOCKS5 (RFC 1928, with the user and password of RFC 1929) or the CONNECT method of HTTP proxies (RFC 9110, section 9.3.6),
/// with Basic credentials (RFC 7617): asks for a connection to the server by its name, so that the proxy looks it up.
/// Afterwards bytes pass as they are.
[[nodiscard]] std::unique_ptr<Layer> make_proxy_layer(const ProxySettings& proxy, const std::string& host, std::uint16_t port);

/// TLS to the server, by OpenSSL on memory buffers: the socket stays with the connection. The
/// server's certificate must be trusted and be for the host, or be the very one that was pinned.
[[nodiscard]] std::unique_ptr<Layer> make_tls_layer(TlsContext context, TlsSettings settings,
                                                    const std::string& host);

/// A WebSocket (RFC 6455) that carries one protocol line in each text message. Pings are answered,
/// the latest only where they come faster than answers leave; messages are bounded as lines are.
/// `address` names the server in the request; what lies below is not this layer's business.
[[nodiscard]] std::unique_ptr<Layer> make_websocket_layer(const WebSocketSettings& settings,
                                                          const ServerAddress& address);

/// The layers that an address asks for. It carries bytes through them and knows nothing of what they do. There is no way
/// around a layer: what cannot be opened is never left out.
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
  [[nodiscard]] base::Message why() const;
  /// The handshake that is running, and what to try when it gets no answer.
  [[nodiscard]] base::Message handshake() const;
  [[nodiscard]] base::Message advice() const;
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
