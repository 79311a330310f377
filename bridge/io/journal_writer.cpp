#include "bridge/io/journal_writer.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

#include "base/text.hpp"
#include "bridge/io/record_writer.hpp"

namespace kakehashi::bridge::io {
namespace {

/// For its owner only: it tells how an engine thinks.
constexpr mode_t file_mode = 0600;
constexpr int runs_of_a_second_max = 100;

/// "20261121T031522", UTC.
std::string stamp(base::WallTime wall) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(wall);
  const auto day = std::chrono::floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(seconds - day);
  char text[48];
  std::snprintf(text, sizeof text, "%04d%02u%02uT%02d%02d%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

bool begins_game(const Event& event) {
  const auto* line = std::get_if<ServerLine>(&event);
  return line != nullptr && line->text == "BEGIN Game_Summary";
}

std::string in_words(int error) { return std::strerror(error); }

}  // namespace

JournalWriter::JournalWriter(const config::BotConfig& config, DiskThread& disk,
                             std::function<void(const Note&)> tell)
    : config_(config), mask_(config), disk_(disk), tell_(std::move(tell)) {}

JournalWriter::~JournalWriter() { end_part(); }

void JournalWriter::start(std::uint64_t seed, base::Now now, const Actions& actions) {
  end_part();
  if (!config_.journal.enabled) {
    return;
  }
  is_running_ = true;
  mask_ = Mask(config_);
  name_ = {safe_file_name(config_.name), "", 0};
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

void JournalWriter::go_on(File file, const std::string& path, std::uint64_t bytes, std::uint64_t number) {
  end_part();
  mask_ = Mask(config_);
  name_ = read_journal_name(std::filesystem::path(path).filename().string()).value_or(JournalName{});
  path_ = path;
  number_ = number;
  bytes_ = bytes;
  is_running_ = has_game_ = is_record_open_ = true;
  file_ = std::make_shared<SyncedFile>(std::move(file));
  is_disk_trouble_told_ = false;
  // What was written of a line when the process was killed would spoil the next one.
  if (::ftruncate(file_->file().descriptor(), static_cast<off_t>(bytes)) != 0) {
    const std::string why = in_words(errno);
    end_part();
    fail("cannot go on in " + base::quote_for_log(path, 400) + ": " + why);
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
  if (!file_) {
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
  add_held();
  add(actions);
  flush();
  follow(actions);
  if (file_ && has_game_ && std::holds_alternative<ServerLine>(event)) {
    disk_.sync_soon(file_);
    look_at_disk();
  }
}

bool JournalWriter::begins_part(const Event& event) const {
  return is_running_ && has_game_ && !is_record_open_ && begins_game(event);
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

/// Whether a game has begun in this file, and whether its record is still open: a file is not ended
/// in between, even when the game's line was lost and it is taken up again.
void JournalWriter::follow(const Actions& actions) {
  for (const Action& action : actions) {
    if (std::holds_alternative<BeginRecord>(action)) {
      is_record_open_ = true;
    } else if (std::holds_alternative<FinishRecord>(action)) {
      is_record_open_ = false;
    } else if (const auto* note = std::get_if<Note>(&action);
               note != nullptr && note->code == "game_started") {
      has_game_ = true;
    }
  }
}

void JournalWriter::begin_part(base::WallTime wall) {
  end_part();
  has_game_ = false;
  ++name_.part;
  const std::string directory = journal_directory(config_);
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) {
    fail("cannot create the directory " + base::quote_for_log(directory, 400) + ": " +
         failed.message());
    return;
  }
  if (!create_part(directory, wall)) {
    return;
  }
  bytes_ = 0;
  add(journal::Opened{journal::format_version, "kakehashi " KAKEHASHI_VERSION, config_.name,
                      name_.run, name_.part, false});
  disk_.post([directory, bot = name_.bot, run = name_.run, keep = config_.journal.keep] {
    tidy_journals(directory, bot, run, keep);
  });
}

bool JournalWriter::create_part(const std::string& directory, base::WallTime wall) {
  const bool is_new_run = name_.run.empty();
  for (int run = 1; run <= runs_of_a_second_max; ++run) {
    if (is_new_run) {
      name_.run = stamp(wall) + (run == 1 ? "" : "-" + std::to_string(run));
    }
    path_ = (std::filesystem::path(directory) / name_.file_name()).string();
    File file(path_, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, file_mode);
    if (file.is_open()) {
      // Tells other processes that this one is still writing.
      ::flock(file.descriptor(), LOCK_EX | LOCK_NB);
      // Shared with the disk's thread, which may still synchronise it when the next one has begun.
      file_ = std::make_shared<SyncedFile>(std::move(file));
      is_disk_trouble_told_ = false;
      return true;
    }
    if (errno != EEXIST || !is_new_run) {
      break;
    }
  }
  const std::string why = in_words(errno);
  fail("cannot create " + base::quote_for_log(path_, 400) + ": " + why);
  return false;
}

void JournalWriter::end_part() {
  if (!file_) {
    return;
  }
  ::flock(file_->file().descriptor(), LOCK_UN);
  disk_.sync_soon(file_);
  file_.reset();
  path_.clear();
}

void JournalWriter::add(const journal::Entry& entry) {
  if (file_) {
    pending_ += journal::encode(entry, ++number_);
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

void JournalWriter::flush() {
  const std::string text = std::exchange(pending_, {});
  if (!file_ || text.empty()) {
    return;
  }
  const std::uint64_t bytes_max = config_.journal.bytes_max;
  if (bytes_max != 0 && bytes_ + text.size() > bytes_max) {
    Note note;
    note.level = Level::warn;
    note.code = "journal_full";
    note.text = "the journal " + base::quote_for_log(path_, 400) + " has reached " +
                std::to_string(bytes_max) +
                " bytes (journal.bytes_max) and takes no more; the next game begins a new one";
    static_cast<void>(file_->file().write(journal::encode(journal::Full{}, number_ + 1)));
    end_part();
    has_game_ = true;  // so that the next game begins a file, whatever this one held
    tell_(note);
    return;
  }
  if (!file_->file().write(text)) {
    const std::string why = in_words(errno);
    // What was written of the step is taken back, so that the file stays whole.
    [[maybe_unused]] const int outcome =
        ::ftruncate(file_->file().descriptor(), static_cast<off_t>(bytes_));
    const std::string path = path_;
    end_part();
    fail("cannot write " + base::quote_for_log(path, 400) + ": " + why);
    return;
  }
  bytes_ += text.size();
}

/// The thread tells through the file, once; the journal goes on, as far as it goes.
void JournalWriter::look_at_disk() {
  const int error = file_->sync_error();
  if (error == 0 || is_disk_trouble_told_) {
    return;
  }
  is_disk_trouble_told_ = true;
  Note note;
  note.level = Level::warn;
  note.code = "journal_failed";
  note.text = "the journal did not reach the disk: cannot synchronise " +
              base::quote_for_log(path_, 400) + ": " + in_words(error) +
              "; it is still written, but a power cut may cost it";
  tell_(note);
}

void JournalWriter::fail(const std::string& why) {
  path_.clear();
  ++number_;  // the gap shows when the journal goes on
  has_game_ = true;  // so that the next game tries again
  Note note;
  note.level = Level::warn;
  note.code = "journal_failed";
  note.text = "the journal could not be written: " + why +
              "; the game goes on, the next one tries again";
  tell_(note);
}

}  // namespace kakehashi::bridge::io
