#include "journal/io/journal_writer.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <variant>

#include "base/text.hpp"
#include "journal/io/journal_files.hpp"
#include "journal/io/record_writer.hpp"
#include "journal/io/thread_of.hpp"

namespace kakehashi::journal::io {
namespace {

using base::say;

/// For its owner only: it tells how an engine thinks.
constexpr mode_t file_mode = 0600;
constexpr int runs_of_a_second_max = 100;
/// Pieces of work; waiting_bytes_max comes first where they are steps.
constexpr std::size_t waiting_max = 400'000;
base::Message too_much_waits() { return say("too much waits to be written, or the system gives no thread"); }

/// "20261121T031522", UTC.
std::string stamp(base::WallTime wall) { return fmt::format("{:%Y%m%dT%H%M%S}", base::calendar(wall)); }

bool begins_game(const bridge::Event& event) {
  const auto* line = std::get_if<bridge::ServerLine>(&event);
  return line != nullptr && line->text == "BEGIN Game_Summary";
}

bridge::Note failed_note(base::Message why) {
  return {bridge::Level::warn, "journal_failed",
          say("the journal could not be written: {}; the game goes on, the next one tries again", std::move(why)), {}};
}

}  // namespace

/// How far the thread has come with what was handed over: the thread tells it, the loop asks.
class JournalWriter::Progress {
 public:
  /// Before bytes are handed over. False: more wait than may.
  [[nodiscard]] bool reserve(std::size_t bytes) {
    if (waiting_bytes_ + bytes > waiting_bytes_max) {
      return false;
    }
    waiting_bytes_ += bytes;
    return true;
  }
  void release(std::size_t bytes) { waiting_bytes_ -= bytes; }

  /// A piece of work is done, each in its turn.
  void count() { ++done_; }
  [[nodiscard]] bool has_done(std::uint64_t pieces) const { return done_ >= pieces; }

  void set_path(std::string path) {
    const std::scoped_lock lock(mutex_);
    path_ = std::move(path);
  }
  /// Of the present file; empty: none.
  [[nodiscard]] std::string path() const {
    const std::scoped_lock lock(mutex_);
    return path_;
  }

 private:
  std::atomic<std::size_t> waiting_bytes_{0};
  std::atomic<std::uint64_t> done_{0};
  mutable std::mutex mutex_;  ///< guards the path
  std::string path_;
};

/// What the thread has and does, in the order in which it was handed over. The loop looks at its progress only.
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

  /// The file is made with its first entries, so that none is without a beginning.
  void begin(const Part& part, const News& news) {
    end();
    news_ = news;
    const std::string run = part.run == run_ ? name_.run : "";
    name_ = part.name;
    name_.run = run;
    run_ = part.run;
    bytes_max_ = part.bytes_max;
    upcoming_ = part;
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
      fail(say("cannot go on in {}: {}", base::quoted(path, 400), base::io::last_error()));
    }
  }

  void write(std::string text, std::uint64_t number, bool is_to_sync) {
    if (const auto part = std::exchange(upcoming_, std::nullopt); part && create(*part)) {
      text.insert(0, head_of(*part));
      disk_.post([directory = part->directory, bot = name_.bot, run = name_.run, keep = part->keep] {
        tidy_journals(directory, bot, run, keep);
      });
    }
    if (!file_) {
      return;
    }
    if (bytes_max_ != 0 && bytes_ + text.size() > bytes_max_) {
      const bridge::Note note{bridge::Level::warn, "journal_full",
                      say("the journal {} has reached {} bytes (journal.bytes_max) and takes no more; the next game begins "
                          "a new one", base::quoted(path(), 400), bytes_max_), {}};
      end_early(number);
      news_(Trouble::full, note);
      return;
    }
    if (!file_->file().write(text)) {
      base::Message why = base::io::last_error();
      // What was written of the step is taken back, so that the file stays whole.
      [[maybe_unused]] const int outcome =
          ::ftruncate(file_->file().descriptor(), static_cast<off_t>(bytes_));
      fail(say("cannot write {}: {}", base::quoted(path(), 400), std::move(why)));
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
      static_cast<void>(file_->file().write(encode(Full{}, number)));
      end();
    }
  }

  void end() {
    upcoming_.reset();
    if (!file_) {
      return;
    }
    ::flock(file_->file().descriptor(), LOCK_UN);
    disk_.sync_soon(file_);
    file_.reset();
    progress_.set_path("");
  }

  void fail(base::Message why) {
    end();
    news_(Trouble::failed, failed_note(std::move(why)));
  }

  [[nodiscard]] Progress& progress() { return progress_; }

 private:
  [[nodiscard]] std::string path() const { return progress_.path(); }

  [[nodiscard]] std::string head_of(const Part& part) const {
    return encode(Opened{format_version, "kakehashi " KAKEHASHI_VERSION, part.bot, name_.run, name_.part, false}, part.number);
  }

  bool create(const Part& part) {
    std::error_code failed;
    std::filesystem::create_directories(part.directory, failed);
    if (failed) {
      fail(say("cannot create the directory {}: {}", base::quoted(part.directory, 400), base::system_words(failed.message())));
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
    fail(say("cannot create {}: {}", base::quoted(path, 400), base::io::last_error()));
    return false;
  }

  void take(base::io::File file, const std::string& path, std::uint64_t bytes) {
    // Shared with the disk's thread, which may still synchronise it when the next one has begun.
    file_ = std::make_shared<base::io::SyncedFile>(std::move(file));
    bytes_ = bytes;
    is_disk_trouble_told_ = false;
    progress_.set_path(path);
  }

  /// The disk's thread tells through the file, once; the journal goes on, as far as it goes.
  void look_at_disk() {
    const int error = file_->sync_error();
    if (error == 0 || std::exchange(is_disk_trouble_told_, true)) {
      return;
    }
    news_(Trouble::unsynchronised,
          {bridge::Level::warn, "journal_failed",
           say("the journal did not reach the disk: cannot synchronise {}: {}; it is still written, but a power cut may "
               "cost it", base::quoted(path(), 400), base::system_words(std::system_category().message(error))), {}});
  }

  base::io::DiskThread& disk_;
  News news_;
  JournalName name_;
  int run_ = 0;
  std::optional<Part> upcoming_;  ///< has no file yet
  std::shared_ptr<base::io::SyncedFile> file_;  ///< null: nothing is written; shared with the disk's thread
  std::uint64_t bytes_ = 0;  ///< of the present file
  std::uint64_t bytes_max_ = 0;
  bool is_disk_trouble_told_ = false;
  Progress progress_;
};

/// Of all journals that an io_context has.
class JournalWriter::Thread : public ThreadOf<Thread, waiting_max> {
 public:
  using ThreadOf::ThreadOf;
};

// --- what is handed over

JournalWriter::Handover::Handover(boost::asio::io_context& context)
    : context_(context),
      files_(std::make_shared<Files>(base::io::DiskThread::of(context))),
      thread_(boost::asio::use_service<Thread>(context)) {}

/// Steps on their way, to which more can be added until the thread takes them.
class JournalWriter::Handover::Steps {
 public:
  explicit Steps(std::string text, bool is_to_sync) : text_(std::move(text)), is_to_sync_(is_to_sync) {}

  /// False: the thread has taken them.
  [[nodiscard]] bool add(std::string_view text, bool is_to_sync) {
    const std::scoped_lock lock(mutex_);
    if (!is_taken_) {
      text_ += text;
      is_to_sync_ = is_to_sync_ || is_to_sync;
    }
    return !is_taken_;
  }
  /// Their text, and whether it is to be synchronised.
  [[nodiscard]] std::pair<std::string, bool> take() {
    const std::scoped_lock lock(mutex_);
    is_taken_ = true;
    return {std::move(text_), is_to_sync_};
  }

 private:
  std::mutex mutex_;  ///< guards all below
  std::string text_;
  bool is_to_sync_;
  bool is_taken_ = false;
};

bool JournalWriter::Handover::give(std::function<void(Files&)> work, Pace pace) {
  steps_.reset();  // what follows is written behind it
  const bool is_taken = give_behind(std::move(work), pace);
  to_files_ = given_;
  return is_taken;
}

bool JournalWriter::Handover::give_behind(std::function<void(Files&)> work, Pace pace) {
  auto counted = [files = files_, work = std::move(work), guard = boost::asio::make_work_guard(context_)] {
    try {
      work(*files);
    } catch (const std::exception& failure) {  // no memory: it costs this journal, not the process
      files->fail(base::verbatim(failure.what()));
    }
    files->progress().count();
  };
  const bool is_taken = thread_.post(std::move(counted), pace);
  given_ += is_taken ? 1 : 0;
  return is_taken;
}

std::optional<base::Message> JournalWriter::Handover::write(std::string text, std::uint64_t number, bool is_to_sync,
                                                          Pace pace) {
  const std::size_t bytes = text.size();
  if (!files_->progress().reserve(bytes)) {
    give([number](Files& files) { files.end_early(number); });
    return say("the disk is so far behind that {} MiB wait", waiting_bytes_max / 1024 / 1024);
  }
  if (pace == Pace::soon && steps_ && steps_->add(text, is_to_sync)) {
    return std::nullopt;
  }
  const auto steps = std::make_shared<Steps>(std::move(text), is_to_sync);
  const bool is_taken = give(
      [steps, number](Files& files) {
        auto [taken, is_due] = steps->take();
        files.progress().release(taken.size());
        files.write(std::move(taken), number, is_due);
      },
      pace);
  if (!is_taken) {
    files_->progress().release(bytes);
    return too_much_waits();
  }
  steps_ = steps;
  return std::nullopt;
}

bool JournalWriter::Handover::has_written() const { return files_->progress().has_done(to_files_); }

std::string JournalWriter::Handover::path() const { return files_->progress().path(); }

// --- the game in the file

void JournalWriter::Game::follow(const bridge::Actions& actions) {
  for (const bridge::Action& action : actions) {
    if (std::holds_alternative<bridge::BeginRecord>(action)) {
      is_record_open_ = true;
    } else if (std::holds_alternative<bridge::FinishRecord>(action)) {
      is_record_open_ = false;
    } else if (std::holds_alternative<bridge::GameStarted>(action)) {
      has_begun_ = true;
    }
  }
}

bool JournalWriter::Game::is_followed_by(const bridge::Event& event) const {
  return is_over() && begins_game(event);
}

// --- the writer

JournalWriter::JournalWriter(const config::BotConfig& config, boost::asio::io_context& context, Tell tell)
    : config_(config), mask_(config), tell_(std::move(tell)), handover_(context) {}

JournalWriter::~JournalWriter() { end_part(); }

void JournalWriter::start(std::uint64_t seed, base::Now now, const bridge::Actions& actions, const std::vector<Step>& steps) {
  end_part();
  if (!config_.journal.enabled) {
    return;
  }
  is_running_ = true;
  mask_ = bridge::Mask(config_);
  ++run_;
  part_ = 0;
  entries_.begin(0);
  game_.begin_run();
  begin_part(now.wall);
  for (auto& setting : config::plain_settings(config_)) {
    add(std::move(setting));
  }
  add(Started{seed, now});
  std::string text(entries_.take_new());
  add(actions);
  static_cast<void>(entries_.take_new());
  leave_anew("", std::move(text), steps);
  flush(false, Pace::at_once);
}

/// Before anything of it goes to a file: until then what another process has left is whole, and numbered as it was.
void JournalWriter::leave_anew(const std::string& path, std::string text, const std::vector<Step>& steps) {
  for (const auto& [happened, actions] : steps) {
    add(happened);
    text += entries_.take_new();
    add(actions);
    static_cast<void>(entries_.take_new());
    game_.follow(actions);
  }
  if (legacy_ != nullptr) {
    legacy_->begin(path, text, steps.empty() ? 0 : legacy_->done());
  }
}

/// What is in the files already need not be left, too.
void JournalWriter::leave() {
  if (legacy_ == nullptr) {
    return;
  }
  constexpr std::size_t look_from_bytes = std::size_t{64} * 1024;
  is_much_left_ = legacy_->unfiled_bytes() > look_from_bytes;
  if ((is_much_left_ || !is_path_left_) && is_open_ && handover_.has_written()) {
    if (const std::string path = handover_.path(); !path.empty()) {
      is_path_left_ = true;
      is_much_left_ ? legacy_->filed(path) : legacy_->set_path(path);
    }
  }
  legacy_->add(entries_.take_new());
}

void JournalWriter::go_on(base::io::File file, const std::string& path, std::uint64_t bytes, std::uint64_t number,
                          const bridge::Actions& unwritten, const std::vector<Step>& steps) {
  end_part();
  mask_ = bridge::Mask(config_);
  const auto name = read_journal_name(std::filesystem::path(path).filename().string()).value_or(JournalName{});
  part_ = name.part;
  entries_.begin(number);
  game_.go_on();
  is_running_ = is_open_ = true;
  add(unwritten);
  static_cast<void>(entries_.take_new());
  leave_anew(path, "", steps);
  Files::Part part;
  part.name = name;
  part.run = ++run_;
  part.bytes_max = config_.journal.bytes_max;
  const auto taken = std::make_shared<base::io::File>(std::move(file));
  if (!handover_.give([part, taken, path, bytes, news = news_of_next_file()](Files& files) {
        files.go_on(std::move(*taken), part, path, bytes, news);
      })) {
    give_up(too_much_waits());
  }
  flush();
}

void JournalWriter::note(const bridge::Event& event, base::Now now, const bridge::Actions& actions, bool more,
                         const base::io::Legacy::Place& told) {
  if (!is_running_) {
    return;
  }
  if (std::exchange(is_to_try_again_, false) || begins_part(event)) {
    leave();
    flush();
    begin_part(now.wall);
  }
  if (!is_open_) {
    return;
  }
  // Not before: what is left above is true without this step.
  if (told.stream != nullptr) {
    told.stream->work_off(told.position);
  }
  const auto masked = mask_.kept(event);
  entries_.add(now, masked ? *masked : event);
  if (!more || !actions.empty()) {
    leave();
  }
}

void JournalWriter::follow(const bridge::Event& event, const bridge::Actions& actions, bool more) {
  if (!is_running_) {
    return;
  }
  if (!is_open_) {
    const bool was_over = game_.is_over();
    game_.follow(actions);
    is_to_try_again_ = !was_over && game_.is_over();
    return;
  }
  if (more && actions.empty()) {
    return;
  }
  const bool is_line = std::holds_alternative<bridge::ServerLine>(event);
  add(actions);
  static_cast<void>(entries_.take_new());  // they follow from what was noted
  game_.follow(actions);
  // That a game has begun is what a later process needs most.
  const bool is_urgent = is_much_left_ || std::holds_alternative<bridge::RecordWritten>(event) ||
                         std::any_of(actions.begin(), actions.end(), [](const bridge::Action& action) {
                           return std::holds_alternative<bridge::BeginRecord>(action);
                         });
  flush(game_.has_begun() && is_line, is_urgent ? Pace::at_once : Pace::soon);
}

bool JournalWriter::begins_part(const bridge::Event& event) const {
  return is_running_ && game_.is_followed_by(event);
}

void JournalWriter::broke(const bridge::Event& event, base::Now now, std::string_view why) {
  step(event, now, {});
  add(Broken{std::string(why)});
  flush(false, Pace::at_once);
}

void JournalWriter::close(std::string_view why) {
  if (legacy_ != nullptr) {
    legacy_->give_up();
  }
  add(Closed{std::string(why)});
  flush();
  end_part();
  is_running_ = false;
}

bool JournalWriter::behind(Work work, Pace pace) {
  if (!config_.journal.enabled) {
    work("");
    return true;
  }
  return handover_.give_behind([work = std::move(work)](Files& files) { work(files.progress().path()); }, pace);
}

bool JournalWriter::could_begin_whole() const {
  return legacy_ != nullptr && !legacy_->is_whole() && !path().empty();
}

std::string JournalWriter::path() const { return is_open_ ? handover_.path() : ""; }

bool JournalWriter::is_idle(boost::asio::io_context& context) {
  return boost::asio::use_service<Thread>(context).is_idle();
}

void JournalWriter::begin_part(base::WallTime wall) {
  is_open_ = true;
  is_path_left_ = false;
  game_.begin_file();
  ++part_;
  Files::Part part{{safe_file_name(config_.name), "", part_}, run_, journal_directory(config_), wall, config_.name,
                   entries_.skip(), config_.journal.bytes_max, config_.journal.keep};
  if (!handover_.give([part, news = news_of_next_file()](Files& files) { files.begin(part, news); })) {
    give_up(too_much_waits());
  }
}

JournalWriter::News JournalWriter::news_of_next_file() {
  return [&context = handover_.context(), watched = std::weak_ptr<JournalWriter*>(self_), file = ++files_begun_](
             Trouble trouble, const bridge::Note& note) {
    boost::asio::post(context, [watched, file, trouble, note] {
      if (const auto self = watched.lock()) {
        (*self)->hear(file, trouble, note);
      }
    });
  };
}

void JournalWriter::end_part() {
  if (std::exchange(is_open_, false)) {
    handover_.give([](Files& files) { files.end(); });
  }
}

void JournalWriter::add(const Entry& entry) {
  if (is_open_) {
    entries_.add(entry);
  }
}

void JournalWriter::add(const bridge::Actions& actions) {
  if (!is_open_) {
    return;
  }
  for (const bridge::Action& action : actions) {
    entries_.add(action);
  }
}

void JournalWriter::flush(bool is_to_sync, Pace pace) {
  Entries::Text entries = entries_.take();
  if (!is_open_ || entries.text.empty()) {
    return;
  }
  if (const auto why = handover_.write(std::move(entries.text), entries.number, is_to_sync, pace)) {
    give_up(*why);
  }
}

/// The gap shows when the journal goes on, with the next game, whatever this file held.
void JournalWriter::miss_rest_of_file() {
  static_cast<void>(entries_.take());  // lines of the present read
  entries_.skip();
  game_.give_up_file();
  if (legacy_ != nullptr) {
    legacy_->give_up();
  }
}

void JournalWriter::give_up(base::Message why) {
  end_part();
  miss_rest_of_file();
  tell_(failed_note(std::move(why)), bridge::Incident::journal_failed);
}

void JournalWriter::hear(int file, Trouble trouble, const bridge::Note& note) {
  if (trouble != Trouble::unsynchronised && file == files_begun_) {
    is_open_ = false;
    miss_rest_of_file();
  }
  tell_(note, trouble == Trouble::full ? std::nullopt : std::optional(bridge::Incident::journal_failed));
}

}  // namespace kakehashi::journal::io
