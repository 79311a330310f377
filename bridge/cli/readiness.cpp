#include "bridge/cli/readiness.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <utility>

namespace kakehashi::bridge::cli {

Readiness::Readiness(boost::asio::io_context& context, std::function<void()> tell)
    : timer_(context), tell_(std::move(tell)) {}

void Readiness::start(std::size_t bots_count, base::Millis within) {
  tried_.assign(bots_count, false);
  timer_.expires_after(within);
  timer_.async_wait([this](boost::system::error_code failed) {
    if (!failed) {
      tell_once();
    }
  });
}

void Readiness::tried(std::size_t bot) {
  if (bot < tried_.size()) {
    tried_[bot] = true;
  }
  if (!tried_.empty() && std::find(tried_.begin(), tried_.end(), false) == tried_.end()) {
    tell_once();
  }
}

void Readiness::stop() { timer_.cancel(); }

void Readiness::tell_once() {
  timer_.cancel();
  if (!std::exchange(has_told_, true)) {
    tell_();
  }
}

bool is_trouble(std::string_view code) {
  constexpr std::array<std::string_view, 4> codes{"retrying", "login_refused", "engine_lost", "bot_failed"};
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

}  // namespace kakehashi::bridge::cli
