// One accepted connection: whole lines in, whole lines out, a bounded queue between. It knows
// sockets and nothing of CSA words.
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/line_splitter.hpp"
#include "base/time.hpp"

namespace kakehashi::csa::server::io {

class ClientLink : public std::enable_shared_from_this<ClientLink> {
 public:
  struct Callbacks {
    std::function<void(std::string)> line;
    /// At most once; never after close() or drop().
    std::function<void()> closed;
  };
  struct Bounds {
    std::size_t line_bytes_max;
    std::size_t queue_bytes_max;
    base::Millis linger_max;
  };

  ClientLink(boost::asio::ip::tcp::socket socket, Bounds bounds, Callbacks callbacks);

  void start();
  /// Queues the line. False when more is waiting than the bound allows: the caller drops it.
  [[nodiscard]] bool write(std::string_view line);
  /// Sends what is queued and then FIN; the client's own end is awaited for a moment, because
  /// closing a socket with unread bytes would reset it and could destroy the last lines.
  void close();
  /// At once.
  void drop();

 private:
  void read();
  void have_read(boost::system::error_code failed, std::size_t bytes);
  void write_some();
  void finish();

  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer linger_timer_;
  Bounds bounds_;
  Callbacks callbacks_;
  base::LineSplitter splitter_;
  std::array<char, std::size_t{8} * 1024> buffer_{};
  std::string queued_;   ///< not yet handed to the socket
  std::string writing_;  ///< being written; empty: nothing is
  bool is_open_ = true;
};

}  // namespace kakehashi::csa::server::io
