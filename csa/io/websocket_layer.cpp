#include "csa/io/layers.hpp"

#include <algorithm>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/websocket/error.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "csa/io/server_link.hpp"

namespace kakehashi::csa::io {

using base::quoted;
using base::say;
namespace {

// --- a stream in memory, as Beast wants one

class MemoryStream {
 public:
  using executor_type = boost::asio::io_context::executor_type;

  explicit MemoryStream(boost::asio::io_context& context) : executor_(context.get_executor()) {}

  [[nodiscard]] executor_type get_executor() const { return executor_; }

  /// Bytes to be read, at once if somebody waits for them.
  void give(std::string_view bytes) {
    incoming_ += bytes;
    wake();
  }
  /// No more bytes will come.
  void end() {
    is_at_end_ = true;
    wake();
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

  void wake() {
    if (waiting_ && (is_at_end_ || !incoming_.empty())) {
      const auto waiting = std::move(waiting_);
      waiting->wake(*this);
    }
  }

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

[[maybe_unused]] inline void teardown(boost::beast::role_type, MemoryStream&, boost::system::error_code& failed) {
  failed = {};
}

template <class Handler>
void async_teardown(boost::beast::role_type, MemoryStream& stream, Handler&& handler) {
  boost::asio::post(stream.get_executor(),
                    boost::beast::bind_front_handler(std::forward<Handler>(handler),
                                                     boost::system::error_code{}));
}

// ---

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;

/// As a browser would write it: without the port that the scheme means anyway.
std::string host_header(const ServerAddress& address) {
  const bool is_usual = address.port == (address.tls ? 443 : 80);
  const auto full = format_host(address.host, address.port);
  return is_usual ? full.substr(0, full.rfind(':')) : full;
}

/// Of the frame at `at`, header included (RFC 6455, section 5.2); never beyond the end.
std::size_t frame_size(std::string_view frames, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < frames.size() ? static_cast<unsigned char>(frames[at + i]) : std::uint8_t{0};
  };
  constexpr std::uint8_t mask_bit = 0x80;
  std::uint64_t length = byte(1) & ~mask_bit;
  std::size_t header = 2;
  if (length >= 126) {
    const std::size_t bytes = length == 126 ? 2 : 8;
    length = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      length = length << 8 | byte(header++);
    }
  }
  header += (byte(1) & mask_bit) != 0 ? 4 : 0;
  return static_cast<std::size_t>(std::min<std::uint64_t>(header + length, frames.size() - at));
}

bool is_pong(std::string_view frames, std::size_t at) { return (frames[at] & 0x0f) == 0x0a; }

constexpr std::size_t piece_bytes_max = std::size_t{16} * 1024;

// Beast works on a stream in memory, with an io_context of its own that runs dry before each call
// returns: so what has arrived is worked off at once, and no handler outlives a call.
class WebSocketLayer : public Layer {
 public:
  WebSocketLayer(WebSocketSettings settings, std::string host)
      : settings_(std::move(settings)), host_(std::move(host)), stream_(context_) {
    stream_.read_message_max(0);  // what is too long for a line is left out as one, behind this layer
    stream_.auto_fragment(false);
    stream_.text(true);
    stream_.set_option(websocket::stream_base::decorator(
        [origin = settings_.origin](websocket::request_type& request) {
          request.set(beast::http::field::user_agent, "kakehashi");
          if (!origin.empty()) {
            request.set(beast::http::field::origin, origin);
          }
        }));
  }

  Output start() override {
    stream_.async_handshake(response_, host_, settings_.path,
                            [this](error_code failed) { shaken_hands(failed); });
    return work();
  }

  Output receive(std::string_view bytes) override {
    const bool was_open = state() == State::open;
    stream_.next_layer().give(bytes);
    Output out = work();
    if (was_open) {
      out.below = without_pongs(out.below);
      out.below += take_pong();
    }
    return out;
  }

  Output set_busy(bool is_busy) override {
    is_busy_ = is_busy;
    return {take_pong(), ""};
  }

  Output send(std::string_view bytes) override {
    if (bytes.ends_with('\n')) {
      bytes.remove_suffix(1);
    }
    // The stream in memory takes every write at once: no two of them ever meet.
    stream_.async_write(asio::buffer(bytes.data(), bytes.size()), [](error_code, std::size_t) {});
    return work();
  }

  Output finish() override {
    stream_.async_close(websocket::close_code::normal, [](error_code) {});
    return work();
  }

  /// An answer that declines may have a body as long as the connection.
  void hear_end() override {
    stream_.next_layer().end();
    context_.restart();
    context_.poll();
  }

  [[nodiscard]] base::Message handshake() const override { return say("the WebSocket handshake"); }
  [[nodiscard]] std::string description() const override { return "WebSocket"; }

 private:
  Output work() {
    context_.restart();
    context_.poll();
    return {stream_.next_layer().take(), std::exchange(lines_, {})};
  }

  /// Who was asked many times may answer the latest question only (RFC 6455, section 5.5.3). Beast answers each,
  /// in whole frames: a burst of pings would fill the queue, and break the connection.
  std::string without_pongs(std::string_view frames) {
    std::string others;
    for (std::size_t at = 0; at < frames.size();) {
      const auto frame = frames.substr(at, frame_size(frames, at));
      if (is_pong(frames, at)) {
        pong_ = frame;
      } else {
        others += frame;
      }
      at += frame.size();
    }
    return others;
  }

  std::string take_pong() {
    return is_busy_ || state() != State::open ? std::string() : std::exchange(pong_, {});
  }

  void shaken_hands(error_code failed) {
    if (!failed) {
      open();
      read();
    } else if (failed == websocket::error::upgrade_declined) {
      const auto reason = response_.reason();
      fail(say("the server declined the WebSocket at {}: it answered {}", quoted(settings_.path, 200),
               quoted(std::to_string(response_.result_int()) + " " + std::string(reason.data(), reason.size()), 100)));
    } else if (failed != beast::http::error::end_of_stream) {
      fail(say("the server does not speak WebSocket on this port ({})", failed.message()));
    }
  }

  void read() {
    stream_.async_read_some(buffer_, piece_bytes_max, [this](error_code failed, std::size_t) { have_read(failed); });
  }

  void have_read(error_code failed) {
    if (failed == websocket::error::closed) {
      const auto& reason = stream_.reason().reason;
      end(reason.empty() ? say("the server closed the WebSocket")
                         : say("the server closed the WebSocket: {}", quoted({reason.data(), reason.size()}, 130)));
    } else if (failed) {
      fail(say("the server broke the WebSocket protocol: {}", failed.message()));
    } else {
      const std::string piece = beast::buffers_to_string(buffer_.data());
      is_line_whole_ = piece.empty() ? is_line_whole_ : piece.ends_with('\n');
      lines_ += piece;
      if (stream_.is_message_done() && !std::exchange(is_line_whole_, false)) {
        lines_ += '\n';
      }
      buffer_.clear();
      read();
    }
  }

  WebSocketSettings settings_;
  std::string host_;
  asio::io_context context_{1};
  websocket::stream<MemoryStream, false> stream_;
  websocket::response_type response_;
  beast::flat_buffer buffer_;
  std::string lines_;
  bool is_line_whole_ = false;  ///< so far as the message has come
  std::string pong_;  ///< the answer to the latest ping, until it may leave
  bool is_busy_ = false;
};

}  // namespace

std::unique_ptr<Layer> make_websocket_layer(const WebSocketSettings& settings,
                                            const ServerAddress& address) {
  return std::make_unique<WebSocketLayer>(settings, host_header(address));
}

}  // namespace kakehashi::csa::io
