// One bot of this machine at a time plays with an account at a server: two would put each other out for ever.
// A name in the abstract namespace of Unix sockets is the lock: it needs no directory, all users of the machine
// (of its network namespace) see the same one, and it is gone with its process, however that ends.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/message.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::daemon {

class AccountLock {
 public:
  AccountLock() = default;
  ~AccountLock() { release(); }
  AccountLock(const AccountLock&) = delete;
  AccountLock& operator=(const AccountLock&) = delete;

  /// Who has it ("process 1234"); nothing when it is ours now, or was already. Another account's is
  /// given back first. Where the system refuses a lock there is none, and take_trouble() says why.
  [[nodiscard]] std::optional<base::Message> take(const config::BotConfig& bot);
  void release();
  /// Empty: the last take() did not go without one. Told once.
  [[nodiscard]] base::Message take_trouble() { return std::exchange(trouble_, {}); }

 private:
  std::string name_;  ///< of what is held; empty: nothing
  int socket_ = -1;
  base::Message trouble_;
};

}  // namespace kakehashi::daemon
