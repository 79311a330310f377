#include "golden/script_files.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/places.hpp"

namespace kakehashi::golden {

std::vector<std::filesystem::path> files() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::tests_dir() + "/golden/scripts")) {
    if (entry.path().extension() == ".script") {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

base::Result<support::Script> read(const std::filesystem::path& path) {
  return support::read_script(path.stem().string(), read_text(path));
}

}  // namespace kakehashi::golden
