// Which build a program is. Each program brings its own answer, made by deploy/build_facts.cmake.
#pragma once

#include <string_view>

namespace kakehashi::base {

/// "commit 0123456789ab, GNU 12.2.0, x86_64, release, static"
[[nodiscard]] std::string_view build_facts();

}  // namespace kakehashi::base
