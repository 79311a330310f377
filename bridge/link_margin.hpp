// How much of a turn must be kept back for the way to the server, by measurement: the kernel's
// round trip and its spread, our own moves' echoes, what the server charged beyond our count, and
// how long the engine took to obey "stop". Pure arithmetic on what it is told; it reads no socket.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "base/time.hpp"

namespace kakehashi::bridge {

class LinkMargin {
 public:
  using Micros = std::chrono::microseconds;

  struct Bounds {
    base::Millis min{0};
    base::Millis max{0};
  };

  /// TCP_INFO: the smoothed round trip and its mean deviation.
  void take_round_trip(Micros rtt, Micros variance);
  /// From a move that left to its echo: a round trip with the server's own work in it.
  void take_echo(base::Millis delay);
  /// From LOGIN to its answer: what is known of the way until a move has come back. The kernel's
  /// round trip ends at a proxy, and this does not.
  void take_login(base::Millis delay);
  /// What the server charged for a move that we counted `used` for. T is rounded down, so only a
  /// surplus says something: as much was lost on the way at least.
  void take_charge(base::Millis used, base::Millis charged);
  /// From "stop" to the engine's answer.
  void take_stop(base::Millis delay);

  /// The way to the server and back as it should be expected: nothing may leave later than this
  /// before the flag.
  [[nodiscard]] base::Millis way() const;
  /// What the engine should be given to obey "stop", by the slowest of late; 0: it never had to.
  [[nodiscard]] base::Millis stop() const { return stop_ + stop_ / 2; }
  /// The whole margin: the way, one lost packet, and the engine's stop.
  [[nodiscard]] base::Millis margin(Bounds bounds) const;
  /// A round trip and its mean deviation: the kernel's, else our moves' echoes'.
  [[nodiscard]] std::optional<std::pair<Micros, Micros>> round_trip() const;
  [[nodiscard]] bool is_measured() const { return rtt_.has_value() || echo_.has_value(); }

  /// Before anything was measured.
  static constexpr base::Millis unmeasured{1'000};
  /// A packet is sent again no sooner than this after its round trip (Linux, TCP_RTO_MIN).
  static constexpr base::Millis retransmit_min{200};
  /// For the engine to stop, and for two machines to get round to it.
  static constexpr base::Millis stop_min{100};
  /// One measurement above this is an accident, and no rule for all moves.
  static constexpr base::Millis surplus_max{2'000};
  /// A login that took longer took it for its own sake.
  static constexpr base::Millis login_max{1'000};

 private:
  /// A mean and its deviation, smoothed as TCP smooths its own (RFC 6298).
  struct Smoothed {
    Micros mean{0};
    Micros deviation{0};
    void take(Micros sample);
  };

  [[nodiscard]] Micros mean() const;

  std::optional<Smoothed> rtt_;   ///< as the kernel says
  std::optional<Smoothed> echo_;
  base::Millis login_{0};
  base::Millis surplus_{0};       ///< the largest of late; it fades
  base::Millis stop_{0};          ///< the slowest of late; it fades
};

}  // namespace kakehashi::bridge
