// What the journals of earlier processes still give at a bot's start: records that were cut off are completed, and an
// archive gets the games that it lacks. It may wait for a disk: never use it on a game's loop.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/io/file.hpp"
#include "base/io/legacy.hpp"
#include "bridge/finished_game.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"
#include "journal/io/journal_files.hpp"
#include "journal/io/journal_writer.hpp"
#include "journal/journal_game.hpp"
#include "journal/replay.hpp"

namespace kakehashi::journal::io {

/// Records that were cut off with an earlier process get what its journal knows.
class RecordCompletion {
 public:
  explicit RecordCompletion(const config::BotConfig& bot);

  /// Sees which journals there are now: those that come later are another run's business. May wait for the disk.
  void look();
  struct Outcome {
    std::vector<bridge::Note> completed;
    std::vector<bridge::Note> failed;
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

/// A game that ended, or was cut off, with an earlier process.
struct EarlierGame {
  bridge::FinishedGame game;
  std::string record_path;  ///< of the first file; empty: the process ended before it had noted it
};

/// The bot's journals that no process is writing to, in order.
[[nodiscard]] std::vector<std::string> ended_journals(const config::BotConfig& bot);

/// The games of these journals that are not known. Of a journal whose game is known only the
/// beginning is read.
[[nodiscard]] std::vector<EarlierGame> earlier_games(
    const std::vector<std::string>& journals, const config::BotConfig& bot,
    const std::function<bool(const GameMark&)>& is_known);

// --- the game that was cut off
// The game that runs, for a process that comes after this one should it be killed: its Reconnect_Token, which no
// journal holds, in a file beside the journal that only its owner can read, and that is gone with the game.

/// A game that another process was killed in; its journal is locked, so that nobody takes it for ended.
struct CutOffGame {
  std::string journal_path;
  std::string token;
  base::io::File journal;  ///< to append
};

/// Nothing when there is none, or when its process still runs.
[[nodiscard]] std::optional<CutOffGame> find_cut_off_game(const config::BotConfig& bot);

// --- the run of a process that was killed, for the one that goes on with it

struct LeftRun {
  FollowedRun run;
  base::io::File journal;  ///< to append, and locked; closed: there is none yet
  std::string journal_path;
  std::uint64_t journal_bytes = 0;
};

/// The run of a bot, repeated while another process plays it: what is left to do when that is killed is little, however
/// long the run.
class RunAhead {
 public:
  explicit RunAhead(config::BotConfig bot, Comparing comparing = Comparing::with_other_versions);

  /// Repeats the next complete part, a game, of the run that stands there; it reads a file. False: there is none just now,
  /// it hides a token, or the run cannot be followed.
  bool take_part(const base::io::Legacy::Sight& left);
  /// The rest of it, once: what stands in files, of which `path` is the last (empty: in none), and `tail` behind that. As Follower::finish().
  [[nodiscard]] base::Result<FollowedRun, base::Message> finish(const std::string& path, std::string_view tail, std::uint64_t done,
                                                                const std::string& token);
  /// Of whole lines in the last file that was read.
  [[nodiscard]] std::uint64_t last_bytes() const { return last_bytes_; }

 private:
  [[nodiscard]] base::Message take_all(const std::string& path, std::uint64_t done, const std::string& token);
  /// Whole lines; nothing: it cannot be read.
  [[nodiscard]] std::optional<std::string> read_next(const std::string& path) const;
  [[nodiscard]] base::Message take_next(const std::string& text, std::uint64_t done, const std::string& token);
  void turn_to(const std::string& path);

  config::BotConfig bot_;
  Comparing comparing_;
  JournalName run_;          ///< with the part that was taken last; 0: none was
  std::optional<Follower> follower_;
  std::uint64_t last_bytes_ = 0;
  base::Message trouble_;
};

/// Those of the run that is left there, in their order; none, where they cannot be read.
[[nodiscard]] std::vector<config::PlainSetting> settings_of_left_run(const base::io::Legacy::Sight& left);

/// What `legacy` and the run's journals tell. `cut_off`: a game of it that its server would give back, with its journal, which is
/// taken from there; null: none. The error says why not.
[[nodiscard]] base::Result<LeftRun, base::Message> read_left_run(const base::io::Legacy& legacy, RunAhead& ahead,
                                                                 CutOffGame* cut_off);

/// What the journals of its run tell of a game that was cut off; its journal is taken from there. The error says why it cannot
/// go on; nothing: it was over.
[[nodiscard]] base::Result<LeftRun, base::Message> read_cut_off_game(CutOffGame& game, const config::BotConfig& bot,
                                                                     base::Now now);

/// The run that is left there as this program could go on with it, while another process plays it; nothing is opened for
/// writing. The error says why not.
[[nodiscard]] base::Result<FollowedRun, base::Message> try_left_run(const base::io::Legacy::Sight& left,
                                                                    const config::BotConfig& bot);

/// Written behind the steps of the journal, by its thread.
class TokenFile {
 public:
  explicit TokenFile(JournalWriter& journal) : journal_(journal) {}

  /// The present token of the game that the journal tells of; in place of an earlier one.
  void keep(const config::BotConfig& bot, const std::string& token);
  /// The game is over, or left.
  void forget(const config::BotConfig& bot);
  [[nodiscard]] bool is_kept() const { return is_kept_; }

 private:
  JournalWriter& journal_;
  bool is_kept_ = false;
};

}  // namespace kakehashi::journal::io
