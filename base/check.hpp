// Checks against programmer errors, on in every build. A failed check throws CheckFailure: the
// driver tears down that one bot and builds it anew; tests and simulations let it end the run.
// Bad input from a peer is never a check: see result.hpp.
#pragma once

#include <stdexcept>
#include <string>

namespace kakehashi::base {

/// A promise that the code made to itself was broken. what() names file, line and promise.
class CheckFailure : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void check_failed(const char* file, int line, const char* condition,
                                      const char* promise) {
  throw CheckFailure(std::string(file) + ":" + std::to_string(line) + ": " + promise + " (" +
                     condition + ")");
}

}  // namespace kakehashi::base

/// KAKEHASHI_CHECK(condition, "what was promised")
#define KAKEHASHI_CHECK(condition, promise)                                        \
  do {                                                                             \
    if (!(condition)) {                                                            \
      ::kakehashi::base::check_failed(__FILE__, __LINE__, #condition, promise);    \
    }                                                                              \
  } while (false)
