// When the process is ready in its supervisor's eyes: as soon as every bot has been tried, or when that
// takes too long. A bot has been tried when it is logged in, is done, or has met its first trouble: one
// bot's trouble must keep no other from counting as started.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <vector>

#include "base/time.hpp"
#include "bridge/fact.hpp"

namespace kakehashi::bridge::fleet::io {

class Readiness {
 public:
  /// `tell` is called once, from the loop or from inside tried().
  Readiness(boost::asio::io_context& context, std::function<void()> tell);

  /// Once, when all bots are known.
  void start(std::size_t bots_count, base::Millis within);
  void tried(std::size_t bot);
  void stop();

  static constexpr base::Millis default_within{60'000};

 private:
  void tell_once();

  boost::asio::steady_timer timer_;
  std::function<void()> tell_;
  std::vector<bool> tried_;
  bool has_told_ = false;
};

/// Whether it keeps a bot from playing.
[[nodiscard]] bool is_trouble(const Fact& fact);

}  // namespace kakehashi::bridge::fleet::io
