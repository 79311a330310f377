#include "bridge/journal/journal_record.hpp"

#include <algorithm>
#include <variant>

#include "shogi/record/csa.hpp"
#include "shogi/record/format.hpp"
#include "shogi/record/json.hpp"

namespace kakehashi::bridge::journal {
namespace {

/// A line of a special move, such as %TORYO.
bool has_end(std::string_view text) {
  return text.starts_with('%') || text.find("\n%") != std::string_view::npos;
}

/// Without a last line that lacks its end.
std::string_view whole_lines(std::string_view text) {
  const std::size_t end = text.rfind('\n');
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

/// The text with the comment before its special move, where readers of V2.2 expect comments.
std::string with_comment(const std::string& finished) {
  const std::size_t end = finished.starts_with('%') ? 0 : finished.rfind("\n%") + 1;
  return finished.substr(0, end) + completion_comment + finished.substr(end);
}

/// Of a file that does not grow; no two of those share theirs.
const shogi::record::FormatFacts* facts_by_extension(std::string_view extension) {
  const auto found =
      std::find_if(shogi::record::formats.begin(), shogi::record::formats.end(),
                   [&](const auto& facts) { return facts.extension == extension; });
  return found == shogi::record::formats.end() ? nullptr : &*found;
}

/// The game as far as it went, from the source; or from the file that grew, when that knows more
/// moves because the journal was full.
std::optional<shogi::record::Record> interrupted_game(const JournalledRecord& record,
                                                      const std::vector<RecordFile>& grown) {
  auto games = shogi::record::read_jsonl(record.source);
  std::optional<shogi::record::Record> game;
  if (games && !games->empty()) {
    game = std::move(games->back());
  }
  if (!grown.empty()) {
    auto told = shogi::record::read_csa(grown.front().text);
    if (told && !told->empty() && (!game || told->back().moves.size() > game->moves.size())) {
      game = std::move(told->back());
    }
  }
  if (game) {
    game->ending = shogi::record::Ending{};
    game->ending->comments.emplace_back(completion_remark());
  }
  return game;
}

}  // namespace

std::optional<JournalledRecord> last_record(const Contents& contents) {
  std::optional<JournalledRecord> last;
  for (const Numbered& numbered : contents.entries) {
    if (const auto* action = std::get_if<Action>(&numbered.entry)) {
      if (const auto* begin = std::get_if<BeginRecord>(action)) {
        last = JournalledRecord{begin->stem, begin->extensions, "", begin->text, begin->source, {}};
      } else if (const auto* append = std::get_if<AppendRecord>(action); append && last) {
        last->text += append->text;
        last->source += append->source;
      } else if (const auto* finish = std::get_if<FinishRecord>(action);
                 finish && last && !finish->files.empty()) {
        last->text = last->grows() ? finish->files.front().text : "";
        last->files = finish->files;
        last->is_finished = true;
      }
    } else if (const auto* happened = std::get_if<Happened>(&numbered.entry)) {
      const auto* written = std::get_if<RecordWritten>(&happened->event);
      if (written != nullptr && last && written->why.empty()) {
        last->path = written->path;
      }
    }
  }
  return last;
}

std::optional<std::string> completed(const JournalledRecord& record, std::string_view file_text) {
  if (has_end(file_text)) {
    return std::nullopt;
  }
  const std::string_view file = whole_lines(file_text);
  if (record.is_finished) {
    // An end may stand in the header too (V3.0), so that only the beginning is compared.
    const std::string_view first_line = file.substr(0, file.find('\n'));
    return record.text.starts_with(first_line) && has_end(record.text)
               ? std::optional(with_comment(record.text))
               : std::nullopt;
  }
  // The journal may lack what the file holds when it was full before the game ended.
  const bool is_longer = file.size() > record.text.size();
  const std::string_view longer = is_longer ? file : std::string_view(record.text);
  const std::string_view shorter = is_longer ? std::string_view(record.text) : file;
  if (!longer.starts_with(shorter)) {
    return std::nullopt;
  }
  using shogi::record::CsaVersion;
  using shogi::record::EndingKind;
  return std::string(longer) + completion_comment +
         shogi::record::csa_word(EndingKind::chudan, CsaVersion::v2_2) + "\n";
}

std::vector<RecordFile> completed_files(const JournalledRecord& record,
                                        std::string_view first_text,
                                        shogi::record::CommentStyle comments) {
  std::vector<RecordFile> files;
  if (record.grows()) {
    auto text = completed(record, first_text);
    if (!text) {
      return {};
    }
    files.push_back({record.extensions.front(), std::move(*text), false});
  } else if (!first_text.empty()) {
    return {};
  }
  if (record.is_finished) {
    files.insert(files.end(), record.files.begin() + (record.grows() ? 1 : 0), record.files.end());
    return files;
  }
  const auto game = interrupted_game(record, files);
  for (std::size_t i = files.size(); game && i < record.extensions.size(); ++i) {
    if (const auto* facts = facts_by_extension(record.extensions[i])) {
      files.push_back({facts->extension, write_record(*game, facts->format, comments),
                       facts->is_shift_jis});
    }
  }
  return files;
}

}  // namespace kakehashi::bridge::journal
