// The two ways in which a message leaves: to a webhook, and to a command. Neither knows why a message is sent nor whether
// it is tried again.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "base/time.hpp"
#include "watch/notices.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::watch::io {

/// One message at a time to a webhook: an HTTP POST over the server link's sockets and TLS, and the status that comes back.
class Webhook {
 public:
  /// `status` of HTTP, or 0 and why there is none. Never shows the address's path.
  using Done = std::function<void(int status, const base::Message& why)>;
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

/// One run at a time of a command that is told something: a text on its standard input, which is closed behind it. No
/// shell. What it prints goes nowhere, and it is killed when it takes too long.
class CommandHook {
 public:
  /// Empty: it ended with status 0. Else why not.
  using Done = std::function<void(const base::Message& why)>;
  static constexpr base::Millis timeout{30'000};
  /// A pipe holds that much at once.
  static constexpr std::size_t input_bytes_max = std::size_t{32} * 1024;

  explicit CommandHook(boost::asio::io_context& context) : context_(context) {}
  /// As drop().
  ~CommandHook();
  CommandHook(const CommandHook&) = delete;
  CommandHook& operator=(const CommandHook&) = delete;

  /// One at a time, from the main thread. `done` is called once, from the io_context.
  void run(const std::vector<std::string>& command, const std::string& input, Done done);
  /// Kills what still runs; `done` is not called any more.
  void drop();

 private:
  class Child;
  boost::asio::io_context& context_;
  std::shared_ptr<Child> child_;  ///< shared with its handlers
};

}  // namespace kakehashi::watch::io
