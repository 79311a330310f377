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
  using Trouble = std::optional<base::Message>;

  explicit GameBuilder(std::chrono::minutes utc_offset) { record_.utc_offset = utc_offset; }

  /// The record so far, for what stands before the moves.
  [[nodiscard]] Record& record() { return record_; }
  /// Where errors are from now on: "line 12", "moves[3]".
  void set_place(base::Message place) { place_ = std::move(place); }
  [[nodiscard]] base::Message at_place(base::Message what) const { return base::say("{}: {}", place_, std::move(what)); }

  /// Where the next move is played.
  [[nodiscard]] const Position& reached() const { return reached_; }
  /// Whose turn it is when the game ends here: a foul's that ends it, not the side's behind it.
  [[nodiscard]] Color turn_at_end() const {
    return refused_ && refused_->before ? refused_->before->side_to_move() : reached_.side_to_move();
  }
  [[nodiscard]] std::optional<Square> last() const;
  /// The number of the next move, from 1; one that was refused counts.
  [[nodiscard]] std::size_t next_ply() const {
    return record_.moves.size() + (refused_ && !refused_->before ? 2 : 1);
  }
  /// Moves or an ending have come.
  [[nodiscard]] bool has_begun() const { return has_begun_; }

  [[nodiscard]] Trouble start(const base::Result<Position>& position);
  /// The next move as its notation read it; `text` is what stands in the file. A move that cannot be played is
  /// only fine when a foul ends the game with it: it becomes a comment of the ending. One that only the rules
  /// forbid, such as nifu, is a move like others when the game goes on behind it: lenient servers let it stand.
  [[nodiscard]] Trouble play(const base::Result<Move>& move, std::string_view text);
  [[nodiscard]] Trouble end(EndingKind kind);
  /// As the record's `word` says, whose kind is nothing where nobody knows it: the game was interrupted then, and the
  /// record has a doubt. What the kind does not say is kept as a comment of the ending. Where no move was played, an
  /// unknown word is a trouble: a text that only looks like a record is no game.
  [[nodiscard]] Trouble end_by(std::optional<EndingKind> kind, std::string_view word);
  /// Of the last move or the ending.
  void set_consumed(base::Millis time);
  /// Of the game, the last move or the ending.
  void add_comment(std::string_view line);

  /// What is wrong when nothing follows any more: a refused move that no foul explains.
  [[nodiscard]] Trouble unexplained() const;
  /// Out of the comments that begin with that mark.
  void take_evaluations(std::string_view mark);
  /// Takes evaluations out of the comments, and understands those on the ending.
  [[nodiscard]] base::Result<Record> finish();

 private:
  struct Refused {
    std::string text;
    base::Message trouble;
    std::optional<base::Millis> consumed = std::nullopt;
    std::optional<Position> before = std::nullopt;  ///< it is the last of the moves, and may be taken back to here
  };

  void make_refused_an_ending();

  Record record_;
  Position reached_ = Position::startpos();
  std::optional<Refused> refused_;
  bool has_begun_ = false;
  base::Message place_ = base::say("line {}", 1);
};

}  // namespace kakehashi::shogi::record
