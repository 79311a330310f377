#include "bridge/fleet/io/readiness.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <utility>

namespace kakehashi::bridge::fleet::io {

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

bool is_trouble(const Fact& fact) {
  const auto incident = incident_of(fact);
  return incident == Incident::retrying || incident == Incident::login_refused || incident == Incident::engine_lost ||
         incident == Incident::bot_failed;
}

}  // namespace kakehashi::bridge::fleet::io
