// Carries bytes between two streams until one of them ends: what the front doors of system tests
// (TLS, proxies) do once they have opened.
#pragma once

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <memory>
#include <utility>

namespace kakehashi::test {

/// One direction. The streams live in `owner`; `ended` is called once.
template <class From, class To>
class Relay : public std::enable_shared_from_this<Relay<From, To>> {
 public:
  Relay(std::shared_ptr<void> owner, From& from, To& to, std::function<void()> ended)
      : owner_(std::move(owner)), from_(from), to_(to), ended_(std::move(ended)) {}

  void carry() {
    from_.async_read_some(
        boost::asio::buffer(buffer_),
        [self = this->shared_from_this()](boost::system::error_code failed, std::size_t size) {
          if (failed) {
            self->ended_();
            return;
          }
          boost::asio::async_write(
              self->to_, boost::asio::buffer(self->buffer_.data(), size),
              [self](boost::system::error_code unsent, std::size_t) {
                unsent ? self->ended_() : self->carry();
              });
        });
  }

 private:
  std::shared_ptr<void> owner_;
  From& from_;
  To& to_;
  std::function<void()> ended_;
  std::array<char, 16 * 1024> buffer_{};
};

template <class From, class To>
void carry(std::shared_ptr<void> owner, From& from, To& to, std::function<void()> ended) {
  std::make_shared<Relay<From, To>>(std::move(owner), from, to, std::move(ended))->carry();
}

}  // namespace kakehashi::test
