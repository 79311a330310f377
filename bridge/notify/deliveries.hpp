// What waits to be told to one receiver: in order, one at a time, tried again with growing pauses,
// never more than a few. Pure; time is an argument, sending is the shell's business.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "base/time.hpp"
#include "bridge/notify/notices.hpp"

namespace kakehashi::bridge::notify {

class Deliveries {
 public:
  static constexpr std::size_t waiting_max = 32;
  static constexpr int attempts_max = 7;  ///< over about ten minutes
  static constexpr base::Millis first_pause{5'000};
  static constexpr base::Millis pause_max{300'000};

  /// When too many wait already, the oldest one that is not being sent is left out; false then.
  bool add(Notice notice);

  /// What to send now; nothing while something is being sent, or before its time.
  [[nodiscard]] std::optional<Notice> begin(base::SteadyTime now);
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  /// The instant at which begin() has something; nothing when it waits for an event.
  [[nodiscard]] std::optional<base::SteadyTime> due() const;

  /// `later`: no answer, or one that asks for another try.
  enum class Outcome { delivered, later, refused };
  enum class Verdict { done, tries_again, gives_up };
  /// Of what begin() gave.
  Verdict ended(Outcome outcome, base::SteadyTime now);

  /// What a status of HTTP means here: 2xx is delivered; 408, 425, 429 and 5xx ask for another try.
  [[nodiscard]] static Outcome outcome_of(int http_status);

 private:
  std::deque<Notice> waiting_;
  bool is_sending_ = false;
  int attempts_ = 0;  ///< of the first one
  base::SteadyTime due_{};
};

}  // namespace kakehashi::bridge::notify
