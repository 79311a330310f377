// Waits for what no event of the context tells, such as another process's log.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>

#include "tests/system/loop.hpp"

namespace kakehashi::test {

/// As run_until(), and looks again every 20 ms.
inline bool look_until(boost::asio::io_context& context, const std::function<bool()>& done) {
  boost::asio::steady_timer timer(context);
  std::function<void()> wait = [&] {
    timer.expires_after(std::chrono::milliseconds{20});
    timer.async_wait([&](boost::system::error_code stopped) {
      if (!stopped) {
        wait();
      }
    });
  };
  wait();
  const bool is_done = run_until(context, done);
  wait = [] {};
  timer.cancel();
  context.restart();
  context.poll();  // the wait that was cancelled refers to what is gone now
  return is_done;
}

}  // namespace kakehashi::test
