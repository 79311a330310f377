// The room rehearse/server/io: that server's sockets and its timer. It owns the connections; it decides nothing.
//
// The embedded CSA server on real sockets: bytes to lines, orders to writes, deadlines to one
// timer. It adds no rule of its own; what a line means is Server's business. Single-threaded:
// everything runs in the thread of the given io_context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "rehearse/server/server.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::rehearse::server::io {

struct ShellOptions {
  std::string listen_address = "127.0.0.1";  ///< an IPv4 or IPv6 address
  std::uint16_t port = 0;                    ///< 0: any free one, told by port()
  /// Off leaves Nagle's algorithm on, as the real server does: up to 40 ms a move.
  bool no_delay = true;
  Settings settings;
  std::uint64_t seed = 1;
};

enum class Direction { from_client, to_client };

/// Called from the io_context only. Each may be empty, and must not destroy the shell.
struct ShellCallbacks {
  std::function<void(const GameReport&)> report;
  /// Every line, in order; passwords of LOGIN lines masked.
  std::function<void(ConnectionId, Direction, std::string_view)> line;
};

class ServerShell {
 public:
  static constexpr std::size_t line_bytes_max = std::size_t{8} * 1024;
  /// A client that reads so slowly that more is waiting for it is dropped.
  static constexpr std::size_t queue_bytes_max = std::size_t{1024} * 1024;
  /// After its last line a client gets this long to close its side.
  static constexpr base::Millis linger_max{2'000};

  ServerShell(boost::asio::io_context& context, ShellOptions options,
              ShellCallbacks callbacks = {});
  /// As stop().
  ~ServerShell();
  ServerShell(const ServerShell&) = delete;
  ServerShell& operator=(const ServerShell&) = delete;

  /// Opens the port. The port, or a sentence that says why not.
  [[nodiscard]] base::Result<std::uint16_t, base::Message> start();
  /// 0 before start().
  [[nodiscard]] std::uint16_t port() const;

  /// See Server::arrange().
  void arrange(Arrangement next);

  /// Closes the port and every connection, in mid-game too. Nothing is called back afterwards.
  void stop();

 private:
  class Impl;
  /// Shared with its pending handlers, which outlive the shell.
  std::shared_ptr<Impl> impl_;
};

}  // namespace kakehashi::rehearse::server::io
