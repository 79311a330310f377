// The comments in which records say what an engine thought of its move, in the styles that viewers
// read: floodgate's, CSA V3.0's, ShogiHome's and ShogiGUI's. A style gives lines of text; which
// mark stands before a comment line is each format's business ("'*" in CSA, "*" in KIF and KI2).
// Source: CSA record file format V3.0; the comments that ShogiHome 1.2x writes and reads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// `automatic`: floodgate's in CSA V2.2, V3.0's own there, ShogiHome's in all other formats.
enum class CommentStyle { automatic, floodgate, csa3, shogihome, shogigui, none };

/// What the mover thought, after its move led to `reached` by a move to `last`. Empty in style
/// none. `automatic` counts as ShogiHome's here.
///
///   floodgate  "* 52 -3334FU +2726FU"           csa3  the same, then " #3456" (nodes)
///   shogihome  "互角", "*評価値=52", "*読み筋=△３四歩▲２六歩", "*深さ=12", "*ノード数=3456"
///   shogigui   "*対局 深さ 12/20 ノード数 3456 評価値 52 読み筋 △３四歩(33) ▲２六歩(27)"
[[nodiscard]] std::vector<std::string> search_comment(CommentStyle style,
                                                      const Evaluation& evaluation,
                                                      const Position& reached,
                                                      std::optional<Square> last);

/// Finds an evaluation of any of these styles in the comment lines of a move, and takes its lines
/// out. The first one counts; lines that are like one but cannot be read stay comments, as do those that do not begin
/// with `mark`.
[[nodiscard]] std::optional<Evaluation> take_search_comment(std::vector<std::string>& comments, std::string_view mark,
                                                            const Position& reached,
                                                            std::optional<Square> last);

/// The legal beginning of a pv of CSA moves.
[[nodiscard]] std::vector<Move> playable(const std::vector<std::string>& pv,
                                         const Position& reached);

}  // namespace kakehashi::shogi::record
