// Whether the thread that plays should run before all ordinary ones now: while the machine has no processor to spare, and
// about the instants that decide a game. It must not know what a thread is, nor read a clock.
//
// Always would be simpler, and slower: the kernel wakes a real-time thread where it ran last, on a processor that
// sleeps, and pulls an ordinary one to the processor that has the news already.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.hpp"

namespace kakehashi::base {

class PriorityChoice {
 public:
  /// How long the thread has been ready and found no processor, and how often it was given one, in all.
  struct Waited {
    std::chrono::nanoseconds time{0};
    std::int64_t turns = 0;

    /// Of a line "RUN WAIT SLICES" of /proc/…/schedstat, in nanoseconds (Documentation/scheduler/sched-stats.rst of the
    /// kernel); nothing of any other.
    [[nodiscard]] static std::optional<Waited> read(std::string_view line);
  };
  /// `waited`: nothing where the system does not tell, and then it always runs before others. `due`: the next instant that
  /// may decide a game. To be asked every look_every. True: before others.
  [[nodiscard]] bool look(SteadyTime now, std::optional<Waited> waited, std::optional<SteadyTime> due);
  /// The same where an instant becomes due between two looks. True: before others.
  [[nodiscard]] bool expect(SteadyTime now, SteadyTime due);
  /// It is not asked for a while: what was waited until then tells nothing.
  void pause() { before_.reset(); }

  static constexpr Millis look_every{1'000};
  /// So long before an instant that is due; a look comes in between.
  static constexpr Millis ahead{2'000};
  static constexpr Millis behind{1'000};
  /// Between two looks a thread with processors to spare waits less, of all its turns together, or less for each: of a
  /// virtual machine a processor that sleeps takes 100 to 350 µs to wake up. Nor is a look so late.
  static constexpr std::chrono::nanoseconds crowded{std::chrono::milliseconds{2}};
  static constexpr std::chrono::nanoseconds crowded_each{std::chrono::microseconds{500}};
  /// Before it is tried without again; doubled while that fails within `trial`.
  static constexpr Millis stay_min{30'000};
  static constexpr Millis stay_max{480'000};
  static constexpr Millis trial{10'000};

 private:
  void raise_until(SteadyTime until);

  struct Look {
    SteadyTime at;
    Waited waited;
  };
  [[nodiscard]] static bool is_crowded(const Look& before, const Look& now);

  std::optional<Look> before_;  ///< the last one, of an ordinary thread
  std::optional<SteadyTime> lowered_at_;
  std::optional<SteadyTime> raised_until_;
  Millis stay_ = stay_min;
};

}  // namespace kakehashi::base
