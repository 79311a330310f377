#include "watch/io/http_server.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace kakehashi::watch::io {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Failed = boost::system::error_code;

namespace {

constexpr const char* page_policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

constexpr base::Millis accept_pause{100};

/// One request and its answer; a stream of events stays.
class Visit : public std::enable_shared_from_this<Visit> {
 public:
  using Answer = std::function<HttpAnswer(const HttpRequest&)>;
  using Games = std::function<void(const std::string&, std::function<void(HttpAnswer)>)>;

  Visit(tcp::socket socket, Answer answer, Games games)
      : stream_(std::move(socket)), answer_(std::move(answer)), games_(std::move(games)) {
    parser_.header_limit(HttpServer::header_bytes_max);
    parser_.body_limit(0);
  }

  void start() {
    stream_.expires_after(HttpServer::timeout);
    http::async_read_header(stream_, buffer_, parser_,
                            [self = shared_from_this()](Failed failed, std::size_t) {
                              if (!failed) {
                                self->reply();
                              }
                            });
  }

  [[nodiscard]] bool is_streaming() const { return is_streaming_; }
  [[nodiscard]] bool has_asked() const { return has_asked_; }

  /// While an earlier event is still on its way only the latest waits: it holds all that is new.
  void send_event(const std::string& event) {
    if (!is_streaming_) {
      return;
    }
    if (is_writing_) {
      waiting_event_ = event;
    } else {
      write_event(event);
    }
  }

  void close() {
    Failed ignored;
    stream_.socket().close(ignored);
    is_streaming_ = false;
  }

 private:
  static std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

  void reply() {
    has_asked_ = true;
    const auto& request = parser_.get();
    HttpAnswer answer = answer_({text_of(request.method_string()), text_of(request.target()),
                                 text_of(request[http::field::host]),
                                 text_of(request[http::field::authorization]),
                                 request[http::field::accept_language].starts_with("ja") ? words::Language::japanese
                                                                                         : words::Language::english});
    if (answer.comes_later) {
      stream_.expires_never();
      games_(text_of(request.target()),
             [self = shared_from_this()](const HttpAnswer& later) { self->send(later); });
      return;
    }
    send(answer);
  }

  void send(const HttpAnswer& answer) {
    if (!stream_.socket().is_open()) {
      return;  // the server was stopped meanwhile
    }
    const bool is_head = parser_.get().method() == http::verb::head;
    auto& response = response_.emplace(static_cast<http::status>(answer.status), 11);
    response.set(http::field::content_type, answer.content_type);
    response.set("X-Content-Type-Options", "nosniff");
    response.set(http::field::cache_control, "no-store");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Content-Security-Policy", page_policy);
    response.set(http::field::connection, "close");
    if (answer.status == 401) {
      response.set(http::field::www_authenticate, "Bearer");
    }
    if (!answer.is_stream) {
      response.content_length(answer.body.size());
    }
    is_streaming_ = answer.is_stream && !is_head;
    if (is_head || answer.is_stream) {
      waiting_event_ = is_streaming_ ? answer.body : "";
      serializer_.emplace(response);
      http::async_write_header(stream_, *serializer_, when_written());
    } else {
      response.body() = answer.body;
      http::async_write(stream_, response, when_written());
    }
  }

  void write_event(std::string event) {
    event_ = std::move(event);
    asio::async_write(stream_, asio::buffer(event_), when_written());
  }

  /// Of what is to be written now.
  [[nodiscard]] std::function<void(Failed, std::size_t)> when_written() {
    is_writing_ = true;
    stream_.expires_after(HttpServer::timeout);
    return [self = shared_from_this()](Failed failed, std::size_t) { self->on_written(failed); };
  }

  void on_written(Failed failed) {
    is_writing_ = false;
    if (failed || !is_streaming_) {
      finish();
      return;
    }
    stream_.expires_never();
    watch();
    if (!waiting_event_.empty()) {
      write_event(std::exchange(waiting_event_, {}));
    }
  }

  /// A reader of events says nothing more; that it has gone is all there is to hear. This also keeps
  /// the stream alive between events.
  void watch() {
    if (std::exchange(is_watching_, true)) {
      return;
    }
    stream_.socket().async_wait(tcp::socket::wait_read,
                                [self = shared_from_this()](Failed) { self->close(); });
  }

  void finish() {
    Failed ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    close();
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{HttpServer::header_bytes_max};
  http::request_parser<http::empty_body> parser_;
  Answer answer_;
  Games games_;
  std::optional<http::response<http::string_body>> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;  ///< of a head alone
  std::string event_;                                                        ///< that is being written
  std::string waiting_event_;
  bool has_asked_ = false;
  bool is_writing_ = false;
  bool is_streaming_ = false;
  bool is_watching_ = false;
};

}  // namespace

class HttpServer::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& context, HttpOptions options, HttpSources sources)
      : acceptor_(context), options_(std::move(options)), sources_(std::move(sources)),
        pause_(context), accept_pause_(context) {}

  base::Result<std::uint16_t, base::Message> start() {
    using Error = base::Failure<base::Message>;
    Failed failed;
    const auto address = asio::ip::make_address(options_.address, failed);
    if (failed) {
      return Error{base::say("the status address {} is no IP address", options_.address)};
    }
    if (!address.is_loopback() && options_.token.reveal().empty()) {
      return Error{base::say("the status page is for this machine only unless a token guards it: use 127.0.0.1, or give "
                             "--status-token-file")};
    }
    try {
      acceptor_ = tcp::acceptor(acceptor_.get_executor(), {address, options_.port});
    } catch (const boost::system::system_error& failure) {
      return Error{base::say("the status port {} cannot be opened: {}", options_.port,
                             base::system_words(failure.code().message()))};
    }
    accept();
    return acceptor_.local_endpoint().port();
  }

  void stop() {
    Failed ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    accept_pause_.cancel();
    for (const auto& visit : visits()) {
      visit->close();
    }
  }

  void changed() {
    is_changed_ = true;
    if (is_pausing_) {
      return;
    }
    std::vector<std::shared_ptr<Visit>> streams = visits();
    std::erase_if(streams, [](const auto& visit) { return !visit->is_streaming(); });
    if (streams.empty()) {
      return;
    }
    is_changed_ = false;
    const std::string event = event_of(sources_.json());
    for (const auto& visit : streams) {
      visit->send_event(event);
    }
    is_pausing_ = true;
    pause_.expires_after(event_pause);
    pause_.async_wait([self = shared_from_this()](Failed failed) {
      self->is_pausing_ = false;
      if (!failed && self->is_changed_) {
        self->changed();
      }
    });
  }

 private:
  /// Those that are still there.
  std::vector<std::shared_ptr<Visit>> visits() {
    std::vector<std::shared_ptr<Visit>> alive;
    std::erase_if(visits_, [&](const std::weak_ptr<Visit>& visit) {
      auto shared = visit.lock();
      const bool is_gone = shared == nullptr;
      if (!is_gone) {
        alive.push_back(std::move(shared));
      }
      return is_gone;
    });
    return alive;
  }

  void accept() {
    acceptor_.async_accept([self = shared_from_this()](Failed failed, tcp::socket socket) {
      if (failed == asio::error::operation_aborted || !self->acceptor_.is_open()) {
        return;
      }
      if (failed) {
        self->accept_behind_pause();
        return;
      }
      if (self->has_room()) {
        auto visit = std::make_shared<Visit>(std::move(socket), [self](const HttpRequest& request) {
          return self->reply_to(request);
        }, self->sources_.games);
        self->visits_.push_back(visit);
        visit->start();
      }
      self->accept();
    });
  }

  /// The next attempt would meet the same at once, when there are no descriptors left.
  void accept_behind_pause() {
    accept_pause_.expires_after(accept_pause);
    accept_pause_.async_wait([self = shared_from_this()](Failed failed) {
      if (!failed && self->acceptor_.is_open()) {
        self->accept();
      }
    });
  }

  bool has_room() {
    const auto present = visits();
    if (present.size() < connections_max) {
      return true;
    }
    const auto silent = std::find_if(present.begin(), present.end(),
                                     [](const auto& visit) { return !visit->has_asked(); });
    if (silent == present.end()) {
      return false;
    }
    (*silent)->close();
    return true;
  }

  HttpAnswer reply_to(const HttpRequest& request) {
    auto reply = answer(request, options_.token, sources_);
    const auto present = visits();
    const auto streams = std::count_if(present.begin(), present.end(),
                                       [](const auto& visit) { return visit->is_streaming(); });
    if (reply.is_stream && static_cast<std::size_t>(streams) >= streams_max) {
      return refuse(503, "too many read the events already");
    }
    return reply;
  }

  tcp::acceptor acceptor_;
  HttpOptions options_;
  HttpSources sources_;
  std::vector<std::weak_ptr<Visit>> visits_;
  asio::steady_timer pause_;
  asio::steady_timer accept_pause_;
  bool is_pausing_ = false;
  bool is_changed_ = false;
};

HttpServer::HttpServer(asio::io_context& context, HttpOptions options, HttpSources sources)
    : impl_(std::make_shared<Impl>(context, std::move(options), std::move(sources))) {}

HttpServer::~HttpServer() { stop(); }

base::Result<std::uint16_t, base::Message> HttpServer::start() { return impl_->start(); }

void HttpServer::stop() { impl_->stop(); }

void HttpServer::changed() { impl_->changed(); }

// --- reading one page

base::Result<HttpReply, base::Message> http_get(const HttpPlace& place, const std::string& path, base::Millis timeout) {
  using NoReply = base::Failure<base::Message>;
  const bool is_v6 = place.host.find(':') != std::string::npos;
  const std::string where =
      (is_v6 ? "[" + place.host + "]" : place.host) + ":" + std::to_string(place.port);
  asio::io_context context;
  beast::tcp_stream stream(context);
  Failed failed;
  const auto succeeds = [&](auto begin) {
    begin([&failed](Failed why, const auto&) { failed = why; });
    context.restart();
    context.run();
    return !failed;
  };

  const auto endpoints = tcp::resolver(context).resolve(place.host, std::to_string(place.port), failed);
  stream.expires_after(timeout);  // for all that follows
  if (failed || !succeeds([&](auto then) { stream.async_connect(endpoints, then); })) {
    const Failed why = failed == beast::error::timeout ? Failed(asio::error::timed_out) : failed;
    return NoReply{base::say("nothing answers on {}: {}", where, base::system_words(why.message()))};
  }
  http::request<http::empty_body> request(http::verb::get, path, 10);
  request.set(http::field::host, where);
  if (!place.token.empty()) {
    request.set(http::field::authorization, "Bearer " + std::string(place.token.reveal()));
  }
  if (place.language == words::Language::japanese) {
    request.set(http::field::accept_language, "ja");
  }
  http::response_parser<http::string_body> parser;
  parser.body_limit(boost::none);  // what is longer is cut
  const std::string& body = parser.get().body();
  beast::flat_buffer buffer;
  bool goes_on = succeeds([&](auto then) { http::async_write(stream, request, then); });
  while (goes_on && !parser.is_done() && body.size() < http_body_max) {
    goes_on = succeeds([&](auto then) { http::async_read_some(stream, buffer, parser, then); });
  }
  if (!parser.is_header_done()) {
    return NoReply{base::say("what answers on {} does not speak HTTP", where)};
  }
  return HttpReply{static_cast<int>(parser.get().result_int()), body.substr(0, http_body_max)};
}

}  // namespace kakehashi::watch::io
