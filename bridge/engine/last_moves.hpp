// What the last moves of the game have shown of something that takes time. Pure arithmetic on what it is told.
#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <optional>

#include "base/time.hpp"

namespace kakehashi::bridge {

/// The largest sample of each of the last ten moves, and of the one that runs. Judged without the largest of them: one
/// accident in ten moves is forgiven, two are believed.
class LastMoves {
  static constexpr std::size_t size = 11;

 public:
  /// With room for one more: they are looked at while a clock runs, so that no memory is asked for.
  using Samples = boost::container::static_vector<base::Millis, size + 1>;

  /// One measurement above `most` is no rule for any move.
  explicit LastMoves(base::Millis most) : most_(most) {}

  void take(base::Millis sample);
  void end_move();
  [[nodiscard]] Samples samples() const;
  [[nodiscard]] bool has_present() const { return moves_.front().has_value(); }
  [[nodiscard]] std::size_t count() const;
  /// The largest but one; 0 where there are fewer than two.
  [[nodiscard]] base::Millis repeated() const { return repeated_; }
  /// Half are no larger; nothing while they are few.
  [[nodiscard]] std::optional<base::Millis> middle() const;
  /// The largest of the move that runs and the two before it.
  [[nodiscard]] base::Millis lately() const;

 private:
  void judge();

  static constexpr std::size_t late_moves = 3;
  static constexpr std::size_t few = 3;
  base::Millis most_;
  std::array<std::optional<base::Millis>, size> moves_{};  ///< the one that runs first
  base::Millis repeated_{0};
};

/// What a value should be expected to need that was seen to need so long.
[[nodiscard]] inline base::Millis with_reserve(base::Millis seen) { return seen + seen / 2; }

/// How long an engine takes to obey "stop", in time or not.
class StopDelays {
 public:
  /// From "stop" to the engine's answer.
  void take(base::Millis delay) { delays_.take(delay); }
  /// What another process of the same program has shown, until this one has answered anything.
  void take_over(const StopDelays& other) {
    if (!is_own_) {
      delays_ = other.delays_;
    }
  }
  /// It has answered, told to or by itself: what is taken from here on belongs to its next move.
  void end_move() {
    delays_.end_move();
    is_own_ = true;
  }

  /// What it should be given. A slow one is believed at once, since an engine that always needs so long would be
  /// overtaken by the rescue on every move; 0: it never had to.
  [[nodiscard]] base::Millis expected() const;
  /// The same where one accident is forgiven.
  [[nodiscard]] base::Millis usual() const { return with_reserve(delays_.repeated()); }
  /// It has to be told to stop again and again.
  [[nodiscard]] bool are_usual() const { return delays_.repeated().count() > 0; }

 private:
  LastMoves delays_{base::Millis{2'000}};
  bool is_own_ = false;
};

}  // namespace kakehashi::bridge
