// Questions and answers on a terminal. Owns the way a line and a secret are typed; knows nothing of
// what is asked.
#pragma once

#include <optional>
#include <string>

namespace kakehashi::bridge::cli {

/// Standard input and standard error are a person's, so that there is somebody to ask.
[[nodiscard]] bool is_dialogue_possible();

/// One line from standard input without its end; nothing at the end of input or beyond
/// answer_bytes_max.
[[nodiscard]] std::optional<std::string> read_answer();

/// "question [proposal]: " and the answer, trimmed; an empty one takes the proposal. Nothing: the
/// person left.
[[nodiscard]] std::optional<std::string> ask(const std::string& question,
                                             const std::string& proposal);

/// As ask(), but what is typed is not shown. Ctrl-C and Ctrl-D leave.
[[nodiscard]] std::optional<std::string> ask_secret(const std::string& question);

/// "question [y/N]: ". Nothing: the person left.
[[nodiscard]] std::optional<bool> ask_yes(const std::string& question, bool proposal);

inline constexpr std::size_t answer_bytes_max = 4096;

}  // namespace kakehashi::bridge::cli
