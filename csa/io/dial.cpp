#include "csa/io/dial.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::csa::io {

namespace asio = boost::asio;
using boost::system::error_code;

std::string format_endpoint(const asio::ip::tcp::endpoint& endpoint) {
  const auto address = endpoint.address().to_string();
  const auto port = std::to_string(endpoint.port());
  return endpoint.address().is_v6() ? "[" + address + "]:" + port : address + ":" + port;
}

Dial::Dial(asio::io_context& context, Target target, Callbacks callbacks)
    : target_(std::move(target)),
      callbacks_(std::move(callbacks)),
      lookups_(NameLookups::of(context)),
      socket_(context),
      timer_(context) {}

void Dial::start() {
  error_code not_numeric;
  const auto numeric = asio::ip::make_address(target_.host, not_numeric);
  if (!not_numeric) {
    start({Tcp::endpoint(numeric, target_.port)});
    return;
  }
  deadline_ = Clock::now() + target_.timeout;
  resolve();
}

void Dial::start(std::vector<Tcp::endpoint> endpoints) {
  deadline_ = Clock::now() + target_.timeout;
  endpoints_ = std::move(endpoints);
  // Posted: a callback never comes from inside start().
  asio::post(socket_.get_executor(), [self = shared_from_this()] { self->try_next(); });
}

void Dial::cancel() {
  error_code not_open;
  is_done_ = true;
  lookups_.forget(lookup_);
  stop_waiting();
  socket_.close(not_open);
}

void Dial::resolve() {
  wait_until(deadline_, &Dial::lookup_timed_out);
  lookup_ = lookups_.begin(target_.host, [self = shared_from_this()](const NameLookups::Answer& answer) {
    self->looked_up(answer);
  });
}

void Dial::looked_up(const NameLookups::Answer& answer) {
  if (is_done_) {
    return;
  }
  if (!answer.why.empty()) {
    fail("cannot look up " + base::quote_for_log(target_.host) + ": " + answer.why);
    return;
  }
  for (Tcp::endpoint endpoint : answer.endpoints) {
    endpoint.port(target_.port);
    endpoints_.push_back(endpoint);
  }
  try_next();
}

void Dial::try_next() {
  if (is_done_) {
    return;
  }
  if (next_ == endpoints_.size()) {
    fail(failures_);
    return;
  }
  const auto endpoint = endpoints_[next_++];
  const auto now = Clock::now();
  const auto remaining = std::max(deadline_ - now, Clock::duration{0});
  const auto addresses_left = static_cast<std::int64_t>(endpoints_.size() - next_ + 1);
  error_code not_open;
  socket_.close(not_open);
  timed_out_ = false;
  wait_until(now + remaining / addresses_left, &Dial::attempt_timed_out);
  socket_.async_connect(endpoint, [self = shared_from_this(), endpoint](error_code failed) {
    self->attempted(endpoint, failed);
  });
}

void Dial::attempted(const Tcp::endpoint& endpoint, error_code failed) {
  if (is_done_) {
    return;
  }
  if (failed || timed_out_) {
    failures_ += (failures_.empty() ? "" : "; ") + format_endpoint(endpoint) + ": " +
                 (timed_out_ ? "no answer in time" : failed.message());
    try_next();
    return;
  }
  is_done_ = true;
  stop_waiting();
  callbacks_.connected(std::move(socket_), format_endpoint(endpoint));
}

void Dial::fail(std::string why) {
  cancel();
  callbacks_.failed(std::move(why));
}

// A handler that had already expired when its wait was replaced is known by its number: cancelling
// a timer does not call such a handler back.
void Dial::wait_until(Clock::time_point deadline, void (Dial::*action)()) {
  const auto wait = ++wait_;
  timer_.expires_at(deadline);
  timer_.async_wait([self = shared_from_this(), action, wait](error_code) {
    if (wait == self->wait_) {
      ((*self).*action)();
    }
  });
}

void Dial::stop_waiting() {
  ++wait_;
  timer_.cancel();
}

void Dial::lookup_timed_out() {
  fail("looking up " + base::quote_for_log(target_.host) + " took longer than " +
       base::format_millis(target_.timeout.count()));
}

void Dial::attempt_timed_out() {
  error_code not_open;
  timed_out_ = true;
  socket_.cancel(not_open);
}

}  // namespace kakehashi::csa::io
