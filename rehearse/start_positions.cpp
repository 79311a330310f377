#include "rehearse/start_positions.hpp"

#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/game_end.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/format.hpp"

namespace kakehashi::rehearse {
namespace {

using base::say;
using shogi::record::Record;
using Problem = base::Failure<base::Message>;

/// Why no game can begin behind its moves; nothing: one can.
base::Message unplayable_because(const Record& record) {
  shogi::Position position = record.start;
  shogi::RepetitionCounter repetition;
  for (const shogi::record::RecordedMove& recorded : record.moves) {
    const shogi::Move& move = recorded.move;
    const std::string text = shogi::usi::format_move(move);
    if (const auto verdict = shogi::judge(position, move); verdict != shogi::Verdict::legal) {
      return say("{} is not legal: {}", text, shogi::describe(verdict));
    }
    position.play(move);
    if (repetition.after_move(position) != shogi::Repetition::none) {
      return say("{} ends the game by repetition", text);
    }
  }
  if (record.ending) {
    return say("the game is over");
  }
  if (record.moves.size() > start_moves_max) {
    return say("more than {} moves", start_moves_max);
  }
  if (!position.king(shogi::Color::black) || !position.king(shogi::Color::white)) {
    return say("a king is missing");
  }
  if (shogi::is_in_check(position, shogi::opposite(position.side_to_move()))) {
    return say("the king of the side that does not move can be taken");
  }
  return shogi::has_legal_move(position) ? base::Message() : say("the side to move has no legal move");
}

}  // namespace

base::Result<std::vector<StartPosition>, base::Message> read_start_positions(std::string_view text) {
  std::vector<StartPosition> positions;
  std::size_t number = 0;
  for (const std::string_view line : base::split(base::without_byte_order_mark(text), '\n')) {
    ++number;
    const std::string_view words = base::trim(line);
    if (words.empty() || words.starts_with('#')) {
      continue;
    }
    if (positions.size() == start_positions_max) {
      return Problem{say("{}: {}", number, say("more than {} positions", start_positions_max))};
    }
    const auto read = shogi::record::read_usi_line(words, base::verbatim(std::to_string(number)));
    if (!read) {
      return Problem{read.error().what};
    }
    if (base::Message why = unplayable_because(*read); !why.empty()) {
      return Problem{say("{}: {}", number, say("no game can begin there: {}", std::move(why)))};
    }
    positions.push_back({read->start, {}});
    for (const shogi::record::RecordedMove& recorded : read->moves) {
      positions.back().moves.push_back(recorded.move);
    }
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
