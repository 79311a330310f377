#include "usi/io/spawn.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/io/child.hpp"

namespace kakehashi::usi::io {

using base::say;
namespace {

// --- the limits of a child, applied between fork and exec, and inherited by its own children

/// Both the soft and the hard one, so that the engine cannot raise it again.
template <class Resource>
bool limit(Resource resource, std::uint64_t most) {
  const rlimit wanted{most, most};
  return ::setrlimit(resource, &wanted) == 0;
}

bool bind_to(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    CPU_SET(static_cast<std::size_t>(cpu), &set);
  }
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

/// Never ahead of the bridge, which may stand back itself: that would want privileges.
bool stand_back(int nice) {
  return nice == 0 || nice <= ::getpriority(PRIO_PROCESS, 0) ||
         ::setpriority(PRIO_PROCESS, 0, nice) == 0;
}

// ---

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  [[nodiscard]] bool open() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      return false;
    }
    read_end = ends[0];
    write_end = ends[1];
    return true;
  }
  void close_both() {
    close_end(read_end);
    close_end(write_end);
  }
  static void close_end(int& end) {
    if (end >= 0) {
      ::close(end);
      end = -1;
    }
  }
};

/// What the child reports when it cannot become the engine.
struct Failure {
  enum class Step : int { directory, limits, exec } step;
  int error;
};

base::Message error_text(int error) {
  const char* name = strerrorname_np(error);
  auto text = base::system_words(std::strerror(error));
  return name == nullptr ? text : say("{} ({})", std::move(text), std::string(name));
}

std::string parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) {
    return {};
  }
  return slash == 0 ? "/" : std::string(path.substr(0, slash));
}

bool is_place_of_commands(std::string_view directory) {
  if (directory == "bin" || directory == "sbin" || directory.ends_with("/bin") || directory.ends_with("/sbin")) {
    return true;
  }
  const char* path = std::getenv("PATH");
  const std::string places = ":" + std::string(path != nullptr ? path : "") + ":";
  return places.find(":" + std::string(directory) + ":") != std::string::npos;
}

/// Of a file, by its own path or by that which it links to, if either is of its own.
std::optional<std::string> own_directory(const std::string& path) {
  if (std::string parent = parent_of(path); !is_place_of_commands(parent)) {
    return parent;
  }
  const std::unique_ptr<char, decltype(&std::free)> whole(::realpath(path.c_str(), nullptr), &std::free);
  if (!whole) {
    return std::nullopt;
  }
  std::string parent = parent_of(whole.get());
  return is_place_of_commands(parent) ? std::nullopt : std::optional(std::move(parent));
}

bool is_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// A relative program path means what it meant to the person who wrote it: it is made absolute
/// before the working directory changes.
std::string program_of(const SpawnRequest& request) {
  const std::string& program = request.command.front();
  if (program.find('/') == std::string::npos || program.front() == '/') {
    return program;
  }
  char* here = get_current_dir_name();
  if (here == nullptr) {
    return program;
  }
  std::string path = std::string(here) + "/" + program;
  std::free(here);
  return path;
}

std::vector<std::string> environment_of(const SpawnRequest& request) {
  std::vector<std::string> environment;
  for (const char* name : {"PATH", "HOME", "LANG", "LC_ALL", "TZ"}) {
    const bool is_given = std::any_of(request.environment.begin(), request.environment.end(),
                                      [&](const auto& variable) { return variable.first == name; });
    if (const char* value = std::getenv(name); value != nullptr && !is_given) {
      environment.push_back(std::string(name) + "=" + value);
    }
  }
  for (const auto& [name, value] : request.environment) {
    environment.push_back(name + "=" + value);
  }
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) {
    result.push_back(text.data());
  }
  result.push_back(nullptr);
  return result;
}

base::Message what_failed(const Failure& failure, const SpawnRequest& request) {
  auto why = error_text(failure.error);
  switch (failure.step) {
    case Failure::Step::directory:
      return say("cannot enter the directory {}: {}", directory_of(request), std::move(why));
    case Failure::Step::limits: return say("cannot set the limits of {}: {}", request.command.front(), std::move(why));
    case Failure::Step::exec: break;
  }
  return say("cannot run {}: {}", request.command.front(), std::move(why));
}

[[noreturn]] void report_and_exit(int status_pipe, Failure::Step step) {
  const Failure failure{step, errno};
  static_cast<void>(!::write(status_pipe, &failure, sizeof failure));
  ::_exit(127);
}

/// Everything the child does before exec; only async-signal-safe calls.
[[noreturn]] void become_engine(const std::array<int, 3>& streams, int status_pipe, pid_t parent,
                                const char* directory, const char* program, char* const* arguments,
                                char* const* environment, const ProcessLimits& limits,
                                const std::vector<int>& cpus, bool dies_with_us) {
  if (dies_with_us) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  }
  if (::getppid() != parent) {
    ::_exit(127);  // the parent died before the line above
  }
  base::io::become_child(streams);
  if (*directory != '\0' && ::chdir(directory) != 0) {
    report_and_exit(status_pipe, Failure::Step::directory);
  }
  if (!apply(limits, cpus)) {
    report_and_exit(status_pipe, Failure::Step::limits);
  }
  ::execvpe(program, arguments, environment);
  report_and_exit(status_pipe, Failure::Step::exec);
}

}  // namespace

std::vector<int> processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> found;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int cpu = 0; cpu <= cpu_max; ++cpu) {
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) {
        found.push_back(cpu);
      }
    }
  }
  return found;
}

std::string directory_of(const SpawnRequest& request) {
  if (!request.directory.empty()) {
    return request.directory;
  }
  const std::string& program = request.command.front();
  if (program.find('/') != std::string::npos) {
    if (auto own = own_directory(program)) {
      return *own;
    }
  }
  // A relative path means another file once the directory has changed: it is left to who wrote it.
  for (std::size_t i = 1; i < request.command.size(); ++i) {
    const std::string& word = request.command[i];
    if (word.starts_with('/') && is_file(word)) {
      if (auto own = own_directory(word)) {
        return *own;
      }
    }
  }
  return parent_of(program);
}

bool apply(const ProcessLimits& limits, const std::vector<int>& cpus) {
  // What lets the bridge run before others is not meant for who thinks.
  return limit(RLIMIT_RTPRIO, 0) && (limits.core_dumps || limit(RLIMIT_CORE, 0)) &&
         (!limits.open_files ||
          limit(RLIMIT_NOFILE, static_cast<std::uint64_t>(*limits.open_files))) &&
         (cpus.empty() || bind_to(cpus)) &&
         stand_back(limits.nice) &&
         (limits.memory == 0 || limit(RLIMIT_DATA, limits.memory)) &&
         (limits.address_space == 0 || limit(RLIMIT_AS, limits.address_space));
}

std::variant<Spawned, base::Message> spawn(const SpawnRequest& request) {
  if (request.command.empty()) {
    return say("no engine command is configured");
  }
  Pipe to_child;
  Pipe out_of_child;
  Pipe errors;
  Pipe status;
  if (!to_child.open() || !out_of_child.open() || !errors.open() || !status.open()) {
    auto why = say("cannot make pipes: {}", error_text(errno));
    for (Pipe* pipe : {&to_child, &out_of_child, &errors, &status}) {
      pipe->close_both();
    }
    return why;
  }
  // Whatever the child needs is made before the fork: afterwards it must not allocate.
  std::vector<std::string> arguments = request.command;
  std::vector<std::string> environment = environment_of(request);
  const std::vector<char*> argument_pointers = pointers(arguments);
  const std::vector<char*> environment_pointers = pointers(environment);
  const std::string directory = directory_of(request);
  const std::string program = program_of(request);
  const std::vector<int> cpus = parse_cpu_list(request.limits.cpus).value_or(std::vector<int>());

  // No handler of the parent's may run in the child.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    become_engine({to_child.read_end, out_of_child.write_end, errors.write_end}, status.write_end,
                  parent, directory.c_str(), program.c_str(), argument_pointers.data(),
                  environment_pointers.data(), request.limits, cpus, request.dies_with_us);
  }
  const int fork_error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  Pipe::close_end(to_child.read_end);
  Pipe::close_end(out_of_child.write_end);
  Pipe::close_end(errors.write_end);
  Pipe::close_end(status.write_end);
  const auto give_up = [&](base::Message why) {
    for (Pipe* pipe : {&to_child, &out_of_child, &errors, &status}) {
      pipe->close_both();
    }
    return why;
  };
  if (child < 0) {
    return give_up(say("cannot fork: {}", error_text(fork_error)));
  }
  ::setpgid(child, child);  // the child does it too: whoever comes first

  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  if (pidfd < 0) {
    const int error = errno;
    ::kill(-child, SIGKILL);
    reap_in_background(child);
    return give_up(say("cannot watch the process: {}", error_text(error)));
  }
  ::fcntl(pidfd, F_SETFD, FD_CLOEXEC);
  ::fcntl(status.read_end, F_SETFL, O_NONBLOCK);
  return Spawned{child, pidfd, to_child.write_end, out_of_child.read_end, errors.read_end, status.read_end};
}

base::Message exec_failure(const Spawned& child, const SpawnRequest& request) {
  // The pipe closes at exec; bytes in it mean that there was none.
  Failure failure{};
  ssize_t got = 0;
  do {
    got = ::read(child.exec_status, &failure, sizeof failure);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof failure)) {
    return {};
  }
  if (failure.step == Failure::Step::limits && failure.error == EINVAL && !request.limits.cpus.empty() && !processors().empty()) {
    return say("cannot give {} the processors {} (cpus): this machine has {} to {}", request.command.front(),
               request.limits.cpus, processors().front(), processors().back());
  }
  return what_failed(failure, request);
}

/// The bridge does it: the child cannot before its exec, while its copied memory is as private as the bridge's.
void prefer_as_victim(pid_t engine) {
  const std::string path = "/proc/" + std::to_string(engine) + "/oom_score_adj";
  // The file is root's until the kernel has finished the exec, which it does at once.
  constexpr int attempts_max = 100;
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
      static_cast<void>(!::write(file, "500", 3));
      ::close(file);
      return;
    }
    ::usleep(20);  // the bridge may run before the engine, and would yield to nobody
  }
}

void reap_in_background(pid_t child) {
  if (::waitpid(child, nullptr, WNOHANG) != 0) {
    return;
  }
  try {
    std::thread([child] {
      while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
      }
    }).detach();
  } catch (const std::system_error&) {
    // A machine without a thread to spare keeps the remains until this process ends.
  }
}

}  // namespace kakehashi::usi::io
