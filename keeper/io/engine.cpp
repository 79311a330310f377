#include "keeper/io/engine.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace kakehashi::keeper::io {

namespace {

using Pipe = std::array<int, 2>;

struct Trouble {
  int step;
  int error;
};

constexpr int step_directory = 0;
constexpr int step_exec = 1;

std::string directory_of(const std::string& program, const std::string& directory) {
  if (!directory.empty()) {
    return directory;
  }
  const std::size_t slash = program.rfind('/');
  return slash == std::string::npos ? "" : slash == 0 ? "/" : program.substr(0, slash);
}

[[noreturn]] void become_engine(const std::vector<std::string>& command, const std::string& directory,
                                const Pipe& input, const Pipe& output, const Pipe& errors, int report) {
  ::setpgid(0, 0);
  ::dup2(input[0], STDIN_FILENO);
  ::dup2(output[1], STDOUT_FILENO);
  ::dup2(errors[1], STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGHUP, SIG_DFL);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const std::string folder = directory_of(command.front(), directory);
  Trouble trouble{step_directory, 0};
  if (folder.empty() || ::chdir(folder.c_str()) == 0) {
    ::execvp(arguments.front(), arguments.data());
    trouble.step = step_exec;
  }
  trouble.error = errno;
  static_cast<void>(!::write(report, &trouble, sizeof trouble));
  ::_exit(127);
}

void close_all(std::initializer_list<int> descriptors) {
  for (const int descriptor : descriptors) {
    ::close(descriptor);
  }
}

}  // namespace

base::Result<Engine, std::string> start_engine(const std::vector<std::string>& command,
                                               const std::string& directory) {
  Pipe input{};
  Pipe output{};
  Pipe errors{};
  Pipe report{};
  for (Pipe* pipe : {&input, &output, &errors, &report}) {
    if (::pipe2(pipe->data(), O_CLOEXEC) != 0) {
      return base::Failure<std::string>{std::string("no pipe can be made: ") + std::strerror(errno)};
    }
  }
  const pid_t pid = ::fork();
  if (pid == 0) {
    become_engine(command, directory, input, output, errors, report[1]);
  }
  const int fork_error = errno;
  close_all({input[0], output[1], errors[1], report[1]});
  Trouble trouble{};
  const bool is_refused = pid > 0 && ::read(report[0], &trouble, sizeof trouble) == sizeof trouble;
  ::close(report[0]);
  if (pid < 0 || is_refused) {
    close_all({input[1], output[0], errors[0]});
    const std::string what = pid < 0 ? "no process can be made"
                             : trouble.step == step_directory
                                 ? "the directory " + directory_of(command.front(), directory) + " cannot be entered"
                                 : command.front() + " cannot be started";
    return base::Failure<std::string>{what + ": " + std::strerror(pid < 0 ? fork_error : trouble.error)};
  }
  for (const int descriptor : {input[1], output[0], errors[0]}) {
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  }
  return Engine{pid, input[1], output[0], errors[0]};
}

}  // namespace kakehashi::keeper::io
