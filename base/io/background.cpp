#include "base/io/background.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace kakehashi::base::io {

struct Background::Queue {
  void work_off() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return is_closing || !waiting.empty(); });
      if (waiting.empty()) {
        return;
      }
      const auto work = std::move(waiting.front());
      waiting.pop_front();
      lock.unlock();
      work();
      lock.lock();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> waiting;
  bool is_closing = false;
  std::thread thread;  ///< begun with the first work
};

Background::Background(std::size_t most) : most_(most), queue_(std::make_unique<Queue>()) {}

Background::~Background() {
  {
    const std::scoped_lock lock(queue_->mutex);
    queue_->is_closing = true;
  }
  queue_->changed.notify_one();
  if (queue_->thread.joinable()) {
    queue_->thread.join();
  }
}

bool Background::post(std::function<void()> work) {
  if (!queue_->thread.joinable()) {
    try {
      queue_->thread = std::thread([queue = queue_.get()] { queue->work_off(); });
    } catch (const std::system_error&) {
      return false;
    }
  }
  {
    const std::scoped_lock lock(queue_->mutex);
    if (queue_->waiting.size() >= most_) {
      return false;
    }
    queue_->waiting.push_back(std::move(work));
  }
  queue_->changed.notify_one();
  return true;
}

std::size_t Background::waiting() const {
  const std::scoped_lock lock(queue_->mutex);
  return queue_->waiting.size();
}

}  // namespace kakehashi::base::io
