// The room watch/io: the sockets of the status page, and how messages reach people. It owns connections, webhooks and
// commands; it decides no answer, and neither what is told nor when: watch does.
//
// Both ends of the status page's socket. The server accepts, reads one request, writes one answer, or a stream of events.
// It never holds the games up: connections are few and bounded, and a slow reader is dropped. It decides no answer
// (http_answer does) and knows no bot. The reader asks for one page: it is that of `kakehashi health`, `status` and `top`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/message.hpp"
#include "base/result.hpp"
#include "base/secret.hpp"
#include "base/time.hpp"
#include "watch/http_answer.hpp"
#include "words/words.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::watch::io {

struct HttpOptions {
  std::string address = "127.0.0.1";  ///< an IPv4 or IPv6 address
  std::uint16_t port = 0;             ///< 0: any free one, told by start()
  base::Secret token;                 ///< needed where `address` is not loopback
};

class HttpServer {
 public:
  HttpServer(boost::asio::io_context& context, HttpOptions options, HttpSources sources);
  /// As stop().
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Opens the port. The port, or why not: an address that is not loopback
  /// without a token, a port in use.
  [[nodiscard]] base::Result<std::uint16_t, base::Message> start();
  void stop();
  /// Something changed: streams get an event, at most one each `event_pause`.
  void changed();

  /// When so many are there, the longest silent one that has asked nothing yet makes room.
  static constexpr std::size_t connections_max = 32;
  static constexpr std::size_t streams_max = 16;
  static constexpr std::size_t header_bytes_max = std::size_t{8} * 1024;
  static constexpr base::Millis timeout{10'000};
  static constexpr base::Millis event_pause{250};

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;  ///< shared with its pending handlers
};

// --- reading one page of a running bridge

struct HttpPlace {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  base::Secret token;
  words::Language language = words::Language::english;  ///< that answers for people are wanted in
};

struct HttpReply {
  int status = 0;
  std::string body;  ///< at most http_body_max bytes
};

inline constexpr std::size_t http_body_max = std::size_t{4} * 1024 * 1024;

/// Blocks for at most `timeout`. The error says why there is no reply.
[[nodiscard]] base::Result<HttpReply, base::Message> http_get(const HttpPlace& place, const std::string& path,
                                                              base::Millis timeout);

}  // namespace kakehashi::watch::io
