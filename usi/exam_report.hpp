// What an examination found: as values, as text for people, as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "usi/clock_probe.hpp"
#include "usi/dialect.hpp"

namespace kakehashi::usi {

// --- what can be found, how much it weighs, and which paragraph of the protocol it breaks; docs/engines.md lists the
// same codes

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

// --- what was found

struct Measurement {
  std::string what;          ///< "usiok", "byoyomi", "stop"
  base::Millis taken{0};
  base::Millis allowed{0};   ///< 0 where nothing bounds it
};

struct ExamReport {
  Protocol protocol = Protocol::usi;
  std::string name;
  std::string author;
  std::string version;
  std::size_t options = 0;
  std::string cannot_start;  ///< why the program could not be run at all; else empty
  std::vector<Finding> findings;
  std::vector<Measurement> measurements;
  /// How it reads increments, where it was asked; by its name where that showed nothing.
  std::optional<EngineClocks> clocks;
  std::size_t stderr_lines = 0;

  void add(std::string_view code, std::string text);
  [[nodiscard]] bool has(std::string_view code) const;
  [[nodiscard]] std::size_t count(Severity severity) const;
  [[nodiscard]] bool is_fit() const {
    return cannot_start.empty() && count(Severity::fault) == 0;
  }
};

/// Several lines, each with its end; foreign text is quoted.
[[nodiscard]] std::string format_for_people(const ExamReport& report);
/// One JSON object and a line end.
[[nodiscard]] std::string format_json(const ExamReport& report);

}  // namespace kakehashi::usi
