// Work that may take long, on threads, so that the loop which serves the games never waits for it. In three manners: one
// piece after the other on a thread that somebody owns (Background), each piece on a thread of its own that nobody waits
// for (Errands), and what waits for the disk on one thread for all bots of a process (DiskThread).
#pragma once

#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/io/file.hpp"

namespace kakehashi::base::io {

/// Work that may wait for a disk, done one piece after the other on a thread of its own.
class Background {
 public:
  explicit Background(std::size_t most = waiting_max);
  /// As finish().
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// `soon`: within `gathering`, together with what comes meanwhile, so that many small pieces wake the thread once.
  enum class Pace { at_once, soon };
  static constexpr std::chrono::milliseconds gathering{20};

  /// False when it is not taken: too much is waiting already, or the system gives no thread. `work`
  /// must not throw, and must own all that it uses.
  bool post(std::function<void()> work, Pace pace = Pace::at_once);
  /// Returns when what is still waiting is done; no more is taken.
  void finish();

  static constexpr std::size_t waiting_max = 16;

 private:
  struct Queue;
  std::size_t most_;
  std::unique_ptr<Queue> queue_;
};

// --- work that takes as long as it likes and cannot be told to stop, such as a read from a disk that stands still: each
// piece on a thread of its own, so that it holds up neither the loop, nor another, nor the exit

/// A service of the io_context; all is called from its thread. A thread that still works when the context goes
/// is left alone: it touches nothing of the loop's any more, and ends with its work. The end of the process cannot
/// wait for it: see at_work().
class Errands : public boost::asio::execution_context::service {
 public:
  explicit Errands(boost::asio::io_context& context);
  [[nodiscard]] static Errands& of(boost::asio::io_context& context);

  /// `work` runs on a thread, must not throw, and must own all that it uses and nothing of the loop's; `then` gets
  /// what it returned, in the io_context. The error: the system gives no thread, and nothing will follow. How many
  /// are out at once is the caller's to bound.
  template <class Work, class Then>
  [[nodiscard]] std::error_code send(Work work, Then then) {
    using Result = std::invoke_result_t<Work>;
    return begin([work = std::move(work)]() -> std::shared_ptr<void> { return std::make_shared<Result>(work()); },
                 [then = std::move(then)](void* result) { then(std::move(*static_cast<Result*>(result))); });
  }

  /// How many threads of this process have not ended their work. A process that ends while there are some must not
  /// tear down what they use (the libraries' own state included): it leaves by std::_Exit.
  [[nodiscard]] static int at_work();

  static boost::asio::execution_context::id id;  ///< by which Asio finds the service

 private:
  struct Gate;
  using Work = std::function<std::shared_ptr<void>()>;
  using Then = std::function<void(void* result)>;

  [[nodiscard]] std::error_code begin(Work work, Then then);
  void ended(std::uint64_t number, void* result);
  void shutdown() override;

  std::shared_ptr<Gate> gate_;         ///< shared with the threads, which may outlive this
  std::map<std::uint64_t, Then> out_;  ///< never with a thread: it may hold what belongs to the loop
  std::uint64_t last_ = 0;
};

// --- the thread that waits for the disk. It knows no journal: files to synchronise, and work on files that may wait.

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
  static constexpr std::chrono::milliseconds gathering = Background::gathering;
  static constexpr std::size_t waiting_max = 4096;

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
  bool post(std::function<void()> work);
  /// Nothing is due, waiting or being done.
  [[nodiscard]] bool is_idle();

  static boost::asio::execution_context::id id;  ///< by which Asio finds the service

 private:
  using Files = std::vector<std::shared_ptr<SyncedFile>>;

  void shutdown() override;
  bool hand_over(std::function<void()> work, Background::Pace pace);
  void synchronise_due();

  Sync sync_;
  std::mutex mutex_;  ///< guards what follows
  Files due_;
  std::size_t pieces_ = 0;  ///< of work that are not done
  bool is_closing_ = false;
  Background thread_{2 * waiting_max};
};

}  // namespace kakehashi::base::io
