#include "tests/system/websocket_front.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>
#include <utility>

namespace kakehashi::test {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;

struct WebSocketFront::State {
  State(asio::io_context& context, std::uint16_t port_behind)
      : acceptor(context, {asio::ip::make_address("127.0.0.1"), 0}), behind(port_behind) {}

  tcp::acceptor acceptor;
  std::uint16_t behind;
  std::string refusal;
  std::vector<std::string> paths;
  std::vector<std::string> headers;
  std::vector<std::string> messages;
  int pongs = 0;
  std::string last_pong;
  int goodbyes = 0;
  std::shared_ptr<Session> latest;
};

class WebSocketFront::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, std::shared_ptr<State> state)
      : state_(std::move(state)), stream_(std::move(socket)), behind_(stream_.get_executor()) {}

  static void accept(const std::shared_ptr<State>& state) {
    state->acceptor.async_accept([state](error_code failed, tcp::socket socket) {
      if (!failed) {
        state->latest = std::make_shared<Session>(std::move(socket), state);
        state->latest->read_request();
        accept(state);
      }
    });
  }

  void send(std::string text, bool is_text, bool is_whole) {
    queue_.push_back({std::move(text), is_text, is_whole});
    if (queue_.size() == 1) {
      send_front();
    }
  }

  websocket::stream<tcp::socket>& stream() { return stream_; }

 private:
  struct Message {
    std::string bytes;
    bool is_text = true;
    bool is_whole = true;
  };

  void read_request() {
    beast::http::async_read(
        stream_.next_layer(), buffer_, request_,
        [self = shared_from_this()](error_code failed, std::size_t) {
          if (!failed) {
            self->answer();
          }
        });
  }

  std::string header(beast::http::field field) {
    const auto value = request_[field];
    return {value.data(), value.size()};
  }

  void answer() {
    using beast::http::field;
    state_->paths.emplace_back(request_.target().data(), request_.target().size());
    state_->headers.push_back(header(field::host) + " " + header(field::origin) + " " +
                              header(field::user_agent));
    if (!state_->refusal.empty()) {
      asio::write(stream_.next_layer(), asio::buffer("HTTP/1.1 " + state_->refusal + "\r\n\r\n"));
      stream_.next_layer().close();
      return;
    }
    stream_.control_callback([state = state_](websocket::frame_type type, beast::string_view text) {
      if (type == websocket::frame_type::pong) {
        ++state->pongs;
        state->last_pong.assign(text.data(), text.size());
      }
    });
    stream_.async_accept(request_, [self = shared_from_this()](error_code failed) {
      if (!failed) {
        self->begin();
      }
    });
  }

  void begin() {
    if (state_->behind != 0) {
      behind_.connect({asio::ip::make_address("127.0.0.1"), state_->behind});
      read_behind();
    }
    read();
  }

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code failed, std::size_t) {
      self->have_read(failed);
    });
  }

  void have_read(error_code failed) {
    if (failed) {
      error_code ignored;
      state_->goodbyes += failed == websocket::error::closed ? 1 : 0;
      behind_.shutdown(tcp::socket::shutdown_send, ignored);
      return;
    }
    auto text = beast::buffers_to_string(buffer_.data());
    buffer_.consume(buffer_.size());
    if (behind_.is_open()) {
      asio::write(behind_, asio::buffer(text + "\n"));
    }
    state_->messages.push_back(std::move(text));
    read();
  }

  void read_behind() {
    asio::async_read_until(
        behind_, asio::dynamic_buffer(lines_), '\n',
        [self = shared_from_this()](error_code failed, std::size_t size) {
          if (failed) {
            self->stream_.async_close(websocket::close_code::normal, [self](error_code) {});
            return;
          }
          self->send(self->lines_.substr(0, size - 1), true, true);
          self->lines_.erase(0, size);
          self->read_behind();
        });
  }

  void send_front() {
    const auto& message = queue_.front();
    stream_.text(message.is_text);
    stream_.async_write_some(message.is_whole, asio::buffer(message.bytes),
                             [self = shared_from_this()](error_code failed, std::size_t) {
                               self->queue_.pop_front();
                               if (!failed && !self->queue_.empty()) {
                                 self->send_front();
                               }
                             });
  }

  std::shared_ptr<State> state_;
  websocket::stream<tcp::socket> stream_;
  tcp::socket behind_;
  beast::flat_buffer buffer_;
  beast::http::request<beast::http::string_body> request_;
  std::string lines_;
  std::deque<Message> queue_;
};

WebSocketFront::WebSocketFront(asio::io_context& context, std::uint16_t behind)
    : state_(std::make_shared<State>(context, behind)) {
  Session::accept(state_);
}

WebSocketFront::~WebSocketFront() {
  state_->acceptor.close();
  state_->latest.reset();
}

std::uint16_t WebSocketFront::port() const { return state_->acceptor.local_endpoint().port(); }
void WebSocketFront::decline(const std::string& status_line) { state_->refusal = status_line; }
const std::vector<std::string>& WebSocketFront::paths() const { return state_->paths; }
const std::vector<std::string>& WebSocketFront::headers() const { return state_->headers; }
const std::vector<std::string>& WebSocketFront::messages() const { return state_->messages; }
int WebSocketFront::pongs() const { return state_->pongs; }
const std::string& WebSocketFront::last_pong() const { return state_->last_pong; }
int WebSocketFront::goodbyes() const { return state_->goodbyes; }

void WebSocketFront::say(const std::string& text) { state_->latest->send(text, true, true); }
void WebSocketFront::say_in_pieces(const std::string& first, const std::string& second) {
  state_->latest->send(first, true, false);
  state_->latest->send(second, true, true);
}
void WebSocketFront::say_binary(const std::string& bytes) {
  state_->latest->send(bytes, false, true);
}
void WebSocketFront::ping() {
  state_->latest->stream().async_ping("are you there", [](error_code) {});
}
void WebSocketFront::stop_reading() { state_->latest->stream().next_layer().cancel(); }
void WebSocketFront::close(const std::string& reason) {
  state_->latest->stream().async_close({websocket::close_code::going_away, reason},
                                       [](error_code) {});
}
void WebSocketFront::say_raw(const std::string& bytes) {
  asio::write(state_->latest->stream().next_layer(), asio::buffer(bytes));
}

}  // namespace kakehashi::test
