// A directory that a test may fill, gone when the test ends, unless it failed and KAKEHASHI_KEEP is set: then
// it stays for a person to look at.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

namespace kakehashi::test {

class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "kakehashi-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      ADD_FAILURE() << "no scratch directory";
    }
    path_ = name;
  }
  ~Scratch() {
    if (testing::Test::HasFailure() && std::getenv("KAKEHASHI_KEEP") != nullptr) {
      return;
    }
    std::error_code failed;
    std::filesystem::remove_all(path_, failed);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] std::string path(const std::string& name = "") const {
    return (path_ / name).string();
  }
  /// The names in the directory, sorted.
  [[nodiscard]] std::vector<std::string> names(const std::string& below = "") const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_ / below)) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// For its owner's eyes only, whatever the umask: what holds a secret.
inline void write_private(const std::string& path, const std::string& text) {
  write_text(path, "");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  write_text(path, text);
}

/// For what all processes of the machine share, such as an account, which one of them at a time plays with: nobody else's,
/// whatever tests run beside this one.
inline std::string own_name(const std::string& name) { return name + "-" + std::to_string(::getpid()); }

}  // namespace kakehashi::test
