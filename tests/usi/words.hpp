// A reaction as words, so that a test reads like a dialogue.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/overload.hpp"
#include "usi/session.hpp"

namespace kakehashi::usi::test {

/// What a reaction did, in words: lines to the engine as "> line".
inline std::vector<std::string> words(const Reaction& reaction) {
  std::vector<std::string> result;
  for (const EngineEvent& event : reaction.events) {
    result.push_back(std::visit(
        base::Overload{
            [](const Identified& e) { return "identified " + e.name; },
            [](const BecameReady&) { return std::string("ready"); },
            [](const SearchInfo& e) {
              return "info of " + std::to_string(static_cast<std::uint64_t>(e.search));
            },
            [](const SearchAnswered& e) {
              return std::to_string(static_cast<std::uint64_t>(e.search)) + " answered " + e.move +
                     (e.ponder.empty() ? "" : " expecting " + e.ponder);
            },
            [](const Refused& e) { return "refused " + e.why.english(); },
            [](const AnswerSwallowed& e) { return "swallowed " + e.line; },
            [](const AnswerParked&) { return std::string("parked"); },
            [](const Complaint& e) { return "complaint " + e.text.english(); },
            [](const Said& e) { return "said " + e.text; },
        },
        event));
  }
  for (const std::string& line : reaction.lines) {
    result.push_back("> " + line);
  }
  return result;
}

}  // namespace kakehashi::usi::test
