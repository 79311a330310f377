#include "bridge/journal/io/journal_writer.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include "base/io/threads.hpp"
#include "base/text.hpp"
#include "bridge/journal/io/journal_files.hpp"
#include "bridge/record/io/record_writer.hpp"

namespace kakehashi::bridge::io {
namespace {

/// For its owner only: it tells how an engine thinks.
constexpr mode_t file_mode = 0600;
constexpr int runs_of_a_second_max = 100;
/// Pieces of work; waiting_bytes_max comes first where they are steps.
constexpr std::size_t waiting_max = 400'000;
constexpr const char* too_much_waits = "too much waits to be written, or the system gives no thread";

/// "20261121T031522", UTC.
std::string stamp(base::WallTime wall) { return fmt::format("{:%Y%m%dT%H%M%S}", base::calendar(wall)); }

bool begins_game(const Event& event) {
  const auto* line = std::get_if<ServerLine>(&event);
  return line != nullptr && line->text == "BEGIN Game_Summary";
}

std::string in_words(int error) { return std::strerror(error); }

Note failed_note(const std::string& why) {
  return {Level::warn, "journal_failed",
          "the journal could not be written: " + why + "; the game goes on, the next one tries again", {}};
}

}  // namespace

/// What the thread has and does, in the order in which it was handed over.
class JournalWriter::Files {
 public:
  struct Part {
    JournalName name;  ///< the thread finds the run's name
    int run = 0;       ///< by which parts of one run are known
    std::string directory;
    base::WallTime wall;
    std::string bot;
    std::uint64_t number = 0;  ///< of its first entry
    std::uint64_t bytes_max = 0;
    int keep = 1;
  };

  explicit Files(base::io::DiskThread& disk) : disk_(disk) {}

  void begin(const Part& part, const News& news) {
    end();
    news_ = news;
    const std::string run = part.run == run_ ? name_.run : "";
    name_ = part.name;
    name_.run = run;
    run_ = part.run;
    bytes_max_ = part.bytes_max;
    if (!create(part)) {
      return;
    }
    write(journal::encode(journal::Opened{journal::format_version, "kakehashi " KAKEHASHI_VERSION, part.bot,
                                          name_.run, name_.part, false},
                          part.number),
          part.number, false);
    disk_.post([directory = part.directory, bot = name_.bot, run = name_.run, keep = part.keep] {
      tidy_journals(directory, bot, run, keep);
    });
  }

  void go_on(base::io::File file, const Part& part, const std::string& path, std::uint64_t bytes, const News& news) {
    end();
    news_ = news;
    name_ = part.name;
    run_ = part.run;
    bytes_max_ = part.bytes_max;
    take(std::move(file), path, bytes);
    // What was written of a line when the process was killed would spoil the next one.
    if (::ftruncate(file_->file().descriptor(), static_cast<off_t>(bytes)) != 0) {
      fail("cannot go on in " + base::quote_for_log(path, 400) + ": " + in_words(errno));
    }
  }

  void write(const std::string& text, std::uint64_t number, bool is_to_sync) {
    if (!file_) {
      return;
    }
    if (bytes_max_ != 0 && bytes_ + text.size() > bytes_max_) {
      const Note note{Level::warn, "journal_full",
                      "the journal " + base::quote_for_log(path(), 400) + " has reached " +
                          std::to_string(bytes_max_) +
                          " bytes (journal.bytes_max) and takes no more; the next game begins a new one", {}};
      end_early(number);
      news_(Trouble::full, note);
      return;
    }
    if (!file_->file().write(text)) {
      const std::string why = in_words(errno);
      // What was written of the step is taken back, so that the file stays whole.
      [[maybe_unused]] const int outcome =
          ::ftruncate(file_->file().descriptor(), static_cast<off_t>(bytes_));
      fail("cannot write " + base::quote_for_log(path(), 400) + ": " + why);
      return;
    }
    bytes_ += text.size();
    if (is_to_sync) {
      disk_.sync_soon(file_);
      look_at_disk();
    }
  }

  /// The file says that it ends before its run.
  void end_early(std::uint64_t number) {
    if (file_) {
      static_cast<void>(file_->file().write(journal::encode(journal::Full{}, number)));
      end();
    }
  }

  void end() {
    if (!file_) {
      return;
    }
    ::flock(file_->file().descriptor(), LOCK_UN);
    disk_.sync_soon(file_);
    file_.reset();
    set_path("");
  }

  void fail(const std::string& why) {
    end();
    news_(Trouble::failed, failed_note(why));
  }

  [[nodiscard]] std::string path() const {
    const std::scoped_lock lock(mutex_);
    return path_;
  }

  /// A piece of work is done, each in its turn.
  void count() {
    ++done_;
    if (is_awaited_) {
      { const std::scoped_lock lock(mutex_); }  // not between the loop's last look and its wait
      settled_.notify_one();
    }
  }
  [[nodiscard]] bool has_done(std::uint64_t pieces) const { return done_ >= pieces; }
  /// Whether it was done in time.
  bool wait_for(std::uint64_t pieces) {
    std::unique_lock lock(mutex_);
    is_awaited_ = true;
    const bool is_done = settled_.wait_for(lock, settling_max, [&] { return has_done(pieces); });
    is_awaited_ = false;
    return is_done;
  }

  std::atomic<std::size_t> waiting_bytes{0};

 private:
  bool create(const Part& part) {
    std::error_code failed;
    std::filesystem::create_directories(part.directory, failed);
    if (failed) {
      fail("cannot create the directory " + base::quote_for_log(part.directory, 400) + ": " + failed.message());
      return false;
    }
    const bool is_new_run = name_.run.empty();
    std::string path;
    for (int run = 1; run <= runs_of_a_second_max; ++run) {
      if (is_new_run) {
        name_.run = stamp(part.wall) + (run == 1 ? "" : "-" + std::to_string(run));
      }
      path = (std::filesystem::path(part.directory) / name_.file_name()).string();
      base::io::File file(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, file_mode);
      if (file.is_open()) {
        // Tells other processes that this one is still writing. Who asks just now lets go at once.
        ::flock(file.descriptor(), LOCK_EX);
        take(std::move(file), path, 0);
        return true;
      }
      if (errno != EEXIST || !is_new_run) {
        break;
      }
    }
    const std::string why = in_words(errno);
    fail("cannot create " + base::quote_for_log(path, 400) + ": " + why);
    return false;
  }

  void take(base::io::File file, const std::string& path, std::uint64_t bytes) {
    // Shared with the disk's thread, which may still synchronise it when the next one has begun.
    file_ = std::make_shared<base::io::SyncedFile>(std::move(file));
    bytes_ = bytes;
    is_disk_trouble_told_ = false;
    set_path(path);
  }

  /// The disk's thread tells through the file, once; the journal goes on, as far as it goes.
  void look_at_disk() {
    const int error = file_->sync_error();
    if (error == 0 || std::exchange(is_disk_trouble_told_, true)) {
      return;
    }
    news_(Trouble::unsynchronised,
          {Level::warn, "journal_failed",
           "the journal did not reach the disk: cannot synchronise " + base::quote_for_log(path(), 400) +
               ": " + in_words(error) + "; it is still written, but a power cut may cost it", {}});
  }

  void set_path(std::string path) {
    const std::scoped_lock lock(mutex_);
    path_ = std::move(path);
  }

  base::io::DiskThread& disk_;
  News news_;
  JournalName name_;
  int run_ = 0;
  std::shared_ptr<base::io::SyncedFile> file_;  ///< null: nothing is written; shared with the disk's thread
  std::uint64_t bytes_ = 0;  ///< of the present file
  std::uint64_t bytes_max_ = 0;
  bool is_disk_trouble_told_ = false;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<bool> is_awaited_{false};
  std::condition_variable settled_;
  mutable std::mutex mutex_;  ///< guards the path, which the loop may ask for
  std::string path_;
};

/// Of all journals that an io_context has; what waits is written before that is gone.
class JournalWriter::Thread : public boost::asio::execution_context::service {
 public:
  explicit Thread(boost::asio::execution_context& context)
      : boost::asio::execution_context::service(context), thread_(std::in_place, waiting_max) {
    static_cast<void>(base::io::DiskThread::of(context));  // outlives this one, which hands on to it
  }

  bool post(std::function<void()> work) {
    ++unfinished_;
    const bool is_taken = thread_ && thread_->post([this, work = std::move(work)] {
      work();
      --unfinished_;
    });
    if (!is_taken) {
      --unfinished_;
    }
    return is_taken;
  }
  [[nodiscard]] bool is_idle() const { return unfinished_ == 0; }

  static boost::asio::execution_context::id id;  ///< by which Asio finds the service

 private:
  void shutdown() override { thread_.reset(); }

  std::atomic<std::size_t> unfinished_{0};
  std::optional<base::io::Background> thread_;
};

boost::asio::execution_context::id JournalWriter::Thread::id;

JournalWriter::JournalWriter(const config::BotConfig& config, boost::asio::io_context& context, Tell tell)
    : config_(config),
      mask_(config),
      context_(context),
      tell_(std::move(tell)),
      files_(std::make_shared<Files>(base::io::DiskThread::of(context))),
      thread_(boost::asio::use_service<Thread>(context)) {}

JournalWriter::~JournalWriter() { end_part(); }

void JournalWriter::start(std::uint64_t seed, base::Now now, const Actions& actions) {
  end_part();
  if (!config_.journal.enabled) {
    return;
  }
  is_running_ = true;
  mask_ = Mask(config_);
  ++run_;
  part_ = 0;
  number_ = 0;
  is_record_open_ = false;
  begin_part(now.wall);
  for (auto& setting : config::plain_settings(config_)) {
    add(std::move(setting));
  }
  add(journal::Started{seed, now});
  add(actions);
  flush();
}

void JournalWriter::go_on(base::io::File file, const std::string& path, std::uint64_t bytes, std::uint64_t number) {
  end_part();
  mask_ = Mask(config_);
  const auto name = read_journal_name(std::filesystem::path(path).filename().string()).value_or(JournalName{});
  part_ = name.part;
  number_ = number;
  is_running_ = is_open_ = has_game_ = is_record_open_ = true;
  Files::Part part;
  part.name = name;
  part.run = ++run_;
  part.bytes_max = config_.journal.bytes_max;
  const auto taken = std::make_shared<base::io::File>(std::move(file));
  if (!hand_over([part, taken, path, bytes, news = news_of_next_file()](Files& files) {
        files.go_on(std::move(*taken), part, path, bytes, news);
      })) {
    give_up(too_much_waits);
  }
}

void JournalWriter::step(const Event& event, base::Now now, const Actions& actions, bool more) {
  if (!is_running_) {
    return;
  }
  if (begins_part(event)) {
    add_held();
    flush();
    begin_part(now.wall);
  }
  if (!is_open_) {
    held_.clear();
    follow(actions);
    return;
  }
  if (auto masked = mask_.hide(event)) {
    held_.push_back({now, std::move(*masked)});
  } else {
    held_.push_back({now, event});
  }
  if (more && actions.empty()) {
    return;
  }
  const bool is_line = std::holds_alternative<ServerLine>(event);
  add_held();
  add(actions);
  follow(actions);
  flush(has_game_ && is_line);
  if (is_line && !more) {
    to_settle_ = handed_over_;
  }
}

bool JournalWriter::begins_part(const Event& event) const {
  return is_running_ && has_game_ && !is_record_open_ && begins_game(event);
}

bool JournalWriter::settle() {
  if (files_->has_done(to_settle_)) {
    is_slow_ = false;
  } else if (!is_slow_) {
    is_slow_ = !files_->wait_for(to_settle_);
  } else {
    return false;
  }
  return !is_slow_;
}

void JournalWriter::broke(const Event& event, base::Now now, std::string_view why) {
  step(event, now, {});
  add(journal::Broken{std::string(why)});
  flush();
}

void JournalWriter::close(std::string_view why) {
  add_held();
  add(journal::Closed{std::string(why)});
  flush();
  end_part();
  is_running_ = false;
}

bool JournalWriter::behind(Work work) {
  if (!config_.journal.enabled) {
    work("");
    return true;
  }
  return hand_over([work = std::move(work)](const Files& files) { work(files.path()); });
}

std::string JournalWriter::path() const { return is_open_ ? files_->path() : ""; }

bool JournalWriter::is_idle(boost::asio::io_context& context) {
  return boost::asio::use_service<Thread>(context).is_idle();
}

/// Whether a game has begun in this file, and whether its record is still open: a file is not ended
/// in between, even when the game's line was lost and it is taken up again.
void JournalWriter::follow(const Actions& actions) {
  for (const Action& action : actions) {
    if (std::holds_alternative<BeginRecord>(action)) {
      is_record_open_ = true;
    } else if (std::holds_alternative<FinishRecord>(action)) {
      is_record_open_ = false;
    } else if (std::holds_alternative<GameStarted>(action)) {
      has_game_ = true;
    }
  }
}

void JournalWriter::begin_part(base::WallTime wall) {
  is_open_ = true;
  has_game_ = false;
  ++part_;
  Files::Part part{{safe_file_name(config_.name), "", part_}, run_, journal_directory(config_), wall, config_.name,
                   ++number_, config_.journal.bytes_max, config_.journal.keep};
  if (!hand_over([part, news = news_of_next_file()](Files& files) { files.begin(part, news); })) {
    give_up(too_much_waits);
  }
}

JournalWriter::News JournalWriter::news_of_next_file() {
  return [&context = context_, watched = std::weak_ptr<JournalWriter*>(self_), file = ++files_begun_](
             Trouble trouble, const Note& note) {
    boost::asio::post(context, [watched, file, trouble, note] {
      if (const auto self = watched.lock()) {
        (*self)->hear(file, trouble, note);
      }
    });
  };
}

void JournalWriter::end_part() {
  if (std::exchange(is_open_, false)) {
    hand_over([](Files& files) { files.end(); });
  }
}

void JournalWriter::add(const journal::Entry& entry) {
  if (is_open_) {
    ++number_;
    if (pending_.empty()) {
      pending_from_ = number_;
    }
    pending_ += journal::encode(entry, number_);
  }
}

void JournalWriter::add(const Actions& actions) {
  for (const Action& action : actions) {
    add(journal::Entry(action));
  }
}

void JournalWriter::add_held() {
  for (journal::Happened& step : held_) {
    add(std::move(step));
  }
  held_.clear();
}

void JournalWriter::flush(bool is_to_sync) {
  std::string text = std::exchange(pending_, {});
  if (!is_open_ || text.empty()) {
    return;
  }
  const std::size_t bytes = text.size();
  if (files_->waiting_bytes + bytes > waiting_bytes_max) {
    hand_over([number = pending_from_](Files& files) { files.end_early(number); });
    give_up("the disk is so far behind that " + std::to_string(waiting_bytes_max / 1024 / 1024) + " MiB wait");
    return;
  }
  files_->waiting_bytes += bytes;
  if (!hand_over([text = std::move(text), number = pending_from_, is_to_sync](Files& files) {
        files.waiting_bytes -= text.size();
        files.write(text, number, is_to_sync);
      })) {
    files_->waiting_bytes -= bytes;
    give_up(too_much_waits);
  }
}

/// The loop goes on until it is done, so that what went wrong is told. False when it is not taken.
bool JournalWriter::hand_over(std::function<void(Files&)> work) {
  const bool is_taken =
      thread_.post([files = files_, work = std::move(work), guard = boost::asio::make_work_guard(context_)] {
        try {
          work(*files);
        } catch (const std::exception& failure) {  // no memory: it costs this journal, not the process
          files->fail(failure.what());
        }
        files->count();
      });
  handed_over_ += is_taken ? 1 : 0;
  return is_taken;
}

void JournalWriter::give_up(const std::string& why) {
  end_part();
  ++number_;  // the gap shows when the journal goes on
  has_game_ = true;  // so that the next game tries again
  tell_(failed_note(why), Incident::journal_failed);
}

void JournalWriter::hear(int file, Trouble trouble, const Note& note) {
  if (trouble != Trouble::unsynchronised && file == files_begun_) {
    is_open_ = false;
    ++number_;  // the gap shows when the journal goes on
    has_game_ = true;  // so that the next game tries again, whatever this file held
  }
  tell_(note, trouble == Trouble::full ? std::nullopt : std::optional(Incident::journal_failed));
}

}  // namespace kakehashi::bridge::io
