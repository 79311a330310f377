// The lines an engine sends, as values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "usi/info.hpp"
#include "usi/option.hpp"

namespace kakehashi::usi {

struct IdName { std::string name; };
struct IdAuthor { std::string author; };
struct OptionDeclared { Option option; };
struct UsiOk {};    ///< "usiok" (or the dialect's word)
struct ReadyOk {};
/// "bestmove 7g7f ponder 3c3d"; `move` may be "resign" or "win". An empty `move` is a malformed
/// line. `ponder` is the predicted reply, if any.
struct BestMove {
  std::string move;
  std::string ponder;
};
/// "checkmate ..." answers `go mate`.
struct Checkmate { std::string text; };
struct InfoLine { Info info; };
struct CopyProtection { std::string state; };
struct Registration { std::string state; };
/// A line that begins with a word of the protocol and goes on in a way that cannot be used.
struct Malformed { std::string why; };
/// A blank line, or anything else: engines print banners and complaints.
struct Other { std::string text; };

using EngineMessage = std::variant<IdName, IdAuthor, OptionDeclared, UsiOk, ReadyOk, BestMove,
                                   Checkmate, InfoLine, CopyProtection, Registration, Malformed, Other>;

/// Reads one engine line; total. White space between words may be any run of spaces and tabs.
[[nodiscard]] EngineMessage parse_line(std::string_view line);

}  // namespace kakehashi::usi
