#include "rehearse/start_positions.hpp"

#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/game_end.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::rehearse {
namespace {

using Words = std::vector<std::string_view>;
using Problem = base::Failure<std::string>;

/// Why no game can begin there; empty: one can.
std::string unplayable_because(const shogi::Position& position) {
  if (!position.king(shogi::Color::black) || !position.king(shogi::Color::white)) {
    return "a king is missing";
  }
  if (shogi::is_in_check(position, shogi::opposite(position.side_to_move()))) {
    return "the king of the side that does not move can be taken";
  }
  return shogi::has_legal_move(position) ? "" : "the side to move has no legal move";
}

/// The board, side, hands and perhaps number that begin at `at`, which is moved behind them.
base::Result<shogi::Position, std::string> read_sfen(const Words& words, std::size_t& at) {
  Words fields;
  while (at < words.size() && fields.size() < 4 && words[at] != "moves") {
    fields.push_back(words[at++]);
  }
  const auto position = shogi::usi::parse_sfen(base::join(fields, " "));
  if (!position) {
    return Problem{position.error().what};
  }
  return *position;
}

base::Result<StartPosition, std::string> read_position(const Words& words) {
  std::size_t at = words.front() == "position" ? 1 : 0;
  StartPosition read;
  if (at < words.size() && words[at] == "startpos") {
    ++at;
  } else {
    at += at < words.size() && words[at] == "sfen" ? 1 : 0;
    const auto start = read_sfen(words, at);
    if (!start) {
      return Problem{start.error()};
    }
    read.start = *start;
  }
  if (at < words.size() && words[at] != "moves") {
    return Problem{base::quote_for_log(words[at]) + " is not expected there; moves follow the word \"moves\""};
  }
  shogi::Position position = read.start;
  shogi::RepetitionCounter repetition;
  for (++at; at < words.size(); ++at) {
    const std::string quoted = "move " + std::to_string(read.moves.size() + 1) + ", " + base::quote_for_log(words[at]);
    const auto move = shogi::usi::parse_move(words[at]);
    if (!move) {
      return Problem{quoted + ": " + move.error().what};
    }
    const auto verdict = shogi::judge(position, *move);
    if (verdict != shogi::Verdict::legal) {
      return Problem{quoted + ", is not legal: " + shogi::describe(verdict)};
    }
    if (read.moves.size() == start_moves_max) {
      return Problem{"more than " + std::to_string(start_moves_max) + " moves"};
    }
    position.play(*move);
    read.moves.push_back(*move);
    if (repetition.after_move(position) != shogi::Repetition::none) {
      return Problem{quoted + ", ends the game by repetition"};
    }
  }
  if (const std::string why = unplayable_because(position); !why.empty()) {
    return Problem{"no game can begin there: " + why};
  }
  return read;
}

}  // namespace

base::Result<std::vector<StartPosition>, std::string> read_start_positions(std::string_view text) {
  std::vector<StartPosition> positions;
  std::size_t number = 0;
  for (const std::string_view line : base::split(base::without_byte_order_mark(text), '\n')) {
    ++number;
    const Words words = base::split_words(base::trim(line));
    if (words.empty() || words.front().starts_with('#')) {
      continue;
    }
    if (positions.size() == start_positions_max) {
      return Problem{std::to_string(number) + ": more than " + std::to_string(start_positions_max) + " positions"};
    }
    auto read = read_position(words);
    if (!read) {
      return Problem{std::to_string(number) + ": " + read.error()};
    }
    positions.push_back(std::move(*read));
  }
  if (positions.empty()) {
    return Problem{std::to_string(number) + ": no position up to the end of the file"};
  }
  return positions;
}

std::vector<std::string> csa_moves(const StartPosition& position) {
  std::vector<std::string> moves;
  shogi::Position at = position.start;
  for (const shogi::Move& move : position.moves) {
    moves.push_back(shogi::csa::format_move(at, move));
    at.play(move);
  }
  return moves;
}

}  // namespace kakehashi::rehearse
