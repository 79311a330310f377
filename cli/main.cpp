#include <cstdlib>
#include <string>
#include <vector>

#include "base/build_facts.hpp"
#include "base/io/threads.hpp"
#include "cli/command_line.hpp"
#include "daemon/own_process.hpp"
#include "holder/holder.hpp"

int main(int argc, char** argv) {
  namespace cli = kakehashi::cli;
  namespace daemon = kakehashi::daemon;
  daemon::hold_standard_descriptors();
  const auto own_program = kakehashi::holder::own_program(argv);
  daemon::keep_memory_private();
  std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  const bool is_on_trial = !arguments.empty() && arguments.front() == kakehashi::holder::trial_word;
  if (is_on_trial) {
    arguments.erase(arguments.begin());
  }
  const auto program = [&](kakehashi::holder::Kept& kept) {
    return cli::run_command_line(arguments, kakehashi::base::build_facts(), &kept);
  };
  if (is_on_trial) {
    return kakehashi::holder::try_on(program);
  }
  const bool is_to_be_held = kakehashi::holder::is_first_process() || cli::plays(arguments);
  const int status = is_to_be_held ? kakehashi::holder::hold(program, own_program) : -1;
  if (status >= 0) {
    return status;
  }
  kakehashi::holder::Kept nothing;
  const int own_status = program(nothing);
  if (kakehashi::base::io::Errands::at_work() > 0) {
    // A disk still holds up a thread: what it uses must not be torn down under it.
    std::fflush(nullptr);
    std::_Exit(own_status);
  }
  return own_status;
}
