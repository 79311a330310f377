#include "shogi/record/ending_words.hpp"

#include <array>

#include "base/text.hpp"

namespace kakehashi::shogi::record {

namespace {

EndingKind foul_by(Color offender) {
  return offender == Color::black ? EndingKind::illegal_action_by_black
                                  : EndingKind::illegal_action_by_white;
}

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
    Word{"エラー", EndingKind::error},     Word{"ERROR", EndingKind::error}};

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
  if (said.starts_with("時間切れ")) {
    return EndingKind::time_up;
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
    if (what == "入玉勝ち") {
      return EndingKind::kachi;
    }
    if (what == "反則負け") {
      return named == mover ? EndingKind::illegal_move : foul_by(named);
    }
    if (what == "反則勝ち") {
      return foul_by(opposite(named));
    }
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
