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
#include "base/text.hpp"

namespace kakehashi::usi::io {

using base::say;

std::vector<std::string> places_of(const std::string& program) {
  if (program.find('/') != std::string::npos) {
    return {program};
  }
  const char* path = std::getenv("PATH");
  std::vector<std::string> places;
  for (const std::string_view directory : base::split(path != nullptr ? path : "/bin:/usr/bin", ':')) {
    places.push_back(directory.empty() ? program : std::string(directory) + "/" + program);
  }
  return places;
}

namespace {

// --- the limits of a child, inherited by its own children: what each of these asks of the kernel, 0 or an error

using base::io::call_kernel;

/// Both the soft and the hard one, so that the engine cannot raise it again.
template <class Resource>
long limit(Resource resource, std::uint64_t most) {
  const rlimit wanted{most, most};
  return call_kernel(SYS_prlimit64, 0, static_cast<int>(resource), &wanted, nullptr);
}

long bind_to(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    CPU_SET(static_cast<std::size_t>(cpu), &set);
  }
  return call_kernel(SYS_sched_setaffinity, 0, sizeof set, &set);
}

/// Never ahead of the bridge, which may stand back itself: that would want privileges.
long stand_back(int nice) {
  constexpr long lowest = 20;  // the kernel tells the distance from it
  return nice == 0 || nice <= lowest - call_kernel(SYS_getpriority, static_cast<int>(PRIO_PROCESS), 0)
             ? 0
             : call_kernel(SYS_setpriority, static_cast<int>(PRIO_PROCESS), 0, nice);
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
  /// What is written there goes nowhere, and never waits.
  [[nodiscard]] bool open_nowhere() {
    write_end = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    return write_end >= 0;
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

/// Behind one place that is free.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result{nullptr};
  result.reserve(texts.size() + 2);
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

/// A child on its way. It lives in the memory of the bridge until its exec, beside it: nothing is copied, however much that
/// would be, and the bridge waits for nothing. So whatever it needs is made before, it calls the kernel alone, and writes
/// nowhere but here.
struct Launch {
  explicit Launch(const SpawnRequest& request)
      : arguments(request.command),
        environment(environment_of(request)),
        directory(directory_of(request)),
        places(places_of(program_of(request))),
        limits(request.limits),
        cpus(parse_cpu_list(request.limits.cpus).value_or(std::vector<int>())),
        dies_with_us(request.dies_with_us),
        argument_pointers(pointers(arguments)),
        environment_pointers(pointers(environment)) {}

  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::string directory;
  std::vector<std::string> places;
  ProcessLimits limits;
  std::vector<int> cpus;
  bool dies_with_us;
  std::vector<char*> argument_pointers;  ///< behind one that is left free, for the shell of a script that names none
  std::vector<char*> environment_pointers;
  std::array<int, 3> streams{};
  int status_pipe = -1;
  pid_t parent = ::getpid();
  pid_t here = 1;  ///< 0 once the child has left this memory: the kernel says so
  alignas(16) std::array<std::byte, std::size_t{16} * 1024> stack{};
};

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr int beside_us = CLONE_VFORK;  // its notes of a thread are not to be written by two
#else
constexpr int beside_us = 0;
#endif
#else
constexpr int beside_us = 0;
#endif

/// Those whose child may not have left yet.
std::vector<std::unique_ptr<Launch>>& launches() {
  static std::vector<std::unique_ptr<Launch>> all;
  return all;
}

[[noreturn]] void end(const Launch& launch, Failure::Step step, long error) {
  const Failure failure{step, static_cast<int>(-error)};
  call_kernel(SYS_write, launch.status_pipe, &failure, sizeof failure);
  for (;;) {
    call_kernel(SYS_exit_group, 127);
  }
}

/// As execvpe has it.
long execute(Launch& launch) {
  char** const arguments = launch.argument_pointers.data() + 1;
  char* const* const environment = launch.environment_pointers.data() + 1;
  long error = -ENOENT;
  for (const std::string& place : launch.places) {
    long failed = call_kernel(SYS_execve, place.c_str(), arguments, environment);
    if (failed == -ENOEXEC) {
      launch.argument_pointers[0] = const_cast<char*>("/bin/sh");
      launch.argument_pointers[1] = const_cast<char*>(place.c_str());
      failed = call_kernel(SYS_execve, "/bin/sh", launch.argument_pointers.data(), environment);
    }
    if (failed == -EACCES) {
      error = failed;  // unless another place has it
    } else if (failed != -ENOENT && failed != -ENOTDIR) {
      return failed;
    }
  }
  return error;
}

/// Everything the child does.
int become_engine(void* told) {
  Launch& launch = *static_cast<Launch*>(told);
  if (launch.dies_with_us) {
    call_kernel(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  }
  if (call_kernel(SYS_getppid) != launch.parent) {
    return 127;  // the parent died before the line above
  }
  base::io::become_child(launch.streams);
  if (!launch.directory.empty()) {
    if (const long failed = call_kernel(SYS_chdir, launch.directory.c_str()); failed != 0) {
      end(launch, Failure::Step::directory, failed);
    }
  }
  if (const long failed = io::apply(launch.limits, launch.cpus); failed != 0) {
    end(launch, Failure::Step::limits, failed);
  }
  end(launch, Failure::Step::exec, execute(launch));
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

long apply(const ProcessLimits& limits, const std::vector<int>& cpus) {
  // What lets the bridge run before others is not meant for who thinks.
  long failed = limit(RLIMIT_RTPRIO, 0);
  const auto then = [&failed](bool is_wanted, auto&& ask) { failed = failed == 0 && is_wanted ? ask() : failed; };
  then(!limits.core_dumps, [] { return limit(RLIMIT_CORE, 0); });
  then(limits.open_files.has_value(), [&] { return limit(RLIMIT_NOFILE, static_cast<std::uint64_t>(*limits.open_files)); });
  then(!cpus.empty(), [&] { return bind_to(cpus); });
  then(true, [&] { return stand_back(limits.nice); });
  then(limits.memory != 0, [&] { return limit(RLIMIT_DATA, limits.memory); });
  then(limits.address_space != 0, [&] { return limit(RLIMIT_AS, limits.address_space); });
  return failed;
}

std::variant<Spawned, base::Message> spawn(const SpawnRequest& request) {
  if (request.command.empty()) {
    return say("no engine command is configured");
  }
  Pipe to_child;
  Pipe out_of_child;
  Pipe errors;
  Pipe status;
  const auto open = [&](Pipe& output) { return request.is_heard ? output.open() : output.open_nowhere(); };
  if (!to_child.open() || !open(out_of_child) || !open(errors) || !status.open()) {
    auto why = say("cannot make pipes: {}", error_text(errno));
    for (Pipe* pipe : {&to_child, &out_of_child, &errors, &status}) {
      pipe->close_both();
    }
    return why;
  }
  std::erase_if(launches(), [](const auto& launch) { return __atomic_load_n(&launch->here, __ATOMIC_ACQUIRE) == 0; });
  Launch& launch = *launches().emplace_back(std::make_unique<Launch>(request));
  launch.streams = {to_child.read_end, out_of_child.write_end, errors.write_end};
  launch.status_pipe = status.write_end;

  // No handler of the parent's may run in the child.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  int pidfd = -1;
  const pid_t child = ::clone(become_engine, launch.stack.data() + launch.stack.size(),
                              CLONE_VM | CLONE_PIDFD | CLONE_CHILD_CLEARTID | beside_us | SIGCHLD, &launch, &pidfd,
                              nullptr, &launch.here);
  const int clone_error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  Pipe::close_end(to_child.read_end);
  Pipe::close_end(out_of_child.write_end);
  Pipe::close_end(errors.write_end);
  Pipe::close_end(status.write_end);
  if (child < 0) {
    launches().pop_back();
    for (Pipe* pipe : {&to_child, &out_of_child, &errors, &status}) {
      pipe->close_both();
    }
    return say("cannot fork: {}", error_text(clone_error));
  }
  ::setpgid(child, child);  // the child does it too: whoever comes first
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

/// The bridge does it behind the exec: before, the child has its memory in common with the bridge, and the value with it.
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
