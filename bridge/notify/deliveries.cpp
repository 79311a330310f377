#include "bridge/notify/deliveries.hpp"

#include <algorithm>

namespace kakehashi::bridge::notify {

bool Deliveries::add(Notice notice) {
  const bool is_full = waiting_.size() >= waiting_max;
  if (is_full) {
    // The one that is being sent, or was tried, keeps its place.
    waiting_.erase(waiting_.begin() + (is_sending_ || attempts_ > 0 ? 1 : 0));
  }
  waiting_.push_back(std::move(notice));
  return !is_full;
}

std::optional<Notice> Deliveries::begin(base::SteadyTime now) {
  if (is_sending_ || waiting_.empty() || now < due_) {
    return std::nullopt;
  }
  is_sending_ = true;
  ++attempts_;
  return waiting_.front();
}

std::optional<base::SteadyTime> Deliveries::due() const {
  return is_sending_ || waiting_.empty() ? std::nullopt : std::optional(due_);
}

Deliveries::Verdict Deliveries::ended(Outcome outcome, base::SteadyTime now) {
  is_sending_ = false;
  const bool is_over = outcome != Outcome::later || attempts_ >= attempts_max;
  if (!is_over) {
    due_ = now + std::min<base::Millis>(pause_max, first_pause * (1 << (attempts_ - 1)));
    return Verdict::tries_again;
  }
  waiting_.pop_front();
  attempts_ = 0;
  due_ = now;
  return outcome == Outcome::delivered ? Verdict::done : Verdict::gives_up;
}

Deliveries::Outcome Deliveries::outcome_of(int http_status) {
  if (http_status >= 200 && http_status < 300) {
    return Outcome::delivered;
  }
  const bool asks_for_another =
      http_status == 408 || http_status == 425 || http_status == 429 || http_status >= 500;
  return asks_for_another ? Outcome::later : Outcome::refused;
}

}  // namespace kakehashi::bridge::notify
