// The positions of tests/crosscheck/positions.txt, for the tests of the rules and the tools of the
// cross-checks. Header only: those programs link nothing but the shogi library.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::support {

struct KnownPosition {
  std::string name;
  shogi::Position position;
  std::vector<std::uint64_t> leaves;  ///< perft counts, from depth 1 on
};

/// Throws std::runtime_error when the file is missing or a line is not as its head describes.
inline std::vector<KnownPosition> read_known_positions(const std::string& path) {
  std::vector<KnownPosition> known;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    const std::vector<std::string_view> fields = base::split(line, '|');
    const auto position =
        shogi::usi::parse_sfen(fields.size() == 3 ? base::trim(fields[1]) : std::string_view());
    if (!position) {
      throw std::runtime_error(path + ": " + position.error().what.english() + ": " + line);
    }
    KnownPosition entry{std::string(base::trim(fields[0])), *position, {}};
    std::istringstream counts{std::string(fields[2])};
    for (std::uint64_t count = 0; counts >> count;) {
      entry.leaves.push_back(count);
    }
    known.push_back(std::move(entry));
  }
  if (known.empty()) {
    throw std::runtime_error(path + ": no positions");
  }
  return known;
}

}  // namespace kakehashi::support
