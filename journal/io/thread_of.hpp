// A thread of each io_context for what journals and records write.
#pragma once

#include <atomic>
#include <boost/asio/execution_context.hpp>
#include <optional>
#include <utility>

#include "base/io/threads.hpp"

namespace kakehashi::journal::io {

/// Told from others by `Whose`. What waits is done before the context is gone; it may hand on to the disk's thread.
template <class Whose, std::size_t waiting_max>
class ThreadOf : public boost::asio::execution_context::service {
 public:
  explicit ThreadOf(boost::asio::execution_context& context)
      : boost::asio::execution_context::service(context), thread_(std::in_place, waiting_max) {
    static_cast<void>(base::io::DiskThread::of(context));  // outlives this one
  }

  bool post(std::function<void()> work, base::io::Background::Pace pace) {
    ++unfinished_;
    auto counted = [this, work = std::move(work)] {
      work();
      --unfinished_;
    };
    const bool is_taken = thread_ && thread_->post(std::move(counted), pace);
    unfinished_ -= is_taken ? 0 : 1;
    return is_taken;
  }
  [[nodiscard]] bool is_idle() const { return unfinished_ == 0; }

  inline static boost::asio::execution_context::id id;  ///< by which Asio finds the service

 private:
  void shutdown() override { thread_.reset(); }

  std::atomic<std::size_t> unfinished_{0};
  std::optional<base::io::Background> thread_;
};

}  // namespace kakehashi::journal::io
