// A stream in memory that Asio's composed operations can work on: what was given to it is read,
// what is written can be taken. It completes through its executor like any other stream. For
// layers whose library (Beast) insists on a stream; knows no protocol.
#pragma once

#include <algorithm>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/role.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace kakehashi::csa::io {

class MemoryStream {
 public:
  using executor_type = boost::asio::io_context::executor_type;

  explicit MemoryStream(boost::asio::io_context& context) : executor_(context.get_executor()) {}

  [[nodiscard]] executor_type get_executor() const { return executor_; }

  /// Bytes to be read, at once if somebody waits for them.
  void give(std::string_view bytes) {
    incoming_ += bytes;
    if (waiting_ && !incoming_.empty()) {
      const auto waiting = std::move(waiting_);
      waiting->wake(*this);
    }
  }
  /// No more bytes will come.
  void end() {
    is_at_end_ = true;
    if (waiting_) {
      const auto waiting = std::move(waiting_);
      waiting->wake(*this);
    }
  }
  /// What was written since the last call.
  [[nodiscard]] std::string take() { return std::exchange(outgoing_, {}); }

  template <class Buffers, class Handler>
  auto async_read_some(const Buffers& buffers, Handler&& handler) {
    return boost::asio::async_initiate<Handler, void(boost::system::error_code, std::size_t)>(
        [this](auto taken, const Buffers& into) { this->read(std::move(taken), into); }, handler,
        buffers);
  }

  template <class Buffers, class Handler>
  auto async_write_some(const Buffers& buffers, Handler&& handler) {
    return boost::asio::async_initiate<Handler, void(boost::system::error_code, std::size_t)>(
        [this](auto taken, const Buffers& from) {
          const auto size = boost::asio::buffer_size(from);
          const auto at = outgoing_.size();
          outgoing_.resize(at + size);
          boost::asio::buffer_copy(boost::asio::buffer(outgoing_.data() + at, size), from);
          complete(std::move(taken), {}, size);
        },
        handler, buffers);
  }

 private:
  struct Waiting {
    virtual ~Waiting() = default;
    virtual void wake(MemoryStream& stream) = 0;
  };
  template <class Handler, class Buffers>
  struct WaitingRead : Waiting {
    WaitingRead(Handler taken, const Buffers& into) : handler(std::move(taken)), buffers(into) {}
    void wake(MemoryStream& stream) override { stream.read(std::move(handler), buffers); }

    Handler handler;
    Buffers buffers;
  };

  template <class Handler, class Buffers>
  void read(Handler handler, const Buffers& into) {
    if (incoming_.empty() && is_at_end_) {
      complete(std::move(handler), boost::asio::error::eof, 0);
      return;
    }
    if (incoming_.empty() && boost::asio::buffer_size(into) > 0) {
      waiting_ = std::make_unique<WaitingRead<Handler, Buffers>>(std::move(handler), into);
      return;
    }
    const auto size = boost::asio::buffer_copy(into, boost::asio::buffer(incoming_));
    incoming_.erase(0, size);
    complete(std::move(handler), {}, size);
  }

  template <class Handler>
  void complete(Handler handler, boost::system::error_code failed, std::size_t size) {
    boost::asio::post(executor_,
                      boost::beast::bind_front_handler(std::move(handler), failed, size));
  }

  executor_type executor_;
  std::string incoming_;
  std::string outgoing_;
  bool is_at_end_ = false;
  std::unique_ptr<Waiting> waiting_;
};

/// Beast closes the stream below a WebSocket by these; here the connection does that.
inline void beast_close_socket(MemoryStream&) {}
inline void teardown(boost::beast::role_type, MemoryStream&, boost::system::error_code& failed) {
  failed = {};
}
template <class Handler>
void async_teardown(boost::beast::role_type, MemoryStream& stream, Handler&& handler) {
  boost::asio::post(stream.get_executor(),
                    boost::beast::bind_front_handler(std::forward<Handler>(handler),
                                                     boost::system::error_code{}));
}

}  // namespace kakehashi::csa::io
