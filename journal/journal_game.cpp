#include "journal/journal_game.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "shogi/record/csa.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/json.hpp"

namespace kakehashi::journal {

// --- the record of the last game

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

using shogi::record::Record;

std::optional<Record> last_of(base::Result<std::vector<Record>> games) {
  return games && !games->empty() ? std::optional(std::move(games->back())) : std::nullopt;
}

/// The game as far as it went, from the source; or from the file that grew, when that knows more
/// moves because the journal was full.
std::optional<Record> interrupted_game(const JournalledRecord& record, const std::vector<bridge::RecordFile>& grown) {
  auto game = last_of(shogi::record::read_jsonl(record.source));
  auto told = grown.empty() ? std::nullopt : last_of(shogi::record::read_csa(grown.front().text));
  if (told && (!game || told->moves.size() > game->moves.size())) {
    game = std::move(told);
  }
  if (game) {
    game->ending = shogi::record::Ending{};
    game->ending->comments.emplace_back(completion_remark());
  }
  return game;
}

}  // namespace

const shogi::record::FormatFacts* facts_by_extension(std::string_view extension) {
  const auto found =
      std::find_if(shogi::record::formats.begin(), shogi::record::formats.end(),
                   [&](const auto& facts) { return facts.extension == extension; });
  return found == shogi::record::formats.end() ? nullptr : &*found;
}

std::optional<JournalledRecord> last_record(const Contents& contents) {
  std::optional<JournalledRecord> last;
  for (const Numbered& numbered : contents.entries) {
    if (const auto* action = std::get_if<bridge::Action>(&numbered.entry)) {
      if (const auto* begin = std::get_if<bridge::BeginRecord>(action)) {
        last = JournalledRecord{begin->stem, begin->extensions, "", begin->text, begin->source, {}};
      } else if (const auto* append = std::get_if<bridge::AppendRecord>(action); append && last) {
        last->text += append->text;
        last->source += append->source;
      } else if (const auto* finish = std::get_if<bridge::FinishRecord>(action);
                 finish && last && !finish->files.empty()) {
        last->text = last->grows() ? finish->files.front().text : "";
        last->files = finish->files;
        last->is_finished = true;
      }
    } else if (const auto* happened = std::get_if<Happened>(&numbered.entry)) {
      const auto* written = std::get_if<bridge::RecordWritten>(&happened->event);
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
  using shogi::record::EndingKind;
  return std::string(longer) + completion_comment +
         shogi::record::csa_word(EndingKind::chudan) + "\n";
}

std::vector<bridge::RecordFile> completed_files(const JournalledRecord& record,
                                        std::string_view first_text,
                                        shogi::record::CommentStyle comments) {
  std::vector<bridge::RecordFile> files;
  if (record.extensions.empty()) {
    return files;
  }
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

// --- the game itself

namespace {

/// What a game summary says.
struct Offer {
  std::string game_id;
  std::string black;
  std::string white;
  shogi::Color us = shogi::Color::black;
};

/// What the server says of a game, and how it ended, besides its record.
struct Frame {
  Offer offer;  ///< the last one; it may have been another game, or this one again behind a lost line
  GameMark mark;
  shogi::Color us = shogi::Color::black;
  bool has_begun = false;
  base::WallTime ended;  ///< or the last that was heard of it
  csa::GameEnd end;
};

void take_line(Offer& offer, std::string_view line) {
  const auto value_of = [&](std::string_view name) {
    return line.starts_with(name) ? std::optional(std::string(line.substr(name.size()))) : std::nullopt;
  };
  if (auto id = value_of("Game_ID:")) {
    offer.game_id = std::move(*id);
  } else if (auto black = value_of("Name+:")) {
    offer.black = std::move(*black);
  } else if (auto white = value_of("Name-:")) {
    offer.white = std::move(*white);
  } else if (const auto turn = value_of("Your_Turn:")) {
    offer.us = turn->starts_with('-') ? shogi::Color::white : shogi::Color::black;
  }
}

/// Of the last game.
Frame frame_of(const Contents& contents) {
  Frame frame;
  base::WallTime now{};
  bool is_over = false;
  for (const Numbered& numbered : contents.entries) {
    if (const auto* happened = std::get_if<Happened>(&numbered.entry)) {
      now = happened->now.wall;
      if (const auto* line = std::get_if<bridge::ServerLine>(&happened->event)) {
        take_line(frame.offer, line->text);
      }
      frame.ended = is_over ? frame.ended : now;
      continue;
    }
    const auto* action = std::get_if<bridge::Action>(&numbered.entry);
    if (action == nullptr) {
      continue;
    }
    if (std::holds_alternative<bridge::BeginRecord>(*action)) {
      // The same record may be begun anew when a lost line is back: it is still that game.
      const bool goes_on = frame.has_begun && !is_over;
      const Offer& offer = frame.offer;
      frame.us = offer.us;
      frame.mark = {offer.game_id, offer.us == shogi::Color::black ? offer.black : offer.white,
                    goes_on ? frame.mark.begun : now};
      frame.has_begun = true;
      frame.end = {};
      is_over = false;
    } else if (std::holds_alternative<bridge::FinishRecord>(*action)) {
      is_over = true;
    } else if (const auto* ended = std::get_if<bridge::GameEnded>(action); ended != nullptr && !ended->is_lost_sight) {
      frame.end.outcome = ended->outcome;
      frame.end.reason = ended->reason;
    }
  }
  return frame;
}

std::optional<Record> read_file(std::string_view extension, const std::string& text,
                                std::chrono::minutes utc_offset) {
  const auto* facts = facts_by_extension(extension);
  return facts != nullptr ? last_of(shogi::record::read_records(text, facts->format, utc_offset)) : std::nullopt;
}

/// Whichever of the journal's texts knows most: our own format, then the source of the files that do
/// not grow, then any file that can be read back.
std::optional<Record> moves_of(const JournalledRecord& record, std::chrono::minutes utc_offset) {
  for (const bridge::RecordFile& file : record.files) {
    if (file.extension == ".jsonl") {
      if (auto game = read_file(file.extension, file.text, utc_offset)) {
        return game;
      }
    }
  }
  if (auto game = read_file(".jsonl", record.source, utc_offset)) {
    return game;
  }
  return record.grows() ? read_file(".csa", record.text, utc_offset) : std::nullopt;
}

/// How the record itself says that the game ended; interrupted when none of its files does.
shogi::record::Ending ending_of(const JournalledRecord& record, std::chrono::minutes utc_offset) {
  for (const bridge::RecordFile& file : record.files) {
    const auto game = read_file(file.extension, file.text, utc_offset);
    if (game && game->ending) {
      return *game->ending;
    }
  }
  shogi::record::Ending cut_off;
  cut_off.comments.emplace_back(completion_remark());
  return cut_off;
}

}  // namespace

std::optional<GameMark> last_mark(const Contents& contents) {
  Frame frame = frame_of(contents);
  return frame.has_begun ? std::optional(std::move(frame.mark)) : std::nullopt;
}

std::optional<bridge::FinishedGame> last_game(const Contents& contents, const JournalledRecord& record,
                                      const config::BotConfig& bot) {
  auto moves = moves_of(record, bot.records.utc_offset);
  if (!moves) {
    return std::nullopt;
  }
  Frame frame = frame_of(contents);
  bridge::FinishedGame game;
  game.bot = bot.name;
  game.server = bot.server.place();
  game.game_name = bot.game.name;
  game.our_color = frame.us;
  game.end = std::move(frame.end);
  game.record = std::move(*moves);
  game.record.started = frame.mark.begun;
  game.record.ended = game.record.ended.value_or(frame.ended);
  if (!game.record.ending) {
    game.record.ending = ending_of(record, bot.records.utc_offset);
  }
  return game;
}

}  // namespace kakehashi::journal
