#include "shogi/record/ending.hpp"

#include <array>

#include "base/text.hpp"
#include "shogi/record/csa.hpp"

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

// --- Japanese formats

namespace {

bool is_action(EndingKind kind) {
  return kind == EndingKind::illegal_action_by_black ||
         kind == EndingKind::illegal_action_by_white;
}

constexpr std::string_view foul_remark = "反則行為";
constexpr std::string_view max_moves_remark = "最大手数";
constexpr std::string_view draw_remark = "引き分け";
constexpr std::string_view error_remark = "エラー";

struct Word {
  std::string_view word;
  EndingKind kind;
};
constexpr std::array words{
    Word{"投了", EndingKind::toryo},       Word{"中断", EndingKind::chudan},
    Word{"封じ手", EndingKind::chudan},    Word{"千日手", EndingKind::sennichite},
    Word{"切れ負け", EndingKind::time_up}, Word{"持将棋", EndingKind::jishogi},
    Word{"入玉勝ち", EndingKind::kachi},   Word{"詰み", EndingKind::tsumi},
    Word{"詰", EndingKind::tsumi},         Word{"不詰", EndingKind::fuzumi},
    Word{"引き分け", EndingKind::hikiwake}, Word{"最大手数", EndingKind::max_moves},
    Word{"エラー", EndingKind::error},     Word{"ERROR", EndingKind::error},
    Word{"時間切れ", EndingKind::time_up}, Word{"宣言勝ち", EndingKind::kachi},
    Word{"入玉宣言", EndingKind::kachi},   Word{"反則手", EndingKind::illegal_move},
    Word{"不戦勝", EndingKind::chudan},    Word{"不戦敗", EndingKind::chudan}};

}  // namespace

const char* kif_word(EndingKind kind, Color mover) {
  switch (kind) {
    case EndingKind::toryo: return "投了";
    case EndingKind::chudan:
    case EndingKind::error: return "中断";
    case EndingKind::sennichite: return "千日手";
    case EndingKind::time_up: return "切れ負け";
    case EndingKind::illegal_move: return "反則負け";
    case EndingKind::illegal_action_by_black:
    case EndingKind::illegal_action_by_white:
      return kind == foul_by(mover) ? "反則負け" : "反則勝ち";
    case EndingKind::jishogi:
    case EndingKind::hikiwake:
    case EndingKind::max_moves: return "持将棋";
    case EndingKind::kachi: return "入玉勝ち";
    case EndingKind::tsumi: return "詰み";
    case EndingKind::fuzumi: return "不詰";
  }
  return "中断";
}

std::optional<EndingKind> ending_of_kif_word(std::string_view word, Color mover) {
  if (word == "反則負け") {
    return EndingKind::illegal_move;
  }
  if (word == "反則勝ち") {
    return foul_by(opposite(mover));
  }
  for (const Word& entry : words) {
    if (entry.word == word) {
      return entry.kind;
    }
  }
  return std::nullopt;
}

std::string ending_sentence(EndingKind kind, Color mover, std::size_t plies,
                            const SideNames& names) {
  const std::string begin = "まで" + std::to_string(plies) + "手で";
  const std::string last = names.of(opposite(mover));
  switch (kind) {
    case EndingKind::toryo: return begin + last + "の勝ち";
    case EndingKind::time_up: return begin + "時間切れにより" + last + "の勝ち";
    case EndingKind::kachi: return begin + names.of(mover) + "の入玉勝ち";
    case EndingKind::illegal_move:
    case EndingKind::illegal_action_by_black:
    case EndingKind::illegal_action_by_white:
      return begin + names.of(mover) + "の" + kif_word(kind, mover);
    case EndingKind::chudan:
    case EndingKind::error:
    case EndingKind::sennichite:
    case EndingKind::jishogi:
    case EndingKind::hikiwake:
    case EndingKind::max_moves:
    case EndingKind::tsumi:
    case EndingKind::fuzumi: return begin + kif_word(kind, mover);
  }
  return begin + "中断";
}

std::optional<EndingKind> ending_of_sentence(std::string_view text, Color mover) {
  const std::string_view said = base::trim(text);
  const auto foul = [mover](Color loser) {
    return loser == mover ? EndingKind::illegal_move : foul_by(loser);
  };
  if (said.starts_with("時間切れ")) {
    return EndingKind::time_up;
  }
  if (const std::size_t by = said.find("により"); by != std::string_view::npos) {
    // "入玉宣言により先手の勝ち"; "反則により後手の勝ち" names who did not foul.
    const std::string_view cause = said.substr(0, by);
    const std::string_view winner = said.substr(by + std::string_view("により").size());
    if (cause.starts_with("反則")) {
      return winner.starts_with("先手") || winner.starts_with("下手") ? foul(Color::white) : foul(Color::black);
    }
    return ending_of_kif_word(cause, mover);
  }
  const std::size_t of = said.find("手の");
  if (of != std::string_view::npos) {
    // "先手の反則負け" names who fouled; the mover need not be the one named.
    const bool is_black = said.starts_with("先手") || said.starts_with("下手");
    const std::string_view what = said.substr(of + std::string_view("手の").size());
    const Color named = is_black ? Color::black : Color::white;
    if (what == "勝ち") {
      return EndingKind::toryo;
    }
    if (what == "反則負け") {
      return foul(named);
    }
    if (what == "反則勝ち") {
      return foul_by(opposite(named));
    }
    return ending_of_kif_word(what, mover);  // 不戦勝, 宣言勝ち
  }
  return ending_of_kif_word(said, mover);
}

std::string_view ending_remark(const Ending& ending) {
  switch (ending.kind) {
    case EndingKind::illegal_action_by_black:
    case EndingKind::illegal_action_by_white:
      return ending.reason == perpetual_check_reason ? perpetual_check_remark : foul_remark;
    case EndingKind::max_moves: return max_moves_remark;
    case EndingKind::hikiwake: return draw_remark;
    case EndingKind::error: return error_remark;
    case EndingKind::toryo:
    case EndingKind::chudan:
    case EndingKind::sennichite:
    case EndingKind::time_up:
    case EndingKind::illegal_move:
    case EndingKind::jishogi:
    case EndingKind::kachi:
    case EndingKind::tsumi:
    case EndingKind::fuzumi: return "";
  }
  return "";
}

bool take_ending_remark(std::string_view comment, Color mover, Ending& ending) {
  const bool is_perpetual = comment == perpetual_check_remark;
  if (is_perpetual || comment == foul_remark) {
    if (!is_action(ending.kind) && ending.kind != EndingKind::illegal_move) {
      return false;
    }
    ending.kind = is_action(ending.kind) ? ending.kind : foul_by(mover);
    ending.reason = is_perpetual ? std::string(perpetual_check_reason) : "";
    return true;
  }
  const auto refine = [&](EndingKind from, EndingKind to) {
    const bool fits = ending.kind == from;
    ending.kind = fits ? to : ending.kind;
    return fits;
  };
  return (comment == max_moves_remark && refine(EndingKind::jishogi, EndingKind::max_moves)) ||
         (comment == draw_remark && refine(EndingKind::jishogi, EndingKind::hikiwake)) ||
         (comment == error_remark && refine(EndingKind::chudan, EndingKind::error));
}

}  // namespace kakehashi::shogi::record
