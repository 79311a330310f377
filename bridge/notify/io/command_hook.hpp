// One run of a command that is told something: a text on its standard input, which is closed behind
// it. No shell. What it prints is read and dropped, and it is killed when it takes too long.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::bridge::notify::io {

class CommandHook {
 public:
  /// Empty: it ended with status 0. Else why not, for people.
  using Done = std::function<void(std::string why)>;
  static constexpr base::Millis timeout{30'000};
  /// A pipe holds that much at once.
  static constexpr std::size_t input_bytes_max = std::size_t{32} * 1024;

  explicit CommandHook(boost::asio::io_context& context) : context_(context) {}
  /// As drop().
  ~CommandHook();
  CommandHook(const CommandHook&) = delete;
  CommandHook& operator=(const CommandHook&) = delete;

  /// One at a time, from the main thread. `done` is called once, from the io_context.
  void run(const std::vector<std::string>& command, const std::string& input, Done done);
  /// Kills what still runs; `done` is not called any more.
  void drop();

 private:
  class Child;
  boost::asio::io_context& context_;
  std::shared_ptr<Child> child_;  ///< shared with its handlers
};

}  // namespace kakehashi::bridge::notify::io
