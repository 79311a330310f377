// What a session makes of a call or of an engine's line: values that the caller acts upon.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "usi/info.hpp"
#include "usi/message.hpp"
#include "usi/option.hpp"

namespace kakehashi::usi {

/// Numbers the searches of one session, from 1.
enum class SearchId : std::uint64_t {};

// --- what the engine's line turned out to mean ---
struct Identified { std::string name; std::string author; std::vector<Option> options; };
struct BecameReady {};
struct SearchInfo { SearchId search; Info info; };
/// The answer to a search that was not abandoned. "resign" and "win" included.
struct SearchAnswered { SearchId search; std::string move; std::string ponder; };
/// The answer to a `go mate` that was not abandoned.
struct MateAnswered { SearchId search; Checkmate checkmate; };
/// A bestmove of an abandoned search, or one nobody asked for: swallowed, for the log.
struct AnswerSwallowed { std::string line; std::string why; };
/// A bestmove during `go ponder` before ponderhit: kept until ponderhit() or abandon().
struct AnswerParked { SearchId search; };
/// The engine forbids its use ("copyprotection error"): it must not be sent into a game.
struct Refused { std::string why; };
/// Something out of place: for the log.
struct Complaint { std::string text; };
/// Free text: `info string …`, banners.
struct Said { std::string text; };

using EngineEvent = std::variant<Identified, BecameReady, SearchInfo, SearchAnswered,
                                 MateAnswered, AnswerSwallowed, AnswerParked, Refused, Complaint,
                                 Said>;

/// What came of a call: lines to write to the engine, in order, and events.
struct Reaction {
  std::vector<std::string> lines;
  std::vector<EngineEvent> events;
};

}  // namespace kakehashi::usi
