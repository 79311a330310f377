#include "bench/child.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>

#include "bench/server_end.hpp"

namespace kakehashi::bench {

namespace fs = std::filesystem;

namespace {

/// The number behind this word in a file of /proc, or 0.
long number_of(const fs::path& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    if (word == name) {
      long number = 0;
      file >> number;
      return number;
    }
  }
  return 0;
}

}  // namespace

Child::Child(std::vector<std::string> command) : process_(::fork()), signal_(SIGTERM) {
  if (process_ < 0) {
    fail("no process");
  }
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::vector<char*> arguments;
    for (std::string& word : command) {
      arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    ::execv(arguments.front(), arguments.data());
    ::_exit(127);
  }
}

Child::~Child() {
  if (has_ended()) {
    return;
  }
  ::kill(process_, signal_);
  const auto deadline = std::chrono::steady_clock::now() + dying_max;
  while (!has_ended()) {
    if (std::chrono::steady_clock::now() >= deadline) {
      ::kill(process_, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

bool Child::has_ended() {
  has_ended_ = has_ended_ || ::waitpid(process_, &status_, WNOHANG) == process_;
  return has_ended_;
}

std::vector<fs::path> Child::folders() const {
  const fs::path own = "/proc/" + std::to_string(process_);
  std::error_code none;
  const fs::path program = fs::read_symlink(own / "exe", none);
  std::vector<fs::path> found{own};
  for (const auto& task : fs::directory_iterator(own / "task", none)) {
    std::ifstream children(task.path() / "children");
    for (std::string child; children >> child;) {
      if (fs::read_symlink(fs::path("/proc") / child / "exe", none) == program) {
        found.push_back(fs::path("/proc") / child);
      }
    }
  }
  return found;
}

double Child::cpu_ms() const {
  double sum_ms = 0;
  for (const auto& folder : folders()) {
    for (const auto& task : fs::directory_iterator(folder / "task")) {
      double ns = 0;
      std::ifstream(task.path() / "schedstat") >> ns;
      sum_ms += ns / 1e6;
    }
  }
  return sum_ms;
}

double Child::resident_mib() const {
  long sum_kib = 0;
  for (const auto& folder : folders()) {
    sum_kib += number_of(folder / "smaps_rollup", "Pss:");
  }
  return static_cast<double>(sum_kib) / 1024;
}

long Child::sleeps() const {
  long sum = 0;
  for (const auto& folder : folders()) {
    for (const auto& task : fs::directory_iterator(folder / "task")) {
      sum += number_of(task.path() / "status", "voluntary_ctxt_switches:");
    }
  }
  return sum;
}

long Child::descriptors() const {
  long sum = 0;
  for (const auto& folder : folders()) {
    sum += std::distance(fs::directory_iterator(folder / "fd"), fs::directory_iterator());
  }
  return sum;
}

}  // namespace kakehashi::bench
