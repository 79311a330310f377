// What a service supervisor wants to hear, in systemd's words (sd_notify(3)): ready, the present
// state, alive, stopping. Written by hand: it is one datagram. Without a supervisor it does nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"

namespace kakehashi::bridge::fleet::io {

class Supervisor {
 public:
  /// `socket` as in NOTIFY_SOCKET: a path, or "@name" for an abstract one; empty: no supervisor.
  /// `watchdog_usec` as in WATCHDOG_USEC: after so long a silence we are considered hung; empty or
  /// not a positive number: no watchdog.
  Supervisor(std::string socket, std::string_view watchdog_usec);
  /// Takes NOTIFY_SOCKET and WATCHDOG_USEC from the environment, and out of it, so that engines
  /// do not inherit them; WATCHDOG_USEC only when WATCHDOG_PID is ours or is not set.
  [[nodiscard]] static Supervisor from_environment();

  void ready() const { send("READY=1"); }
  void status(std::string_view text) const;  ///< one line
  void stopping() const { send("STOPPING=1"); }
  void alive() const { send("WATCHDOG=1"); }

  /// How often alive() is wanted: half the watchdog's limit. Nothing: never.
  [[nodiscard]] std::optional<base::Millis> alive_interval() const { return alive_interval_; }

 private:
  void send(std::string_view state) const;

  std::string socket_;
  std::optional<base::Millis> alive_interval_;
};

}  // namespace kakehashi::bridge::fleet::io
