// The record of one game as it grows: which move, which time, which thought, which end. It knows
// what the server said; how a record is spelled is shogi/record's business.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "bridge/eval_comment.hpp"
#include "bridge/game.hpp"
#include "config/bot_config.hpp"
#include "csa/client_session.hpp"
#include "shogi/record/csa_writer.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::bridge {

class GameRecord {
 public:
  /// `started` is the wall time of START.
  GameRecord(const csa::GameSummary& summary, const config::BotConfig& config,
             base::WallTime started);

  /// From the configured template, made safe.
  [[nodiscard]] const std::string& file_name() const { return file_name_; }
  /// The text at the game's start: header and listed moves. A complete record by itself.
  [[nodiscard]] std::string beginning();
  /// Takes a move that stands, played on `before`, with what the engine thought of it (or null when
  /// it was not ours); returns the
  /// text to append.
  [[nodiscard]] std::string add(const Game::Played& played, const Thought* thought,
                                const shogi::Position& before);
  /// A comment on the move that is added next, or on the record's end.
  void remark(std::string text) { remark_ = std::move(text); }
  void remark_at_end(std::string text) { remark_at_end_ = std::move(text); }
  /// Takes our last line, which the server called illegal and did not echo: it is no move of the
  /// game, and finish() keeps it as a comment, spelled as in shogi-server's records.
  void refuse(std::string_view line);
  /// Takes the end, and the resignation or declaration that led to it, if one did; returns the
  /// whole text.
  [[nodiscard]] std::string finish(const csa::GameEnd& end,
                                   const std::optional<csa::SpecialPlayed>& special,
                                   const Game& game, base::WallTime ended);

  [[nodiscard]] const shogi::record::Record& record() const { return record_; }

 private:
  shogi::record::CsaVersion version_;
  std::string file_name_;
  shogi::record::Record record_;
  shogi::record::CsaWriter writer_;
  std::string refused_;
  std::string remark_;
  std::string remark_at_end_;
};

}  // namespace kakehashi::bridge
