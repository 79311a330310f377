// The program under test: started, looked at from outside, ended.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace kakehashi::bench {

class Child {
 public:
  /// Throws when there is no process; a program that cannot be executed exits with 127.
  explicit Child(std::vector<std::string> command);
  /// Ends it by `signal` and waits.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void end_with(int signal) { signal_ = signal; }

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
};

}  // namespace kakehashi::bench
