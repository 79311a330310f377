// What a service supervisor wants to hear: in systemd's words (sd_notify(3)) that the process is ready, its present state,
// that it is alive, that it stops. Also when it is ready, and which state is shown of a bot. Who says it, and of whom, is
// the fleet's business.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"
#include "base/time.hpp"
#include "bridge/fact.hpp"
#include "bridge/view.hpp"

namespace kakehashi::daemon {

/// Written by hand: it is one datagram. Without a supervisor it does nothing.
class Systemd {
 public:
  /// `socket` as in NOTIFY_SOCKET: a path, or "@name" for an abstract one; empty: no supervisor.
  /// `watchdog_usec` as in WATCHDOG_USEC: after so long a silence we are considered hung; empty or
  /// not a positive number: no watchdog.
  Systemd(std::string socket, std::string_view watchdog_usec);
  /// Takes NOTIFY_SOCKET and WATCHDOG_USEC from the environment, and out of it, so that engines
  /// do not inherit them; WATCHDOG_USEC only when WATCHDOG_PID is ours or is not set.
  [[nodiscard]] static Systemd from_environment();

  [[nodiscard]] bool is_there() const { return !socket_.empty(); }
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

/// When the process is ready in its supervisor's eyes: as soon as every bot has been tried, or when that takes too long. A
/// bot has been tried when it is logged in, is done, or has met its first trouble: one bot's trouble must keep no other
/// from counting as started.
class Readiness {
 public:
  /// `tell` is called once, from the loop or from inside tried().
  Readiness(boost::asio::io_context& context, std::function<void()> tell);

  /// Once, when all bots are known.
  void start(std::size_t bots_count, base::Millis within);
  void tried(std::size_t bot);
  void stop();

  static constexpr base::Millis default_within{60'000};

 private:
  void tell_once();

  boost::asio::steady_timer timer_;
  std::function<void()> tell_;
  std::vector<bool> tried_;
  bool has_told_ = false;
};

/// Whether it keeps a bot from playing.
[[nodiscard]] bool is_trouble(const bridge::Fact& fact);

/// What is shown of a bot (systemd's STATUS): connected, waiting since when, or the game in one line. Pure but for the zone
/// in which times are told.
class ServiceStatus {
 public:
  /// Whether it is time to look again: engines change their minds many times a second, and a view
  /// costs a copy of the game. A new phase need not wait for it.
  [[nodiscard]] bool is_due(base::SteadyTime now) const;

  /// The line, when it is another than the last.
  [[nodiscard]] std::optional<base::Message> observe(const bridge::View& view, const base::Now& now);

  static constexpr base::Millis interval_min{1'000};

 private:
  std::optional<bridge::Phase> phase_;
  std::string since_;
  base::Message told_;
  std::optional<base::SteadyTime> looked_at_;
};

/// "waiting for a game since 14:03, 2 games finished"; "playing "floodgate-bot" as black, move 37,
/// +123 at depth 18": the evaluation from our own side. `since` is a time for people.
[[nodiscard]] base::Message describe_for_service(const bridge::View& view, const std::string& since);

}  // namespace kakehashi::daemon
