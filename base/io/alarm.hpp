// Wakes somebody at an instant that is moved often and reached seldom: with each line of a game the
// next deadline lies later. So a wait that is too short is left standing and goes on when it ends; only
// an earlier instant costs the system a call.
#pragma once

#include <functional>
#include <memory>

#include "base/time.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::base::io {

class Alarm {
 public:
  using Wake = std::function<void()>;

  explicit Alarm(boost::asio::io_context& context);
  /// As cancel().
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  /// In place of what was set before. `wake` is called once, from the io_context, not before that
  /// instant; it may set the next one, and may not destroy the alarm.
  void set(base::SteadyTime at, Wake wake);
  void cancel();

 private:
  class Wait;
  std::shared_ptr<Wait> wait_;  ///< watched weakly by its own handlers
};

}  // namespace kakehashi::base::io
