// Writes the journal of one bot: each step with what came of it, before anything else is read, so that a
// process that is killed misses at most what it had read last. A file for each game; all of
// a run, from Bot::start to the bot's end, belong together. A journal that cannot be written costs the
// journal only: one warning, and another try with the next game.
//
// A step is in the system's memory when step() returns, or, when nothing came of it, with the last line
// of the same read; and on the disk soon after each line of a game: the disk's own thread sees to that.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "bridge/bot.hpp"
#include "bridge/io/disk_thread.hpp"
#include "bridge/io/journal_files.hpp"
#include "bridge/journal.hpp"
#include "bridge/mask.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge::io {

class JournalWriter {
 public:
  /// `config` and `disk` must outlive this object. `tell` is given what a person should know.
  JournalWriter(const config::BotConfig& config, DiskThread& disk,
                std::function<void(const Note&)> tell);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// A run begins, with what Bot::start returned; the one before is over.
  void start(std::uint64_t seed, base::Now now, const Actions& actions);
  /// A run of another process goes on, in the middle of a game: in its last file, which is open to append and
  /// locked, has so many bytes of whole lines, and ends with the entry of that number.
  void go_on(File file, const std::string& path, std::uint64_t bytes, std::uint64_t number);
  /// What Bot::step took and returned. `more`: the next step follows at once, out of the same read.
  void step(const Event& event, base::Now now, const Actions& actions, bool more = false);
  /// Whether step() would begin another file with it: the next game begins.
  [[nodiscard]] bool begins_part(const Event& event) const;
  /// Bot::step threw.
  void broke(const Event& event, base::Now now, std::string_view why);
  /// The run ends as it should.
  void close(std::string_view why);

  /// Of the present file; empty when there is none.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void begin_part(base::WallTime wall);
  [[nodiscard]] bool create_part(const std::string& directory, base::WallTime wall);
  void end_part();
  void add(const journal::Entry& entry);
  void add(const Actions& actions);
  void add_held();
  void flush();
  void follow(const Actions& actions);
  void look_at_disk();
  void fail(const std::string& why);

  const config::BotConfig& config_;
  Mask mask_;  ///< of the present run's password
  DiskThread& disk_;
  std::function<void(const Note&)> tell_;
  JournalName name_;
  std::string path_;
  std::shared_ptr<SyncedFile> file_;  ///< null: nothing is written; shared with the disk's thread
  std::uint64_t bytes_ = 0;  ///< of the present file
  std::uint64_t number_ = 0;
  bool is_running_ = false;
  bool has_game_ = false;        ///< the present file holds the beginning of a game
  bool is_record_open_ = false;
  bool is_disk_trouble_told_ = false;
  std::vector<journal::Happened> held_;  ///< steps of the present read of which nothing came
  std::string pending_;          ///< entries of the present step
};

}  // namespace kakehashi::bridge::io
