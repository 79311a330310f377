#include "base/io/threads.hpp"

#include <boost/asio/post.hpp>

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace kakehashi::base::io {

// --- Background

struct Background::Queue {
  void work_off() {
    std::unique_lock lock(mutex);
    while (std::size_t due = gather(lock)) {
      for (; due > 0; --due) {
        const auto work = std::move(waiting.front());
        waiting.pop_front();
        lock.unlock();
        work();
        lock.lock();
      }
    }
  }

  /// Waits, with the lock, and returns how many pieces are to be done now. 0: it is closing, and nothing waits.
  std::size_t gather(std::unique_lock<std::mutex>& lock) {
    is_asleep = true;
    changed.wait(lock, [this] { return is_closing || !waiting.empty(); });
    is_asleep = false;
    changed.wait_for(lock, gathering, [this] { return is_closing || is_urgent; });
    is_urgent = false;
    return waiting.size();
  }

  /// With the lock: whoever posts first begins the thread, and two threads may be the first. False: the system gives none.
  bool begin() {
    if (thread.joinable()) {
      return true;
    }
    try {
      thread = std::thread([this] { work_off(); });
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

  /// With the lock. Whether it is taken.
  bool take(std::function<void()> work, Pace pace, std::size_t most) {
    if (waiting.size() >= most) {
      return false;
    }
    waiting.push_back(std::move(work));
    is_urgent = is_urgent || pace == Pace::at_once;
    return true;
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> waiting;
  bool is_closing = false;
  bool is_urgent = false;
  bool is_asleep = true;
  std::thread thread;  ///< begun with the first work, and as guarded as all above
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

bool Background::post(std::function<void()> work, Pace pace) {
  bool is_to_wake = false;
  {
    const std::scoped_lock lock(queue_->mutex);
    if (!queue_->begin() || !queue_->take(std::move(work), pace, most_)) {
      return false;
    }
    is_to_wake = pace == Pace::at_once || queue_->is_asleep;
  }
  if (is_to_wake) {
    queue_->changed.notify_one();
  }
  return true;
}

std::size_t Background::waiting() const {
  const std::scoped_lock lock(queue_->mutex);
  return queue_->waiting.size();
}

// --- Errands

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

// --- DiskThread

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
