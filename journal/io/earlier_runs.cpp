#include "journal/io/earlier_runs.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <system_error>
#include <utility>

#include "base/text.hpp"
#include "journal/io/record_writer.hpp"
#include "journal/journal.hpp"

namespace kakehashi::journal::io {
namespace {

namespace fs = std::filesystem;
using base::say;

/// As a journal of this version names it.
constexpr const char* own_program = "kakehashi " KAKEHASHI_VERSION;

struct Place {
  std::string stem;  ///< with its directory, without an extension
  std::vector<bridge::RecordFile> files;  ///< what is missing there
};

/// A record that the journal of its game can complete.
struct CutOff {
  std::string journal_path;
  JournalledRecord record;
  std::optional<Place> place;  ///< nothing: its name was not noted, if it was made at all
};

struct Finding {
  bool is_whole = false;  ///< the record lacks nothing, or was moved away
  std::optional<CutOff> cut_off;
  bool is_refused = false;  ///< another may have written the journal
};

/// The first comes last: it stands for all. What went wrong, or nothing.
base::Message write_files(const Place& place, config::Newline newline) {
  for (std::size_t left = place.files.size(); left > 0; --left) {
    const bridge::RecordFile& file = place.files[left - 1];
    const std::string path = place.stem + file.extension;
    // A draft of the record's own writer, if the process ended in the middle of it.
    std::remove((path + base::io::draft_extension).c_str());
    const std::string bytes = stored(file, newline);
    const bool is_first = left == 1;
    base::Message why =
        is_first ? base::io::replace_whole(path, bytes) : base::io::write_new_file(path, bytes).why;
    if (!why.empty()) {
      return why;
    }
  }
  return {};
}

shogi::record::CommentStyle comments_of(const config::BotConfig& bot) {
  return static_cast<shogi::record::CommentStyle>(bot.records.comments);
}

std::string without_cr(std::string text) {
  std::erase(text, '\r');
  return text;
}

/// What the record in that file lacks; nothing when the file is not there, or lacks nothing.
std::optional<Place> place_at(const std::string& path, const JournalledRecord& record,
                              const config::BotConfig& bot) {
  const std::string& extension = record.extensions.front();
  const auto text = base::io::read_own(path);
  if (!text || !path.ends_with(extension)) {
    return std::nullopt;
  }
  Place place{path.substr(0, path.size() - extension.size()),
              completed_files(record, without_cr(*text), comments_of(bot))};
  return place.files.empty() ? std::nullopt : std::optional(std::move(place));
}

/// A path that stands in a file is data: it is written to only if this bot, as it is set, could have made it.
bool could_be_ours(const JournalledRecord& record, const config::BotConfig& bot) {
  if (!std::all_of(record.extensions.begin(), record.extensions.end(), facts_by_extension)) {
    return false;
  }
  if (record.path.empty()) {
    return true;  // then its name is made here
  }
  const fs::path path(record.path);
  const std::string name = path.filename().string();
  return (fs::path(bot.records.directory) / name).lexically_normal() == path.lexically_normal() &&
         name == safe_file_name(name);
}

Finding look_at(const std::string& journal_path, const config::BotConfig& bot) {
  const auto journal_text = base::io::read_own(journal_path);
  if (!journal_text && errno == EPERM) {
    return {false, std::nullopt, true};
  }
  auto record = journal_text ? last_record(read(*journal_text)) : std::nullopt;
  if (!record || record->extensions.empty() || !could_be_ours(*record, bot)) {
    return {};
  }
  if (record->path.empty()) {
    return {false, CutOff{journal_path, std::move(*record), std::nullopt}};
  }
  auto place = place_at(record->path, *record, bot);
  if (!place) {
    return {true, std::nullopt};
  }
  return {false, CutOff{journal_path, std::move(*record), std::move(place)}};
}

/// Whether that file, which has an end, is this game's.
bool is_told_in(const std::string& path, const JournalledRecord& record, const config::BotConfig& bot) {
  const auto bytes = base::io::read_own(path);
  const std::string text = without_cr(bytes.value_or(""));
  if (!bytes || (record.grows() && text.starts_with(record.text))) {
    return bytes.has_value();
  }
  const auto is_it = [&](const std::vector<bridge::RecordFile>& files) {
    return !files.empty() && without_cr(stored(files.front(), bot.records.newline)) == text;
  };
  return is_it(record.files) || is_it(completed_files(record, "", comments_of(bot)));
}

/// A file that is made behind the others of its stem, empty: cut off in the middle, this too is found by the
/// next start. A game that begins meanwhile takes another name.
Place make_place(const JournalledRecord& record, const config::BotConfig& bot, int number) {
  const std::string stem = safe_file_name(record.stem);
  std::error_code told_by_write;
  fs::create_directories(bot.records.directory, told_by_write);
  for (;; ++number) {
    const std::string path = (fs::path(bot.records.directory) / numbered_stem(stem, number)).string();
    const bool is_made = base::io::File(path + record.extensions.front(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW).is_open();
    if (is_made || errno != EEXIST || number >= RecordWriter::suffix_max) {
      return {path, completed_files(record, "", comments_of(bot))};
    }
  }
}

/// Where a game belongs whose file was not noted any more, if it was made at all: in the last of those that its
/// stem could have led to and that no other game is known to have, or in a new one. Nothing, when one tells it.
std::optional<Place> search_place(const JournalledRecord& record, const config::BotConfig& bot,
                                  const std::vector<CutOff>& others, fs::file_time_type began) {
  const std::string stem = safe_file_name(record.stem);
  std::optional<Place> last;
  int number = 1;
  for (; number <= RecordWriter::suffix_max; ++number) {
    const std::string path = (fs::path(bot.records.directory) / numbered_stem(stem, number)).string();
    const bool is_anything = std::any_of(
        record.extensions.begin(), record.extensions.end(),
        [&](const std::string& extension) { return base::io::exists(path + extension); });
    if (!is_anything) {
      break;
    }
    const std::string first = path + record.extensions.front();
    const bool is_taken = std::any_of(others.begin(), others.end(), [&](const CutOff& other) {
      return other.place && other.place->stem == path;
    });
    std::error_code failed;
    if (is_taken || fs::last_write_time(first, failed) >= began || failed) {
      continue;  // of another game, or of one that has begun since
    }
    if (auto place = place_at(first, record, bot)) {
      last = std::move(place);
    } else if (is_told_in(first, record, bot)) {
      return std::nullopt;
    }
  }
  if (last || number > RecordWriter::suffix_max) {
    return last;
  }
  auto made = make_place(record, bot, number);
  return made.files.empty() ? std::nullopt : std::optional(std::move(made));
}

void complete(const CutOff& cut_off, config::Newline newline, RecordCompletion::Outcome& outcome) {
  base::Message why = write_files(*cut_off.place, newline);
  auto path = base::quoted(cut_off.place->stem + cut_off.place->files.front().extension, 400);
  if (!why.empty()) {
    outcome.failed.push_back({bridge::Level::error, "record_failed",
                              say("the record {} could not be completed from the journal: {}", std::move(path), std::move(why)),
                              {}});
    return;
  }
  outcome.completed.push_back({bridge::Level::warn, "record_completed",
                               say("an earlier run was cut off in a game; its record {} was completed from the journal {}",
                                   std::move(path), base::quoted(cut_off.journal_path, 400)),
                               {}});
}

/// What an engine says at its start and the summary of the game fit in many times over.
constexpr std::size_t head_bytes = std::size_t{256} * 1024;

std::string read_head(const std::string& path) { return base::io::read_own_beginning(path, head_bytes).value_or(""); }

/// A journal that was full before the game ended knows less than the record on disk.
void take_longer_record(EarlierGame& earlier, const config::BotConfig& bot) {
  const auto text = earlier.record_path.empty() ? std::nullopt : base::io::read_own(earlier.record_path);
  const auto format = text ? shogi::record::detect_format(*text, earlier.record_path) : std::nullopt;
  if (!format) {
    return;
  }
  auto games = shogi::record::read_records(*text, *format, bot.records.utc_offset);
  shogi::record::Record& ours = earlier.game.record;
  if (games && games->size() == 1 && games->front().moves.size() > ours.moves.size()) {
    ours.moves = std::move(games->front().moves);
    ours.ending = games->front().ending ? std::move(games->front().ending) : ours.ending;
  }
}

std::optional<EarlierGame> read_game(const std::string& path, const config::BotConfig& bot) {
  const auto text = base::io::read_own(path);
  if (!text) {
    return std::nullopt;
  }
  const Contents contents = read(*text);
  const auto record = last_record(contents);
  auto game = record ? last_game(contents, *record, bot) : std::nullopt;
  if (!game) {
    return std::nullopt;
  }
  EarlierGame earlier{std::move(*game), record->path};
  if (!record->is_finished) {
    take_longer_record(earlier, bot);
  }
  return earlier;
}

}  // namespace

RecordCompletion::RecordCompletion(const config::BotConfig& bot) {
  began_ = std::filesystem::file_time_type::clock::now();
  bot_.name = bot.name;
  bot_.journal = bot.journal;
  bot_.records = bot.records;
}

void RecordCompletion::look() {
  if (bot_.journal.enabled) {
    journals_ = list_journals(journal_directory(bot_), safe_file_name(bot_.name));
  }
}

RecordCompletion::Outcome RecordCompletion::run() const {
  std::vector<CutOff> found;
  const fs::path directory = journal_directory(bot_);
  std::string run;
  int games = 0;
  int games_left = 0;
  std::optional<std::string> refused;
  for (auto name = journals_.rbegin(); name != journals_.rend(); ++name) {
    const std::string path = (directory / name->file_name()).string();
    if (name->run != run) {
      run = name->run;
      games_left = is_in_use(path) ? 0 : games_max;
    }
    if (games_left == 0) {
      continue;
    }
    ++games;
    auto finding = look_at(path, bot_);
    if (finding.is_refused && !refused) {
      refused = path;  // one stands for all: what is told of it is their directory's too
    }
    games_left = finding.is_whole && games >= games_max ? 0 : games_left - 1;
    if (finding.cut_off) {
      found.push_back(std::move(*finding.cut_off));
    }
  }
  // In the order of the games: should this be cut off too, the next start finds what is left.
  Outcome outcome;
  if (refused) {
    outcome.failed.push_back(
        {bridge::Level::warn, "journal_not_believed",
         say("the journal {} could be another user's work, and no record is completed from it; if it is yours, make it and "
             "its directory this user's (chown), and let nobody else write to them (chmod o-w)",
             base::quoted(*refused, 400)),
         {}});
  }
  for (auto cut_off = found.rbegin(); cut_off != found.rend(); ++cut_off) {
    if (!cut_off->place) {
      cut_off->place = search_place(cut_off->record, bot_, found, began_);
    }
    if (cut_off->place) {
      complete(*cut_off, bot_.records.newline, outcome);
    }
  }
  return outcome;
}

std::vector<std::string> ended_journals(const config::BotConfig& bot) {
  std::vector<std::string> paths;
  if (!bot.journal.enabled) {
    return paths;
  }
  const std::string directory = journal_directory(bot);
  for (const JournalName& name : list_journals(directory, safe_file_name(bot.name))) {
    std::string path = (std::filesystem::path(directory) / name.file_name()).string();
    if (!is_in_use(path)) {
      paths.push_back(std::move(path));
    }
  }
  return paths;
}

std::vector<EarlierGame> earlier_games(
    const std::vector<std::string>& journals, const config::BotConfig& bot,
    const std::function<bool(const GameMark&)>& is_known) {
  std::vector<EarlierGame> games;
  for (const std::string& path : journals) {
    const std::string head = read_head(path);
    const auto mark = last_mark(read(head));
    if (mark ? is_known(*mark) : head.size() < head_bytes) {
      continue;
    }
    if (auto game = read_game(path, bot)) {
      games.push_back(std::move(*game));
    }
  }
  return games;
}

// --- the game that was cut off

namespace {

constexpr mode_t file_mode = 0600;
constexpr std::size_t token_bytes_max = std::size_t{64} * 1024;

std::string path_of(const config::BotConfig& bot) {
  return (fs::path(journal_directory(bot)) / (safe_file_name(bot.name) + ".rejoin")).string();
}

void write_token(const std::string& path, const std::string& journal_path, const std::string& token) {
  ::unlink(path.c_str());
  if (journal_path.empty()) {
    return;  // the game could not be had from it
  }
  const std::string journal_name = fs::path(journal_path).filename().string();
  const base::io::File file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, file_mode);
  // Should it not be written whole, the game is not asked for after a kill: nothing else hangs on it.
  static_cast<void>(file.is_open() && file.write(journal_name + "\n" + token + "\n"));
}

/// Its journal is not opened yet.
std::optional<CutOffGame> read_token(const config::BotConfig& bot) {
  const auto text = bot.journal.enabled ? base::io::read_own(path_of(bot), token_bytes_max) : std::nullopt;
  if (!text) {
    return std::nullopt;
  }
  const std::size_t end = text->find('\n');
  const auto name = read_journal_name(text->substr(0, end));
  if (!name || name->bot != safe_file_name(bot.name) || end + 2 > text->size() || !text->ends_with('\n')) {
    return std::nullopt;
  }
  CutOffGame game;
  game.journal_path = (fs::path(journal_directory(bot)) / name->file_name()).string();
  game.token = text->substr(end + 1, text->size() - end - 2);
  return game;
}

}  // namespace

std::optional<CutOffGame> find_cut_off_game(const config::BotConfig& bot) {
  auto game = read_token(bot);
  if (!game) {
    return std::nullopt;
  }
  game->journal = base::io::open_own(game->journal_path, O_WRONLY | O_APPEND);
  const bool is_free = game->journal.is_open() && !is_in_use(game->journal_path);  // which waits for children of the killed one
  if (!is_free || ::flock(game->journal.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    return std::nullopt;
  }
  return game;
}

namespace {

/// The run may have begun another part, of which nobody was told any more. One without a whole line is none.
std::string last_part_from(std::string path) {
  const std::filesystem::path file(path);
  auto name = read_journal_name(file.filename().string());
  while (name) {
    ++name->part;
    const std::string next = (file.parent_path() / name->file_name()).string();
    const auto text = base::io::read_own(next);
    if (!text) {
      break;
    }
    if (text->find('\n') == std::string::npos) {
      ::unlink(next.c_str());
      break;
    }
    path = next;
  }
  return path;
}

constexpr std::size_t part_bytes_max = std::size_t{256} * 1024 * 1024;
/// A line with it has another length in the journal than it had, or its like in another game.
constexpr std::string_view hidden_token = "Reconnect_Token:";

}  // namespace

RunAhead::RunAhead(config::BotConfig bot, Comparing comparing) : bot_(std::move(bot)), comparing_(comparing) {}

bool RunAhead::take_part(const base::io::Legacy::Sight& left) {
  if (!left.is_whole || left.path.empty()) {
    return false;
  }
  turn_to(left.path);
  const auto last = read_journal_name(fs::path(left.path).filename().string());
  if (!trouble_.empty() || !last || run_.part + 1 >= last->part) {
    return false;
  }
  const auto text = read_next(left.path);
  if (!text || text->find(hidden_token) != std::string::npos) {
    return false;
  }
  trouble_ = take_next(*text, left.done, "");
  return trouble_.empty();
}

void RunAhead::turn_to(const std::string& path) {
  auto run = read_journal_name(fs::path(path).filename().string());
  if (run && (!follower_ || run->run != run_.run)) {
    run_ = *run;
    run_.part = 0;
    follower_.emplace(bot_, own_program, comparing_);
    trouble_ = base::Message();
  }
}

std::optional<std::string> RunAhead::read_next(const std::string& path) const {
  JournalName next = run_;
  ++next.part;
  auto text = base::io::read_own((fs::path(path).parent_path() / next.file_name()).string(), part_bytes_max);
  if (text) {
    text->resize(text->rfind('\n') + 1);  // nothing, where there is none
  }
  return text;
}

base::Message RunAhead::take_next(const std::string& text, std::uint64_t done, const std::string& token) {
  ++run_.part;
  last_bytes_ = text.size();
  return follower_->take(read(text), done, token);
}

base::Message RunAhead::take_all(const std::string& path, std::uint64_t done, const std::string& token) {
  const auto last = read_journal_name(fs::path(path).filename().string());
  if (!last) {
    return say("its journal cannot be read");
  }
  turn_to(path);
  while (trouble_.empty() && run_.part < last->part) {
    const auto text = read_next(path);
    trouble_ = text ? take_next(*text, done, token) : say("its journal cannot be read");
  }
  return trouble_;
}

std::vector<config::PlainSetting> settings_of_left_run(const base::io::Legacy::Sight& left) {
  std::string text = left.text;
  if (auto first = read_journal_name(fs::path(left.path).filename().string())) {
    first->part = 1;
    text = read_head((fs::path(left.path).parent_path() / first->file_name()).string());
  }
  std::vector<config::PlainSetting> settings;
  for (const std::string_view line : base::split(text, '\n')) {
    auto numbered = decode(line);
    if (!numbered || std::holds_alternative<Started>(numbered->entry)) {
      break;  // the run itself begins: all of them stand before it
    }
    if (auto* setting = std::get_if<config::PlainSetting>(&numbered->entry)) {
      settings.push_back(std::move(*setting));
    }
  }
  return settings;
}

base::Result<FollowedRun, base::Message> RunAhead::finish(const std::string& path, std::string_view tail, std::uint64_t done,
                                                          const std::string& token) {
  if (path.empty()) {
    follower_.emplace(bot_, own_program, comparing_);
  } else if (base::Message why = take_all(path, done, token); !why.empty()) {
    return base::Failure<base::Message>{std::move(why)};
  }
  return follower_->finish(tail, done, token);
}

base::Result<LeftRun, base::Message> read_left_run(const base::io::Legacy& legacy, RunAhead& ahead,
                                                   CutOffGame* cut_off) {
  base::io::File journal;
  std::string path;
  if (!legacy.path().empty()) {
    path = last_part_from(legacy.path());
    const bool is_open_already = cut_off != nullptr && cut_off->journal_path == path;
    journal = is_open_already ? std::move(cut_off->journal) : base::io::open_own(path, O_WRONLY | O_APPEND);
    if (!journal.is_open()) {
      return base::Failure<base::Message>{say("its journal cannot be opened")};
    }
    // A child that was forked as its parent was killed may hold it for an instant; nobody else plays on in this run.
    ::flock(journal.descriptor(), LOCK_EX | LOCK_NB);
  }
  auto run = ahead.finish(path, legacy.text(), legacy.done(), cut_off != nullptr ? cut_off->token : "");
  if (!run) {
    return base::Failure<base::Message>{run.error()};
  }
  return LeftRun{std::move(*run), std::move(journal), std::move(path), ahead.last_bytes()};
}

base::Result<LeftRun, base::Message> read_cut_off_game(CutOffGame& game, const config::BotConfig& bot, base::Now now) {
  RunAhead ahead(bot);
  // Nobody knows what was carried out of the last step: it is taken for done.
  auto run = ahead.finish(game.journal_path, "", std::numeric_limits<std::uint64_t>::max(), game.token);
  if (!run) {
    return base::Failure<base::Message>{run.error()};
  }
  if (const auto last = run->bot.view().game; last && last->end) {
    return base::Failure<base::Message>{};  // killed between its end and its token's
  }
  if (base::Message why = why_not_given_back(*run, now); !why.empty()) {
    return base::Failure<base::Message>{std::move(why)};
  }
  return LeftRun{std::move(*run), std::move(game.journal), game.journal_path, ahead.last_bytes()};
}

base::Result<FollowedRun, base::Message> try_left_run(const base::io::Legacy::Sight& left, const config::BotConfig& bot) {
  if (!left.is_whole) {
    return base::Failure<base::Message>{say("there is no whole journal of it")};
  }
  const auto game = read_token(bot);
  return RunAhead(bot, Comparing::always).finish(left.path, left.text, left.done, game ? game->token : "");
}

void TokenFile::keep(const config::BotConfig& bot, const std::string& token) {
  is_kept_ = journal_.behind(
      [path = path_of(bot), token](const std::string& journal_path) { write_token(path, journal_path, token); });
}

void TokenFile::forget(const config::BotConfig& bot) {
  is_kept_ = false;
  // Should it not be taken, the journal still knows the end of the game.
  static_cast<void>(journal_.behind([path = path_of(bot)](const std::string&) { ::unlink(path.c_str()); }));
}

}  // namespace kakehashi::journal::io
