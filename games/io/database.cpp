#include "games/io/database.hpp"

#include <sqlite3.h>

#include <fcntl.h>

#include <filesystem>
#include <utility>

#include "base/io/file.hpp"

namespace kakehashi::games::io {

namespace {

constexpr mode_t archive_mode = 0600;  // it tells how an engine thinks

Trouble last_trouble(sqlite3* connection) {
  return base::verbatim(sqlite3_errmsg(connection));
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

// A statement that could not be prepared is null, which the library takes and does nothing with.

Statement& Statement::bind(std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), ++bound_, value);
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  // A copy is made: the text need not outlive the call. Null would not be the empty text.
  sqlite3_bind_text64(statement_.get(), ++bound_, text.data() == nullptr ? "" : text.data(), text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind(std::optional<std::int64_t> value) {
  if (value) {
    return bind(*value);
  }
  sqlite3_bind_null(statement_.get(), ++bound_);
  return *this;
}

bool Statement::step() {
  if (!statement_) {
    return false;
  }
  const int result = sqlite3_step(statement_.get());
  if (result != SQLITE_ROW && result != SQLITE_DONE) {
    trouble_ = last_trouble(sqlite3_db_handle(statement_.get()));
  }
  return result == SQLITE_ROW;
}

void Statement::reset() {
  if (statement_) {
    sqlite3_reset(statement_.get());
    sqlite3_clear_bindings(statement_.get());
  }
  bound_ = 0;
}

std::int64_t Statement::whole(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::optional<std::int64_t> Statement::maybe_whole(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL ? std::nullopt
                                                                      : std::optional(whole(column));
}

std::string Statement::text(int column) const {
  const auto* bytes = sqlite3_column_text(statement_.get(), column);
  const auto count = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string()
                          : std::string(reinterpret_cast<const char*>(bytes),
                                        static_cast<std::size_t>(count));
}

base::Result<Database, Trouble> Database::open(const std::string& path, Access access, base::Millis patience) {
  if (access == Access::write) {
    const auto directory = std::filesystem::path(path).parent_path();
    std::error_code failed;
    if (!directory.empty()) {
      std::filesystem::create_directories(directory, failed);
    }
    if (failed) {
      return base::Failure<Trouble>{base::say("the directory {} cannot be created: {}", directory.string(),
                                              base::system_words(failed.message()))};
    }
  }
  if (access == Access::write) {
    // SQLite would make it as the umask says, and its companions are made like it. One that is there is not opened
    // here: closing it would give up the locks that other connections of this process have.
    static_cast<void>(base::io::File(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, archive_mode));
    if (base::io::exists(path) && !base::io::keep_to_owner(path)) {
      return base::Failure<Trouble>{base::say("it is another user's, or others may write it")};
    }
  }
  sqlite3* opened = nullptr;
  const int flags = access == Access::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                            : SQLITE_OPEN_READONLY;
  const int result = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
  Database database;
  database.connection_.reset(opened);
  if (result != SQLITE_OK) {
    return base::Failure<Trouble>{opened == nullptr ? base::say("there is no memory") : last_trouble(opened)};
  }
  // A database is data, whoever had it in his hands: nothing in it acts, and nothing in it stands for something else.
  for (const auto& [what, is_on] : {std::pair{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}, {SQLITE_DBCONFIG_DEFENSIVE, 1}}) {
    static_cast<void>(sqlite3_db_config(opened, what, is_on, nullptr));  // those that this library does not know are off
  }
  sqlite3_busy_timeout(opened, static_cast<int>(patience.count()));
  return database;
}

Statement Database::prepare(std::string_view sql) {
  Statement statement;
  sqlite3_stmt* prepared = nullptr;
  const int result = sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                        &prepared, nullptr);
  statement.statement_.reset(prepared);
  if (result != SQLITE_OK) {
    statement.trouble_ = last_trouble(connection_.get());
  }
  return statement;
}

std::optional<Trouble> Database::run(const std::string& sql) {
  if (sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) {
    return std::nullopt;
  }
  return last_trouble(connection_.get());
}

bool Database::is_busy() const {
  const int primary = sqlite3_errcode(connection_.get()) & 0xFF;
  return primary == SQLITE_BUSY || primary == SQLITE_LOCKED;
}

void Database::pause(base::Millis time) { sqlite3_sleep(static_cast<int>(time.count())); }

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(connection_.get()); }

int Database::changes() const { return sqlite3_changes(connection_.get()); }

}  // namespace kakehashi::games::io
