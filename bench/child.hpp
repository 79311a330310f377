// The program under test: started, looked at from outside, ended.
#pragma once

#include <sys/types.h>

#include <chrono>
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

  /// Of all its threads, without its children; ms.
  [[nodiscard]] double cpu_ms() const;
  [[nodiscard]] double resident_mib() const;
  /// How often its threads went to sleep of their own accord.
  [[nodiscard]] long sleeps() const;
  [[nodiscard]] long descriptors() const;

 private:
  [[nodiscard]] std::string folder() const;

  pid_t process_;
  int signal_;
  bool has_ended_ = false;
  int status_ = 0;
};

}  // namespace kakehashi::bench
