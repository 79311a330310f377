// One message to a webhook: an HTTP POST over the server link's sockets and TLS, and the status that
// comes back. It knows neither why a message is sent nor whether it is tried again.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/time.hpp"
#include "bridge/notify/web_address.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::bridge::notify::io {

class Webhook {
 public:
  /// `status` of HTTP, or 0 and why there is none. Never shows the address's path.
  using Done = std::function<void(int status, std::string why)>;
  static constexpr base::Millis timeout{15'000};  ///< for the answer, once connected

  /// `ca_file`: the authorities to trust in place of the system's; empty: the system's.
  Webhook(boost::asio::io_context& context, std::string ca_file = "");
  /// As drop().
  ~Webhook();
  Webhook(const Webhook&) = delete;
  Webhook& operator=(const Webhook&) = delete;

  /// One at a time. `done` is called once, from the io_context.
  void post(const WebAddress& address, const std::string& content_type, std::string body, Done done);
  /// `done` is not called any more.
  void drop();

 private:
  class Exchange;
  boost::asio::io_context& context_;
  std::string ca_file_;
  std::shared_ptr<Exchange> exchange_;  ///< shared with its timer's handler
};

}  // namespace kakehashi::bridge::notify::io
