#include "base/io/errands.hpp"

#include <atomic>
#include <boost/asio/post.hpp>
#include <mutex>
#include <thread>

namespace kakehashi::base::io {

namespace {

std::atomic<int> threads_at_work{0};

}  // namespace

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
  {
    const std::scoped_lock lock(gate_->mutex);
    gate_->loop = nullptr;
  }
  const auto dropped = std::exchange(out_, {});
}

std::error_code Errands::begin(Work work, Then then) {
  const std::uint64_t number = ++last_;
  out_.emplace(number, std::move(then));
  ++threads_at_work;
  try {
    std::thread([this, number, gate = gate_, work = std::move(work)] {
      {
        const std::shared_ptr<void> result = work();
        const std::scoped_lock lock(gate->mutex);
        if (gate->loop != nullptr) {
          boost::asio::post(*gate->loop, [this, number, result] { ended(number, result.get()); });
        }
      }
      --threads_at_work;
    }).detach();
  } catch (const std::system_error& failure) {
    --threads_at_work;
    out_.erase(number);
    return failure.code();
  }
  return {};
}

int Errands::at_work() { return threads_at_work; }

void Errands::ended(std::uint64_t number, void* result) {
  if (const auto found = out_.extract(number)) {
    found.mapped()(result);
  }
}

}  // namespace kakehashi::base::io
