// SQLite behind values: a connection, a prepared statement, and troubles in words. It knows no
// table. Nothing here throws, and nothing waits longer than the connection's patience.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/message.hpp"
#include "base/result.hpp"
#include "base/time.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace kakehashi::games::io {

/// What went wrong.
using Trouble = base::Message;

class Statement {
 public:
  /// From 1 on, in the order of the question marks.
  Statement& bind(std::int64_t value);
  Statement& bind(std::string_view text);
  Statement& bind(std::optional<std::int64_t> value);

  /// To the next row; false at the end and on trouble.
  [[nodiscard]] bool step();
  /// Ready to be bound and run again.
  void reset();
  /// Of the present row, from 0 on, in the order of the columns.
  [[nodiscard]] std::int64_t whole(int column) const;
  [[nodiscard]] std::optional<std::int64_t> maybe_whole(int column) const;
  [[nodiscard]] std::string text(int column) const;
  /// Nothing: all went well so far.
  [[nodiscard]] const std::optional<Trouble>& trouble() const { return trouble_; }

 private:
  friend class Database;
  struct Finalize { void operator()(sqlite3_stmt* statement) const; };

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::optional<Trouble> trouble_;
  int bound_ = 0;
};

class Database {
 public:
  enum class Access { read, write };
  /// `write` makes the file where there is none. Another connection that writes is waited for at
  /// most `patience`.
  [[nodiscard]] static base::Result<Database, Trouble> open(const std::string& path, Access access,
                                                            base::Millis patience);

  [[nodiscard]] Statement prepare(std::string_view sql);
  /// Statements without results; nothing when all went well.
  [[nodiscard]] std::optional<Trouble> run(const std::string& sql);
  /// The last trouble was that another connection holds the file.
  [[nodiscard]] bool is_busy() const;
  /// Waits, for another try.
  static void pause(base::Millis time);
  [[nodiscard]] std::int64_t last_id() const;
  /// Rows that the last statement changed.
  [[nodiscard]] int changes() const;

 private:
  struct Close { void operator()(sqlite3* connection) const; };

  std::unique_ptr<sqlite3, Close> connection_;
};

}  // namespace kakehashi::games::io
