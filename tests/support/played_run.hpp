// A run as the process that plays it leaves it at any instant, should it die there: the journal as far as files have it, the
// rest as a holder's memory has it (base/io/legacy: events without what came of them), and how many steps were carried out.
// Another process follows from that alone; the Reconnect_Token, which a journal hides, is handed to it besides. It holds what
// comes back against what was played.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bridge/bot/bot.hpp"
#include "bridge/mask.hpp"
#include "config/bot_config.hpp"
#include "journal/replay.hpp"

namespace kakehashi::support {

/// Where in the course of a step a playing process dies.
enum class Death : unsigned char {
  behind_step,     ///< all of it is done
  before_step,     ///< what happened was read, and no more: it comes again
  before_writing,  ///< it is in the journal, and nothing that came of it is done
};

class PlayedRun {
 public:
  PlayedRun(config::BotConfig config, std::uint64_t seed);

  /// A step, or the start where there is no event, before anything that came of it is carried out. Of lines that others follow
  /// and that nothing came of the journal is told with the next.
  void take(const bridge::Event* event, base::Now now, const bridge::Actions& actions);
  /// Of all steps so far, by that bot.
  void carried_out(const bridge::Bot& bot);
  [[nodiscard]] bool has_started() const { return !entries_.empty(); }

  struct Heir {
    journal::FollowedRun run;
    bridge::Actions undone;  ///< what came of the last steps, and may not be done
  };
  /// The process dies here. `chance` says how much of the journal files have. The error says why none can follow, or what
  /// the one that follows has wrong.
  [[nodiscard]] base::Result<Heir, std::string> follow(std::uint64_t chance);
  /// They were read, and no journal has them: they come again, to the bot that follows.
  [[nodiscard]] const std::vector<journal::Happened>& held() const { return held_; }

 private:
  struct Line {
    std::string text;
    bool is_action = false;
  };
  void add(const journal::Entry& entry);
  void follow_peers(const bridge::Event* event, const bridge::Actions& actions);
  [[nodiscard]] std::string text_of(std::size_t from, std::size_t until, bool has_actions) const;
  /// What differs from what was played; empty: nothing.
  [[nodiscard]] std::string judge(const Heir& heir, std::size_t filed) const;

  config::BotConfig config_;
  std::uint64_t seed_;
  bridge::Mask mask_;
  std::vector<Line> entries_;
  std::size_t head_ = 0;  ///< of them, up to what came of the start: a file has that, or nothing
  std::vector<journal::Happened> held_;
  bridge::Actions undone_;
  std::uint64_t steps_ = 0;  ///< the start is the first
  std::uint64_t done_ = 0;
  std::string token_;
  std::shared_ptr<const bridge::FinishedGame> last_finished_;
  std::string line_;  ///< all that was written to the present line
  std::map<bridge::EngineId, std::string> engines_;
};

}  // namespace kakehashi::support
