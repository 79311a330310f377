// The environment of this process, as values: for whoever passes some of it to a child. Header only: kakehashi-keep has no
// library.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <string_view>

#include "base/pass_environment.hpp"

namespace kakehashi::base::io {

/// All variables with a name.
[[nodiscard]] inline Environment own_environment() {
  Environment all;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (const std::size_t equals = text.find('='); equals != std::string_view::npos && equals > 0) {
      all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return all;
}

}  // namespace kakehashi::base::io
