// The room journal/io: the files of journals and of records. It owns how they are named, written, condensed and found
// again by a later process, and the encodings of older records; how an entry is spelled, journal knows. It decides
// nothing of a game, knows no rule of shogi, and holds up no game.
//
// Writes the journal of one bot: each step with what came of it. A file for each game; all of a run, from
// Bot::start to the bot's end, belong together. A journal that cannot be written costs the journal only: one
// warning, and another try with the next game.
//
// No disk holds up the loop, and no thread: it notes each step in memory that outlives this process (note()), which no kill of
// it loses, and hands it over, in order, or, when nothing came of it, with the last line of the same read; a thread, one for
// all bots of the process, writes what has gathered soon (Background::Pace), and that a game begins, and which file a record
// has, at once. So what a
// kill of both processes, or of one that has nobody to outlive it, may cost is what was read last. Records and whatever
// else the next start makes up for go behind() the steps. The step is on the disk soon after each line of a game: the
// disk's own thread sees to that.
// It decides nothing about a game, and reads no journal: what an earlier process left is the business of
// cut_off_game and earlier_runs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/io/file.hpp"
#include "base/io/legacy.hpp"
#include "base/io/threads.hpp"
#include "base/time.hpp"
#include "bridge/bot/bot.hpp"
#include "bridge/mask.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"
#include "journal/journal.hpp"

namespace boost::asio {
class io_context;
}

namespace kakehashi::journal::io {

class JournalWriter {
 public:
  using Pace = base::io::Background::Pace;
  /// What a person should know, and what it counts as.
  using Tell = std::function<void(const bridge::Note& note, std::optional<bridge::Incident> what)>;

  /// `config` must outlive this object. `tell` is called from the io_context or inside a call. What is handed over
  /// keeps the io_context busy until it is written.
  JournalWriter(const config::BotConfig& config, boost::asio::io_context& context, Tell tell);
  /// What waits is still written.
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Where steps are noted that no file has yet; it must outlive this object. Null: nowhere.
  void leave_to(base::io::Legacy* legacy) { legacy_ = legacy; }
  /// A run begins, with what Bot::start returned; the one before is over. `steps`: it is another process's that has come so
  /// far, without a file.
  void start(std::uint64_t seed, base::Now now, const bridge::Actions& actions, const std::vector<Step>& steps = {});
  /// A run of another process goes on, in the middle of a game: in its last file, which is open to append and
  /// locked, has so many bytes of whole lines, and ends with the entry of that number. `unwritten` is what that lacks of its last step, and
  /// `steps` come behind.
  void go_on(base::io::File file, const std::string& path, std::uint64_t bytes, std::uint64_t number,
             const bridge::Actions& unwritten = {}, const std::vector<Step>& steps = {});
  /// What Bot::step took, before its lines leave: a process that follows this one finds it, however this one ends. `more`: the
  /// next step follows at once, out of the same read. `told`: up to where its stream is worked off with it.
  void note(const bridge::Event& event, base::Now now, const bridge::Actions& actions, bool more = false,
            const base::io::Legacy::Place& told = {});
  /// What it returned, behind note() with the same.
  void follow(const bridge::Event& event, const bridge::Actions& actions, bool more = false);
  /// Both.
  void step(const bridge::Event& event, base::Now now, const bridge::Actions& actions, bool more = false) {
    note(event, now, actions, more);
    follow(event, actions, more);
  }
  /// Whether step() would begin another file with it: the next game begins.
  [[nodiscard]] bool begins_part(const bridge::Event& event) const;
  /// Bot::step threw.
  void broke(const bridge::Event& event, base::Now now, std::string_view why);
  /// The run ends as it should.
  void close(std::string_view why);

  using Work = std::function<void(const std::string& path)>;
  /// Behind all steps so far, and before any of a later file: `work` by the thread, which is given the path of the
  /// present file, empty when there is none. It must not throw, and must own all that it uses. Inside the call
  /// where no journal is kept. False when it is not taken: too much waits, or the system gives no thread.
  [[nodiscard]] bool behind(Work work, Pace pace = Pace::at_once);
  /// Of the present file; empty when there is none, or not yet.
  [[nodiscard]] std::string path() const;
  /// The run cannot be followed, since its journal lacks something, and that of another run could: the present file is open.
  [[nodiscard]] bool could_begin_whole() const;
  /// Nothing of any journal waits to be written.
  [[nodiscard]] static bool is_idle(boost::asio::io_context& context);

  /// That wait for a disk: a journal that is further behind ends, until the next game.
  static constexpr std::size_t waiting_bytes_max = std::size_t{16} * 1024 * 1024;

 private:
  class Progress;
  class Files;
  class Thread;

  /// What is handed to the thread, in order.
  class Handover {
   public:
    explicit Handover(boost::asio::io_context& context);

    /// The loop goes on until it is done, so that what went wrong is told. False when it is not taken.
    bool give(std::function<void(Files&)> work, Pace pace = Pace::soon);
    /// The same, and steps that are handed over later may be written before it.
    bool give_behind(std::function<void(Files&)> work, Pace pace);
    /// Entries, with the number of the first. Why no more is taken, if so.
    [[nodiscard]] std::optional<base::Message> write(std::string text, std::uint64_t number, bool is_to_sync,
                                                   Pace pace);
    /// Of the file that the thread has open.
    [[nodiscard]] std::string path() const;
    /// All but work that comes behind.
    [[nodiscard]] bool has_written() const;
    [[nodiscard]] boost::asio::io_context& context() const { return context_; }

   private:
    class Steps;

    boost::asio::io_context& context_;
    std::shared_ptr<Files> files_;  ///< shared with the thread's work
    Thread& thread_;
    std::uint64_t given_ = 0;       ///< pieces of work
    std::uint64_t to_files_ = 0;    ///< the last one that is not given behind the steps
    std::shared_ptr<Steps> steps_;  ///< the last ones; null: they are not the last for the files
  };

  /// The entries of the present step and of those before it of which nothing came, numbered over the run.
  class Entries {
   public:
    /// Behind the entry of that number.
    void begin(std::uint64_t number) { number_ = number; }
    /// The number of an entry that is not added here; without one, a gap, which shows that something is missing.
    std::uint64_t skip() { return ++number_; }

    template <class... What>
    void add(const What&... what) {
      ++number_;
      if (pending_.empty()) {
        pending_from_ = number_;
        pending_.reserve(of_a_move_bytes);
      }
      encode_to(pending_, number_, what...);
    }

    struct Text {
      std::string text;
      std::uint64_t number = 0;  ///< of its first entry
    };
    [[nodiscard]] Text take() {
      noted_ = 0;
      return {std::exchange(pending_, {}), pending_from_};
    }
    /// Of what was added since it was asked for last.
    [[nodiscard]] std::string_view take_new() { return std::string_view(pending_).substr(std::exchange(noted_, pending_.size())); }

   private:
    static constexpr std::size_t of_a_move_bytes = 512;
    std::uint64_t number_ = 0;             ///< of the last one
    std::string pending_;
    std::size_t noted_ = 0;  ///< bytes of it
    std::uint64_t pending_from_ = 0;
  };

  /// Whether a game has begun in the present file, and whether its record is still open: a file is not ended in between,
  /// even when the game's line was lost and it is taken up again.
  class Game {
   public:
    void begin_run() { is_record_open_ = false; }
    void begin_file() { has_begun_ = false; }
    void go_on() { has_begun_ = is_record_open_ = true; }
    /// The next game begins another file, whatever this one holds.
    void give_up_file() { has_begun_ = true; }
    [[nodiscard]] bool is_over() const { return has_begun_ && !is_record_open_; }
    void follow(const bridge::Actions& actions);
    [[nodiscard]] bool has_begun() const { return has_begun_; }
    [[nodiscard]] bool is_followed_by(const bridge::Event& event) const;

   private:
    bool has_begun_ = false;
    bool is_record_open_ = false;
  };

  void begin_part(base::WallTime wall);
  void end_part();
  void add(const Entry& entry);
  void add(const bridge::Actions& actions);
  void flush(bool is_to_sync = false, Pace pace = Pace::soon);
  void miss_rest_of_file();
  void leave();
  void leave_anew(const std::string& path, std::string text, const std::vector<Step>& steps);
  void give_up(base::Message why);
  enum class Trouble { full, failed, unsynchronised };  ///< the last one costs no line yet
  using News = std::function<void(Trouble trouble, const bridge::Note& note)>;
  void hear(int file, Trouble trouble, const bridge::Note& note);
  [[nodiscard]] News news_of_next_file();

  const config::BotConfig& config_;
  bridge::Mask mask_;  ///< of the present run's password
  Tell tell_;
  Handover handover_;
  base::io::Legacy* legacy_ = nullptr;
  int run_ = 0;   ///< counts the runs
  int part_ = 0;  ///< of the present run
  int files_begun_ = 0;   ///< by which news of an earlier one is known
  bool is_path_left_ = false;  ///< of the present file
  bool is_much_left_ = false;  ///< it is to be written at once, so that it need not be left
  bool is_running_ = false;
  bool is_to_try_again_ = false;  ///< the game is over of which the file took no more
  bool is_open_ = false;  ///< the present file takes entries, as far as it is known here
  Entries entries_;
  Game game_;
  std::shared_ptr<JournalWriter*> self_ = std::make_shared<JournalWriter*>(this);  ///< watched by the thread's news
};

}  // namespace kakehashi::journal::io
