#include "shogi/record/ending.hpp"

#include "base/text.hpp"
#include "shogi/record/csa_writer.hpp"

namespace kakehashi::shogi::record {

namespace {

/// %+ILLEGAL_ACTION, %-ILLEGAL_ACTION.
EndingKind foul_by(Color loser) {
  return loser == Color::black ? EndingKind::illegal_action_by_black
                               : EndingKind::illegal_action_by_white;
}

}  // namespace

bool is_foul(EndingKind kind) {
  return kind == EndingKind::illegal_move || kind == EndingKind::illegal_action_by_black ||
         kind == EndingKind::illegal_action_by_white;
}

EndingKind ending_of(const EndingFacts& facts) {
  const auto& [reason, loser, mover, after_declaration] = facts;
  // %TORYO and %TIME_UP mean the side to move. shogi-server says these words, too, when the other side had
  // vanished and lost by that.
  const bool is_by_mover = loser.value_or(mover) == mover;
  if (reason == "#RESIGN") {
    return is_by_mover ? EndingKind::toryo : EndingKind::chudan;
  }
  if (reason == "#TIME_UP") {
    return is_by_mover ? EndingKind::time_up : EndingKind::chudan;
  }
  if (reason == "#ILLEGAL_MOVE") {
    // %ILLEGAL_MOVE means the side to move; a wrong declaration is a foul, not a move. When the
    // result did not arrive any more, the mover is the one who can have played it.
    const Color offender = loser.value_or(mover);
    return offender == mover && !after_declaration ? EndingKind::illegal_move : foul_by(offender);
  }
  if (reason == "#ILLEGAL_ACTION" || reason == "#OUTE_SENNICHITE") {
    return loser ? foul_by(*loser) : EndingKind::error;
  }
  if (reason == "#SENNICHITE") {
    return EndingKind::sennichite;
  }
  if (reason == "#JISHOGI") {
    return loser || after_declaration ? EndingKind::kachi : EndingKind::jishogi;
  }
  if (reason == "#MAX_MOVES" || (reason == "#CENSORED" && !loser)) {
    return EndingKind::max_moves;
  }
  return EndingKind::chudan;
}

std::optional<EndingKind> ending_of_special_move(std::string_view word) {
  for (int i = 0; i <= static_cast<int>(EndingKind::error); ++i) {
    const auto kind = static_cast<EndingKind>(i);
    if (word == csa_word(kind, CsaVersion::v3_0)) {
      return kind;
    }
  }
  return word == "%MATTA" ? std::optional(EndingKind::chudan) : std::nullopt;
}

std::optional<EndingKind> ending_of_summary(std::string_view summary) {
  const auto fields = base::split(summary, ':');
  if (fields.size() < 3) {
    return std::nullopt;
  }
  const std::string_view reason = fields.front();
  if (reason == "toryo") {
    return EndingKind::toryo;
  }
  if (reason == "time up") {
    return EndingKind::time_up;
  }
  if (reason == "kachi") {
    return EndingKind::kachi;
  }
  if (reason == "sennichite") {
    return EndingKind::sennichite;
  }
  if (reason == "max_moves") {
    return EndingKind::max_moves;
  }
  if (reason == "abnormal") {
    return EndingKind::chudan;
  }
  if (reason == "illegal move" || reason == "uchifuzume" || reason == "oute_kaihimore") {
    return EndingKind::illegal_move;
  }
  if (reason == "illegal kachi" || reason == "oute_sennichite") {
    const bool black_lost = fields[fields.size() - 2].ends_with(" lose");
    return foul_by(black_lost ? Color::black : Color::white);
  }
  return std::nullopt;
}

}  // namespace kakehashi::shogi::record
