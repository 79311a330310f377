// The lines an engine sends, as values.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "usi/dialect.hpp"
#include "usi/info.hpp"
#include "usi/option.hpp"

namespace kakehashi::usi {

struct IdName { std::string name; };
struct IdAuthor { std::string author; };
struct OptionDeclared { Option option; };
struct IdVersion { std::string version; };  ///< TEI
struct SizesDeclared { std::string text; };  ///< TEI: "6 7 halfkomi 0 1 2"
struct UsiOk {};    ///< "usiok" (or the dialect's word)
struct ReadyOk {};
/// "bestmove 7g7f ponder 3c3d"; `move` may be "resign" or "win". An empty `move` is a malformed
/// line. `ponder` is the predicted reply, if any.
struct BestMove {
  std::string move;
  std::string ponder;
};
struct Checkmate {};  ///< "checkmate …" answers `go mate`, which is never said here
struct InfoLine { Info info; };
struct CopyProtection { std::string state; };
struct Registration { std::string state; };
/// A line that begins with a word of the protocol and goes on in a way that cannot be used.
struct Malformed {
  base::Message why;
};
/// A blank line, or anything else: engines print banners and complaints.
struct Other { std::string text; };

using EngineMessage = std::variant<IdName, IdAuthor, IdVersion, SizesDeclared, OptionDeclared,
                                   UsiOk, ReadyOk, BestMove, Checkmate, InfoLine, CopyProtection,
                                   Registration, Malformed, Other>;

/// Reads one engine line; total. White space between words may be any run of spaces and tabs, and a
/// CR at the end is none of the text. Unknown words in front of a command are skipped, as the
/// protocols ask, where the rest is that command to the letter, and never before a bestmove.
[[nodiscard]] EngineMessage parse_line(std::string_view line,
                                       const Dialect& dialect = dialect_of(Protocol::usi));

}  // namespace kakehashi::usi
