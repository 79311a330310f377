// The signals of the process as requests; SIGPIPE and SIGXFSZ must not end anything.
#pragma once

#include <functional>
#include <memory>

#include "bridge/event.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::daemon {

/// The first request lets a running game finish, the second resigns it, any further one leaves at
/// once. `requests` counts from 1.
[[nodiscard]] bridge::Urgency urgency_of(int requests);

class Signals {
 public:
  struct Callbacks {
    /// `name` is "SIGTERM" or "SIGINT".
    std::function<void(bridge::Urgency urgency, const char* name)> stop_requested;
    // Each may be empty.
    std::function<void()> hangup{};            ///< SIGHUP
    std::function<void()> state_wanted{};      ///< SIGUSR1
    std::function<void()> successor_wanted{};  ///< SIGUSR2
  };

  /// At most one in a process at a time.
  Signals(boost::asio::io_context& context, Callbacks callbacks, int requests = 0);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// No callback any more; the handlers stay, so that a late signal does not kill the process
  /// while it says good-bye. Lets io_context::run() return.
  void stop();

 private:
  class Listener;
  /// Shared with its pending handler, which outlives the object when it is destroyed.
  std::shared_ptr<Listener> listener_;
};

}  // namespace kakehashi::daemon
