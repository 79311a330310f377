// The way between one place and the server: how long a segment takes, and when nothing goes through. It
// belongs to the place and not to a connection: any client there, at any time, is under the same.
#pragma once

#include <vector>

#include "base/time.hpp"
#include "sim/scenario.hpp"

namespace kakehashi::sim {

class Way {
 public:
  enum class Direction { up, down };  ///< to the server, to the client

  explicit Way(const Delays& delays) : delays_(delays) {}

  /// Nothing goes through in [from, to). What is sent then is repeated with pauses that double, as TCP does.
  void cut_out(base::Millis from, base::Millis to) { gaps_.push_back({from, to, true, true, false}); }
  /// What is sent that way in [from, to) arrives no sooner than at `to`: a queue somewhere.
  void hold(Direction direction, base::Millis from, base::Millis to) {
    gaps_.push_back({from, to, direction == Direction::up, direction == Direction::down, true});
  }

  /// When a segment arrives that is sent at that instant and takes `delay` once it goes through.
  [[nodiscard]] base::Millis arrival(Direction direction, base::Millis sent, base::Millis delay) const;
  /// The same behind another segment of that connection, which arrives at `last`: they keep their order, and
  /// what is sent behind one that must be repeated goes with it.
  [[nodiscard]] base::Millis arrival_behind(Direction direction, base::Millis last, base::Millis sent,
                                            base::Millis delay) const;
  /// The longest that an ordinary segment takes.
  [[nodiscard]] base::Millis ordinary_max() const { return delays_.latency + delays_.jitter_max; }
  [[nodiscard]] bool is_out(base::Millis at) const;
  [[nodiscard]] const Delays& delays() const { return delays_; }

 private:
  struct Gap {
    base::Millis from;
    base::Millis to;
    bool up;
    bool down;
    bool is_queue;
  };
  [[nodiscard]] const Gap* gap_at(Direction direction, base::Millis at) const;

  Delays delays_;
  std::vector<Gap> gaps_;
};

}  // namespace kakehashi::sim
