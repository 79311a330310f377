#include "bridge/io/record_completion.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>

#include "base/text.hpp"
#include "bridge/io/journal_files.hpp"
#include "bridge/io/new_file.hpp"
#include "bridge/io/record_bytes.hpp"
#include "bridge/io/record_writer.hpp"
#include "bridge/io/whole_file.hpp"
#include "bridge/journal_record.hpp"

namespace kakehashi::bridge::io {
namespace {

namespace fs = std::filesystem;

Note make_note(Level level, std::string code, std::string text) {
  Note note;
  note.level = level;
  note.code = std::move(code);
  note.text = std::move(text);
  return note;
}

/// The first comes last: it stands for all. What went wrong, or an empty text.
std::string write_files(const std::vector<RecordFile>& files, const std::string& stem,
                        config::Newline newline) {
  for (std::size_t left = files.size(); left > 0; --left) {
    const RecordFile& file = files[left - 1];
    const std::string path = stem + file.extension;
    // A draft of the record's own writer, if the process ended in the middle of it.
    std::remove((path + draft_extension).c_str());
    const auto bytes = stored(file, newline);
    if (!bytes) {
      return bytes.error().what;
    }
    const bool is_first = left == 1;
    const std::string why =
        is_first ? replace_whole(path, *bytes) : write_new_file(path, *bytes).why;
    if (!why.empty()) {
      return why;
    }
  }
  return "";
}

std::optional<Note> complete(const std::string& journal_path, const config::BotConfig& bot) {
  const auto journal_text = read_whole(journal_path);
  if (!journal_text) {
    return std::nullopt;
  }
  auto record = journal::last_record(journal::read(*journal_text));
  if (!record) {
    return std::nullopt;
  }
  if (record->extensions.empty()) {
    return std::nullopt;
  }
  const std::string extension = record->extensions.front();
  if (record->path.empty()) {
    record->path =
        (fs::path(bot.records.directory) / (safe_file_name(record->stem) + extension)).string();
  }
  auto text = read_whole(record->path);
  if (!text || !record->path.ends_with(extension)) {
    return std::nullopt;
  }
  text->erase(std::remove(text->begin(), text->end(), '\r'), text->end());
  const auto files = journal::completed_files(
      *record, *text, static_cast<shogi::record::CommentStyle>(bot.records.comments));
  if (files.empty()) {
    return std::nullopt;
  }
  const std::string stem = record->path.substr(0, record->path.size() - extension.size());
  const std::string why = write_files(files, stem, bot.records.newline);
  const std::string path = base::quote_for_log(record->path, 400);
  if (!why.empty()) {
    return make_note(Level::error, "record_failed",
                     "the record " + path + " could not be completed from the journal: " + why);
  }
  return make_note(Level::warn, "record_completed",
                   "an earlier run was cut off in a game; its record " + path +
                       " was completed from the journal " + base::quote_for_log(journal_path, 400));
}

}  // namespace

std::vector<Note> complete_records(const config::BotConfig& bot) {
  std::vector<Note> notes;
  if (!bot.journal.enabled) {
    return notes;
  }
  const std::string directory = journal_directory(bot);
  const auto files = list_journals(directory, safe_file_name(bot.name));
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bool is_last_of_run = i + 1 == files.size() || files[i + 1].run != files[i].run;
    const std::string path = (fs::path(directory) / files[i].file_name()).string();
    if (!is_last_of_run || is_in_use(path)) {
      continue;
    }
    if (auto note = complete(path, bot)) {
      notes.push_back(std::move(*note));
    }
  }
  return notes;
}

}  // namespace kakehashi::bridge::io
