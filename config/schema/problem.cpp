#include "config/schema/problem.hpp"

#include <algorithm>
#include <tuple>

namespace kakehashi::config {

base::Message describe(const Problem& problem) {
  std::string where = problem.file;
  if (problem.place.line > 0) {
    where += ":" + std::to_string(problem.place.line) + ":" + std::to_string(problem.place.column);
  }
  if (!problem.key.empty()) {
    where += ": " + problem.key;
  }
  return base::say("{}: {}", where, problem.text);
}

void sort_by_place(std::vector<Problem>& problems) {
  std::map<std::string, std::size_t> order;
  for (const Problem& problem : problems) {
    order.emplace(problem.file, order.size());
  }
  std::stable_sort(problems.begin(), problems.end(), [&](const Problem& a, const Problem& b) {
    return std::tuple(order.at(a.file), a.place.line, a.place.column) <
           std::tuple(order.at(b.file), b.place.line, b.place.column);
  });
}

}  // namespace kakehashi::config
