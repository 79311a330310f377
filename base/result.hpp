// The room base: small things that all rooms need: text, time, checks, results, secrets. It owns their rules; it
// knows no shogi, no protocol and no setting, and touches no file and no clock.
//
// The outcome of something that can fail on foreign input: a value, or an error that says why.
// Owns nothing else; it knows no protocol. Programmer errors are not results: see check.hpp.
#pragma once

#include <cstddef>
#include <utility>
#include <variant>

#include "base/check.hpp"
#include "base/message.hpp"

namespace kakehashi::base {

/// Why a text could not be read: `column` is the 0-based byte offset in the text where reading stopped.
struct ParseError {
  Message what;
  std::size_t column = 0;

  friend bool operator==(const ParseError&, const ParseError&) = default;
};

/// Wraps an error so that it converts to any Result with that error type.
template <class E>
struct Failure {
  E error;
};

/// `return fail(say("the file digit is missing"), 3);`
[[nodiscard, gnu::cold]] inline Failure<ParseError> fail(Message what, std::size_t column = 0) {
  return {ParseError{std::move(what), column}};
}

/// A value of type T or an error of type E. Reading the absent one is a programmer error.
template <class T, class E = ParseError>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Failure<E> failure) : state_(std::in_place_index<1>, std::move(failure.error)) {}

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  [[nodiscard]] const T& value() const& {
    KAKEHASHI_CHECK(has_value(), "the value of a failed result was read");
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] T& value() & {
    KAKEHASHI_CHECK(has_value(), "the value of a failed result was read");
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] T&& value() && {
    KAKEHASHI_CHECK(has_value(), "the value of a failed result was read");
    return std::move(*std::get_if<0>(&state_));
  }
  [[nodiscard]] const E& error() const {
    KAKEHASHI_CHECK(!has_value(), "the error of a good result was read");
    return *std::get_if<1>(&state_);
  }

  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

 private:
  std::variant<T, E> state_;
};

}  // namespace kakehashi::base
