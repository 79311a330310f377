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

using base::say;
using Words = std::vector<std::string_view>;
using Problem = base::Failure<base::Message>;

/// Why no game can begin there; nothing: one can.
base::Message unplayable_because(const shogi::Position& position) {
  if (!position.king(shogi::Color::black) || !position.king(shogi::Color::white)) {
    return say("a king is missing");
  }
  if (shogi::is_in_check(position, shogi::opposite(position.side_to_move()))) {
    return say("the king of the side that does not move can be taken");
  }
  return shogi::has_legal_move(position) ? base::Message() : say("the side to move has no legal move");
}

/// The board, side, hands and perhaps number that begin at `at`, which is moved behind them.
base::Result<shogi::Position, base::Message> read_sfen(const Words& words, std::size_t& at) {
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

base::Result<StartPosition, base::Message> read_position(const Words& words) {
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
    return Problem{say("{} is not expected there; moves follow the word \"moves\"", base::quoted(words[at]))};
  }
  shogi::Position position = read.start;
  shogi::RepetitionCounter repetition;
  for (++at; at < words.size(); ++at) {
    const base::Message which = say("move {}, {}", read.moves.size() + 1, base::quoted(words[at]));
    const auto move = shogi::usi::parse_move(words[at]);
    if (!move) {
      return Problem{say("{}: {}", which, move.error().what)};
    }
    const auto verdict = shogi::judge(position, *move);
    if (verdict != shogi::Verdict::legal) {
      return Problem{say("{}, is not legal: {}", which, shogi::describe(verdict))};
    }
    if (read.moves.size() == start_moves_max) {
      return Problem{say("more than {} moves", start_moves_max)};
    }
    position.play(*move);
    read.moves.push_back(*move);
    if (repetition.after_move(position) != shogi::Repetition::none) {
      return Problem{say("{}, ends the game by repetition", which)};
    }
  }
  if (base::Message why = unplayable_because(position); !why.empty()) {
    return Problem{say("no game can begin there: {}", std::move(why))};
  }
  return read;
}

}  // namespace

base::Result<std::vector<StartPosition>, base::Message> read_start_positions(std::string_view text) {
  std::vector<StartPosition> positions;
  std::size_t number = 0;
  for (const std::string_view line : base::split(base::without_byte_order_mark(text), '\n')) {
    ++number;
    const Words words = base::split_words(base::trim(line));
    if (words.empty() || words.front().starts_with('#')) {
      continue;
    }
    if (positions.size() == start_positions_max) {
      return Problem{say("{}: {}", number, say("more than {} positions", start_positions_max))};
    }
    auto read = read_position(words);
    if (!read) {
      return Problem{say("{}: {}", number, read.error())};
    }
    positions.push_back(std::move(*read));
  }
  if (positions.empty()) {
    return Problem{say("{}: {}", number, say("no position up to the end of the file"))};
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
