#include "base/io/alarm.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <utility>

namespace kakehashi::base::io {

class Alarm::Wait : public std::enable_shared_from_this<Wait> {
 public:
  explicit Wait(boost::asio::io_context& context) : timer_(context) {}

  void set(base::SteadyTime at, Wake wake) {
    at_ = at;
    wake_ = std::move(wake);
    if (!is_waiting_ || at < timer_.expiry()) {
      wait();
    }
  }

  void cancel() {
    ++number_;
    is_waiting_ = false;
    timer_.cancel();
  }

 private:
  /// A handler that had already expired when its wait was replaced is known by its number.
  void wait() {
    is_waiting_ = true;
    timer_.expires_at(at_);
    timer_.async_wait([weak = weak_from_this(), number = ++number_](boost::system::error_code) {
      const auto self = weak.lock();
      if (self && self->number_ == number) {
        self->rang();
      }
    });
  }

  void rang() {
    if (std::chrono::steady_clock::now() < at_) {
      wait();
      return;
    }
    is_waiting_ = false;
    const Wake wake = std::exchange(wake_, {});
    wake();
  }

  boost::asio::steady_timer timer_;
  base::SteadyTime at_{};
  Wake wake_;
  std::uint64_t number_ = 0;
  bool is_waiting_ = false;
};

Alarm::Alarm(boost::asio::io_context& context) : wait_(std::make_shared<Wait>(context)) {}

Alarm::~Alarm() { cancel(); }

void Alarm::set(base::SteadyTime at, Wake wake) { wait_->set(at, std::move(wake)); }
void Alarm::cancel() { wait_->cancel(); }

}  // namespace kakehashi::base::io
