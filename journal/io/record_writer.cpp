#include "journal/io/record_writer.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/encoding.hpp"
#include "base/io/file.hpp"

namespace kakehashi::journal::io {
namespace {

using base::say;
using base::io::last_error;

constexpr std::size_t name_bytes_max = 200;
constexpr int create_attempts_max = 100;

/// Where the extension begins; the end when there is none.
std::size_t extension_at(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name.size() : dot;
}

}  // namespace

std::string with_newlines(std::string_view text, config::Newline newline) {
  if (newline == config::Newline::lf) {
    return std::string(text);
  }
  std::string converted;
  for (const char c : text) {
    converted += c == '\n' ? std::string("\r\n") : std::string(1, c);
  }
  return converted;
}

std::string stored(const bridge::RecordFile& file, config::Newline newline) {
  auto text = with_newlines(file.text, newline);
  return file.is_shift_jis ? base::to_cp932(text) : text;
}

std::string numbered_stem(const std::string& stem, int number) {
  return number == 1 ? stem : stem + "-" + std::to_string(number);
}

std::string safe_file_name(std::string_view name) {
  std::string safe;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    safe += byte < 0x20 || byte == 0x7f || c == '/' || c == '\\' ? '_' : c;
  }
  if (safe.size() > name_bytes_max) {
    const auto extension = safe.substr(extension_at(safe));
    const auto kept = extension.size() < 16 ? extension : "";
    safe.resize(name_bytes_max - kept.size());
    safe += kept;
  }
  if (safe.empty() || safe[0] == '.') {
    safe = "_" + safe;
  }
  return safe;
}

std::string RecordWriter::path_of(std::string_view stem, std::string_view extension) const {
  return (std::filesystem::path(directory_) / (std::string(stem) + std::string(extension)))
      .string();
}

bridge::RecordWritten RecordWriter::begin(const bridge::BeginRecord& record) {
  auto safe = safe_file_name(record.stem);
  const auto text = with_newlines(record.text, newline_);
  if (safe == wanted_ && !path_.empty()) {
    return {path_, replace(text)};
  }
  wanted_ = std::move(safe);
  final_path_.clear();
  extensions_ = record.extensions;
  auto why = create(text);
  return {path_, std::move(why)};
}

bridge::RecordWritten RecordWriter::go_on(const bridge::BeginRecord& record, const std::string& noted) {
  const std::string path = noted.empty() ? left_behind(record) : noted;
  const std::string name = std::filesystem::path(path).filename().string();
  if (record.extensions.empty() || !name.ends_with(record.extensions.front()) || path != path_of(name, "")) {
    return begin(record);  // its records went elsewhere
  }
  wanted_ = safe_file_name(record.stem);
  extensions_ = record.extensions;
  stem_ = name.substr(0, name.size() - extensions_.front().size());
  path_ = path;
  return begin(record);
}

/// The file that another process made for this game, and did not live to note; empty when there is none.
std::string RecordWriter::left_behind(const bridge::BeginRecord& record) const {
  const auto stem = safe_file_name(record.stem);
  std::string last;
  for (int number = 1; number <= suffix_max && !record.extensions.empty(); ++number) {
    auto path = path_of(numbered_stem(stem, number), record.extensions.front());
    if (!base::io::exists(path)) {
      break;
    }
    last = std::move(path);
  }
  const auto text = last.empty() ? std::nullopt : base::io::read_own(last);
  return text && with_newlines(record.text, newline_).starts_with(*text) ? last : "";
}

bridge::RecordWritten RecordWriter::append(const bridge::AppendRecord& record) {
  if (path_.empty()) {
    return {path_, say("there is no record file to add to")};
  }
  if (record.text.empty()) {
    return {path_, {}};
  }
  const base::io::File file(path_, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK);
  const bool is_written = file.is_open() && file.write(with_newlines(record.text, newline_));
  return {path_,
          is_written ? base::Message() : say("cannot add to {}: {}", base::quoted(path_, 400), last_error())};
}

bridge::RecordWritten RecordWriter::finish(const bridge::FinishRecord& record) {
  if (wanted_.empty() || record.files.empty()) {
    return {"", say("there is no game to finish the record of")};
  }
  base::Message faults = path_.empty() ? create("") : base::Message();
  if (path_.empty()) {
    return {path_, std::move(faults)};
  }
  if (final_path_.empty()) {
    const auto stem = record.stem.empty() ? wanted_ : safe_file_name(record.stem);
    if (stem != wanted_) {
      stem_ = free_stem(stem);
    }
    final_path_ = stem != wanted_ ? path_of(stem_, record.files.front().extension) : path_;
    is_written_.assign(record.files.size(), false);
  }
  faults = finish_files(record);
  const bool is_done = std::all_of(is_written_.begin(), is_written_.end(), [](bool done) { return done; });
  if (is_done && path_ == final_path_) {
    wanted_.clear();
  }
  return {path_, std::move(faults)};
}

/// What went wrong; what did not is not done again.
base::Message RecordWriter::finish_files(const bridge::FinishRecord& record) {
  base::Message faults;
  const auto tell = [&faults](const base::Message& fault) {
    faults = faults.empty() ? fault : fault.empty() ? faults : say("{}; {}", faults, fault);
    return fault.empty();
  };
  for (std::size_t left = record.files.size(); left > 0; --left) {
    const std::size_t i = left - 1;
    if (is_written_[i]) {
      continue;
    }
    const std::string bytes = stored(record.files[i], newline_);
    is_written_[i] = tell(i == 0 ? replace(bytes) : write_beside(record.files[i].extension, bytes));
  }
  if (is_written_.front() && path_ != final_path_) {
    tell(rename_first(final_path_));
  }
  return faults;
}

std::string RecordWriter::free_stem(const std::string& wanted) const {
  int number = 1;
  const auto is_taken = [&](const std::string& extension) {
    return base::io::exists(path_of(numbered_stem(wanted, number), extension));
  };
  while (number < suffix_max && std::any_of(extensions_.begin(), extensions_.end(), is_taken)) {
    ++number;
  }
  return numbered_stem(wanted, number);
}

base::Message RecordWriter::create(std::string_view bytes) {
  stem_.clear();
  path_.clear();
  std::error_code failed;
  std::filesystem::create_directories(directory_, failed);
  if (failed) {
    return say("cannot create the directory {}: {}", base::quoted(directory_, 400), base::system_words(failed.message()));
  }
  // Another process may take the name in between: then there is a next one.
  for (int attempt = 0; attempt < create_attempts_max; ++attempt) {
    const auto stem = free_stem(wanted_);
    const auto path = path_of(stem, extensions_.front());
    const base::io::File file(path, O_WRONLY | O_CREAT | O_EXCL);
    if (!file.is_open() && errno == EEXIST) {
      continue;
    }
    if (!file.is_open()) {
      return say("cannot create {}: {}", base::quoted(path, 400), last_error());
    }
    stem_ = stem;
    path_ = path;
    return file.write(bytes) ? base::Message() : say("cannot write {}: {}", base::quoted(path, 400), last_error());
  }
  return say("there are too many records named {}", base::quoted(wanted_, 400));
}

base::Message RecordWriter::write_beside(const std::string& extension, std::string_view bytes) const {
  // Should another process have taken the name since, this one file gets a number.
  for (int number = 1; number <= suffix_max; ++number) {
    const auto path = path_of(numbered_stem(stem_, number), extension);
    if (auto [is_taken, why] = base::io::write_new_file(path, bytes); !is_taken) {
      return std::move(why);
    }
  }
  return say("there are too many records named {}", base::quoted(stem_, 400));
}

base::Message RecordWriter::rename_first(const std::string& path) {
  if (auto why = base::io::rename_new(path_, path); !why.empty()) {
    return why;
  }
  path_ = path;
  return base::io::synchronise_directory_of(path_);
}

base::Message RecordWriter::replace(std::string_view bytes) const {
  auto why = base::io::replace_whole(path_, bytes);
  return why.empty() ? base::io::synchronise_directory_of(path_)
                     : say("cannot replace {}: {}", base::quoted(path_, 400), std::move(why));
}

}  // namespace kakehashi::journal::io
