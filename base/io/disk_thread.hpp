// The thread that waits for the disk, one for all bots of a process, so that the loop which serves
// their games never does. It knows no journal: files to synchronise, and work on files that may wait.
#pragma once

#include <atomic>
#include <boost/asio/execution_context.hpp>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/io/file.hpp"

namespace kakehashi::base::io {

/// A file that the loop writes and the thread synchronises: shared by both, and closed by the last.
class SyncedFile {
 public:
  explicit SyncedFile(File file) : file_(std::move(file)) {}

  [[nodiscard]] const File& file() const { return file_; }
  /// errno of the first synchronisation that failed, else 0.
  [[nodiscard]] int sync_error() const { return sync_error_; }

 private:
  friend class DiskThread;

  File file_;
  std::atomic<int> sync_error_{0};
  bool is_due_ = false;  ///< guarded by the thread's mutex
};

/// A service of the io_context: it begins with the first use and ends, everything done, with the
/// context. Any thread may hand it something.
class DiskThread : public boost::asio::execution_context::service {
 public:
  /// What is due is gathered for so long: moves that follow each other closely cost one
  /// synchronisation, and a power cut so much more of a journal.
  static constexpr std::chrono::milliseconds gathering{20};
  static constexpr std::size_t waiting_max = 4096;
  /// Of work that something else makes up for.
  static constexpr std::size_t lesser_max = waiting_max / 2;

  /// As fdatasync(2), which a test may replace.
  using Sync = std::function<int(int descriptor)>;

  explicit DiskThread(boost::asio::execution_context& context);
  DiskThread(boost::asio::execution_context& context, Sync sync);

  [[nodiscard]] static DiskThread& of(boost::asio::execution_context& context);

  /// What was written to the file so far will be on the disk soon, also when the context ends. What
  /// goes wrong stands in the file.
  void sync_soon(const std::shared_ptr<SyncedFile>& file);
  /// False when it is not taken: too much is waiting already, or the system gives no thread. `work`
  /// must not throw, and must own all that it uses.
  bool post(std::function<void()> work, std::size_t most = waiting_max);
  /// Nothing is due, waiting or being done.
  [[nodiscard]] bool is_idle();
  /// Work may be waiting.
  [[nodiscard]] bool has_thread();

  static boost::asio::execution_context::id id;  ///< by which Asio finds the service

 private:
  using Files = std::vector<std::shared_ptr<SyncedFile>>;

  void shutdown() override;
  bool has_begun();
  void run();
  void work_off();
  void synchronise(const Files& files) const;

  Sync sync_;
  std::mutex mutex_;  ///< guards all below
  std::condition_variable changed_;
  Files due_;
  std::deque<std::function<void()>> works_;
  bool is_working_ = false;
  bool is_closing_ = false;
  std::thread thread_;
};

}  // namespace kakehashi::base::io
