#include "games/io/archive.hpp"

#include <array>
#include <chrono>
#include <utility>

#include "games/game_text.hpp"

namespace kakehashi::games::io {

namespace {

/// Each brings the tables from the version of its place to the next. Never changed, only added to.
constexpr std::array migrations{
    R"sql(
CREATE TABLE games(
  id INTEGER PRIMARY KEY,
  bot TEXT NOT NULL, server TEXT NOT NULL, game_name TEXT NOT NULL, game_id TEXT NOT NULL,
  us TEXT NOT NULL, opponent TEXT NOT NULL, engine TEXT NOT NULL,
  is_black INTEGER NOT NULL, clock TEXT NOT NULL,
  started_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL, reason TEXT NOT NULL, plies INTEGER NOT NULL,
  our_time_ms INTEGER NOT NULL, their_time_ms INTEGER NOT NULL,
  rescues INTEGER NOT NULL, rescue_causes TEXT NOT NULL,
  ponder_searches INTEGER NOT NULL, ponder_hits INTEGER NOT NULL, ponder_gained_ms INTEGER NOT NULL,
  record_path TEXT NOT NULL,
  entitled_ms INTEGER, given_ms INTEGER, used_ms INTEGER, charged_ms INTEGER, lost_ms INTEGER
) STRICT;
CREATE TABLE records(game INTEGER PRIMARY KEY REFERENCES games(id), jsonl TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX games_once ON games(game_id, us, started_ms / 1000);
CREATE INDEX games_by_start ON games(started_ms, id);
CREATE INDEX games_by_opponent ON games(opponent, started_ms, id);
CREATE INDEX games_by_bot ON games(bot, started_ms, id);
CREATE INDEX games_by_outcome ON games(outcome, started_ms, id);
)sql",
    // entitled_ms and given_ms were sums over the turns, in which main time counted with each of them.
    R"sql(
ALTER TABLE games ADD COLUMN granted_ms INTEGER;
ALTER TABLE games ADD COLUMN had_ms INTEGER;
)sql",
    "ALTER TABLE games ADD COLUMN members TEXT NOT NULL DEFAULT '[]'"};
static_assert(migrations.size() == Archive::schema_version);

constexpr std::string_view stored_columns =
    "bot, server, game_name, game_id, us, opponent, engine, is_black, clock, started_ms, ended_ms, "
    "outcome, reason, plies, our_time_ms, their_time_ms, rescues, rescue_causes, ponder_searches, "
    "ponder_hits, ponder_gained_ms, record_path, used_ms, charged_ms, lost_ms, granted_ms, had_ms, members";

/// The tables that knew no granted_ms and had_ms, and those that knew no members.
constexpr std::int64_t version_of_turns = 1;
constexpr std::int64_t version_of_one_engine = 2;

constexpr std::string_view latest_first = " ORDER BY started_ms DESC, id DESC";

ArchivedGame game_in(const Statement& row) {
  ArchivedGame game;
  int column = 0;
  for (std::string* text : {&game.bot, &game.server, &game.game_name, &game.game_id, &game.us,
                            &game.opponent, &game.engine}) {
    *text = row.text(column++);
  }
  game.is_black = row.whole(column++) != 0;
  game.clock = row.text(column++);
  game.started_ms = row.whole(column++);
  game.ended_ms = row.whole(column++);
  game.outcome = row.text(column++);
  game.reason = row.text(column++);
  for (std::int64_t* number : {&game.plies, &game.our_time_ms, &game.their_time_ms, &game.rescues}) {
    *number = row.whole(column++);
  }
  game.rescue_causes = row.text(column++);
  for (std::int64_t* number : {&game.ponder_searches, &game.ponder_hits, &game.ponder_gained_ms}) {
    *number = row.whole(column++);
  }
  game.record_path = row.text(column++);
  TimeUse time;
  bool is_known = true;
  for (std::int64_t* number : {&time.used_ms, &time.charged_ms, &time.lost_ms}) {
    const auto value = row.maybe_whole(column++);
    is_known = is_known && value;
    *number = value.value_or(0);
  }
  for (std::int64_t* number : {&time.granted_ms, &time.had_ms}) {
    *number = row.maybe_whole(column++).value_or(0);
  }
  if (is_known) {
    game.time = time;
  }
  game.members = members_in(row.text(column++));
  game.id = row.whole(column);
  return as_we_write(std::move(game));
}

void bind_game(Statement& insert, const ArchivedGame& game) {
  for (const std::string* text : {&game.bot, &game.server, &game.game_name, &game.game_id, &game.us,
                                  &game.opponent, &game.engine}) {
    insert.bind(*text);
  }
  insert.bind(std::int64_t{game.is_black ? 1 : 0}).bind(game.clock);
  insert.bind(game.started_ms).bind(game.ended_ms).bind(game.outcome).bind(game.reason);
  insert.bind(game.plies).bind(game.our_time_ms).bind(game.their_time_ms).bind(game.rescues);
  insert.bind(game.rescue_causes).bind(game.ponder_searches).bind(game.ponder_hits);
  insert.bind(game.ponder_gained_ms).bind(game.record_path);
  for (const auto number : {&TimeUse::used_ms, &TimeUse::charged_ms, &TimeUse::lost_ms,
                            &TimeUse::granted_ms, &TimeUse::had_ms}) {
    insert.bind(game.time ? std::optional((*game.time).*number) : std::nullopt);
  }
  insert.bind(json_of(game.members));
}

constexpr const char* begin_writing = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";

/// GLOB without its other signs: only '*' is one for us.
std::string pattern_of(const std::string& text) {
  std::string pattern;
  for (const char c : text) {
    pattern += c == '?' || c == '[' ? "[" + std::string(1, c) + "]" : std::string(1, c);
  }
  return pattern;
}

}  // namespace

base::Result<Archive, Trouble> Archive::open(const std::string& path, Access access, base::Millis patience) {
  const auto fail = [&](const Trouble& why) {
    return base::Failure<Trouble>{base::say("the archive {} cannot be opened: {}", path, why)};
  };
  auto database = Database::open(path, access, patience);
  if (!database) {
    return fail(database.error());
  }
  Archive archive(std::move(*database));
  if (access == Access::write) {
    // The change to WAL needs the file for itself for a moment, and does not always wait for that.
    const auto deadline = std::chrono::steady_clock::now() + patience;
    auto why = archive.database_.run(begin_writing);
    while (why && archive.database_.is_busy() && std::chrono::steady_clock::now() < deadline) {
      archive.database_.pause(patience / 100);
      why = archive.database_.run(begin_writing);
    }
    if (why) {
      return fail(*why);
    }
  }
  const auto why = access == Access::write ? archive.migrate() : archive.judge_version();
  return why ? base::Result<Archive, Trouble>(fail(*why)) : std::move(archive);
}

std::string Archive::columns() const {
  std::string columns(stored_columns);
  if (version_ == version_of_turns) {
    columns.replace(columns.find("granted_ms"), std::string::npos, "NULL, NULL, '[]'");
  } else if (version_ == version_of_one_engine) {
    columns.replace(columns.find("members"), std::string::npos, "'[]'");
  }
  return columns + ", id";
}

std::optional<Trouble> Archive::judge_version() {
  Statement version = database_.prepare("PRAGMA user_version");
  if (!version.step()) {
    return version.trouble();
  }
  if (version.whole(0) > schema_version) {
    return base::say("a later version of kakehashi wrote it (its tables are of version {}, and this one knows {})",
                                version.whole(0), schema_version);
  }
  version_ = version.whole(0);
  return version_ < version_of_turns
             ? std::optional(base::say("it has no games yet"))
             : std::nullopt;
}

std::optional<Trouble> Archive::migrate() {
  if (const auto why = database_.run("BEGIN IMMEDIATE")) {
    return why;
  }
  Statement asked = database_.prepare("PRAGMA user_version");
  const std::int64_t version = asked.step() ? asked.whole(0) : schema_version;
  asked.reset();
  std::optional<Trouble> why;
  for (auto at = version; at < schema_version && !why; ++at) {
    why = database_.run(migrations[static_cast<std::size_t>(at)]);
  }
  if (!why && version < schema_version) {
    why = database_.run("PRAGMA user_version = " + std::to_string(schema_version));
  }
  if (!why) {
    why = database_.run("COMMIT");
  }
  if (why) {
    static_cast<void>(database_.run("ROLLBACK"));
    return why;
  }
  return judge_version();
}

base::Result<int, Trouble> Archive::add(const std::vector<ArchivedRecord>& games) {
  const auto fail = [&](const Trouble& why) {
    static_cast<void>(database_.run("ROLLBACK"));
    return base::Failure<Trouble>{why};
  };
  if (const auto why = database_.run("BEGIN IMMEDIATE")) {
    return base::Failure<Trouble>{*why};
  }
  Statement game = database_.prepare(
      "INSERT OR IGNORE INTO games(" + std::string(stored_columns) +
      ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  Statement record = database_.prepare("INSERT INTO records(game, jsonl) VALUES(?, ?)");
  int added = 0;
  for (const ArchivedRecord& archived : games) {
    game.reset();
    bind_game(game, archived.game);
    static_cast<void>(game.step());
    if (game.trouble()) {
      return fail(*game.trouble());
    }
    if (database_.changes() == 0) {
      continue;
    }
    record.reset();
    static_cast<void>(record.bind(database_.last_id()).bind(archived.jsonl).step());
    if (record.trouble()) {
      return fail(*record.trouble());
    }
    ++added;
  }
  game.reset();
  record.reset();
  if (const auto why = database_.run("COMMIT")) {
    return fail(*why);
  }
  return added;
}

base::Result<bool, Trouble> Archive::has(const std::string& game_id, const std::string& us,
                                         std::int64_t started_ms) {
  Statement found = database_.prepare(
      "SELECT 1 FROM games WHERE game_id = ? AND us = ? AND started_ms / 1000 = ?");
  found.bind(game_id).bind(us).bind(started_ms / 1000);
  const bool is_there = found.step();
  if (found.trouble()) {
    return base::Failure<Trouble>{*found.trouble()};
  }
  return is_there;
}

Statement Archive::select(const GameFilter& filter, std::string_view behind) {
  std::string sql = "SELECT " + columns() + " FROM games WHERE 1";
  std::vector<std::string> texts;
  const auto match = [&](const char* column, const std::string& wanted) {
    if (!wanted.empty()) {
      const bool is_pattern = wanted.find('*') != std::string::npos;
      sql += std::string(" AND ") + column + (is_pattern ? " GLOB ?" : " = ?");
      texts.push_back(is_pattern ? pattern_of(wanted) : wanted);
    }
  };
  match("bot", filter.bot);
  match("opponent", filter.opponent);
  match("game_name", filter.game_name);
  match("outcome", filter.outcome);
  const auto compare = [&](const char* condition, std::optional<std::int64_t> value) {
    if (value) {
      sql += " AND " + std::string(condition) + std::to_string(*value);
    }
  };
  compare("is_black = ", filter.is_black ? std::optional<std::int64_t>(*filter.is_black ? 1 : 0)
                                         : std::nullopt);
  compare("started_ms >= ", filter.since_ms);
  compare("started_ms < ", filter.until_ms);
  if (filter.before_id) {
    sql += " AND (started_ms, id) < (SELECT started_ms, id FROM games WHERE id = " +
           std::to_string(*filter.before_id) + ")";
  }
  sql += behind;
  Statement statement = database_.prepare(sql);
  for (const std::string& text : texts) {
    statement.bind(text);
  }
  return statement;
}

base::Result<std::vector<ArchivedGame>, Trouble> Archive::list(const GameFilter& filter) {
  Statement rows = select(filter, std::string(latest_first) + " LIMIT " + std::to_string(filter.limit));
  std::vector<ArchivedGame> games;
  while (rows.step()) {
    games.push_back(game_in(rows));
  }
  if (rows.trouble()) {
    return base::Failure<Trouble>{*rows.trouble()};
  }
  return games;
}

std::optional<Trouble> Archive::each(const GameFilter& filter, Order order,
                                     const std::function<bool(const ArchivedGame&)>& take) {
  Statement rows = select(filter, order == Order::latest_first ? latest_first : "");
  while (rows.step() && take(game_in(rows))) {
  }
  return rows.trouble();
}

base::Result<std::optional<ArchivedRecord>, Trouble> Archive::find(std::int64_t id) {
  Statement row = database_.prepare("SELECT " + columns() +
                                    ", jsonl FROM games JOIN records ON game = id WHERE id = ?");
  row.bind(id);
  if (row.step()) {
    return std::optional(ArchivedRecord{game_in(row), row.text(29)});
  }
  if (row.trouble()) {
    return base::Failure<Trouble>{*row.trouble()};
  }
  return std::optional<ArchivedRecord>();
}

}  // namespace kakehashi::games::io
