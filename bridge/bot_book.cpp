// Our turns in the opening: the book is asked before the engine, and what it knows is played at once.
#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "bridge/bot_core.hpp"
#include "bridge/translate.hpp"
#include "shogi/book/entry.hpp"

namespace kakehashi::bridge {

namespace {

/// A disk that has been asleep may need as long; a book that needs longer costs more than it gives.
constexpr base::Millis lookup_max{500};
/// Nor does a question take more than this part of the turn.
constexpr int lookup_parts = 4;

/// splitmix64: the seed decides on every choice, so that a game can be repeated.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t value = state;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

}  // namespace

bool Bot::Core::ask_book(Playing& playing) {
  if (config_.book.file.empty()) {
    return false;
  }
  const base::Millis patience = std::min(lookup_max, playing.turn->limits.hurry_after / lookup_parts);
  playing.turn->lookup = Lookup{++lookups_, now_.steady + patience};
  out_.add(LookUpBook{lookups_, shogi::book::key_of(playing.game.position())});
  return true;
}

void Bot::Core::on_book_answered(const BookAnswered& answer) {
  auto* playing = std::get_if<Playing>(&phase_);
  if (playing == nullptr || !playing->turn || !playing->turn->lookup ||
      playing->turn->lookup->number != answer.number) {
    return;  // of a turn that is over, or too late
  }
  playing->turn->lookup.reset();
  // A book is a file from anywhere: what the rules forbid is not even chosen from.
  std::vector<shogi::book::Move> moves = shogi::book::read_moves(answer.lines);
  const std::size_t known = moves.size();
  std::erase_if(moves, [&](const shogi::book::Move& move) {
    return read_choice(playing->game.position(), move.text).kind != EngineChoice::Kind::move;
  });
  if (moves.size() < known) {
    out_.warn("book_move_illegal",
              "the book has moves for this position that the rules forbid; they are passed over");
  }
  const auto chosen = shogi::book::choose(moves, config_.book.rule,
                                          config_.book.temperature, next_random(book_random_));
  if (!chosen) {
    think(*playing);
    return;
  }
  const std::string& text = moves[*chosen].text;
  out_.note(Level::debug, "book_move", "the book plays " + base::quote_for_log(text));
  playing->pondering.reset();
  team_.abandon(now_, out_);
  playing->expected_reply.clear();
  begin_thought(*playing, playing->game.ply());
  play(*playing, read_choice(playing->game.position(), text).move);
}

void Bot::Core::watch_lookup(Playing& playing) {
  if (!playing.turn || !playing.turn->lookup || !expired(playing.turn->lookup->give_up)) {
    return;
  }
  OwnTurn& turn = *playing.turn;
  turn.lookup.reset();
  const base::Millis spent = base::millis_between(turn.started, now_.steady);
  out_.warn("book_silent", "the book has not answered for " +
                               base::format_millis(spent.count()) + "; the engine is asked");
  turn.limits = think_time(playing.game.ledger(), playing.game.summary().our_color, spent,
                           think_time_rules());
  think(playing);
}

}  // namespace kakehashi::bridge
