// What we find again on our own disk, and what an earlier version or another program may have left there instead: rows
// of the archive, and the files of earlier runs.
#include <sqlite3.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "base/text.hpp"
#include "fuzz/targets.hpp"
#include "games/archived_game.hpp"
#include "games/game_filter.hpp"
#include "games/game_text.hpp"
#include "games/io/archive.hpp"
#include "games/site.hpp"
#include "games/statistics.hpp"
#include "journal/io/earlier_runs.hpp"
#include "journal/io/journal_files.hpp"
#include "shogi/record/format.hpp"

namespace kakehashi::fuzz {
namespace {

namespace fs = std::filesystem;

/// A directory of this process, empty at first, and gone with it.
class Place {
 public:
  Place() {
    std::string name = (fs::temp_directory_path() / "kakehashi-fuzz-XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr, "there is a directory for what is tried");
    path_ = name;
  }
  ~Place() {
    std::error_code failed;
    fs::remove_all(path_, failed);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  void empty() const {
    for (const auto& entry : fs::directory_iterator(path_)) {
      fs::remove_all(entry.path());
    }
  }
  /// Everything below, links not followed.
  [[nodiscard]] std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(path_)) {
      if (entry.is_regular_file()) {
        std::ifstream file(entry.path(), std::ios::binary);
        found[fs::relative(entry.path(), path_).string()] = {std::istreambuf_iterator<char>(file), {}};
      }
    }
    return found;
  }

 private:
  fs::path path_;
};

void write_file(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

// --- the archive

constexpr std::array columns{
    "bot", "server", "game_name", "game_id", "us", "opponent", "engine", "is_black", "clock", "started_ms", "ended_ms",
    "outcome", "reason", "plies", "our_time_ms", "their_time_ms", "rescues", "rescue_causes", "ponder_searches",
    "ponder_hits", "ponder_gained_ms", "record_path", "used_ms", "charged_ms", "lost_ms", "granted_ms", "had_ms", "members"};
/// As many of them came with the second version, and as many with the third.
constexpr std::size_t columns_of_one_engine = columns.size() - 1;
constexpr std::size_t columns_of_turns = columns.size() - 3;

struct Closes {
  void operator()(sqlite3* connection) const { sqlite3_close(connection); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// A value as the file has it: its kind, then itself.
void bind(sqlite3_stmt* insert, int at, std::string_view value) {
  const std::string text(value.substr(std::min<std::size_t>(value.size(), 1)));
  switch (value.empty() ? ' ' : value.front()) {
    case 't': sqlite3_bind_text(insert, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT); break;
    case 'b': sqlite3_bind_blob(insert, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT); break;
    case 'i': sqlite3_bind_int64(insert, at, base::parse_int(text).value_or(0)); break;
    case 'r': sqlite3_bind_double(insert, at, static_cast<double>(base::parse_int(text).value_or(0)) * 1e10); break;
    default: sqlite3_bind_null(insert, at); break;
  }
}

/// Tables that hold whatever stands in them, as another program may have made them.
void make_tables(const std::string& path, std::int64_t version, const std::map<std::string, std::string_view>& values,
                 std::string_view jsonl) {
  const std::size_t count = version <= 1 ? columns_of_turns : version == 2 ? columns_of_one_engine : columns.size();
  std::string names;
  std::string marks;
  for (std::size_t i = 0; i < count; ++i) {
    names += std::string(", ") + columns[i];
    marks += ", ?";
  }
  sqlite3* opened = nullptr;
  require(sqlite3_open(path.c_str(), &opened) == SQLITE_OK, "there is a file for the tables");
  const std::unique_ptr<sqlite3, Closes> connection(opened);
  const std::string tables = "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA user_version = " +
                             std::to_string(version) + "; CREATE TABLE games(id INTEGER PRIMARY KEY" + names +
                             "); CREATE TABLE records(game INTEGER PRIMARY KEY, jsonl)";
  require(sqlite3_exec(opened, tables.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK, "the tables can be made");
  const auto insert = [&](const std::string& sql, const auto& bind_all) {
    sqlite3_stmt* prepared = nullptr;
    require(sqlite3_prepare_v2(opened, sql.c_str(), -1, &prepared, nullptr) == SQLITE_OK, "a row can be asked for");
    const std::unique_ptr<sqlite3_stmt, Closes> statement(prepared);
    bind_all(prepared);
    require(sqlite3_step(prepared) == SQLITE_DONE, "a row can be made");
  };
  insert("INSERT INTO games VALUES(1" + marks + ")", [&](sqlite3_stmt* row) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = values.find(columns[i]);
      bind(row, static_cast<int>(i) + 1, value == values.end() ? std::string_view() : value->second);
    }
  });
  insert("INSERT INTO records VALUES(1, ?)", [&](sqlite3_stmt* row) { bind(row, 1, jsonl); });
}

/// Everything that is ever said of a game.
void tell(const games::ArchivedRecord& archived) {
  const games::ArchivedGame& game = archived.game;
  require(games::members_in(games::json_of(game.members)) == game.members, "the members survive being written");
  const std::string list = games::list_text({game}, words::Language::english);
  require(std::count(list.begin(), list.end(), '\n') == 2 && list.find('\x1b') == std::string::npos,
          "a game is one line of the list, and no order to a terminal");
  static_cast<void>(games::csv_line(game));
  static_cast<void>(games::json_of(std::vector{game}));
  games::Statistics statistics;
  for (int times = 0; times < 3; ++times) {
    statistics.take(game);
  }
  static_cast<void>(games::show(statistics, words::Language::japanese));
  static_cast<void>(games::json(statistics));
  static_cast<void>(games::site_index({game, game}, {"a title", "https://example.org/"}, "<html lang=\"en\"><body>"));
  const auto record = games::record_in(archived);
  if (!record) {
    require(!record.error().what.empty(), "a game that cannot be read has a reason");
    static_cast<void>(games::head_text(game, words::Language::japanese));
    return;
  }
  static_cast<void>(games::game_text(game, *record, words::Language::japanese));
  static_cast<void>(games::json_of(game, *record));
  static_cast<void>(games::plot_svg(game, *record, words::Language::japanese));
  static_cast<void>(games::site_game(game, *record));
  for (const auto& facts : shogi::record::formats) {
    static_cast<void>(games::record_text(*record, facts.format));
  }
}

}  // namespace

/// The version of the tables; a line "column=value" each, where the first byte of a value is its kind; an empty line, and
/// the game's own text with the byte of its kind.
void archive(std::string_view bytes) {
  static const Place place;
  place.empty();
  const std::size_t end = bytes.find("\n\n");
  const std::string_view head = bytes.substr(0, end);
  std::map<std::string, std::string_view> values;
  for (const std::string_view line : base::split(head, '\n')) {
    const std::size_t sign = line.find('=');
    if (sign != std::string_view::npos) {
      values[std::string(line.substr(0, sign))] = line.substr(sign + 1);
    }
  }
  const std::int64_t version = base::parse_int(head.substr(0, 1)).value_or(games::io::Archive::schema_version);
  const std::string path = place.path("games.db");
  make_tables(path, version, values, end == std::string_view::npos ? std::string_view() : bytes.substr(end + 2));
  using Access = games::io::Archive::Access;
  for (const Access access : {Access::read, Access::write}) {
    auto opened = games::io::Archive::open(path, access);
    if (!opened) {
      require(!opened.error().empty(), "an archive that cannot be opened has a reason");
      continue;
    }
    const auto found = opened->find(1);
    const auto listed = opened->list({});
    require(found && *found && listed && listed->size() == 1, "a game that is there is found");
    require((*found)->game == listed->front(), "and listed as it is found");
    tell(**found);
    if (access == Access::write) {
      games::ArchivedRecord later = **found;
      later.game.started_ms += 1'000;
      require(opened->add({later}).has_value(), "and another one is taken beside it");
    }
  }
}

void game_query(std::string_view bytes) {
  constexpr std::int64_t now_ms = 1'767'323'045'678;
  static_cast<void>(games::parse_instant(bytes, now_ms));
  static_cast<void>(games::members_in(std::string(bytes)));
  const auto filter = games::parse_query(bytes, now_ms);
  if (!filter) {
    require(!filter.error().empty(), "a question that is not understood has a reason");
    return;
  }
  require(filter->limit >= 1 && filter->limit <= games::GameFilter::limit_max, "a list is bounded");
  require(filter->before_id.value_or(1) >= 1, "games are numbered from 1");
  static const Place place;
  static const std::unique_ptr<games::io::Archive> empty = [] {
    auto opened = games::io::Archive::open(place.path("games.db"), games::io::Archive::Access::write);
    require(opened.has_value(), "an archive can be made");
    return std::make_unique<games::io::Archive>(std::move(*opened));
  }();
  const auto games = empty->list(*filter);
  require(games.has_value() && games->empty(), "whatever is asked for, the archive understands it");
}

// --- what earlier runs left behind

/// A line "=== directory/name" begins a file; "@DIR@" stands for where they lie. A journal has the checksums that it ought
/// to have.
void earlier_runs(std::string_view bytes) {
  static const Place place;
  place.empty();
  constexpr std::string_view here = "@DIR@";
  for (const char* directory : {"journal", "records", "elsewhere"}) {
    fs::create_directory(place.path(directory));
  }
  std::map<std::string, std::string> texts{{"elsewhere/game.csa", ""}};
  std::string* present = nullptr;
  for (const std::string_view line : base::split(bytes.substr(0, bytes.size() - (bytes.ends_with('\n') ? 1 : 0)), '\n')) {
    if (line.starts_with("=== ")) {
      const std::size_t slash = std::min(line.find('/'), line.size());
      const std::string directory(line.substr(4, slash - 4));
      std::string name(line.substr(std::min(slash + 1, line.size())));
      std::replace(name.begin(), name.end(), '\0', '_');
      const bool is_ours = (directory == "journal" || directory == "records") && !name.empty() && name.size() < 100 &&
                           name.find('/') == std::string::npos && name != "." && name != "..";
      present = is_ours ? &texts[directory + "/" + name] : nullptr;
    } else if (present != nullptr) {
      std::string text(line);
      for (std::size_t at = 0; (at = text.find(here, at)) != std::string::npos;) {
        text.replace(at, here.size(), place.path(""));
      }
      *present += text + "\n";
    }
  }
  for (const auto& [name, text] : texts) {
    write_file(place.path(name), name.ends_with(".journal") ? sealed(std::string_view(text).substr(0, text.rfind('\n'))) : text);
  }
  const auto before = place.files();
  config::BotConfig bot;
  bot.name = "me";
  bot.journal.directory = place.path("journal");
  bot.records.directory = place.path("records");
  const base::Now now{base::SteadyTime{std::chrono::hours(1000)},
                      base::WallTime{base::Millis{1'767'323'045'678}}};
  if (auto cut_off = journal::io::find_cut_off_game(bot)) {
    static_cast<void>(journal::io::read_cut_off_game(*cut_off, bot, now));
  }
  static_cast<void>(journal::io::earlier_games(journal::io::ended_journals(bot), bot,
                                               [](const journal::GameMark&) { return false; }));
  journal::io::RecordCompletion completion(bot);
  completion.look();
  static_cast<void>(completion.run());
  for (const auto& [name, text] : place.files()) {
    const auto was = before.find(name);
    require(name.starts_with("records/") || (was != before.end() && was->second == text),
            "nothing but records is written");
  }
}

}  // namespace kakehashi::fuzz
