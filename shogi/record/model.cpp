#include "shogi/record/model.hpp"

#include "shogi/game_end.hpp"
#include "shogi/legality.hpp"
#include "shogi/record/csa.hpp"
#include "shogi/record/ending.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::Millis;
using base::say;
using Faults = std::vector<base::Message>;

/// One side's clock, as records count: what was used up may reach the limit, not pass it.
struct Budget {
  std::optional<Clock> clock;
  Millis left = clock && clock->total ? *clock->total : Millis{0};

  /// Whether that time was there to be used.
  bool spend(Millis time) {
    if (!clock || !clock->total) {
      return true;
    }
    left += clock->increment;
    const bool is_enough = time <= left + clock->byoyomi;
    left = time < left ? left - time : Millis{0};
    return is_enough;
  }
};

struct Course {
  Position reached;
  Repetition repetition = Repetition::none;
  int occurrences = 0;  ///< of the last position
};

/// What is wrong on the way, and where it leads. Readers let moves pass that a lenient server has let pass.
Course judge_course(const Record& record, Faults& faults) {
  Course course{record.start};
  RepetitionCounter counter;
  Budget budgets[2] = {{record.black_clock}, {record.white_clock}};
  std::size_t ply = 0;
  for (const RecordedMove& move : record.moves) {
    ++ply;
    const Color mover = course.reached.side_to_move();
    if (const Verdict verdict = judge(course.reached, move.move); verdict != Verdict::legal) {
      faults.push_back(say("move {}: {}'s move is not legal, and the game went on: {}", ply, describe(mover), describe(verdict)));
    }
    Budget& budget = budgets[static_cast<int>(mover)];
    if (move.consumed && !budget.spend(*move.consumed)) {
      faults.push_back(say("move {}: {} used {} s, more than its clock of {} had left", ply, describe(mover),
                           format_seconds(*move.consumed), format_clock(*budget.clock)));
      budget.clock.reset();  // one report a side: all that follows is wrong by it too
    }
    course.reached.play(move.move);
    course.repetition = counter.after_move(course.reached);
  }
  course.occurrences = counter.occurrences(course.reached);
  return course;
}

void judge_perpetual_check(const Ending& ending, const Course& course, Faults& faults) {
  if (ending.reason != perpetual_check_reason) {
    return;
  }
  const Color mover = opposite(course.reached.side_to_move());
  const bool is_black = ending.kind == EndingKind::illegal_action_by_black;
  const bool by_mover = is_black == (mover == Color::black);
  const Repetition wanted = by_mover ? Repetition::perpetual_check_by_mover
                                     : Repetition::perpetual_check_by_other;
  if (course.repetition != wanted) {
    faults.push_back(say("ending: perpetual check by {}, but its checks do not repeat the last position",
                         describe(is_black ? Color::black : Color::white)));
  }
}

void judge_ending(const Record& record, const Ending& ending, const Course& course, Faults& faults) {
  switch (ending.kind) {
    case EndingKind::sennichite:
      if (course.repetition != Repetition::draw) {
        faults.push_back(
            course.occurrences == 1
                ? say("ending: repetition, but the last position came up 1 time only")
                : say("ending: repetition, but the last position came up {} times only", course.occurrences));
      }
      break;
    case EndingKind::tsumi:
      if (!is_mated(course.reached)) {
        faults.push_back(say("ending: mate, but {} is not mated", describe(course.reached.side_to_move())));
      }
      break;
    case EndingKind::kachi:
      if (!judge_declaration(course.reached, course.reached.side_to_move()).is_valid()) {
        faults.push_back(say("ending: a declared win, but by the 27-point rule {} may not declare",
                             describe(course.reached.side_to_move())));
      }
      break;
    case EndingKind::max_moves:
      if (record.max_moves && record.moves.size() < static_cast<std::size_t>(*record.max_moves)) {
        faults.push_back(
            say("ending: the limit of {} moves, after {}", *record.max_moves, record.moves.size()));
      }
      break;
    case EndingKind::illegal_action_by_black:
    case EndingKind::illegal_action_by_white:
      judge_perpetual_check(ending, course, faults);
      break;
    case EndingKind::time_up:
    case EndingKind::toryo:
    case EndingKind::chudan:
    case EndingKind::illegal_move:
    case EndingKind::jishogi:
    case EndingKind::hikiwake:
    case EndingKind::fuzumi:
    case EndingKind::error: break;
  }
}

}  // namespace

Faults inconsistencies(const Record& record) {
  Faults faults = record.doubts;
  const Course course = judge_course(record, faults);
  if (record.started && record.ended && *record.ended < *record.started) {
    faults.push_back(say("ending: the game ended before it started"));
  }
  if (record.ending) {
    judge_ending(record, *record.ending, course, faults);
  } else {
    faults.push_back(record.moves.size() == 1
                         ? say("ending: there is none; the record stops after 1 move")
                         : say("ending: there is none; the record stops after {} moves", record.moves.size()));
  }
  return faults;
}

}  // namespace kakehashi::shogi::record
