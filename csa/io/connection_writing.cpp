// The sending half of a connection: its queue, one write at a time, and writes that fail.
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "base/secret.hpp"
#include "csa/io/connection.hpp"

namespace kakehashi::csa::io {
namespace {

namespace asio = boost::asio;

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

}  // namespace kakehashi::csa::io
