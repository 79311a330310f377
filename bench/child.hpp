// The program under test: started, looked at from outside, ended. A bridge is two processes, the one that holds and the
// one that plays: both count.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace kakehashi::bench {

class Child {
 public:
  /// Throws when there is no process; a program that cannot be executed exits with 127. It dies with
  /// the thread that made it.
  explicit Child(std::vector<std::string> command);
  /// Ends it by the signal that was chosen, and by force when that does not help within dying_max.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void end_with(int signal) { signal_ = signal; }
  /// Whether it has ended by itself.
  [[nodiscard]] bool has_ended();
  /// Of a child that has ended: what waitpid(2) tells.
  [[nodiscard]] int status() const { return status_; }

  static constexpr std::chrono::seconds dying_max{10};

  /// Of all its threads, without its engines; ms.
  [[nodiscard]] double cpu_ms() const;
  /// What two processes share counts once.
  [[nodiscard]] double resident_mib() const;
  /// How often its threads went to sleep of their own accord.
  [[nodiscard]] long sleeps() const;
  [[nodiscard]] long descriptors() const;

 private:
  /// Of the process and its children of the same program, in /proc.
  [[nodiscard]] std::vector<std::filesystem::path> folders() const;

  pid_t process_;
  int signal_;
  bool has_ended_ = false;
  int status_ = 0;
};

}  // namespace kakehashi::bench
