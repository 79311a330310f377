// How often the engine of a seat has failed in a row, and what follows: how soon another process is started, when
// nobody should wait for it any more, and when it is given up. A value; it knows no process.
#pragma once

#include <algorithm>
#include <string>

#include "base/text.hpp"
#include "base/time.hpp"

namespace kakehashi::bridge {

class EngineFailures {
 public:
  /// A process is gone that was not asked to go.
  void on_failure(bool was_ready, base::SteadyTime now) {
    boots_ = was_ready ? 0 : boots_ + 1;
    if (boots_ == 1) {
      missing_since_ = now;
    }
    is_last_word_ = true;
    ++losses_;
  }
  void on_ready() {
    boots_ = 0;
    is_last_word_ = false;
    has_been_ready_ = true;
  }
  void on_answer() { losses_ = 0; }

  /// The last thing that happened.
  [[nodiscard]] bool is_last_word() const { return is_last_word_; }
  /// It has never come to readyok since it last did, or since the start, in so many attempts.
  [[nodiscard]] int boots() const { return boots_; }
  /// Not to be waited for: it fails to get ready again and again.
  [[nodiscard]] bool is_missing() const { return boots_ >= attempts_max; }
  /// Nor is it to be tried any more.
  [[nodiscard]] bool is_hopeless(base::SteadyTime now) const {
    return is_missing() && (!has_been_ready_ || now - missing_since_ >= missing_max);
  }
  /// An engine that stays missing is told of ever more rarely.
  [[nodiscard]] bool is_old_news() const { return boots_ > attempts_max && (boots_ & (boots_ - 1)) != 0; }

  /// The first restart is immediate: a game may be waiting. Later ones come slower, up to 8 s, and slower still where
  /// the engine goes on failing to get ready.
  [[nodiscard]] base::Millis pause() const {
    if (losses_ <= 1) {
      return base::Millis{0};
    }
    constexpr base::Millis in_a_game_max{8'000};
    return std::min(is_missing() ? pause_max : in_a_game_max,
                    base::Millis{1'000} * (1 << std::min(losses_ - 2, 6)));
  }

  /// "; restarting in 2 s, attempt 3 of 5".
  [[nodiscard]] std::string next_step() const {
    std::string next = pause().count() == 0 ? "; restarting now"
                                            : "; restarting in " + base::format_millis(pause().count());
    if (boots_ > 0) {
      next += ", attempt " + std::to_string(boots_ + 1) +
              (has_been_ready_ ? " (for up to " + base::format_millis(missing_max.count()) + ")"
                               : " of " + std::to_string(attempts_max));
    }
    return next;
  }

  /// Failures to get ready in a row before an engine that was never ready is given up.
  static constexpr int attempts_max = 5;
  /// One that was ready before is tried again for so long: a file that is missing may come back.
  static constexpr base::Millis missing_max{3'600'000};
  /// Between attempts to start an engine that goes on failing.
  static constexpr base::Millis pause_max{60'000};

 private:
  int boots_ = 0;   ///< without reaching readyok
  int losses_ = 0;  ///< without an answered search
  bool is_last_word_ = false;
  bool has_been_ready_ = false;
  base::SteadyTime missing_since_{};  ///< the first failure to get ready
};

}  // namespace kakehashi::bridge
