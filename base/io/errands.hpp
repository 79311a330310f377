// Work that takes as long as it likes and cannot be told to stop, such as a read from a disk that stands
// still: each piece on a thread of its own, so that it holds up neither the loop, nor another, nor the exit.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <system_error>
#include <type_traits>
#include <utility>

namespace kakehashi::base::io {

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

}  // namespace kakehashi::base::io
