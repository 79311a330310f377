#include "csa/io/server_link.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <iterator>
#include <utility>

#include "base/line_splitter.hpp"
#include "csa/io/dial.hpp"

namespace kakehashi::csa::io {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Tcp = asio::ip::tcp;

// A line that died silently is noticed within three quarters of a minute. Shorter limits would
// give up connections, and with them games, that a short outage would have left alive.
constexpr int keepalive_idle_s = 15;
constexpr int keepalive_interval_s = 5;
constexpr int keepalive_count = 6;
constexpr int user_timeout_ms = 45'000;
/// One read takes at most this much, whatever the server has sent.
constexpr std::size_t read_bytes_max = 256 * 1024;

void set_tcp_option(Tcp::socket& socket, int level, int name, int value) {
  // Each option only improves matters; a kernel that lacks one still plays.
  (void)::setsockopt(socket.native_handle(), level, name, &value, sizeof value);
}

void set_options(Tcp::socket& socket) {
  set_tcp_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_tcp_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_tcp_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, keepalive_idle_s);
  set_tcp_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, keepalive_interval_s);
  set_tcp_option(socket, IPPROTO_TCP, TCP_KEEPCNT, keepalive_count);
  set_tcp_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, user_timeout_ms);
}

/// shogi-server leaves Nagle's algorithm on: without quick acknowledgements a move waits up to
/// 40 ms for ours. The kernel forgets the option, so it is renewed after each read.
void acknowledge_quickly(Tcp::socket& socket) {
  set_tcp_option(socket, IPPROTO_TCP, TCP_QUICKACK, 1);
}

}  // namespace

// One attempt and the connection it leads to. `is_open_` false means: no callback any more.
class ServerLink::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(asio::io_context& context, Callbacks callbacks)
      : callbacks_(std::move(callbacks)), socket_(context), linger_timer_(context) {}

  void start(asio::io_context& context, ServerAddress address) {
    Dial::Callbacks outcome;
    outcome.connected = [self = shared_from_this()](Tcp::socket socket, std::string peer) {
      self->connected(std::move(socket), std::move(peer));
    };
    outcome.failed = [self = shared_from_this()](std::string why) {
      self->finish(HowClosed::refused, std::move(why));
    };
    dial_ = std::make_shared<Dial>(context, std::move(address), std::move(outcome));
    dial_->start();
  }

  void write(std::string_view line) {
    if (!is_open_ || !is_connected_) {
      return;
    }
    queued_bytes_ += line.size() + 1;
    if (queued_bytes_ > queue_bytes_max) {
      asio::post(socket_.get_executor(), [self = shared_from_this()] {
        self->finish(HowClosed::broken, "the server does not read what it is sent");
      });
      return;
    }
    auto& text = queue_.emplace_back(line);
    text.push_back('\n');
    if (queue_.size() == 1) {
      write_front();
    }
  }

  /// No callback from here on; see ServerLink::close().
  void close() {
    if (!is_open_) {
      return;
    }
    is_open_ = false;
    if (!is_connected_) {
      dial_->cancel();
      dial_.reset();
      return;
    }
    linger_timer_.expires_after(linger_max);
    linger_timer_.async_wait([self = shared_from_this()](error_code) { self->release(); });
    if (queue_.empty()) {
      shut_down_sending();
    }
  }

 private:
  void connected(Tcp::socket socket, std::string peer) {
    if (!is_open_) {
      return;
    }
    dial_.reset();
    socket_ = std::move(socket);
    is_connected_ = true;
    set_options(socket_);
    acknowledge_quickly(socket_);
    read();
    callbacks_.connected(std::move(peer));
  }

  void read() {
    socket_.async_read_some(
        asio::buffer(buffer_),
        [self = shared_from_this()](error_code failed, std::size_t bytes) {
          self->have_read(failed, bytes);
        });
  }

  void have_read(error_code failed, std::size_t bytes) {
    if (!is_open_) {
      drop_read(failed);
      return;
    }
    auto fed = splitter_.feed(std::string_view(buffer_.data(), bytes));
    if (!failed) {
      take_rest(fed, bytes);
      acknowledge_quickly(socket_);
    }
    deliver(std::move(fed));
    if (!is_open_) {
      drop_read(failed);
    } else if (!failed) {
      read();
    } else if (failed != asio::error::eof) {
      finish(HowClosed::broken, failed.message());
    } else if (write_failure_) {
      // A write that met the end first has taken the reason with it.
      finish(HowClosed::broken, write_failure_.message());
    } else {
      finish(HowClosed::eof, splitter_.take_unfinished().empty()
                                 ? "the server closed the connection"
                                 : "the server closed the connection in mid-line");
    }
  }

  /// What has arrived behind the bytes just read belongs to the same moment: see `more`.
  void take_rest(base::LineSplitter::Fed& fed, std::size_t bytes) {
    error_code failed;
    while (fed.trouble == base::LineSplitter::Trouble::none && bytes < read_bytes_max &&
           socket_.available(failed) > 0) {
      const auto extra = socket_.read_some(asio::buffer(buffer_), failed);
      if (failed) {
        return;  // the next read meets it too
      }
      bytes += extra;
      auto next = splitter_.feed(std::string_view(buffer_.data(), extra));
      std::move(next.lines.begin(), next.lines.end(), std::back_inserter(fed.lines));
      fed.trouble = next.trouble;
    }
  }

  void deliver(base::LineSplitter::Fed fed) {
    for (std::size_t i = 0; i < fed.lines.size() && is_open_; ++i) {
      callbacks_.line(std::move(fed.lines[i]), i + 1 < fed.lines.size());
    }
    switch (fed.trouble) {
      case base::LineSplitter::Trouble::none:
        return;
      case base::LineSplitter::Trouble::line_too_long:
        finish(HowClosed::broken, "the server sent a line of more than " +
                                      std::to_string(line_bytes_max) + " bytes");
        return;
      case base::LineSplitter::Trouble::nul_byte:
        finish(HowClosed::broken, "the server sent a NUL byte");
        return;
    }
  }

  /// The tail of a closed connection: nobody listens any more.
  void drop_read(error_code failed) {
    if (failed) {
      release();
    } else if (socket_.is_open()) {
      read();
    }
  }

  void write_front() {
    asio::async_write(socket_, asio::buffer(queue_.front()),
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        self->have_written(failed);
                      });
  }

  void have_written(error_code failed) {
    if (failed) {
      // The reading side meets the same end and tells it, after the lines that still came.
      write_failure_ = failed;
      return;
    }
    queued_bytes_ -= queue_.front().size();
    queue_.pop_front();
    if (!queue_.empty()) {
      write_front();
    } else if (!is_open_) {
      shut_down_sending();
    }
  }

  void shut_down_sending() {
    error_code ignored;
    socket_.shutdown(Tcp::socket::shutdown_send, ignored);
  }

  void finish(HowClosed how, std::string why) {
    if (!is_open_) {
      return;
    }
    is_open_ = false;
    dial_.reset();
    release();
    callbacks_.closed(how, std::move(why));
  }

  void release() {
    error_code ignored;
    linger_timer_.cancel();
    socket_.close(ignored);
  }

  // The handler that runs keeps this object alive, and so the callbacks, whatever they destroy.
  Callbacks callbacks_;
  std::shared_ptr<Dial> dial_;  ///< while connecting; it holds this object until it is done
  Tcp::socket socket_;          ///< the seam for TLS: connected(), read() and write_front()
  asio::steady_timer linger_timer_;
  bool is_open_ = true;
  bool is_connected_ = false;
  std::array<char, 16 * 1024> buffer_{};
  base::LineSplitter splitter_{line_bytes_max};
  std::deque<std::string> queue_;
  std::size_t queued_bytes_ = 0;
  error_code write_failure_;
};

ServerLink::ServerLink(asio::io_context& context, Callbacks callbacks)
    : context_(context), callbacks_(std::move(callbacks)) {}

ServerLink::~ServerLink() { close(); }

void ServerLink::connect(ServerAddress address) {
  close();
  connection_ = std::make_shared<Connection>(context_, callbacks_);
  connection_->start(context_, std::move(address));
}

void ServerLink::write(std::string_view line) {
  if (connection_) {
    connection_->write(line);
  }
}

void ServerLink::close() {
  if (connection_) {
    connection_->close();
    connection_.reset();
  }
}

}  // namespace kakehashi::csa::io
