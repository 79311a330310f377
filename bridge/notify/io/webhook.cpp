#include "bridge/notify/io/webhook.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "csa/io/server_link.hpp"

namespace kakehashi::bridge::io {
namespace {

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
  const std::string bracketed =
      web.host.find(':') == std::string::npos ? web.host : "[" + web.host + "]";
  return "POST " + std::string(web.target.reveal()) + " HTTP/1.1\r\nHost: " + bracketed +
         (is_usual_port ? "" : ":" + std::to_string(web.port)) +
         "\r\nUser-Agent: kakehashi/" KAKEHASHI_VERSION "\r\nAccept: */*\r\nConnection: close\r\n"
         "Content-Type: " + content_type + "\r\nContent-Length: " + std::to_string(body.size() + 1) +
         "\r\n\r\n" + body;
}

/// "HTTP/1.1 204 No Content"; nothing when it is no such line.
std::optional<int> status_in(std::string_view line) {
  const auto words = base::split_words(line);
  const auto status = words.size() >= 2 && words[0].starts_with("HTTP/1.") ? base::parse_int(words[1])
                                                                          : std::nullopt;
  return status && *status >= 100 && *status <= 599 ? std::optional(static_cast<int>(*status)) : std::nullopt;
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
      const auto status = status_in(line);
      // What stands before the final status is 100 Continue and its empty line; later headers find
      // nobody any more.
      const bool is_first = !std::exchange(has_heard_, true);
      if (status && *status >= 200) {
        finish(*status, "HTTP status " + std::to_string(*status));
      } else if (!status && is_first) {
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
  bool has_heard_ = false;
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

}  // namespace kakehashi::bridge::io
