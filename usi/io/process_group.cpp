#include "usi/io/process_group.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace kakehashi::usi::io {

namespace fs = std::filesystem;

namespace {

/// Field 5 of /proc/PID/stat. The command's name stands in brackets before it and may hold anything.
pid_t group_of(const fs::path& process) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text);
  const std::size_t close = text.rfind(')');
  if (close == std::string::npos) {
    return -1;
  }
  std::istringstream rest(text.substr(close + 1));
  char state = 0;
  pid_t parent = -1;
  pid_t group = -1;
  rest >> state >> parent >> group;
  return rest ? group : -1;
}

}  // namespace

std::size_t group_members(pid_t group) {
  std::size_t members = 0;
  std::error_code failed;
  for (fs::directory_iterator at("/proc", failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    const bool is_process = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
      return std::isdigit(c) != 0;
    });
    members += is_process && group_of(at->path()) == group ? 1U : 0U;
  }
  return members;
}

}  // namespace kakehashi::usi::io
