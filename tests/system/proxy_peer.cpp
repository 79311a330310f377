#include "tests/system/proxy_peer.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "tests/system/relay.hpp"

namespace kakehashi::test {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

struct ProxyPeer::State {
  State(asio::io_context& context, Rules given)
      : acceptor(context, {asio::ip::make_address("127.0.0.1"), 0}), rules(std::move(given)) {}

  tcp::acceptor acceptor;
  Rules rules;
  std::vector<std::string> requests;
};

class ProxyPeer::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, std::shared_ptr<State> state)
      : state_(std::move(state)), client_(std::move(socket)), server_(client_.get_executor()) {}

  static void accept(const std::shared_ptr<State>& state) {
    state->acceptor.async_accept([state](error_code failed, tcp::socket socket) {
      if (!failed) {
        std::make_shared<Session>(std::move(socket), state)->read();
        accept(state);
      }
    });
  }

 private:
  enum class Step { greeting, login, request, http, carrying };

  void read() {
    client_.async_read_some(asio::buffer(buffer_),
                            [self = shared_from_this()](error_code failed, std::size_t size) {
                              if (!failed) {
                                self->heard_.append(self->buffer_.data(), size);
                                self->go_on();
                              }
                            });
  }

  void go_on() {
    const auto& rules = state_->rules;
    if (step_ == Step::greeting && rules.kind == Kind::http) {
      step_ = Step::http;
    }
    bool has_taken = !rules.is_mute;
    while (has_taken && step_ != Step::carrying) {
      has_taken = step_ == Step::http       ? take_http()
                  : step_ == Step::greeting ? take_greeting()
                  : step_ == Step::login    ? take_login()
                                            : take_request();
    }
    if (step_ != Step::carrying) {
      read();
    }
  }

  unsigned byte(std::size_t at) const { return static_cast<unsigned char>(heard_[at]); }

  bool take_greeting() {
    if (heard_.size() < 2 || heard_.size() < 2 + byte(1)) {
      return false;
    }
    const char wanted = state_->rules.user.empty() ? '\0' : '\2';
    const bool is_offered = heard_.substr(2, byte(1)).find(wanted) != std::string::npos;
    heard_.erase(0, 2 + byte(1));
    say(std::string{5, is_offered ? wanted : '\xff'});
    step_ = wanted == '\0' ? Step::request : Step::login;
    return is_offered;
  }

  bool take_login() {
    if (heard_.size() < 2 || heard_.size() < 3 + byte(1) ||
        heard_.size() < 3 + byte(1) + byte(2 + byte(1))) {
      return false;
    }
    const auto user = heard_.substr(2, byte(1));
    const auto password = heard_.substr(3 + user.size(), byte(2 + user.size()));
    heard_.erase(0, 3 + user.size() + password.size());
    const bool is_right = user == state_->rules.user && password == state_->rules.password;
    say(std::string{1, is_right ? '\0' : '\1'});
    step_ = Step::request;
    return is_right;
  }

  bool take_request() {
    if (heard_.size() < 5) {
      return false;
    }
    const bool is_name = byte(3) == 3;
    const std::size_t length = is_name ? 1 + byte(4) : byte(3) == 1 ? 4 : 16;
    if (heard_.size() < 4 + length + 2) {
      return false;
    }
    std::string host = heard_.substr(is_name ? 5 : 4, is_name ? length - 1 : length);
    if (byte(3) == 1) {
      asio::ip::address_v4::bytes_type bytes{};
      std::copy(host.begin(), host.end(), bytes.begin());
      host = asio::ip::address_v4(bytes).to_string();
    }
    const auto port = byte(4 + length) * 256 + byte(5 + length);
    heard_.erase(0, 4 + length + 2);
    const std::string bound("\1\0\0\0\0\0\0", 7);
    open(host + ":" + std::to_string(port), std::string("\5\0\0", 3) + bound,
         std::string{5, static_cast<char>(state_->rules.socks_failure), 0} + bound);
    return false;
  }

  bool take_http() {
    const auto end = heard_.find("\r\n\r\n");
    if (end == std::string::npos) {
      return false;
    }
    const auto head = heard_.substr(0, end + 2);
    heard_.erase(0, end + 4);
    const auto& rules = state_->rules;
    if (!rules.user.empty() && credentials_in(head) != rules.user + ":" + rules.password) {
      say("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 3\r\n\r\nno\n");
      return false;
    }
    const auto begin = head.find(' ') + 1;
    open(head.substr(begin, head.find(' ', begin) - begin), "HTTP/1.1 200 OK\r\nX: y\r\n\r\n",
         "HTTP/1.1 " + rules.http_failure + "\r\n\r\n<html>");
    return false;
  }

  static std::string credentials_in(const std::string& head) {
    const std::string field = "Proxy-Authorization: Basic ";
    const auto at = head.find(field);
    if (at == std::string::npos) {
      return "";
    }
    const auto begin = at + field.size();
    const auto encoded = head.substr(begin, head.find("\r\n", begin) - begin);
    std::string decoded(encoded.size(), '\0');
    const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(decoded.data()),
                                     reinterpret_cast<const unsigned char*>(encoded.data()),
                                     static_cast<int>(encoded.size()));
    decoded.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return decoded.substr(0, decoded.find('\0'));  // the padding decodes to NUL
  }

  void open(const std::string& target, const std::string& yes, const std::string& no) {
    state_->requests.push_back(target);
    const auto found = state_->rules.hosts.find(target);
    if (found == state_->rules.hosts.end()) {
      say(no);
      return;
    }
    step_ = Step::carrying;
    server_.connect({asio::ip::make_address("127.0.0.1"), found->second});
    say(yes);
    carry(shared_from_this(), client_, server_, [self = shared_from_this()] {
      error_code ignored;
      self->server_.shutdown(tcp::socket::shutdown_send, ignored);
    });
    carry(shared_from_this(), server_, client_, [self = shared_from_this()] {
      error_code ignored;
      self->client_.close(ignored);
    });
  }

  void say(const std::string& bytes) { asio::write(client_, asio::buffer(bytes)); }

  std::shared_ptr<State> state_;
  tcp::socket client_;
  tcp::socket server_;
  std::array<char, 1024> buffer_{};
  std::string heard_;
  Step step_ = Step::greeting;
};

ProxyPeer::ProxyPeer(asio::io_context& context, Rules rules)
    : state_(std::make_shared<State>(context, std::move(rules))) {
  Session::accept(state_);
}

ProxyPeer::~ProxyPeer() { state_->acceptor.close(); }

std::uint16_t ProxyPeer::port() const { return state_->acceptor.local_endpoint().port(); }
const std::vector<std::string>& ProxyPeer::requests() const { return state_->requests; }
void ProxyPeer::stop_listening() { state_->acceptor.close(); }

}  // namespace kakehashi::test
