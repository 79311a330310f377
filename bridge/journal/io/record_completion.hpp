// At a bot's start: records that were cut off with an earlier process get what its journal knows.
#pragma once

#include <filesystem>
#include <vector>

#include "bridge/journal/io/journal_files.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge::io {

class RecordCompletion {
 public:
  explicit RecordCompletion(const config::BotConfig& bot);

  /// Sees which journals there are now: those that come later are another run's business. May wait for the disk.
  void look();
  struct Outcome {
    std::vector<Note> completed;
    std::vector<Note> failed;
  };
  /// Behind look(), and may wait for the disk. Looks at the journals of each run that no process is writing to, from the
  /// last game back: at the latest games_max of all runs, and further back to one whose record is whole. They
  /// are finished in the order of the games; one that could not even be begun is made. A record that has an
  /// end is never touched. What was done, and what could not be, for people.
  [[nodiscard]] Outcome run() const;

  /// So many games may have waited for a disk that was slow or full.
  static constexpr int games_max = 64;

 private:
  config::BotConfig bot_;  ///< what names its files; no secret
  std::vector<JournalName> journals_;
  std::filesystem::file_time_type began_;  ///< files of games that begin later are another run's too
};

}  // namespace kakehashi::bridge::io
