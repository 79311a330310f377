#include "base/io/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

namespace kakehashi::base::io {

File::File(const std::string& path, int flags, mode_t mode)
    : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}

File::File(const File& directory, const std::string& name, int flags)
    : descriptor_(::openat(directory.descriptor_, name.c_str(), flags | O_CLOEXEC)) {}

File::~File() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

File::File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

namespace {

/// How many bytes could be written; where not all, errno says why.
std::size_t write_some(int descriptor, std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto count = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      break;
    }
    done += static_cast<std::size_t>(count);
  }
  return done;
}

base::Message write_draft(const std::string& path, std::string_view bytes) {
  ::unlink(path.c_str());  // a process that was killed may have left one
  const File draft(path, O_WRONLY | O_CREAT | O_EXCL);
  if (!draft.is_open()) {
    return say("cannot create {}: {}", quoted(path, 400), last_error());
  }
  if (!draft.write(bytes) || !draft.sync()) {
    auto why = say("cannot write {}: {}", quoted(path, 400), last_error());
    ::unlink(path.c_str());
    return why;
  }
  return {};
}

}  // namespace

bool File::write(std::string_view bytes) const { return write_some(descriptor_, bytes) == bytes.size(); }

bool File::sync() const { return ::fsync(descriptor_) == 0; }

base::Message last_error() { return base::system_words(std::system_category().message(errno)); }

bool exists(const std::string& path) {
  std::error_code failed;
  return std::filesystem::symlink_status(path, failed).type() !=
         std::filesystem::file_type::not_found;
}

base::Message synchronise_directory_of(const std::string& path) {
  auto directory = std::filesystem::path(path).parent_path().string();
  directory = directory.empty() ? "." : directory;
  const File opened(directory, O_RDONLY | O_DIRECTORY);
  return opened.is_open() && !opened.sync() ? say("cannot synchronise {}: {}", quoted(directory, 400), last_error())
                                            : base::Message();
}

base::Message rename_new(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
    return {};
  }
  // Not every file system can rename without replacing; a second name for the file does the same.
  if (errno != EEXIST && ::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return {};
  }
  return say("cannot create {}: {}", quoted(to, 400), last_error());
}

FileWritten write_new_file(const std::string& path, std::string_view bytes) {
  if (exists(path)) {
    return {true, {}};
  }
  const auto draft = path + ".tmp";
  if (auto why = write_draft(draft, bytes); !why.empty()) {
    return {false, std::move(why)};
  }
  if (auto why = rename_new(draft, path); !why.empty()) {
    ::unlink(draft.c_str());
    const bool is_taken = exists(path);
    return {is_taken, is_taken ? base::Message() : std::move(why)};
  }
  return {false, synchronise_directory_of(path)};
}

namespace {

constexpr mode_t private_mode = 0600;

/// A link's own mode is everybody's and what it points to is another file's: neither is taken over, nor is set-uid.
mode_t mode_of(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) ? status.st_mode & 0777U : private_mode;
}

constexpr std::size_t piece_bytes = std::size_t{64} * 1024;

/// At most so many bytes; nothing when it cannot be read.
std::optional<std::string> read_at_most(const File& file, std::size_t bytes_max) {
  std::string text;
  for (std::size_t size = 0; file.is_open();) {
    const std::size_t wanted = std::min(piece_bytes, bytes_max - size);
    text.resize(size + wanted);
    const auto count = wanted > 0 ? ::read(file.descriptor(), text.data() + size, wanted) : 0;
    if (count < 0 && errno != EINTR) {
      return std::nullopt;
    }
    size += count > 0 ? static_cast<std::size_t>(count) : 0;
    if (count == 0) {
      text.resize(size);
      return text;
    }
  }
  return std::nullopt;
}

std::optional<std::string> if_whole(std::optional<std::string> text, std::size_t bytes_max) {
  if (text && text->size() > bytes_max) {
    errno = EFBIG;
    return std::nullopt;
  }
  return text;
}

constexpr mode_t others_may_write = S_IWGRP | S_IWOTH;

bool is_ours_or_roots(const struct stat& state) { return state.st_uid == ::geteuid() || state.st_uid == 0; }

bool is_own(const struct stat& state) {
  return S_ISREG(state.st_mode) && is_ours_or_roots(state) && (state.st_mode & others_may_write) == 0;
}

/// Nobody else can take a file of ours out of it, or put one that we once wrote in another's place. A group may: it is
/// the user's own on many systems, and was chosen on the others.
bool is_own_directory(const struct stat& state) {
  return is_ours_or_roots(state) && ((state.st_mode & S_IWOTH) == 0 || (state.st_mode & S_ISVTX) != 0);
}

}  // namespace

std::optional<std::string> read_whole(const std::string& path) {
  const File file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  struct stat state {};
  if (!file.is_open() || ::fstat(file.descriptor(), &state) != 0) {
    return std::nullopt;
  }
  if (!S_ISREG(state.st_mode)) {
    errno = S_ISDIR(state.st_mode) ? EISDIR : EINVAL;
    return std::nullopt;
  }
  return if_whole(read_at_most(file, whole_bytes_max + 1), whole_bytes_max);
}

File open_own(const std::string& path, int flags) {
  const std::filesystem::path named(path);
  const std::string above = named.has_parent_path() ? named.parent_path().string() : ".";
  const File directory(above, O_PATH | O_DIRECTORY);
  struct stat state {};
  if (!directory.is_open() || ::fstat(directory.descriptor(), &state) != 0) {
    return {};
  }
  const bool is_in_own = is_own_directory(state);
  File file(directory, named.filename().string(), flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (!file.is_open()) {
    errno = errno == ELOOP ? EPERM : errno;
    return {};
  }
  if (::fstat(file.descriptor(), &state) != 0) {
    return {};
  }
  if (!is_in_own || !is_own(state)) {
    errno = EPERM;
    return {};
  }
  return file;
}

std::optional<std::string> read_own(const std::string& path, std::size_t bytes_max) {
  return if_whole(read_own_beginning(path, bytes_max + 1), bytes_max);
}

std::optional<std::string> read_own_beginning(const std::string& path, std::size_t bytes) {
  return read_at_most(open_own(path, O_RDONLY), bytes);
}

bool keep_to_owner(const std::string& path) {
  const File file(path, O_PATH);  // closing one that can be read would give up the locks of others in this process
  struct stat state {};
  if (!file.is_open() || ::fstat(file.descriptor(), &state) != 0) {
    return false;
  }
  if (is_own(state)) {
    return true;
  }
  const std::string itself = "/proc/self/fd/" + std::to_string(file.descriptor());
  return S_ISREG(state.st_mode) && state.st_uid == ::geteuid() &&
         ::chmod(itself.c_str(), state.st_mode & 0777U & ~others_may_write) == 0;
}

base::Message replace_whole(const std::string& path, std::string_view text) {
  const std::string draft = path + draft_extension;
  ::unlink(draft.c_str());  // what an earlier process left, or what somebody put there: a FIFO would hold us up
  const File file(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, private_mode);
  bool is_done = file.is_open() && file.write(text) &&
                 ::fchmod(file.descriptor(), mode_of(path)) == 0 && file.sync();
  is_done = is_done && std::rename(draft.c_str(), path.c_str()) == 0;
  base::Message why = is_done ? base::Message() : last_error();
  if (!is_done) {
    std::remove(draft.c_str());
  }
  return why;
}

// --- lines

namespace {

constexpr mode_t lines_mode = 0640;  // a log may tell how an engine thinks

bool ends_in_mid_line(const File& file) {
  const off_t size = ::lseek(file.descriptor(), 0, SEEK_END);
  char last = '\n';
  return size > 0 && ::pread(file.descriptor(), &last, 1, size - 1) == 1 && last != '\n';
}

bool is_at(const File& file, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file.descriptor(), &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

RotatingFile::RotatingFile(std::string path, Limits limits, Tell tell)
    : path_(std::move(path)), limits_(limits), tell_(std::move(tell)) {
  const auto directory = std::filesystem::path(path_).parent_path();
  if (!directory.empty()) {
    std::error_code told_by_open;
    std::filesystem::create_directories(directory, told_by_open);
  }
  file_ = open_locked();
  struct stat state {};
  if (file_.is_open() && ::fstat(file_.descriptor(), &state) == 0) {
    bytes_ = static_cast<std::size_t>(state.st_size);
    is_torn_ = ends_in_mid_line(file_);
  }
}

/// Not open when that fails, with the trouble.
File RotatingFile::open_locked() {
  trouble_ = say("it is being renamed again and again");
  // Another writer may rename the file between the two calls: then the name leads to a newer one.
  for (int attempt = 0; attempt < 10; ++attempt) {
    File file(path_, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY, lines_mode);
    struct stat state {};
    if (!file.is_open() || ::fstat(file.descriptor(), &state) != 0) {
      trouble_ = last_error();
      return {};
    }
    if (!S_ISREG(state.st_mode)) {
      trouble_ = say("it is not a regular file");
      return {};
    }
    // Two that wrote to one file would rotate each other's lines away. Where the file system knows no
    // locks there is none.
    if (::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      // A child that was killed with its parent, or has not begun its own program, lets go in a moment.
      trouble_ = say("another process writes to it");
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
      continue;
    }
    if (is_at(file, path_)) {
      trouble_ = {};
      return file;
    }
  }
  return {};
}

bool RotatingFile::has_its_name() const { return file_.is_open() && is_at(file_, path_); }

void RotatingFile::write(std::string_view line) {
  if (limits_.bytes_max > 0 && bytes_ > 0 && bytes_ + line.size() > limits_.bytes_max) {
    make_room();
  }
  std::string text = is_torn_ ? "\n" : "";
  if (lost_ > 0) {
    text += tell_("log_lines_lost", say("{} log lines were lost: {}", lost_, error_));
  }
  text += line;
  if (write_whole(text)) {
    bytes_ += text.size();
    is_torn_ = false;
    lost_ = 0;
  } else {
    ++lost_;
  }
}

/// All or nothing, as far as the disk allows that.
bool RotatingFile::write_whole(std::string_view text) {
  const std::size_t done = write_some(file_.descriptor(), text);
  if (done == text.size()) {
    return true;
  }
  error_ = last_error();
  const off_t end = done > 0 ? ::lseek(file_.descriptor(), 0, SEEK_END) : -1;
  if (done > 0 && (end < 0 || ::ftruncate(file_.descriptor(), end - static_cast<off_t>(done)) != 0)) {
    is_torn_ = true;
  }
  return false;
}

void RotatingFile::make_room() {
  bytes_ = 0;
  if (rotate()) {
    has_told_ = false;
    is_torn_ = false;
    return;
  }
  if (!std::exchange(has_told_, true)) {
    static_cast<void>(write_whole(tell_("log_not_rotated", say("no new file is begun, this one grows: {}", trouble_))));
  }
  trouble_ = {};
}

/// The new file is open before the old one is let go. One that was moved away is left there.
bool RotatingFile::rotate() {
  File fresh = has_its_name() ? take_its_place() : open_locked();
  if (!fresh.is_open()) {
    return false;
  }
  file_ = std::move(fresh);
  return true;
}

/// The name leads to a file that is locked all the time: another writer never finds it free.
File RotatingFile::take_its_place() {
  const auto failed = [this] {
    trouble_ = say("{} cannot be renamed: {}", base::quoted(path_), last_error());
    return File();
  };
  for (int index = limits_.keep; index > 1; --index) {
    if (std::rename(old_name(index - 1).c_str(), old_name(index).c_str()) != 0 && errno != ENOENT) {
      return failed();
    }
  }
  const std::string next = path_ + ".next";
  ::unlink(next.c_str());
  File fresh(next, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NONBLOCK | O_NOCTTY, lines_mode);
  if (!fresh.is_open()) {
    return failed();
  }
  ::flock(fresh.descriptor(), LOCK_EX | LOCK_NB);
  const std::string old = old_name(1);
  ::unlink(old.c_str());
  const bool has_two_names = ::link(path_.c_str(), old.c_str()) == 0;  // where the file system knows hard links
  if ((!has_two_names && std::rename(path_.c_str(), old.c_str()) != 0) ||
      std::rename(next.c_str(), path_.c_str()) != 0) {
    File none = failed();
    ::unlink(next.c_str());
    return none;
  }
  return fresh;
}

/// "kakehashi.log": "kakehashi.1.log".
std::string RotatingFile::old_name(int index) const {
  const std::filesystem::path path(path_);
  const auto name = path.stem().string() + "." + std::to_string(index) + path.extension().string();
  return (path.parent_path() / name).string();
}

}  // namespace kakehashi::base::io
