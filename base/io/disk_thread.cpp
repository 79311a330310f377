#include "base/io/disk_thread.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace kakehashi::base::io {

boost::asio::execution_context::id DiskThread::id;

DiskThread::DiskThread(boost::asio::execution_context& context) : DiskThread(context, ::fdatasync) {}

DiskThread::DiskThread(boost::asio::execution_context& context, Sync sync)
    : boost::asio::execution_context::service(context), sync_(std::move(sync)) {}

DiskThread& DiskThread::of(boost::asio::execution_context& context) {
  return boost::asio::use_service<DiskThread>(context);
}

void DiskThread::sync_soon(const std::shared_ptr<SyncedFile>& file) {
  bool has_thread = false;
  {
    const std::scoped_lock lock(mutex_);
    has_thread = has_begun();
    if (!has_thread && !is_closing_) {
      return;  // nobody waits for a disk here: the file is in the system's memory
    }
    if (file->is_due_) {
      return;
    }
    file->is_due_ = true;
    due_.push_back(file);
    if (due_.size() > 1) {
      return;  // the thread has been woken for the first
    }
  }
  if (has_thread) {
    changed_.notify_one();
  } else {
    work_off();
  }
}

bool DiskThread::post(std::function<void()> work, std::size_t most) {
  {
    const std::scoped_lock lock(mutex_);
    if (!has_begun() || works_.size() >= most) {
      return false;
    }
    works_.push_back(std::move(work));
  }
  changed_.notify_one();
  return true;
}

bool DiskThread::has_thread() {
  const std::scoped_lock lock(mutex_);
  return thread_.joinable();
}

bool DiskThread::is_idle() {
  const std::scoped_lock lock(mutex_);
  return !is_working_ && due_.empty() && works_.empty();
}

/// Not when the context is going, and not when the system gives no thread. With the lock.
bool DiskThread::has_begun() {
  if (thread_.joinable()) {
    return true;
  }
  if (is_closing_) {
    return false;
  }
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void DiskThread::shutdown() {
  std::thread thread;
  {
    const std::scoped_lock lock(mutex_);
    is_closing_ = true;
    thread = std::exchange(thread_, {});
  }
  changed_.notify_one();
  if (thread.joinable()) {
    thread.join();
  }
}

void DiskThread::run() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_closing_ || !due_.empty() || !works_.empty(); });
      if (due_.empty() && works_.empty()) {
        return;
      }
      changed_.wait_for(lock, gathering, [this] { return is_closing_ || !works_.empty(); });
      is_working_ = true;
    }
    work_off();
    const std::scoped_lock lock(mutex_);
    is_working_ = false;
  }
}

/// One piece of work, which may take long, and then what became due before it or meanwhile.
void DiskThread::work_off() {
  std::function<void()> work;
  {
    const std::scoped_lock lock(mutex_);
    if (!works_.empty()) {
      work = std::move(works_.front());
      works_.pop_front();
    }
  }
  if (work) {
    work();
  }
  Files files;
  {
    const std::scoped_lock lock(mutex_);
    files.swap(due_);
    for (const auto& file : files) {
      file->is_due_ = false;
    }
  }
  synchronise(files);
}

void DiskThread::synchronise(const Files& files) const {
  for (const auto& file : files) {
    int outcome = 0;
    do {
      outcome = sync_(file->file().descriptor());
    } while (outcome != 0 && errno == EINTR);
    // What is no file on a disk has nothing to synchronise.
    if (outcome != 0 && errno != EINVAL && errno != EROFS) {
      int none = 0;
      file->sync_error_.compare_exchange_strong(none, errno);
    }
  }
}

}  // namespace kakehashi::base::io
