// Repeats a journal through the core: the same configuration, seed, events and times must give the
// same actions. So it is compared, and so a bot whose process was killed is had again. It knows no file and prints nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "bridge/bot/bot.hpp"
#include "config/bot_config.hpp"
#include "journal/journal.hpp"

namespace kakehashi::journal {

/// One step that did something else than was recorded; the first action that differs.
struct Difference {
  std::uint64_t number = 0;  ///< of the entry of the event
  std::string instant;       ///< "+12.345 s"
  std::string after;         ///< the event, for people
  std::string recorded;      ///< the action, for people; "nothing" when there was none left
  std::string repeated;
};

struct Replay {
  /// Why the run cannot be repeated, or not from some point on.
  base::Message obstacle;
  std::vector<base::Message> remarks;  ///< what may make it differ: settings of another version
  std::size_t steps = 0;             ///< that were repeated and compared
  std::size_t differences_count = 0;
  std::vector<Difference> differences;  ///< the first ones

  static constexpr std::size_t differences_max = 10;
};

[[nodiscard]] Replay replay(const Contents& contents);

/// A run that was cut off in a game which the server may give back: its bot, as it stood when its process was killed.
struct CutOffRun {
  bridge::Bot bot;
  std::uint64_t number = 0;  ///< of the journal's last entry
  std::optional<base::SteadyTime> armed;  ///< the timer that the bot counts on
  bool was_ready = false;
  /// What the bot does not know yet: its line and its engines went with the process.
  std::vector<bridge::Event> losses;
};

/// `contents` is the journal of the whole run, `token` the Reconnect_Token that it hides, `config` the present
/// configuration, with its secrets, and `program` what a journal of this version names. The error says why the
/// run cannot go on.
[[nodiscard]] base::Result<CutOffRun, base::Message> go_on(const Contents& contents,
                                                           const config::BotConfig& config,
                                                           const std::string& token, const std::string& program,
                                                           base::Now now);

}  // namespace kakehashi::journal
