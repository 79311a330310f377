// At a bot's start: records that were cut off with an earlier process get what its journal knows.
#pragma once

#include <vector>

#include "bridge/io/journal_files.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge::io {

class RecordCompletion {
 public:
  /// Sees which journals there are now: those that come later are another run's business.
  explicit RecordCompletion(const config::BotConfig& bot);

  /// May wait for the disk. Looks at the journals of each run that no process is writing to, from the
  /// last game back to one whose record is whole: they are finished in the order of the games. A record
  /// that has an end is never touched. What was done is told by notes.
  [[nodiscard]] std::vector<Note> run() const;

  /// Of one run: so many games may have waited for a slow disk.
  static constexpr int games_max = 64;

 private:
  config::BotConfig bot_;  ///< what names its files; no secret
  std::vector<JournalName> journals_;
};

}  // namespace kakehashi::bridge::io
