// The room journal: a run as text, and the text as a run again. It knows no file, and no machine of the core but Bot.
//
// The journal of one bot as text: what reached it, what it did, and all that is needed to repeat
// the run. One line an entry, each with its checksum and number, so that what a crash or a bad disk
// did to it shows. It knows no file; journal/io/journal_writer writes it, journal/replay repeats it.
//
//   crc32c  number  kind  field  field …       separated by tabs; the sum is that of all behind it
//
//   #journal  format, program, bot, run, part, condensed
//   #setting  key, value …                     the configuration, one key a line; no secret
//   #start    seed, steady, wall               Bot::start; its actions follow
//   <kind     steady, wall, fields             an event that entered Bot::step; its actions follow
//   >kind     fields                           an action
//   #broken   why                              the step before it threw
//   #closed   why                              the run ended as it should
//   #full                                      the file took no more
//
// Times: steady in nanoseconds of that machine's clock, wall in milliseconds of the Unix era.
// Bytes below 0x20, 0x7f and '%' in fields are written as %XX; other bytes as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "bridge/action.hpp"
#include "bridge/event.hpp"
#include "config/schema/plain_settings.hpp"

namespace kakehashi::journal {

inline constexpr int format_version = 2;

/// The first line of each file.
struct Opened {
  int format = format_version;
  std::string program;  ///< "kakehashi 0.1.0"
  std::string bot;
  std::string run;      ///< the files of one run share it
  int part = 1;         ///< which file of the run
  /// Actions and chatter of the engine were left out to save space: it can be repeated, but not
  /// compared.
  bool is_condensed = false;
};
struct Started {
  std::uint64_t seed = 0;
  base::Now now;
};
struct Happened {
  base::Now now;
  bridge::Event event;
};
/// With what followed from it.
struct Step {
  Happened happened;
  std::vector<bridge::Action> actions;
};
struct Broken { std::string why; };
struct Closed { std::string why; };
struct Full {};

using Entry =
    std::variant<Opened, config::PlainSetting, Started, Happened, bridge::Action, Broken, Closed, Full>;

struct Numbered {
  std::uint64_t number = 0;  ///< from 1, over all parts of a run
  Entry entry;
};

/// Puts the line behind `text`, with its LF. A WriteServer is written as its `log_as`.
void encode_to(std::string& text, std::uint64_t number, const Entry& entry);
void encode_to(std::string& text, std::uint64_t number, const bridge::Action& action);
void encode_to(std::string& text, std::uint64_t number, base::Now now, const bridge::Event& event);
/// The line alone.
[[nodiscard]] std::string encode(const Entry& entry, std::uint64_t number);
/// Takes a line without its LF. Any bytes; the error says what is wrong with it.
[[nodiscard]] base::Result<Numbered> decode(std::string_view line);

struct Fault {
  std::size_t line = 0;  ///< from 1
  base::Message what;
};
struct Contents {
  std::vector<Numbered> entries;  ///< those that are whole
  std::vector<Fault> faults;      ///< lines that are not, and numbers that are missing
  bool is_torn = false;           ///< the last line lacks its end: the bot was cut off
};
[[nodiscard]] Contents read(std::string_view text);

/// What is left of a file's text when it need only be repeated: no actions, no thoughts and no
/// chatter of the engine. Lines that are not whole are dropped.
[[nodiscard]] std::string condense(std::string_view text);

}  // namespace kakehashi::journal
