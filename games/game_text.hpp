// Archived games for people and programs: a list, one game, CSV, JSON, a picture. Pure text from values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "games/archived_game.hpp"
#include "shogi/record/format.hpp"
#include "shogi/record/model.hpp"
#include "words/words.hpp"

namespace kakehashi::games {

/// "2026-01-02 03:04", UTC.
[[nodiscard]] std::string instant_text(std::int64_t at_ms);

/// A line each under a head, for a terminal.
[[nodiscard]] std::string list_text(const std::vector<ArchivedGame>& games, words::Language language);

/// Who, where, when, how; then a line for each move, with time and evaluation.
[[nodiscard]] std::string game_text(const ArchivedGame& game, const shogi::record::Record& record,
                                    words::Language language);
/// The first part of it alone.
[[nodiscard]] std::string head_text(const ArchivedGame& game, words::Language language);

/// RFC 4180: the head, and a line for a game. A text that a spreadsheet would take for a formula gets
/// an apostrophe in front, since opponents choose their names.
[[nodiscard]] std::string csv_head();
[[nodiscard]] std::string csv_line(const ArchivedGame& game);

/// An object without its moves.
[[nodiscard]] std::string json_of(const ArchivedGame& game);
/// {"games":[…]}
[[nodiscard]] std::string json_of(const std::vector<ArchivedGame>& games);
/// With the moves, and the position after each as SFEN, so that a reader needs no rules of shogi.
[[nodiscard]] std::string json_of(const ArchivedGame& game, const shogi::record::Record& record);

/// As the archive keeps them: an array.
[[nodiscard]] std::string json_of(const std::vector<MemberUse>& members);
/// The same, read back; none where it is no such array.
[[nodiscard]] std::vector<MemberUse> members_in(const std::string& json);

/// The record as its files have it, but in UTF-8 always.
[[nodiscard]] std::string record_text(const shogi::record::Record& record, shogi::record::Format format);

/// One game as a picture: the evaluation over the moves as our engine saw it, and the time of each move. A self-contained
/// SVG for reports and web pages.
[[nodiscard]] std::string plot_svg(const ArchivedGame& game, const shogi::record::Record& record,
                                   words::Language language);

}  // namespace kakehashi::games
