#include "bridge/cli/engine_install.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>
#include <variant>
#include <vector>

#include "base/text.hpp"
#include "bridge/fleet/io/exit_status.hpp"
#include "bridge/io/engines.hpp"
#include "bridge/io/kept_engine.hpp"
#include "keeper/attach_command.hpp"
#include "usi/io/spawn.hpp"

namespace kakehashi::bridge::cli {
namespace {

constexpr std::size_t output_bytes_max = std::size_t{64} * 1024;
constexpr std::size_t keeper_bytes_max = std::size_t{32} * 1024 * 1024;
constexpr std::chrono::seconds patience{300};

struct Outcome {
  bool is_well = false;
  std::string output;
  std::string why;
};

/// A login shell may have said more before.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines = base::split(text, '\n');
  std::erase(lines, std::string_view());
  return lines;
}

/// Runs a command with that input; what it says is bounded, and so is its time.
Outcome run(const std::vector<std::string>& command, std::string_view input) {
  ::signal(SIGPIPE, SIG_IGN);
  const usi::io::SpawnRequest request{.command = command, .directory = ".", .environment = io::engine_environment({}).passed};
  const auto spawned = usi::io::spawn(request);
  if (const auto* why = std::get_if<std::string>(&spawned)) {
    return {.output = {}, .why = *why};
  }
  usi::io::Spawned child = std::get<usi::io::Spawned>(spawned);
  Outcome outcome;
  std::string errors;
  ::fcntl(child.to_stdin, F_SETFL, O_NONBLOCK);
  const auto close = [](int& descriptor) {
    ::close(descriptor);
    descriptor = -1;
  };
  const auto take = [&](int& descriptor, std::string& text) {
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
    if (count > 0) {
      text.append(bytes.data(), static_cast<std::size_t>(count));
      text.resize(std::min(text.size(), output_bytes_max));
    } else if (count == 0 || errno != EINTR) {
      close(descriptor);
    }
  };
  const auto end = std::chrono::steady_clock::now() + patience;
  while (child.from_stdout >= 0 || child.from_stderr >= 0) {
    if (child.to_stdin >= 0 && input.empty()) {
      close(child.to_stdin);
    }
    std::array<pollfd, 3> waits{{{child.to_stdin, POLLOUT, 0}, {child.from_stdout, POLLIN, 0}, {child.from_stderr, POLLIN, 0}}};
    const auto left = std::chrono::duration_cast<base::Millis>(end - std::chrono::steady_clock::now()).count();
    if (left <= 0 || ::poll(waits.data(), waits.size(), static_cast<int>(left)) == 0) {
      ::kill(-child.process, SIGKILL);
      errors += "no end within " + base::format_millis(base::Millis(patience).count());
      break;
    }
    if (waits[0].revents != 0) {
      const ssize_t count = ::write(child.to_stdin, input.data(), input.size());
      if (count >= 0) {
        input.remove_prefix(static_cast<std::size_t>(count));
      } else if (errno != EAGAIN && errno != EINTR) {
        close(child.to_stdin);
      }
    }
    if (waits[1].revents != 0) {
      take(child.from_stdout, outcome.output);
    }
    if (waits[2].revents != 0) {
      take(child.from_stderr, errors);
    }
  }
  int status = 0;
  ::waitpid(child.process, &status, 0);
  outcome.is_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const std::string failure = usi::io::exec_failure(child, request);
  for (int* descriptor : {&child.to_stdin, &child.from_stdout, &child.from_stderr, &child.pidfd, &child.exec_status}) {
    if (*descriptor >= 0) {
      close(*descriptor);
    }
  }
  outcome.why = !failure.empty() ? failure : base::quote_for_log(base::join(lines_of(errors), " / "), 300);
  return outcome;
}

Outcome run_there(const std::string& host, const std::string& script, std::string_view input) {
  std::vector<std::string> command = keeper::ssh_command(host);
  command.push_back("exec /bin/sh -c " + keeper::quote_for_shell(script));
  return run(command, input);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return bytes.size() > keeper_bytes_max ? "" : bytes;
}

/// ELF, e_machine: as `uname -m` calls it.
std::string machine_of(const std::string& program) {
  if (program.size() < 20 || !program.starts_with("\x7f" "ELF")) {
    return "";
  }
  switch (static_cast<unsigned char>(program[18])) {
    case 62: return "x86_64";
    case 183: return "aarch64";
    default: return "another machine";
  }
}

/// This machine's own beside this program; that of another kind in ../lib/kakehashi, or beside this program too.
std::string keeper_for(const std::string& machine) {
  utsname own{};
  ::uname(&own);
  const std::string beside = io::keeper_program();
  if (machine == own.machine) {
    return beside;
  }
  const std::string packaged = beside.substr(0, beside.rfind('/') + 1) + "../lib/kakehashi/kakehashi-keep." + machine;
  return ::access(packaged.c_str(), R_OK) == 0 ? packaged : beside + "." + machine;
}

}  // namespace

int install_keeper(const std::string& host, std::string file) {
  const std::string place = "$HOME/" + std::string(keeper::installed_in);
  const std::string shown = "~/" + std::string(keeper::installed_in) + "/kakehashi-keep";
  const Outcome found = run_there(host, "uname -m; PATH=\"" + place + ":$PATH\" kakehashi-keep --version 2>/dev/null || echo none", "");
  if (!found.is_well) {
    std::cout << "problem   " << host << " cannot be reached: " << found.why << "\n";
    return exit_unavailable;
  }
  const auto lines = lines_of(found.output);
  const std::string machine(lines.size() < 2 ? std::string_view() : lines[lines.size() - 2]);
  std::cout << "host      " << host << ", " << base::quote_for_log(machine, 40) << "; kakehashi-keep there before: "
            << base::quote_for_log(lines.empty() ? "" : lines.back(), 80) << "\n";
  if (file.empty()) {
    file = keeper_for(machine);
  }
  const std::string program = read_file(file);
  if (machine_of(program) != machine) {
    std::cout << "problem   " << (program.empty() ? "there is no " + file : file + " is for " + machine_of(program))
              << ": give the keeper of that machine by --keeper FILE\n";
    return exit_unavailable;
  }
  const std::string next = place + "/.kakehashi-keep.new";
  // One that came whole takes the other's place at once; a keeper that runs keeps its own file.
  const Outcome copied = run_there(
      host,
      "umask 022; mkdir -p \"" + place + "\" && cat > \"" + next + "\" && [ \"$(wc -c < \"" + next + "\")\" -eq " +
          std::to_string(program.size()) + " ] && chmod 755 \"" + next + "\" && mv -f \"" + next + "\" \"" + place +
          "/kakehashi-keep\" && exec \"" + place + "/kakehashi-keep\" --version",
      program);
  const auto said = lines_of(copied.output);
  if (!copied.is_well || said.empty() || !said.back().starts_with("kakehashi-keep ")) {
    std::cout << "problem   it could not be put there: " << copied.why << "\n";
    return exit_unavailable;
  }
  std::cout << "copied    " << file << " (" << program.size() / 1024 << " KiB) to " << shown << "\n"
            << "result    " << host << " has " << base::quote_for_log(said.back())
            << "; engine.host: " << base::quote_for_log(host) << " finds it\n";
  return exit_ok;
}

}  // namespace kakehashi::bridge::cli
