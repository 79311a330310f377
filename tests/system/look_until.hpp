// Waits for what no event of the context tells, such as another process's log.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <thread>

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

/// The same while nothing of this thread's contexts goes on: a game on a server that runs in one stands still meanwhile.
inline bool look_standing_still(const std::function<bool()>& done) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  while (!done() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return done();
}

}  // namespace kakehashi::test
