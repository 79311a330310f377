#include "bridge/io/record_completion.hpp"

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>

#include "base/text.hpp"
#include "bridge/io/journal_files.hpp"
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

std::optional<Note> complete(const std::string& journal_path, const config::BotConfig& bot) {
  const auto journal_text = read_whole(journal_path);
  if (!journal_text) {
    return std::nullopt;
  }
  auto record = journal::last_record(journal::read(*journal_text));
  if (!record) {
    return std::nullopt;
  }
  if (record->path.empty()) {
    record->path = (fs::path(bot.records.directory) / safe_file_name(record->name)).string();
  }
  const auto text = read_whole(record->path);
  const auto whole = text ? journal::completed(*record, *text) : std::nullopt;
  if (!whole) {
    return std::nullopt;
  }
  // A draft of the record's own writer, if the process ended in the middle of it.
  std::remove((record->path + draft_extension).c_str());
  const std::string why = replace_whole(record->path, *whole);
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
