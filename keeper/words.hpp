// What a client and the keeper of an engine say to each other: one line each, ended by LF. This file owns the
// words and their bounds; what they do is keeper.hpp's.
//
//   from the client                     | meaning
//   ------------------------------------+---------------------------------------------------------------
//   hello PROTOCOL SESSION SEEN         | first: who it is, and the last numbered line that it has
//   in NUMBER TEXT                      | a line for the engine; from 1, each once, without a gap
//   until NUMBER MS                     | numbered likewise: unless the engine has answered or was told to
//                                       | stop by then, the keeper tells it so after MS milliseconds
//   ack NUMBER                          | all numbered lines up to this one have arrived
//   ping TOKEN                          | asks for "pong TOKEN"; several at once: the last one is answered
//   end                                 | the engine is told "quit", and the keeper ends
//   kill                                | the engine is killed, and the keeper ends
//
//   from the keeper                     |
//   ------------------------------------+---------------------------------------------------------------
//   keeper PROTOCOL VERSION WRITTEN     | answers "hello": how many lines the engine has been given
//   out NUMBER TEXT, err NUMBER TEXT    | a line of the engine; numbers grow, and never twice the same
//   exit NUMBER STATUS                  | the engine has ended
//   stopped NUMBER INPUT                | of keepers of 1.0: it has said "stop" by itself
//   lost NUMBER COUNT                   | of keepers of 1.0: so many lines (info only) found no room before this one
//   ack NUMBER                          | all lines up to this one are the engine's, or wait for it to settle
//   pong TOKEN                          |
//   refused CODE WHY                    | and the connection is closed; the code for programs, why for people:
//                                       |   leaving   the engine is on its way out: try again
//                                       |   silent    nothing was heard of this client: try again
//                                       |   other     it is another engine than the one that this session knew
//                                       |   taken     another session has it
//                                       |   protocol  another one is spoken; words: this was none
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.hpp"
#include "base/time.hpp"

namespace kakehashi::keeper {

inline constexpr int protocol = 1;
/// Of a line in either direction.
inline constexpr std::size_t line_bytes_max = std::size_t{64} * 1024;
/// Of an engine's line: the rest is for what is said before it.
inline constexpr std::size_t engine_line_bytes_max = line_bytes_max - 32;
inline constexpr std::size_t session_bytes_max = 64;
inline constexpr std::size_t token_bytes_max = 64;
inline constexpr base::Millis stop_after_max{24LL * 60 * 60 * 1000};

struct Hello {
  std::int64_t protocol = 0;
  std::string session;  ///< letters and digits
  std::uint64_t seen = 0;
};
struct Input {
  std::uint64_t number = 0;
  std::string text{};
};
struct Until {
  std::uint64_t number = 0;
  base::Millis after{0};
};
struct Acknowledged { std::uint64_t number = 0; };
struct Ping { std::string token; };
struct End {};
struct Kill {};

using ClientWord = std::variant<Hello, Input, Until, Acknowledged, Ping, End, Kill>;

/// Takes the first word off `rest`, with the space behind it.
[[nodiscard]] std::string_view take_word(std::string_view& rest);

/// The same of a number: digits only, no sign, no space.
[[nodiscard]] std::optional<std::uint64_t> take_number(std::string_view& rest);

/// Letters, digits and _ - . ; so many at most.
[[nodiscard]] bool is_token(std::string_view word, std::size_t bytes_max);

/// A line without its end. A failure says what was expected; the line is none of a client then.
[[nodiscard]] base::Result<ClientWord, std::string> read_client_line(std::string_view line);

}  // namespace kakehashi::keeper
