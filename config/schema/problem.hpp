// What is wrong with a configuration, and where: the form in which every fault of a file reaches
// the person who wrote it. It knows no key and no rule.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/message.hpp"

namespace kakehashi::config {

/// A place in a file, both counted from 1; line 0: the file as a whole.
struct Place {
  int line = 0;
  int column = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

struct Problem {
  std::string file;
  Place place;
  std::string key;     ///< "server.port"; empty when it is not about one key
  base::Message text;  ///< the rule, what was seen, and the accepted range; never a secret

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// "mybot.yaml:3:9: server.port: must be a whole number from 1 to 65535, not \"0\"".
[[nodiscard]] base::Message describe(const Problem& problem);

/// Where each key and section that the file gives stands, by its path ("server.port").
using Places = std::map<std::string, Place>;

/// Collects what is found in one file. Problems refuse the file; warnings do not.
class Report {
 public:
  explicit Report(std::string file) : file_(std::move(file)) {}

  void problem(Place place, std::string key, base::Message text) {
    problems.push_back({file_, place, std::move(key), std::move(text)});
  }
  void warning(Place place, std::string key, base::Message text) {
    warnings.push_back({file_, place, std::move(key), std::move(text)});
  }

  [[nodiscard]] const std::string& file() const { return file_; }

  std::vector<Problem> problems;
  std::vector<Problem> warnings;

 private:
  std::string file_;
};

/// By file in their order of first mention, then by place.
void sort_by_place(std::vector<Problem>& problems);

}  // namespace kakehashi::config
