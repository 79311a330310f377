#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/build_facts.hpp"
#include "base/io/threads.hpp"
#include "cli/command_line.hpp"
#include "daemon/own_process.hpp"

int main(int argc, char** argv) {
  namespace cli = kakehashi::cli;
  namespace daemon = kakehashi::daemon;
  daemon::hold_standard_descriptors();
  daemon::keep_memory_private();
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  const auto program = [&] { return cli::run_command_line(arguments, kakehashi::base::build_facts()); };
  const int status = daemon::is_first_process() ? daemon::tend(program) : -1;
  if (status >= 0) {
    return status;
  }
  const int own_status = program();
  if (kakehashi::base::io::Errands::at_work() > 0) {
    // A disk still holds up a thread: what it uses must not be torn down under it.
    std::fflush(nullptr);
    std::_Exit(own_status);
  }
  return own_status;
}
