// Work that may wait for a disk, done one piece after the other on a thread of its own, so that the
// loop that serves the games never waits for it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace kakehashi::base::io {

class Background {
 public:
  explicit Background(std::size_t most = waiting_max);
  /// Does what is still waiting first.
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// False when it is not taken: too much is waiting already, or the system gives no thread. `work`
  /// must not throw, and must own all that it uses.
  bool post(std::function<void()> work);

  /// Pieces that are not begun.
  [[nodiscard]] std::size_t waiting() const;

  static constexpr std::size_t waiting_max = 16;

 private:
  struct Queue;
  std::size_t most_;
  std::unique_ptr<Queue> queue_;
};

}  // namespace kakehashi::base::io
