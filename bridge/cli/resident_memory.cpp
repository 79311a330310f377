#include "bridge/cli/resident_memory.hpp"

#include <unistd.h>

#include <fstream>

namespace kakehashi::bridge::cli {

std::uint64_t resident_bytes(const std::string& process) {
  std::ifstream statm("/proc/" + process + "/statm");
  std::uint64_t all_pages = 0;
  std::uint64_t resident_pages = 0;
  statm >> all_pages >> resident_pages;
  return resident_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace kakehashi::bridge::cli
