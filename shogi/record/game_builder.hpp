// Builds a record move by move from what a reader of any format finds: keeps the position, judges
// each move, and knows what may stand after what. Knows no format; every error says in which line.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

class GameBuilder {
 public:
  /// Nothing when all is well, else a sentence that begins with the place ("line 12: ").
  using Trouble = std::optional<std::string>;

  explicit GameBuilder(std::chrono::minutes utc_offset) { record_.utc_offset = utc_offset; }

  /// The record so far, for what stands before the moves.
  [[nodiscard]] Record& record() { return record_; }
  /// Where errors are from now on: "line 12", "moves[3]".
  void set_place(std::string place) { place_ = std::move(place); }
  [[nodiscard]] std::string at_place(const std::string& what) const { return place_ + ": " + what; }

  [[nodiscard]] const Position& reached() const { return reached_; }
  [[nodiscard]] std::optional<Square> last() const;
  /// The number of the next move, from 1; one that was refused counts.
  [[nodiscard]] std::size_t next_ply() const {
    return record_.moves.size() + (refused_ ? 2 : 1);
  }
  /// Moves or an ending have come.
  [[nodiscard]] bool has_begun() const { return has_begun_; }

  [[nodiscard]] Trouble start(const base::Result<Position>& position);
  /// The next move as its notation read it; `text` is what stands in the file. A move that cannot
  /// be played is only fine when a foul ends the game with it: it becomes a comment of the ending.
  [[nodiscard]] Trouble play(const base::Result<Move>& move, std::string_view text);
  [[nodiscard]] Trouble end(EndingKind kind);
  /// Of the last move or the ending.
  void set_consumed(base::Millis time);
  /// Of the game, the last move or the ending.
  void add_comment(std::string_view line);

  /// Takes evaluations out of the comments, and understands those on the ending.
  [[nodiscard]] base::Result<Record> finish();

 private:
  struct Refused {
    std::string text;
    std::string trouble;
    std::optional<base::Millis> consumed;
  };

  Record record_;
  Position reached_ = Position::startpos();
  std::optional<Refused> refused_;
  bool has_begun_ = false;
  std::string place_ = "line 1";
};

}  // namespace kakehashi::shogi::record
