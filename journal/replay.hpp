// Repeats a journal through the core: the same configuration, seed, events and times must give the
// same actions. So it is compared, and so a bot whose process was killed is had again. It knows no file and prints nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

// --- a run that another process goes on with: the one that played it was killed

struct EngineLeft {
  int process = 0;           ///< 0: nothing has been heard of it yet
  std::uint64_t bytes = 0;   ///< that were to be written to it, altogether
  std::string last;          ///< the end of them
  bool is_to_die = false;    ///< it was to be killed
};

/// What the journal tells besides the bot.
struct RunState {
  std::uint64_t number = 0;  ///< of the journal's last entry
  std::uint64_t steps = 0;   ///< since the run began
  base::Now last;            ///< of them
  bool is_foreign = false;   ///< another version has written a part of it
  std::optional<base::SteadyTime> armed;
  bool was_ready = false;
  std::optional<bridge::Urgency> stopping;
  bool has_line = false;          ///< it counts on one, or on one that is being made
  std::uint64_t line_bytes = 0;   ///< that were to be written to it since it was made
  std::string line_last;          ///< the end of them
  std::map<bridge::EngineId, EngineLeft> engines;
  std::optional<bridge::BeginRecord> record;  ///< as it should stand by now
  std::string record_path;                    ///< empty: not heard yet
  std::optional<bridge::FinishRecord> finish; ///< of it, asked for so lately that it may not be written
  std::optional<bridge::LookUpBook> look_up;  ///< not answered
  std::optional<bridge::RecallClock> recall;  ///< not answered
  std::optional<base::Millis> held;  ///< how long the line may be silent
  std::optional<int> exit;           ///< the bot is done, with that status
  std::uint64_t filed_number = 0;     ///< of the last entry that files have
  Started started;
  bridge::Actions first;         ///< what followed from the start
  bridge::Actions unwritten;     ///< what files lack of the last step that they have: the process died as it was written
  std::vector<Step> unfiled;     ///< the steps that no file has
  /// The steps behind `done`, with what followed from them: it may have been carried out in part.
  std::vector<bridge::Actions> undone;
};

struct FollowedRun : RunState {
  bridge::Bot bot;
};

/// Why the game that the run was cut off in cannot be had again from its server, where line and engines went with the
/// process; nothing: it may be.
[[nodiscard]] base::Message why_not_given_back(const RunState& run, base::Now now);

/// Whether each step is compared with what files have of it: what the server and the engines saw, and nothing else.
enum class Comparing : unsigned char { with_other_versions, always };

/// A run once more, part by part as files have it, while another process plays it or when that was killed.
class Follower {
 public:
  Follower(config::BotConfig config, std::string program, Comparing comparing = Comparing::with_other_versions);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  /// The next entries that files have. Of its steps `done` were carried out so far, or more. `token`: the Reconnect_Token of
  /// its game, which the journal hides; none is needed when that is over. Why the run cannot be followed; nothing: it can.
  [[nodiscard]] base::Message take(const Contents& filed, std::uint64_t done, const std::string& token);
  /// Behind all of them, once: `tail` are the last entries, of which those that files have too are passed over; `done` steps were
  /// carried out. Another version's run is gone on with if this one would have done the same.
  [[nodiscard]] base::Result<FollowedRun, base::Message> finish(std::string_view tail, std::uint64_t done, const std::string& token);

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace kakehashi::journal
