// The room shogi/notation: moves and positions as texts, in CSA, USI, KIF and KI2. It owns how they are spelled and
// read; it knows no record and no file, and no server or engine.
//
// CSA notation: moves ("+7776FU", "-0055KA"), board lines (P1..P9, PI, P+, P-), piece codes.
// Source: CSA server protocol 1.2.1, section "Position"; CSA record file format V2.2, V3.0.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "shogi/position.hpp"

namespace kakehashi::shogi::csa {

[[nodiscard]] const char* piece_code(PieceKind kind);                          ///< "FU" .. "RY"
[[nodiscard]] std::optional<PieceKind> piece_from_code(std::string_view code);
[[nodiscard]] constexpr char sign(Color color) { return color == Color::black ? '+' : '-'; }

/// Exactly seven bytes: sign, source ("00" for a drop), target, the piece after the move. The sign
/// must be the side to move's. Promotion is found by comparing with the piece on the source, so
/// the position is needed. Does not judge legality beyond "such a piece stands there".
[[nodiscard]] base::Result<Move> parse_move(const Position& position, std::string_view text);

/// The seven bytes of a move that `position` allows.
[[nodiscard]] std::string format_move(const Position& position, const Move& move);

/// Builds a position from the lines of a Position block or a record. Feed every line that begins
/// with 'P', then finish(). The side to move is set by the caller from the "+" or "-" line.
/// PI may name pieces to leave out ("PI82HI22KA"); P+ and P- may be repeated or empty, "00" is the
/// hand and "00AL" all pieces not yet placed. Spaces that were stripped from the end of a rank, and
/// blanks added to the end of a line, are tolerated. After an error, feed nothing more.
class BoardReader {
 public:
  /// Nothing on success. Errors: unknown piece, doubled square or rank, too many of a kind, short
  /// line.
  [[nodiscard]] std::optional<base::ParseError> feed(std::string_view line);
  /// The position (black to move). Fails when no board line was seen, when some of P1..P9 are
  /// missing, or when it is impossible (legality.hpp).
  [[nodiscard]] base::Result<Position> finish() const;

 private:
  std::optional<base::ParseError> feed_start(std::string_view line);
  std::optional<base::ParseError> feed_rank(std::string_view line, int rank);
  std::optional<base::ParseError> feed_pieces(std::string_view line, Color color);
  std::optional<base::ParseError> place(Square square, Piece piece, std::size_t column);
  std::optional<base::ParseError> hold(Color color, PieceKind kind, std::size_t column);
  void hold_all_remaining(Color color);

  Position position_;
  bool seen_start_ = false;   // PI
  bool seen_pieces_ = false;  // a P+ or P- with at least one piece
  std::array<bool, 9> seen_ranks_{};
};

/// P1..P9 lines and then P+ / P- lines for hands that are not empty, as shogi-server prints them;
/// each ends with LF. No turn line.
[[nodiscard]] std::string format_board(const Position& position);

/// The customary handicap starts, by the names that shogi-server uses in game names: "hclance",
/// "hcbishop", "hcrook", "hcrooklance", "hc2p", "hc4p", "hc6p", "hc8p", "hc10p": the start with the
/// named pieces removed from black, black ("+") to move: there the handicapper is "+" and moves
/// first, unlike in customary shogi (observed on shogi-server).
[[nodiscard]] std::optional<Position> handicap_start(std::string_view name);

}  // namespace kakehashi::shogi::csa
