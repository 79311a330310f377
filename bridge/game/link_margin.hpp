// How much of a turn must be kept back, by measurement: the way to the server (the kernel's round trip,
// our own moves' echoes, what the server charged beyond our count), and how late our own timer rang. Pure arithmetic on what it is told; it reads no socket.
//
// Each figure is judged by the last ten moves, and its largest sample is left out: one accident in ten
// moves is forgiven, two are believed. Ten moves may by chance lie close together on a way that varies: how far echoes
// mostly lie from their mean is remembered for longer.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/time.hpp"
#include "bridge/engine/last_moves.hpp"

namespace kakehashi::bridge {

class LinkMargin {
 public:
  using Micros = std::chrono::microseconds;

  struct Bounds {
    base::Millis min{0};
    base::Millis max{0};
  };

  /// TCP_INFO: the smoothed round trip and its mean deviation. They count until two moves have come
  /// back over the connection: behind an accident the kernel's figures stay high for many moves.
  void take_round_trip(Micros rtt, Micros variance);
  /// From LOGIN to its answer: what is known of the way until moves have come back. The kernel's
  /// round trip ends at a proxy, and this does not. A new connection begins.
  void take_login(base::Millis delay);
  /// From a move that left to its echo: a round trip with the server's own work in it.
  void take_echo(base::Millis delay);
  /// What the server charged for a move that we counted `used` for. T is rounded down, so only a
  /// surplus says something: as much was lost on the way at least.
  void take_charge(base::Millis used, base::Millis charged);
  /// From the deadline that our timer was armed for to the instant at which it was seen. Until ten are known,
  /// each counts as a move of its own.
  void take_lateness(base::Millis delay);
  /// A move of ours stands: what is taken from here on belongs to the next one.
  void end_move();

  /// What the next move should be expected to meet.
  struct Estimate {
    /// To the server and back: nothing may leave later than this before the flag.
    base::Millis way{0};
    /// The same as it mostly is: accidents hardly count.
    base::Millis mean_way{0};
    /// How late this process gets round to what is due.
    base::Millis lateness{0};
    /// How far the way and our lateness may lie beyond what is expected of them: few moves tell only roughly.
    base::Millis unsure{0};
    Micros mean{0};       ///< of the way
    Micros deviation{0};  ///< from that
  };
  [[nodiscard]] const Estimate& estimate() const { return estimate_; }
  [[nodiscard]] base::Millis way() const { return estimate().way; }
  [[nodiscard]] base::Millis lateness() const { return estimate().lateness; }
  /// Nothing is known of it for the move that runs, or too little for the last ones.
  [[nodiscard]] bool wants_lateness() const { return !late_.has_present() || is_lateness_new(); }
  /// The whole margin: the way, our lateness, and one lost packet or the stop of the engine that is to answer.
  [[nodiscard]] base::Millis margin(Bounds bounds, const StopDelays& stops) const;
  /// A round trip and its mean deviation: the kernel's, else our moves' echoes'.
  [[nodiscard]] std::optional<std::pair<Micros, Micros>> round_trip() const;
  [[nodiscard]] bool is_measured() const { return rtt_.has_value() || echo_.count() > 0; }

  /// Before anything was measured.
  static constexpr base::Millis unmeasured{1'000};
  /// A packet is sent again no sooner than this after its round trip (Linux, TCP_RTO_MIN).
  static constexpr base::Millis retransmit_min{200};
  /// For the engine to stop, where nothing is known of it.
  static constexpr base::Millis stop_min{100};
  /// For two machines to get round to it.
  static constexpr base::Millis slack{20};
  /// One measurement above this is no rule for any move.
  static constexpr base::Millis sample_max{2'000};
  /// Neither is an echo or a login above this; but no way that games are played over is cut.
  static constexpr base::Millis echo_max{5'000};
  /// Where the kernel says how long the way is, a login that took longer took it for its own sake.
  static constexpr base::Millis login_max{1'000};
  static constexpr std::size_t lateness_samples_min = 10;

 private:
  struct Spread {
    Micros mean{0};
    Micros deviation{0};
    Micros largest{0};
    /// What spreads evenly, as jitter and a processor's time slices do, ends two deviations above its mean; ten
    /// samples tell both only roughly.
    [[nodiscard]] Micros most() const { return std::max(largest, mean + 3 * deviation); }
  };

  /// Without the largest sample, where there is another.
  [[nodiscard]] static Spread spread_of(LastMoves::Samples samples);
  /// Of the whole way, whose echoes these are.
  [[nodiscard]] Spread spread(LastMoves::Samples echoes) const;
  [[nodiscard]] Spread lateness_spread() const;
  [[nodiscard]] bool is_lateness_new() const { return late_.count() < lateness_samples_min; }
  /// A clock runs when the estimate is asked for, mostly more than once, and none when something is taken.
  void judge();
  /// Takes the sample for the long memory of how far echoes mostly lie from their mean.
  void remember_distance(base::Millis echo);
  [[nodiscard]] bool kernel_counts() const { return rtt_ && echoes_here_ < 2; }

  std::optional<std::pair<Micros, Micros>> rtt_;  ///< as the kernel says, with its deviation
  std::optional<base::Millis> login_;
  std::optional<Micros> connected_in_;  ///< the kernel's round trip as of the login
  int echoes_here_ = 0;  ///< over the present connection
  LastMoves echo_{echo_max};
  std::optional<Micros> usual_deviation_;  ///< of echoes; nothing while they are few
  LastMoves surplus_{sample_max};
  LastMoves late_{sample_max};
  Estimate estimate_;
};

}  // namespace kakehashi::bridge
