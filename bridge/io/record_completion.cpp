#include "bridge/io/record_completion.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

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

struct Place {
  std::string stem;  ///< with its directory, without an extension
  std::vector<RecordFile> files;  ///< what is missing there
};

/// A record that the journal of its game can complete.
struct CutOff {
  std::string journal_path;
  Place place;
};

struct Finding {
  bool is_whole = false;  ///< the record lacks nothing, or was moved away
  std::optional<CutOff> cut_off;
};

/// The first comes last: it stands for all. What went wrong, or an empty text.
std::string write_files(const Place& place, config::Newline newline) {
  for (std::size_t left = place.files.size(); left > 0; --left) {
    const RecordFile& file = place.files[left - 1];
    const std::string path = place.stem + file.extension;
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

/// What the record lacks, and where; nothing when its first file is not there.
std::optional<Place> place_of(const journal::JournalledRecord& record,
                              const config::BotConfig& bot) {
  const std::string& extension = record.extensions.front();
  const std::string path =
      record.path.empty()
          ? (fs::path(bot.records.directory) / (safe_file_name(record.stem) + extension)).string()
          : record.path;
  auto text = read_whole(path);
  if (!text || !path.ends_with(extension)) {
    return std::nullopt;
  }
  text->erase(std::remove(text->begin(), text->end(), '\r'), text->end());
  return Place{path.substr(0, path.size() - extension.size()),
               journal::completed_files(
                   record, *text, static_cast<shogi::record::CommentStyle>(bot.records.comments))};
}

Finding look_at(const std::string& journal_path, const config::BotConfig& bot) {
  const auto journal_text = read_whole(journal_path);
  const auto record =
      journal_text ? journal::last_record(journal::read(*journal_text)) : std::nullopt;
  if (!record || record->extensions.empty()) {
    return {};
  }
  auto place = place_of(*record, bot);
  if (!place || place->files.empty()) {
    return {!record->path.empty(), std::nullopt};
  }
  return {false, CutOff{journal_path, std::move(*place)}};
}

Note complete(const CutOff& cut_off, config::Newline newline) {
  const std::string why = write_files(cut_off.place, newline);
  const std::string path =
      base::quote_for_log(cut_off.place.stem + cut_off.place.files.front().extension, 400);
  if (!why.empty()) {
    return make_note(Level::error, "record_failed",
                     "the record " + path + " could not be completed from the journal: " + why);
  }
  return make_note(Level::warn, "record_completed",
                   "an earlier run was cut off in a game; its record " + path +
                       " was completed from the journal " +
                       base::quote_for_log(cut_off.journal_path, 400));
}

}  // namespace

RecordCompletion::RecordCompletion(const config::BotConfig& bot) {
  bot_.name = bot.name;
  bot_.journal = bot.journal;
  bot_.records = bot.records;
  if (bot.journal.enabled) {
    journals_ = list_journals(journal_directory(bot), safe_file_name(bot.name));
  }
}

std::vector<Note> RecordCompletion::run() const {
  std::vector<CutOff> found;
  const fs::path directory = journal_directory(bot_);
  std::string run;
  int games_left = 0;
  for (auto name = journals_.rbegin(); name != journals_.rend(); ++name) {
    const std::string path = (directory / name->file_name()).string();
    if (name->run != run) {
      run = name->run;
      games_left = is_in_use(path) ? 0 : games_max;
    }
    if (games_left == 0) {
      continue;
    }
    auto finding = look_at(path, bot_);
    games_left = finding.is_whole ? 0 : games_left - 1;
    if (finding.cut_off) {
      found.push_back(std::move(*finding.cut_off));
    }
  }
  // In the order of the games: should this be cut off too, the next start finds what is left.
  std::vector<Note> notes;
  for (auto cut_off = found.rbegin(); cut_off != found.rend(); ++cut_off) {
    notes.push_back(complete(*cut_off, bot_.records.newline));
  }
  return notes;
}

}  // namespace kakehashi::bridge::io
