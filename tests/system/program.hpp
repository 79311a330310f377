// The program itself, as a process of its own.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <csignal>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/places.hpp"

namespace kakehashi::test {

/// With standard error in a file; `variables` are "NAME=value".
class Program {
 public:
  Program(boost::asio::io_context& context, std::vector<std::string> arguments,
          const std::string& notify_socket, const std::string& stderr_path,
          std::vector<std::string> variables = {}, std::string file = test::binary())
      : ended_(context), file_(std::move(file)) {
    arguments.insert(arguments.begin(), file_);
    std::vector<char*> words;
    words.reserve(arguments.size() + 1);
    for (auto& argument : arguments) {
      words.push_back(argument.data());
    }
    words.push_back(nullptr);
    std::string notify = "NOTIFY_SOCKET=" + notify_socket;
    std::string watchdog = "WATCHDOG_USEC=100000";
    std::vector<char*> environment{notify.data(), watchdog.data()};
    for (auto& variable : variables) {
      environment.push_back(variable.data());
    }
    environment.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, stderr_path.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0600);
    // Asio opens sockets without close-on-exec: a program that outlives a killed test must not hold its ports.
    ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    EXPECT_EQ(::posix_spawn(&process_, file_.c_str(), &actions, nullptr, words.data(),
                            environment.data()),
              0);
    ::posix_spawn_file_actions_destroy(&actions);
    ended_.assign(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
    ended_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                      [this](boost::system::error_code failed) {
                        if (!failed) {
                          reap();
                        }
                      });
  }
  ~Program() {
    if (!status) {
      ::kill(process_, SIGKILL);
      reap();
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] pid_t process() const { return process_; }
  /// Of `run`: the process that plays, which `process()` holds; 0: none just now.
  [[nodiscard]] pid_t player() const { return own_child(0); }
  /// The one that gets ready to follow it; 0: there is none.
  [[nodiscard]] pid_t understudy() const { return own_child(1); }
  /// What cannot be passed on (SIGKILL, SIGSTOP) goes to both processes; behind SIGKILL both are gone.
  void send_signal(int number) const {
    const pid_t player = number == SIGKILL || number == SIGSTOP || number == SIGCONT ? this->player() : 0;
    if (player > 0 && number != SIGKILL) {
      ::kill(player, number);
    }
    const int ended = player > 0 && number == SIGKILL ? static_cast<int>(::syscall(SYS_pidfd_open, player, 0)) : -1;
    ::kill(process_, number);
    if (ended >= 0) {
      ::kill(player, SIGKILL);
      pollfd waiting{ended, POLLIN, 0};
      while (::poll(&waiting, 1, -1) < 0) {
      }
      ::close(ended);
    }
  }

  std::optional<int> status;  ///< of its exit; -1: it was killed

 private:
  /// Of its children that run this program, in the order of their beginnings; 0: there are not so many.
  [[nodiscard]] pid_t own_child(int number) const {
    std::ifstream children("/proc/" + std::to_string(process_) + "/task/" + std::to_string(process_) + "/children");
    for (pid_t child = 0; children >> child;) {
      std::ifstream command("/proc/" + std::to_string(child) + "/cmdline");
      std::string word;
      std::getline(command, word, '\0');
      if (word == file_ && number-- == 0) {
        return child;
      }
    }
    return 0;
  }

  void reap() {
    int raw = 0;
    ::waitpid(process_, &raw, 0);
    status = WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
  }

  boost::asio::posix::stream_descriptor ended_;
  std::string file_;
  pid_t process_ = -1;
};

}  // namespace kakehashi::test
