#include "bridge/cli/command_line.hpp"

int main(int argc, char** argv) {
  return kakehashi::bridge::cli::run_command_line({argv + (argc > 0 ? 1 : 0), argv + argc});
}
