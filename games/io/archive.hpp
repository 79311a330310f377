// The room games/io: the archive's SQLite file. It owns its tables, and the threads that write and read it; it
// holds up no game, and what is counted, games knows.
//
// The archive of finished games in an SQLite file: each game in one transaction, the schema brought up
// to date when it is opened, readers and writers of several processes side by side (WAL). What a game
// is and what is asked for, games knows. It may wait for a disk: never use it on a game's loop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "games/archived_game.hpp"
#include "games/game_filter.hpp"
#include "games/io/database.hpp"

namespace kakehashi::games::io {

class Archive {
 public:
  using Access = Database::Access;
  static constexpr base::Millis default_patience{10'000};
  /// Of the tables; a file with a higher one is left alone.
  static constexpr std::int64_t schema_version = 3;

  /// The words of its errors name the file.
  [[nodiscard]] static base::Result<Archive, Trouble> open(
      const std::string& path, Access access, base::Millis patience = default_patience);

  /// In one transaction, all or none. How many were new: a game that is there already (the same id,
  /// player and second) is left as it is.
  [[nodiscard]] base::Result<int, Trouble> add(const std::vector<ArchivedRecord>& games);

  /// Whether add() would leave such a game out: the same id and player, begun in the same second.
  [[nodiscard]] base::Result<bool, Trouble> has(const std::string& game_id, const std::string& us,
                                                std::int64_t started_ms);

  /// The latest first, at most filter.limit.
  [[nodiscard]] base::Result<std::vector<ArchivedGame>, Trouble> list(const GameFilter& filter);
  /// `any` reads the file from its beginning to its end where all is wanted, which is much faster.
  enum class Order { latest_first, any };
  /// Every one, whatever the limit; `take` may stop it by returning false.
  [[nodiscard]] std::optional<Trouble> each(const GameFilter& filter, Order order,
                                            const std::function<bool(const ArchivedGame&)>& take);
  /// Nothing when there is none.
  [[nodiscard]] base::Result<std::optional<ArchivedRecord>, Trouble> find(std::int64_t id);

 private:
  explicit Archive(Database database) : database_(std::move(database)) {}
  [[nodiscard]] std::optional<Trouble> migrate();
  [[nodiscard]] std::optional<Trouble> judge_version();
  [[nodiscard]] std::string columns() const;
  [[nodiscard]] Statement select(const GameFilter& filter, std::string_view behind);

  Database database_;
  std::int64_t version_ = schema_version;  ///< of the file's tables; earlier ones can be read
};

}  // namespace kakehashi::games::io
