// Runs an io_context until something has happened: system tests wait for events, never for time.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>

namespace kakehashi::test {

/// True as soon as `done` is; false when the watchdog, which is only there to end a hung test,
/// rings first.
inline bool run_until(boost::asio::io_context& context, const std::function<bool()>& done,
                      std::chrono::seconds watchdog = std::chrono::seconds{60}) {
  const auto deadline = std::chrono::steady_clock::now() + watchdog;
  while (!done()) {
    if (context.stopped()) {
      context.restart();
    }
    const bool has_run = context.run_one_until(deadline) > 0;
    if (!has_run && (context.stopped() || std::chrono::steady_clock::now() >= deadline)) {
      return done();
    }
  }
  return true;
}

}  // namespace kakehashi::test
