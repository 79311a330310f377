// The record of one game as it grows: which move, which time, which thought, which end. It knows
// what the server said; how a record is spelled is shogi/record's business.
#pragma once

#include <optional>
#include <string>
#include <vector>
#include <string_view>

#include "base/time.hpp"
#include "bridge/action.hpp"
#include "bridge/eval_comment.hpp"
#include "bridge/game.hpp"
#include "config/bot_config.hpp"
#include "csa/client_session.hpp"
#include "shogi/record/csa_writer.hpp"
#include "shogi/record/file_name.hpp"
#include "shogi/record/format.hpp"
#include "shogi/record/jsonl.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::bridge {

/// What is known of a move beyond what the server said; nothing where it is not known.
struct MoveFacts {
  const Thought* thought = nullptr;  ///< nullptr when the move was not ours
  std::optional<base::Millis> elapsed = std::nullopt;     ///< of the turn, as the clock here saw it
  std::optional<base::Millis> link_delay = std::nullopt;  ///< from sending to the echo
  std::optional<bool> ponder_hit = std::nullopt;
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
  /// A comment on the move that is added next, or on the record's end.
  void remark(std::string text) { remark_ = std::move(text); }
  void remark_at_end(std::string text) { remark_at_end_ = std::move(text); }
  /// Takes an illegal move: our last line, which the server did not echo, or the first move of the server
  /// that could not be followed. It is no move of the game, and finish() keeps it as a comment, spelled as
  /// in shogi-server's records. The first one counts.
  void refuse(std::string_view line);
  /// Takes the end, and the resignation or declaration that led to it, if one did; gives the whole
  /// text of every format.
  [[nodiscard]] FinishRecord finish(const csa::GameEnd& end,
                                    const std::optional<csa::SpecialPlayed>& special,
                                    const Game& game, base::WallTime ended);

  [[nodiscard]] const shogi::record::Record& record() const { return record_; }

 private:
  /// In the order in which the shell gets them: the one that grows first.
  std::vector<shogi::record::Format> formats_;
  shogi::record::CommentStyle comments_;
  bool grows_;
  std::string name_template_;
  shogi::record::FileNameParts name_parts_;
  shogi::record::Record record_;
  shogi::record::CsaWriter writer_;
  std::optional<shogi::record::JsonlWriter> source_;  ///< with formats that do not grow
  std::string refused_;
  std::string remark_;
  std::string remark_at_end_;
};

}  // namespace kakehashi::bridge
