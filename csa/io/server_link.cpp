#include "csa/io/server_link.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/line_splitter.hpp"
#include "base/secret.hpp"
#include "base/text.hpp"
#include "csa/io/dial.hpp"
#include "csa/io/layers.hpp"
#include "csa/io/socket_options.hpp"
#include "csa/io/tls.hpp"

namespace kakehashi::csa::io {

// One attempt of a ServerLink and the connection it leads to: the socket, the layers above it, the
// queue of what is to be sent, and the lines that come out. Shared with its own pending handlers,
// which outlive the link's interest.
class ServerLink::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::io_context& context, Callbacks callbacks, ServerAddress address);

  /// Once. The callbacks follow from the io_context.
  void start();
  void write(std::string_view line);
  /// No callback from here on; see ServerLink::close().
  void close();
  void hold(base::Millis patience);
  /// See ServerLink::acknowledge().
  void acknowledge();
  [[nodiscard]] std::optional<TcpQuality> quality();

 private:
  using Tcp = boost::asio::ip::tcp;
  using error_code = boost::system::error_code;

  void dial(TlsContext tls);
  void dialled(Tcp::socket socket, std::string peer);
  void expect_opening();
  void opening_timed_out();
  void look_at_layers();

  void keep_repeating();

  void read();
  void have_read(error_code failed, std::size_t size);
  void take_rest(std::string& bytes);
  void take(const std::string& bytes);
  void deliver(const std::string& bytes);
  void drop_read(error_code failed);
  void tell_end(error_code failed);

  void enqueue(std::string bytes);
  void write_front();
  void have_written(error_code failed, std::size_t size);
  void have_not_written(error_code failed);
  void write_again();
  void shut_down_sending();

  void lose(const std::string& why);
  void finish(HowClosed how, std::string why);
  void release();

  // The handler that runs keeps this object alive, and so the callbacks, whatever they destroy.
  boost::asio::io_context& context_;
  Callbacks callbacks_;
  ServerAddress address_;
  LayerStack layers_;           ///< empty until what they are made from is there
  std::shared_ptr<Dial> dial_;  ///< while connecting; it holds this object until it is done
  Tcp::socket socket_;
  boost::asio::steady_timer timer_;  ///< first for the opening, then for the lingering
  std::chrono::steady_clock::time_point deadline_{};
  std::string peer_;
  bool is_open_ = true;        ///< false: no callback any more
  bool is_reading_files_ = false;  ///< of server.tls
  bool is_connected_ = false;  ///< with all layers open
  bool has_heard_ = false;
  bool owes_acknowledgement_ = false;  ///< for what was read last
  std::array<char, std::size_t{16} * 1024> buffer_{};
  base::LineSplitter splitter_{line_bytes_max};
  std::deque<std::string> queue_;
  std::size_t queued_bytes_ = 0;
  std::size_t written_bytes_ = 0;  ///< of the first in the queue
  error_code write_failure_;
  std::optional<std::chrono::steady_clock::time_point> write_failed_at_;  ///< for the first time since it worked
  boost::asio::steady_timer write_timer_;
  bool bounds_repeats_ = true;
  base::Millis patience_ = patience_min;
  RepeatPace repeat_pace_;
  boost::asio::steady_timer repeat_timer_;
};

namespace {

namespace asio = boost::asio;
using State = Layer::State;

/// One read takes at most this much, whatever the server has sent.
constexpr std::size_t read_bytes_max = std::size_t{256} * 1024;

/// The head of a TLS alert (RFC 8446, section 5.1): the answer to a plain word.
constexpr std::string_view tls_alert = "\x15\x03";

Dial::Target target_of(const ServerAddress& address) {
  if (address.proxy) {
    return {address.proxy->host, address.proxy->port, address.connect_timeout};
  }
  return {address.host, address.port, address.connect_timeout};
}

/// A write that failed for want of the system's memory is tried again so often and so long: the line still
/// stands, and a game hangs on it.
constexpr std::chrono::milliseconds write_again_pause{20};
constexpr std::chrono::seconds write_again_max{10};
/// How long the reading side has to meet and tell the end that a write has met.
constexpr std::chrono::seconds end_is_met_within{1};

bool may_pass(const boost::system::error_code& failed) {
  return failed == asio::error::no_buffer_space || failed == asio::error::no_memory;
}

}  // namespace

ServerLink::Connection::Connection(asio::io_context& context, Callbacks callbacks,
                                   ServerAddress address)
    : context_(context),
      callbacks_(std::move(callbacks)),
      address_(std::move(address)),
      socket_(context),
      timer_(context),
      write_timer_(context),
      repeat_timer_(context) {}

void ServerLink::Connection::start() {
  deadline_ = std::chrono::steady_clock::now() + address_.connect_timeout;
  if (!address_.tls) {
    dial(nullptr);
    return;
  }
  is_reading_files_ = true;
  expect_opening();
  TlsContexts::of(context_).make(*address_.tls, [self = shared_from_this()](base::Result<TlsContext> made) {
    self->is_reading_files_ = false;
    if (!made) {
      self->finish(HowClosed::refused, made.error().what);
    } else if (self->is_open_) {
      self->timer_.cancel();
      self->dial(std::move(*made));
    }
  });
}

void ServerLink::Connection::dial(TlsContext tls) {
  layers_ = LayerStack(address_, std::move(tls));
  Dial::Callbacks outcome;
  outcome.connected = [self = shared_from_this()](Tcp::socket socket, std::string peer) {
    self->dialled(std::move(socket), std::move(peer));
  };
  outcome.failed = [self = shared_from_this()](std::string why) {
    self->finish(HowClosed::refused, self->address_.proxy
                                         ? "the proxy does not answer: " + std::move(why)
                                         : std::move(why));
  };
  dial_ = std::make_shared<Dial>(context_, target_of(address_), std::move(outcome));
  dial_->start();
}

void ServerLink::Connection::write(std::string_view line) {
  if (!is_open_ || !is_connected_ || layers_.state() != State::open) {
    return;
  }
  std::string with_end;
  with_end.reserve(line.size() + 1);
  with_end.append(line).push_back('\n');
  enqueue(layers_.send(with_end).to_peer);
  base::wipe(with_end);  // it may have been a LOGIN, here and in the queue
}

void ServerLink::Connection::hold(base::Millis patience) {
  if (!is_connected_ || !socket_.is_open()) {
    return;
  }
  patience_ = std::max(patience, patience_min);
  set_patience(socket_, patience_);
  if (!bounds_repeats_ && patience_ > patience_min) {
    keep_repeating();
  }
}

/// Where the kernel lets its pauses grow, for as long as the line is held.
void ServerLink::Connection::keep_repeating() {
  set_patience(socket_, repeat_pace_.timeout(is_repeating(socket_), patience_, std::chrono::steady_clock::now()));
  repeat_timer_.expires_after(RepeatPace::look_every);
  repeat_timer_.async_wait([self = shared_from_this()](error_code stopped) {
    if (!stopped && self->socket_.is_open() && self->patience_ > patience_min) {
      self->keep_repeating();
    }
  });
}

std::optional<TcpQuality> ServerLink::Connection::quality() {
  return is_connected_ && socket_.is_open() ? tcp_quality(socket_.native_handle()) : std::nullopt;
}

void ServerLink::Connection::close() {
  if (!is_open_) {
    return;
  }
  is_open_ = false;
  if (!is_connected_) {
    if (dial_) {
      dial_->cancel();
      dial_.reset();
    }
    release();
    return;
  }
  enqueue(layers_.finish().to_peer);
  timer_.expires_after(linger_max);
  timer_.async_wait([self = shared_from_this()](error_code) { self->release(); });
  if (queue_.empty()) {
    shut_down_sending();
  }
}

void ServerLink::Connection::acknowledge() {
  if (std::exchange(owes_acknowledgement_, false) && socket_.is_open()) {
    acknowledge_quickly(socket_);
  }
}

/// The socket is there; its layers may still have to open.
void ServerLink::Connection::dialled(Tcp::socket socket, std::string peer) {
  if (!is_open_) {
    return;
  }
  dial_.reset();
  socket_ = std::move(socket);
  peer_ = address_.proxy
              ? format_host(address_.host, address_.port) + " through " + std::move(peer)
              : std::move(peer);
  bounds_repeats_ = set_options(socket_, address_.tcp_keepalive);
  acknowledge_quickly(socket_);
  expect_opening();
  enqueue(layers_.start().to_peer);
  if (layers_.state() != State::failed) {
    read();
  }
  look_at_layers();
}

void ServerLink::Connection::expect_opening() {
  timer_.expires_at(deadline_);
  timer_.async_wait([self = shared_from_this()](error_code) { self->opening_timed_out(); });
}

void ServerLink::Connection::opening_timed_out() {
  if (is_open_ && !is_connected_ && std::chrono::steady_clock::now() >= deadline_) {
    const std::string what =
        is_reading_files_ ? "reading the files of server.tls" : peer_ + ": " + layers_.handshake();
    finish(HowClosed::refused, what + " took longer than " +
                                   base::format_millis(address_.connect_timeout.count()) + layers_.advice());
  }
}

/// Tells what has become of the layers: that they are open, once, or that they are of no use.
void ServerLink::Connection::look_at_layers() {
  switch (layers_.state()) {
    case State::opening:
      return;
    case State::open: {
      if (is_connected_ || !is_open_) {
        return;
      }
      is_connected_ = true;
      timer_.cancel();
      const auto how = layers_.description();
      callbacks_.connected(peer_ + (how.empty() ? "" : " (" + how + ")"));
      return;
    }
    case State::ended:
    case State::failed:
      if (is_connected_) {
        finish(layers_.state() == State::ended ? HowClosed::eof : HowClosed::broken,
               layers_.why());
      } else {
        finish(HowClosed::refused, peer_ + ": " + layers_.why());
      }
      return;
  }
}

void ServerLink::Connection::read() {
  socket_.async_read_some(
      asio::buffer(buffer_),
      [self = shared_from_this()](error_code failed, std::size_t bytes) {
        self->have_read(failed, bytes);
      });
}

void ServerLink::Connection::have_read(error_code failed, std::size_t size) {
  if (is_open_ && !failed) {
    std::string bytes(buffer_.data(), size);
    take_rest(bytes);
    owes_acknowledgement_ = true;
    take(bytes);
    acknowledge();
  }
  if (!is_open_) {
    drop_read(failed);
  } else if (!failed) {
    read();
  } else {
    tell_end(failed);
  }
}

void ServerLink::Connection::tell_end(error_code failed) {
  if (failed != asio::error::eof) {
    lose(failed.message());
  } else if (write_failure_) {
    // A write that met the end first has taken the reason with it.
    lose(write_failure_.message());
  } else if (!is_connected_) {
    const auto advice = layers_.advice();
    const auto handshake = layers_.handshake();
    layers_.hear_end();
    lose(layers_.why().empty() ? "the connection was closed before " + handshake +
                                     " was complete" + advice
                               : layers_.why());
  } else if (!has_heard_ && !address_.tls) {
    // What OpenSSL's servers do when they are spoken to plainly.
    finish(HowClosed::eof, "the server closed the connection without a word; does it speak TLS on "
                           "this port (server.tls)?");
  } else {
    finish(HowClosed::eof, splitter_.take_unfinished().empty()
                               ? "the server closed the connection"
                               : "the server closed the connection in mid-line");
  }
}

/// What did not fit into the buffer belongs to the same moment: see `more`. A read that left room has
/// taken all that was there.
void ServerLink::Connection::take_rest(std::string& bytes) {
  error_code failed;
  while (bytes.size() % buffer_.size() == 0 && bytes.size() < read_bytes_max &&
         socket_.available(failed) > 0) {
    const auto extra = socket_.read_some(asio::buffer(buffer_), failed);
    if (failed) {
      return;  // the next read meets it too
    }
    bytes.append(buffer_.data(), extra);
  }
}

/// Up through the layers, and what they say to it back to the server.
void ServerLink::Connection::take(const std::string& bytes) {
  enqueue(layers_.set_busy(!queue_.empty()).to_peer);
  auto risen = layers_.receive(bytes);
  enqueue(std::move(risen.to_peer));
  if (layers_.state() == State::open) {
    look_at_layers();
  }
  if (!risen.from_peer.empty()) {
    deliver(risen.from_peer);
  }
  if (is_open_) {
    look_at_layers();
  }
}

void ServerLink::Connection::deliver(const std::string& bytes) {
  const bool is_alert = !has_heard_ && !address_.tls && bytes.starts_with(tls_alert);
  has_heard_ = true;
  if (is_alert) {
    finish(HowClosed::broken, "the server speaks TLS on this port: set server.tls");
    return;
  }
  const auto fed = splitter_.feed(bytes);
  for (std::size_t i = 0; i < fed.lines.size() && is_open_; ++i) {
    callbacks_.line(std::string(fed.lines[i]), i + 1 < fed.lines.size());
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
void ServerLink::Connection::drop_read(error_code failed) {
  if (failed) {
    release();
  } else if (socket_.is_open()) {
    read();
  }
}

/// The line went dead, before or after the layers were open.
void ServerLink::Connection::lose(const std::string& why) {
  if (is_connected_) {
    finish(HowClosed::broken, why);
  } else {
    finish(HowClosed::refused, peer_ + ": " + why);
  }
}

void ServerLink::Connection::finish(HowClosed how, std::string why) {
  if (!is_open_) {
    return;
  }
  is_open_ = false;
  dial_.reset();
  release();
  callbacks_.closed(how, std::move(why));
}

void ServerLink::Connection::release() {
  error_code ignored;
  timer_.cancel();
  write_timer_.cancel();
  repeat_timer_.cancel();
  socket_.close(ignored);
}

// --- writing: a queue, one write at a time, and writes that fail

void ServerLink::Connection::enqueue(std::string bytes) {
  if (bytes.empty()) {
    return;
  }
  queued_bytes_ += bytes.size();
  if (queued_bytes_ > queue_bytes_max) {
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
      self->finish(HowClosed::broken, "the server does not read what it is sent");
    });
    return;
  }
  queue_.push_back(std::move(bytes));
  if (queue_.size() == 1) {
    write_front();
  }
}

void ServerLink::Connection::write_front() {
  asio::async_write(socket_, asio::buffer(queue_.front()) + written_bytes_,
                    [self = shared_from_this()](error_code failed, std::size_t size) {
                      self->have_written(failed, size);
                    });
}

void ServerLink::Connection::have_written(error_code failed, std::size_t size) {
  if (failed) {
    written_bytes_ += size;
    have_not_written(failed);
    return;
  }
  written_bytes_ = 0;
  write_failed_at_.reset();
  queued_bytes_ -= queue_.front().size();
  base::wipe(queue_.front());
  queue_.pop_front();
  if (!queue_.empty()) {
    write_front();
  } else if (!is_open_) {
    shut_down_sending();
  } else {
    enqueue(layers_.set_busy(false).to_peer);
  }
}

void ServerLink::Connection::have_not_written(error_code failed) {
  if (!socket_.is_open()) {
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  write_failed_at_ = write_failed_at_.value_or(now);
  if (may_pass(failed) && now < *write_failed_at_ + write_again_max) {
    write_timer_.expires_after(write_again_pause);
    write_timer_.async_wait([self = shared_from_this()](error_code stopped) {
      if (!stopped) {
        self->write_again();
      }
    });
    return;
  }
  // The reading side meets the same end as a rule and tells it, after the lines that still came.
  write_failure_ = failed;
  write_timer_.expires_after(end_is_met_within);
  write_timer_.async_wait([self = shared_from_this()](error_code stopped) {
    if (!stopped) {
      self->lose("nothing can be sent: " + self->write_failure_.message());
    }
  });
}

/// Asio takes a write that sent nothing for a sign that the kernel's buffer is full, and would wait for
/// news of it that never come; asked for, they do.
void ServerLink::Connection::write_again() {
  socket_.async_wait(Tcp::socket::wait_write, [self = shared_from_this()](error_code failed) {
    if (failed) {
      self->have_not_written(failed);
    } else {
      self->write_front();
    }
  });
}

void ServerLink::Connection::shut_down_sending() {
  error_code ignored;
  socket_.shutdown(Tcp::socket::shutdown_send, ignored);
}

ServerLink::ServerLink(boost::asio::io_context& context, Callbacks callbacks)
    : context_(context), callbacks_(std::move(callbacks)) {}

ServerLink::~ServerLink() { close(); }

void ServerLink::connect(ServerAddress address) {
  close();
  connection_ = std::make_shared<Connection>(context_, callbacks_, std::move(address));
  connection_->start();
}

void ServerLink::write(std::string_view line) {
  if (connection_) {
    connection_->write(line);
  }
}

void ServerLink::acknowledge() {
  if (connection_) {
    connection_->acknowledge();
  }
}

void ServerLink::hold(base::Millis patience) {
  if (connection_) {
    connection_->hold(patience);
  }
}

std::optional<TcpQuality> ServerLink::quality() const {
  return connection_ ? connection_->quality() : std::nullopt;
}

void ServerLink::close() {
  if (connection_) {
    connection_->close();
    connection_.reset();
  }
}

}  // namespace kakehashi::csa::io
