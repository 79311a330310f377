#include "base/io/threads.hpp"

#include <boost/asio/post.hpp>

#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <thread>

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

Background::~Background() { finish(); }

void Background::finish() {
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
    if (queue_->is_closing || !queue_->begin() || !queue_->take(std::move(work), pace, most_)) {
      return false;
    }
    is_to_wake = pace == Pace::at_once || queue_->is_asleep;
  }
  if (is_to_wake) {
    queue_->changed.notify_one();
  }
  return true;
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
  {
    const std::scoped_lock lock(mutex_);
    if (file->is_due_) {
      return;
    }
    file->is_due_ = true;
    due_.push_back(file);
    if (due_.size() > 1 && !is_closing_) {
      return;  // the thread has been asked for the first
    }
  }
  if (hand_over([] {}, Background::Pace::soon)) {
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    if (!is_closing_) {
      if (pieces_ == 0) {  // there is no thread, and nobody waits for a disk here: they are in the system's memory
        for (const auto& one : std::exchange(due_, {})) {
          one->is_due_ = false;
        }
      }
      return;
    }
  }
  synchronise_due();
}

bool DiskThread::post(std::function<void()> work) { return hand_over(std::move(work), Background::Pace::at_once); }

bool DiskThread::is_idle() {
  const std::scoped_lock lock(mutex_);
  return pieces_ == 0;
}

/// One piece of work, which may take long, and then what became due before it or meanwhile.
bool DiskThread::hand_over(std::function<void()> work, Background::Pace pace) {
  {
    const std::scoped_lock lock(mutex_);
    if (pieces_ > waiting_max) {
      return false;
    }
    ++pieces_;
  }
  const auto have_done = [this] {
    const std::scoped_lock lock(mutex_);
    --pieces_;
  };
  const bool is_taken = thread_.post(
      [this, work = std::move(work), have_done] {
        work();
        synchronise_due();
        have_done();
      },
      pace);
  if (!is_taken) {
    have_done();
  }
  return is_taken;
}

void DiskThread::shutdown() {
  {
    const std::scoped_lock lock(mutex_);
    is_closing_ = true;
  }
  thread_.finish();
}

void DiskThread::synchronise_due() {
  Files files;
  {
    const std::scoped_lock lock(mutex_);
    files.swap(due_);
    for (const auto& file : files) {
      file->is_due_ = false;
    }
  }
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
