// Work that takes as long as it likes and cannot be told to stop, such as a read from a disk that stands
// still: each piece on a thread of its own, so that it holds up neither the loop, nor another, nor the exit.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <system_error>

namespace kakehashi::base::io {

/// A service of the io_context; all is called from its thread. A thread that still works when the context goes
/// is left alone: it touches nothing any more, and ends with its work.
class Errands : public boost::asio::execution_context::service {
 public:
  /// What is to be done in the io_context with the result.
  using Then = std::function<void()>;

  explicit Errands(boost::asio::io_context& context);
  [[nodiscard]] static Errands& of(boost::asio::io_context& context);

  /// `work` runs on a thread, must not throw, and must own all that it uses. The error: the system gives no
  /// thread, and nothing will follow. How many are out at once is the caller's to bound.
  [[nodiscard]] std::error_code send(std::function<Then()> work);

  static boost::asio::execution_context::id id;  ///< by which Asio finds the service

 private:
  struct Gate;

  void shutdown() override;

  std::shared_ptr<Gate> gate_;  ///< shared with the threads, which may outlive this
};

}  // namespace kakehashi::base::io
