#include "base/io/priority.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/io/clocks.hpp"

namespace kakehashi::base::io {

namespace {

constexpr int lowest_priority = 1;  // of the real-time ones

bool stands_back() noexcept { return ::getpriority(PRIO_PROCESS, 0) > 0; }

}  // namespace

// A negative nice value would not do: between the sessions of a machine (autogroup) and between control
// groups it counts for nothing, and a timer still rings tens of milliseconds late beside busy processes.
bool run_before_others(bool before) noexcept {
  if (before && stands_back()) {
    return false;
  }
  sched_param level{};
  level.sched_priority = before ? lowest_priority : 0;
  return ::sched_setscheduler(0, (before ? SCHED_RR : SCHED_OTHER) | SCHED_RESET_ON_FORK, &level) == 0;
}

bool runs_before_others() noexcept {
  const int policy = ::sched_getscheduler(0);
  return policy >= 0 && (policy & ~SCHED_RESET_ON_FORK) != SCHED_OTHER;
}

boost::asio::execution_context::id Priority::id;

Priority::Priority(boost::asio::io_context& context)
    : boost::asio::execution_context::service(context), timer_(context) {}

Priority& Priority::of(boost::asio::io_context& context) { return boost::asio::use_service<Priority>(context); }

void Priority::shutdown() {
  timer_.cancel();
  playing_.clear();
}

void Priority::begin() {
  has_begun_ = true;
  is_fixed_ = runs_before_others() || stands_back();
  schedstat_ = File("/proc/thread-self/schedstat", O_RDONLY);
}

std::optional<PriorityChoice::Waited> Priority::waited() const {
  std::array<char, 128> text{};
  const auto count = schedstat_.is_open() ? ::pread(schedstat_.descriptor(), text.data(), text.size(), 0) : -1;
  return PriorityChoice::Waited::read(std::string_view(text.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))));
}

void Priority::look() {
  const SteadyTime now = read_clocks().steady;
  std::optional<SteadyTime> due;
  for (const auto& [who, at] : playing_) {
    if (at && *at >= now) {
      due = earlier(due, at);
    }
  }
  take(choice_.look(now, waited(), due));
  is_looking_ = !is_fixed_;
  if (is_looking_) {
    timer_.expires_after(PriorityChoice::look_every);
    timer_.async_wait([this](boost::system::error_code failed) {
      if (!failed) {
        look();
      }
    });
  }
}

void Priority::take(bool before) {
  if (before == is_before_) {
    return;
  }
  is_fixed_ = !run_before_others(before);
  is_before_ = before && !is_fixed_;
}

void Priority::play(const void* who, std::optional<SteadyTime> due) {
  if (!has_begun_) {
    begin();
  }
  if (is_fixed_) {
    return;
  }
  const auto [known, is_new] = playing_.try_emplace(who, due);
  if (!is_new && known->second == due) {
    return;
  }
  known->second = due;
  if (!is_looking_) {
    look();
  } else if (due) {
    take(choice_.expect(read_clocks().steady, *due));
  }
}

void Priority::forget(const void* who) {
  if (playing_.erase(who) > 0 && playing_.empty()) {
    timer_.cancel();  // it would keep a loop alive that has nothing else to do
    is_looking_ = false;
    choice_.pause();
    take(false);
  }
}

}  // namespace kakehashi::base::io
