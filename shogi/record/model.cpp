#include "shogi/record/model.hpp"

#include "base/text.hpp"
#include "shogi/game_end.hpp"
#include "shogi/legality.hpp"
#include "shogi/record/csa.hpp"
#include "shogi/record/ending.hpp"

namespace kakehashi::shogi::record {

namespace {

using base::Millis;
using Faults = std::vector<std::string>;

const char* name_of(Color color) { return color == Color::black ? "black" : "white"; }

/// One side's clock, as records count: what was used up may reach the limit, not pass it.
struct Budget {
  std::optional<Clock> clock;
  Millis left{0};

  explicit Budget(const std::optional<Clock>& known) : clock(known) {
    left = clock && clock->total ? *clock->total : Millis{0};
  }
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

void judge_times(const Record& record, Faults& faults) {
  Budget budgets[2] = {Budget(record.black_clock), Budget(record.white_clock)};
  Color mover = record.start.side_to_move();
  std::size_t ply = 0;
  for (const RecordedMove& move : record.moves) {
    ++ply;
    Budget& budget = budgets[static_cast<int>(mover)];
    if (move.consumed && !budget.spend(*move.consumed)) {
      faults.push_back("move " + std::to_string(ply) + ": " + name_of(mover) + " used " +
                       format_seconds(*move.consumed) + " s, more than its clock of " +
                       format_clock(*budget.clock) + " had left");
      budget.clock.reset();  // one report a side: all that follows is wrong by it too
    }
    mover = opposite(mover);
  }
  if (record.started && record.ended && *record.ended < *record.started) {
    faults.emplace_back("ending: the game ended before it started");
  }
}

/// Readers let pass what a lenient server has let pass.
void judge_moves(const Record& record, Faults& faults) {
  Position position = record.start;
  std::size_t ply = 0;
  for (const RecordedMove& move : record.moves) {
    ++ply;
    if (const Verdict verdict = judge(position, move.move); verdict != Verdict::legal) {
      faults.push_back("move " + std::to_string(ply) + ": " + name_of(position.side_to_move()) +
                       "'s move is not legal, and the game went on: " + describe(verdict));
    }
    position.play(move.move);
  }
}

struct Course {
  Position reached;
  Repetition repetition = Repetition::none;
  int occurrences = 0;
};

Course course_of(const Record& record) {
  Course course{record.start};
  RepetitionCounter counter;
  for (const RecordedMove& move : record.moves) {
    course.reached.play(move.move);
    course.repetition = counter.after_move(course.reached);
  }
  course.occurrences = counter.occurrences(course.reached);
  return course;
}

std::string times(int count) {
  return std::to_string(count) + (count == 1 ? " time" : " times");
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
    faults.push_back(std::string("ending: perpetual check by ") + (is_black ? "black" : "white") +
                     ", but its checks do not repeat the last position");
  }
}

/// Empty when the kind fits the position.
void judge_ending(const Record& record, const Ending& ending, Faults& faults) {
  const Course course = course_of(record);
  const auto add = [&](const std::string& what) { faults.push_back("ending: " + what); };
  switch (ending.kind) {
    case EndingKind::sennichite:
      if (course.repetition != Repetition::draw) {
        add("repetition, but the last position came up " + times(course.occurrences) + " only");
      }
      break;
    case EndingKind::tsumi:
      if (!is_mated(course.reached)) {
        add(std::string("mate, but ") + name_of(course.reached.side_to_move()) + " is not mated");
      }
      break;
    case EndingKind::kachi:
      if (!judge_declaration(course.reached, course.reached.side_to_move()).is_valid()) {
        add(std::string("a declared win, but by the 27-point rule ") +
            name_of(course.reached.side_to_move()) + " may not declare");
      }
      break;
    case EndingKind::max_moves:
      if (record.max_moves && record.moves.size() < static_cast<std::size_t>(*record.max_moves)) {
        add("the limit of " + std::to_string(*record.max_moves) + " moves, after " +
            std::to_string(record.moves.size()));
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
  judge_moves(record, faults);
  judge_times(record, faults);
  if (record.ending) {
    judge_ending(record, *record.ending, faults);
  } else {
    faults.push_back("ending: there is none; the record stops after " +
                     std::to_string(record.moves.size()) +
                     (record.moves.size() == 1 ? " move" : " moves"));
  }
  return faults;
}

}  // namespace kakehashi::shogi::record
