// The room csa/io: the way to a server. It owns sockets, names, proxy, TLS and WebSocket; it does not know what a
// line means, nor when to connect again.
//
// The connection to one CSA server, through whatever layers its address asks for: bytes on one side,
// whole lines on the other. It knows sockets and nothing of CSA words; what a line means is
// client_session.hpp's business, when to connect again is the core's. Single-threaded: everything
// runs in the io_context's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/io/legacy.hpp"
#include "base/message.hpp"
#include "base/time.hpp"
#include "csa/io/socket_options.hpp"
#include "csa/message.hpp"
#include "csa/server_address.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::csa::io {

class ServerLink {
 public:
  /// Called from the io_context only, never from inside a call of ServerLink. Each may call any
  /// member, and may destroy the link.
  struct Callbacks {
    /// `peer` is the address that answered and how it is spoken to: "127.0.0.1:4081",
    /// "[::1]:4081 (TLS 1.3, TLS_AES_256_GCM_SHA384)", "example.org:4081 through 10.0.0.1:1080".
    std::function<void(base::Message peer)> connected;
    /// Without its end. `more`: further complete lines are already here and follow at once.
    std::function<void(std::string line, bool more)> line;
    /// So many lines were longer than line_bytes_max or held a NUL byte, and were left out up to their ends: a
    /// stranger's chat may be such a line, and the game goes on behind it. `why`: of the last of them.
    std::function<void(std::size_t lines, base::Message why)> dropped = [](std::size_t, const base::Message&) {};
    /// At most once for each connect(), and the last call of it.
    std::function<void(HowClosed how, base::Message why)> closed;
  };

  /// Who keeps a plain connection (without TLS, WebSocket and proxy) for a process that follows this one.
  struct Heir {
    /// It is there: where its bytes are to be read into, or null.
    std::function<base::io::Legacy::Stream*(int socket)> opened;
    std::function<void(const base::io::Legacy::Stream*)> closed;
  };

  ServerLink(boost::asio::io_context& context, Callbacks callbacks, Heir heir = {});
  /// As close().
  ~ServerLink();
  ServerLink(const ServerLink&) = delete;
  ServerLink& operator=(const ServerLink&) = delete;

  /// Starts a connection. An earlier one is closed first, and is never heard of again.
  void connect(ServerAddress address);

  /// Goes on with the connection of an earlier process, as if it had been this one's: what that had read and not worked off is
  /// told first, and what it was to send more, `lines`, is sent. connected() is not called. `first` is told in place of its first line.
  void adopt(ServerAddress address, int socket, base::io::Legacy::Stream& stream, std::string_view lines,
             std::optional<std::string> first = std::nullopt);
  /// Inside `line`: up to where its stream is worked off with that line; null: nobody keeps it.
  using Told = base::io::Legacy::Place;
  [[nodiscard]] Told told() const;

  /// Sends `line` and LF in one write. Ignored without a connection: the loss of a connection may
  /// cross with a line. More than queue_bytes_max unsent bytes break the connection.
  void write(std::string_view line);

  /// Acknowledges what was read, before the kernel would: a server with Nagle's algorithm on holds
  /// its next line back until then. Inside `line`, as soon as what the line asked for has been sent;
  /// else it happens when `line` has returned.
  void acknowledge();

  /// From now on the connection may stay so long without a sign of life before it counts as dead, and never
  /// less than a new one may. Ignored without a connection.
  void hold(base::Millis patience);

  /// What the kernel has measured of the way (to the proxy, when there is one); nothing without a
  /// connection.
  [[nodiscard]] std::optional<TcpQuality> quality() const;

  /// Ends the connection without a callback. Lines that were written still go out (for at most
  /// linger_max), and what the server says meanwhile is read and dropped: closing a socket with
  /// unread bytes would reset the connection and could destroy a last %TORYO or LOGOUT on its way.
  void close();

  static constexpr std::size_t line_bytes_max = server_line_bytes_max;
  static constexpr std::size_t queue_bytes_max = std::size_t{64} * 1024;
  static constexpr base::Millis linger_max{2'000};

 private:
  class Connection;

  boost::asio::io_context& context_;
  Callbacks callbacks_;
  Heir heir_;
  /// Shared with its own pending handlers, which outlive the link when it is closed.
  std::shared_ptr<Connection> connection_;
};

}  // namespace kakehashi::csa::io
