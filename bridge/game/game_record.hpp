// The record of one game as it grows: which move, which time, which thought, which end. It knows
// what the server said; how a record is spelled is shogi/record's business.
#pragma once

#include <optional>
#include <string>
#include <vector>
#include <string_view>

#include "base/time.hpp"
#include "bridge/action.hpp"
#include "bridge/game/game.hpp"
#include "bridge/game/thought.hpp"
#include "config/bot_config.hpp"
#include "csa/client_session.hpp"
#include "shogi/record/csa.hpp"
#include "shogi/record/format.hpp"
#include "shogi/record/json.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::bridge {

/// What is known of a move beyond what the server said; nothing where it is not known.
struct MoveFacts {
  const Thought* thought = nullptr;  ///< nullptr when the move was not ours
  std::optional<base::Millis> elapsed = std::nullopt;     ///< of the turn, as the clock here saw it
  std::optional<base::Millis> link_delay = std::nullopt;  ///< from sending to the echo
  std::optional<bool> ponder_hit = std::nullopt;
  std::string_view comment = {};  ///< behind a move of the opponent's, from a server that passes it on
};

class GameRecord {
 public:
  /// `started` is the wall time of START.
  GameRecord(const csa::GameSummary& summary, const config::BotConfig& config,
             base::WallTime started);

  /// The file name from the configured template, made safe, and the text at the game's start:
  /// header and listed moves, a complete record by itself.
  [[nodiscard]] BeginRecord begin();
  /// Takes a move that stands, played on `before`.
  [[nodiscard]] AppendRecord add(const Game::Played& played, const MoveFacts& facts,
                                 const shogi::Position& before);
  /// Comments on the move that is added next, and on the record's end; an empty one is none.
  void remark(std::string text) {
    if (!text.empty()) {
      remarks_.push_back(std::move(text));
    }
  }
  void remark_at_end(std::string text) {
    if (!text.empty()) {
      remarks_at_end_.push_back(std::move(text));
    }
  }
  /// Takes a move that the rules forbid, behind which the game may end: it is one of the game's moves when
  /// another follows, and else a comment on its end.
  [[nodiscard]] AppendRecord hold(const Game::Played& played, const MoveFacts& facts,
                                  const shogi::Position& before);
  /// Takes an illegal line that is no move of the game: our last one, which the server did not echo, or one
  /// of the server's that no board holds. finish() keeps it as a comment, spelled as in shogi-server's
  /// records. Behind one of the server's the record has no more moves: those that stand are comments.
  void refuse(std::string_view line);
  [[nodiscard]] AppendRecord refuse_and_leave(std::string_view line);
  /// Takes the end, and the resignation or declaration that led to it, if one did; gives the whole
  /// text of every format.
  [[nodiscard]] FinishRecord finish(const csa::GameEnd& end,
                                    const std::optional<csa::SpecialPlayed>& special,
                                    const Game& game, base::WallTime ended);

  [[nodiscard]] const shogi::record::Record& record() const { return record_; }

 private:
  [[nodiscard]] shogi::record::RecordedMove recorded(const Game::Played& played, const MoveFacts& facts,
                                                     const shogi::Position& before);
  [[nodiscard]] AppendRecord append(const shogi::record::RecordedMove& move);
  /// The move that is held joins the others.
  [[nodiscard]] AppendRecord release();
  /// Who is to move behind the record's moves.
  [[nodiscard]] shogi::Color mover() const;

  /// In the order in which the shell gets them: the one that grows first.
  std::vector<shogi::record::Format> formats_;
  shogi::record::CommentStyle comments_;
  bool grows_;
  std::string name_template_;
  shogi::record::FileNameParts name_parts_;
  shogi::record::Record record_;
  shogi::record::CsaWriter writer_;
  std::optional<shogi::record::JsonlWriter> source_;  ///< with formats that do not grow
  struct Held {
    shogi::record::RecordedMove move;
    std::string text;
  };
  std::optional<Held> held_;
  std::string refused_;
  bool has_left_ = false;  ///< refuse_and_leave()
  std::vector<std::string> behind_;
  std::vector<std::string> remarks_;
  std::vector<std::string> remarks_at_end_;
};

}  // namespace kakehashi::bridge
