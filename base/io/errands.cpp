#include "base/io/errands.hpp"

#include <boost/asio/post.hpp>
#include <mutex>
#include <thread>
#include <utility>

namespace kakehashi::base::io {

/// What a thread passes its answer through, closed when the loop goes.
struct Errands::Gate {
  std::mutex mutex;
  boost::asio::io_context* loop = nullptr;
};

boost::asio::execution_context::id Errands::id;

Errands::Errands(boost::asio::io_context& context)
    : boost::asio::execution_context::service(context), gate_(std::make_shared<Gate>()) {
  gate_->loop = &context;
}

Errands& Errands::of(boost::asio::io_context& context) { return boost::asio::use_service<Errands>(context); }

void Errands::shutdown() {
  const std::scoped_lock lock(gate_->mutex);
  gate_->loop = nullptr;
}

std::error_code Errands::send(std::function<Then()> work) {
  try {
    std::thread([gate = gate_, work = std::move(work)] {
      Then then = work();
      const std::scoped_lock lock(gate->mutex);
      if (gate->loop != nullptr) {
        boost::asio::post(*gate->loop, std::move(then));
      }
    }).detach();
  } catch (const std::system_error& failure) {
    return failure.code();
  }
  return {};
}

}  // namespace kakehashi::base::io
