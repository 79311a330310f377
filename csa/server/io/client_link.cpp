#include "csa/server/io/client_link.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace kakehashi::csa::server::io {

namespace asio = boost::asio;
using boost::system::error_code;

ClientLink::ClientLink(asio::ip::tcp::socket socket, Bounds bounds, Callbacks callbacks)
    : socket_(std::move(socket)),
      linger_timer_(socket_.get_executor()),
      bounds_(bounds),
      callbacks_(std::move(callbacks)),
      splitter_(bounds.line_bytes_max) {}

void ClientLink::start() { read(); }

bool ClientLink::write(std::string_view line) {
  if (!is_open_) {
    return true;
  }
  queued_.append(line);
  queued_.push_back('\n');
  if (queued_.size() + writing_.size() > bounds_.queue_bytes_max) {
    return false;
  }
  if (writing_.empty()) {
    write_some();
  }
  return true;
}

void ClientLink::close() {
  if (!is_open_) {
    return;
  }
  is_open_ = false;
  linger_timer_.expires_after(bounds_.linger_max);
  linger_timer_.async_wait([self = shared_from_this()](error_code) { self->drop(); });
  if (writing_.empty()) {
    error_code ignored;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  }
}

void ClientLink::drop() {
  is_open_ = false;
  error_code ignored;
  linger_timer_.cancel();
  socket_.close(ignored);
}

void ClientLink::read() {
  socket_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](
                                                     error_code failed, std::size_t bytes) {
    self->have_read(failed, bytes);
  });
}

void ClientLink::have_read(error_code failed, std::size_t bytes) {
  // A closing link reads on only to see the client's own end.
  if (is_open_) {
    const auto fed = splitter_.feed(std::string_view(buffer_.data(), bytes));
    for (std::size_t i = 0; i < fed.lines.size() && is_open_; ++i) {
      callbacks_.line(std::string(fed.lines[i]));
    }
    if (is_open_ && (failed || fed.trouble != base::LineSplitter::Trouble::none)) {
      finish();
    }
  }
  if (failed) {
    drop();
  } else if (socket_.is_open()) {
    read();
  }
}

void ClientLink::write_some() {
  writing_ = std::exchange(queued_, {});
  asio::async_write(socket_, asio::buffer(writing_),
                    [self = shared_from_this()](error_code failed, std::size_t) {
                      self->writing_.clear();
                      if (failed) {
                        return;  // the reading side meets the same end and tells it
                      }
                      if (!self->queued_.empty()) {
                        self->write_some();
                      } else if (!self->is_open_) {
                        error_code ignored;
                        self->socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
                      }
                    });
}

void ClientLink::finish() {
  drop();
  callbacks_.closed();
}

}  // namespace kakehashi::csa::server::io
