#include "tests/system/tls_front.hpp"

#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <utility>

#include "tests/system/relay.hpp"

namespace kakehashi::test {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

struct TlsFront::State {
  State(asio::io_context& context, std::uint16_t port_behind)
      : acceptor(context, {asio::ip::make_address("127.0.0.1"), 0}),
        settings(asio::ssl::context::tls_server),
        behind(asio::ip::make_address("127.0.0.1"), port_behind) {}

  tcp::acceptor acceptor;
  asio::ssl::context settings;
  tcp::endpoint behind;
  bool is_abrupt = false;
  std::vector<std::string> names;
  std::vector<std::string> failures;
  int handshakes = 0;
  int goodbyes = 0;
};

class TlsFront::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, std::shared_ptr<State> state)
      : state_(std::move(state)),
        stream_(std::move(socket), state_->settings),
        behind_(stream_.get_executor()) {}

  static void accept(const std::shared_ptr<State>& state) {
    state->acceptor.async_accept([state](error_code failed, tcp::socket socket) {
      if (!failed) {
        std::make_shared<Session>(std::move(socket), state)->start();
        accept(state);
      }
    });
  }

  void start() {
    stream_.async_handshake(asio::ssl::stream_base::server,
                            [self = shared_from_this()](error_code failed) {
                              failed ? self->state_->failures.push_back(failed.message())
                                     : self->connect();
                            });
  }

 private:
  void connect() {
    const char* name =
        ::SSL_get_servername(stream_.native_handle(), TLSEXT_NAMETYPE_host_name);
    state_->names.emplace_back(name == nullptr ? "" : name);
    ++state_->handshakes;
    behind_.async_connect(state_->behind, [self = shared_from_this()](error_code failed) {
      if (!failed) {
        carry(self, self->stream_, self->behind_, [self] { self->client_left(); });
        carry(self, self->behind_, self->stream_, [self] { self->server_left(); });
      }
    });
  }

  void client_left() {
    error_code ignored;
    const int said = ::SSL_get_shutdown(stream_.native_handle());
    state_->goodbyes += (said & SSL_RECEIVED_SHUTDOWN) != 0 ? 1 : 0;
    behind_.shutdown(tcp::socket::shutdown_send, ignored);
  }

  void server_left() {
    if (state_->is_abrupt) {
      stream_.next_layer().close();
      return;
    }
    stream_.async_shutdown([self = shared_from_this()](error_code) {
      error_code ignored;
      self->stream_.next_layer().close(ignored);
    });
  }

  std::shared_ptr<State> state_;
  asio::ssl::stream<tcp::socket> stream_;
  tcp::socket behind_;
};

TlsFront::TlsFront(asio::io_context& context, const Identity& identity, std::uint16_t behind)
    : state_(std::make_shared<State>(context, behind)) {
  state_->settings.use_certificate_chain_file(identity.certificate_file);
  state_->settings.use_private_key_file(identity.key_file, asio::ssl::context::pem);
  Session::accept(state_);
}

TlsFront::~TlsFront() { state_->acceptor.close(); }

std::uint16_t TlsFront::port() const { return state_->acceptor.local_endpoint().port(); }
asio::ssl::context& TlsFront::settings() { return state_->settings; }
void TlsFront::be_abrupt() { state_->is_abrupt = true; }
const std::vector<std::string>& TlsFront::names() const { return state_->names; }
int TlsFront::handshakes() const { return state_->handshakes; }
int TlsFront::goodbyes() const { return state_->goodbyes; }
const std::vector<std::string>& TlsFront::failures() const { return state_->failures; }

}  // namespace kakehashi::test
