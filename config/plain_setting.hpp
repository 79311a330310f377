// One setting as a plain name and texts: what a journal repeats a run by, and what a rule sets.
#pragma once

#include <string>
#include <vector>

namespace kakehashi::config {

/// "server.port" and {"4081"}; a list has several values, a key that is not set none at all.
struct PlainSetting {
  std::string key;
  std::vector<std::string> values;

  friend bool operator==(const PlainSetting&, const PlainSetting&) = default;
};

}  // namespace kakehashi::config
