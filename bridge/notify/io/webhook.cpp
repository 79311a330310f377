#include "bridge/notify/io/webhook.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "base/text.hpp"
#include "csa/io/server_link.hpp"

namespace kakehashi::bridge::notify::io {
namespace {

namespace http = boost::beast::http;

csa::ServerAddress address_of(const WebAddress& web, const std::string& ca_file) {
  csa::ServerAddress address;
  address.host = web.host;
  address.port = web.port;
  if (web.is_tls) {
    address.tls.emplace().ca_file = ca_file;
  }
  return address;
}

/// The link adds a line end behind it, which counts as the last byte of the body.
std::string request_of(const WebAddress& web, const std::string& content_type, const std::string& body) {
  const bool is_usual_port = web.port == (web.is_tls ? 443 : 80);
  const std::string bracketed = web.host.find(':') == std::string::npos ? web.host : "[" + web.host + "]";
  http::request<http::empty_body> head(http::verb::post, web.target.reveal(), 11);
  head.set(http::field::host, bracketed + (is_usual_port ? "" : ":" + std::to_string(web.port)));
  head.set(http::field::user_agent, "kakehashi/" KAKEHASHI_VERSION);
  head.set(http::field::accept, "*/*");
  head.set(http::field::content_type, content_type);
  head.content_length(body.size() + 1);
  head.keep_alive(false);
  std::ostringstream text;
  text << head.base() << body;
  return std::move(text).str();
}

}  // namespace

class Webhook::Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(boost::asio::io_context& context, Done done)
      : link_(context, callbacks()), timer_(context), done_(std::move(done)) {}

  void start(const WebAddress& address, const std::string& ca_file, std::string request) {
    request_ = std::move(request);
    link_.connect(address_of(address, ca_file));
  }

  void drop() {
    done_ = {};
    timer_.cancel();
    link_.close();
  }

 private:
  csa::io::ServerLink::Callbacks callbacks() {
    csa::io::ServerLink::Callbacks callbacks;
    callbacks.connected = [this](const std::string&) {
      link_.write(request_);
      timer_.expires_after(timeout);
      timer_.async_wait([weak = weak_from_this()](boost::system::error_code failed) {
        const auto self = weak.lock();
        if (!failed && self) {
          self->finish(0, "no answer within " + base::format_millis(timeout.count()));
        }
      });
    };
    callbacks.line = [this](const std::string& line, bool) {
      boost::system::error_code fault;
      head_ += line + "\r\n";
      answer_.emplace().skip(true);
      answer_->put(boost::asio::buffer(head_), fault);
      if (answer_->is_header_done() && http::to_status_class(answer_->get().result()) == http::status_class::informational) {
        head_.clear();  // 100 Continue; the answer follows
      } else if (answer_->is_header_done()) {
        const auto status = static_cast<int>(answer_->get().result_int());
        finish(status, "HTTP status " + std::to_string(status));
      } else if (fault && fault != http::error::need_more) {
        finish(0, "the answer is no HTTP");
      }
    };
    callbacks.closed = [this](csa::io::HowClosed, const std::string& why) { finish(0, why); };
    return callbacks;
  }

  void finish(int status, const std::string& why) {
    timer_.cancel();
    link_.close();
    if (const Done done = std::exchange(done_, {})) {
      done(status, why);
    }
  }

  csa::io::ServerLink link_;
  boost::asio::steady_timer timer_;
  Done done_;
  std::string request_;
  std::string head_;  ///< of the answer, as far as it has come
  std::optional<http::response_parser<http::empty_body>> answer_;
};

Webhook::Webhook(boost::asio::io_context& context, std::string ca_file)
    : context_(context), ca_file_(std::move(ca_file)) {}

Webhook::~Webhook() { drop(); }

void Webhook::drop() {
  if (exchange_) {
    exchange_->drop();
  }
}

void Webhook::post(const WebAddress& address, const std::string& content_type, std::string body,
                   Done done) {
  drop();
  exchange_ = std::make_shared<Exchange>(context_, std::move(done));
  exchange_->start(address, ca_file_, request_of(address, content_type, body));
}

}  // namespace kakehashi::bridge::notify::io
