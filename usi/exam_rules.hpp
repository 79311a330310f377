// What an examination can find, how much each finding weighs, and which paragraph of the engine's
// protocol it breaks. docs/engines.md lists the same codes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "usi/dialect.hpp"

namespace kakehashi::usi {

enum class Severity {
  note,   ///< worth knowing
  quirk,  ///< not as the text says; games do not suffer
  fault,  ///< can lose a game
};
[[nodiscard]] const char* describe(Severity severity);

struct ExamRule {
  const char* code;
  Severity severity;
  /// The paragraph in USI draft 1 or Shogidokoro's definition; in UCI (2000); in TEI; in UCGI.
  /// Empty where no text says it: then it is the bridge that needs it.
  const char* usi;
  const char* uci;
  const char* tei;
  const char* ucgi;

  [[nodiscard]] const char* paragraph(Protocol protocol) const;
};

[[nodiscard]] const std::vector<ExamRule>& exam_rules();
/// An unknown code is a programmer error.
[[nodiscard]] const ExamRule& exam_rule(std::string_view code);

struct Finding {
  std::string code;
  Severity severity = Severity::note;
  std::string text;       ///< the first time it was seen
  std::string paragraph;  ///< empty where no text says it
  int times = 1;
};

}  // namespace kakehashi::usi
