#include "shogi/record/ending.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.hpp"

namespace kakehashi::shogi::record {

namespace {

/// %+ILLEGAL_ACTION, %-ILLEGAL_ACTION.
EndingKind foul_by(Color loser) {
  return loser == Color::black ? EndingKind::illegal_action_by_black
                               : EndingKind::illegal_action_by_white;
}

bool is_action(EndingKind kind) {
  return kind == EndingKind::illegal_action_by_black || kind == EndingKind::illegal_action_by_white;
}

struct EndingWords {
  EndingKind kind;
  const char* csa;              ///< of V3.0
  const char* kif;              ///< KIF has one word for several; of a foul, where the mover lost by it
  std::string_view remark = {};  ///< what tells those apart
};
constexpr std::array ending_words{
    EndingWords{EndingKind::toryo, "%TORYO", "投了"},
    EndingWords{EndingKind::chudan, "%CHUDAN", "中断"},
    EndingWords{EndingKind::sennichite, "%SENNICHITE", "千日手"},
    EndingWords{EndingKind::time_up, "%TIME_UP", "切れ負け"},
    EndingWords{EndingKind::illegal_move, "%ILLEGAL_MOVE", "反則負け"},
    EndingWords{EndingKind::illegal_action_by_black, "%+ILLEGAL_ACTION", "反則負け", "反則行為"},
    EndingWords{EndingKind::illegal_action_by_white, "%-ILLEGAL_ACTION", "反則負け", "反則行為"},
    EndingWords{EndingKind::jishogi, "%JISHOGI", "持将棋"},
    EndingWords{EndingKind::kachi, "%KACHI", "入玉勝ち"},
    EndingWords{EndingKind::hikiwake, "%HIKIWAKE", "持将棋", "引き分け"},
    EndingWords{EndingKind::max_moves, "%MAX_MOVES", "持将棋", "最大手数"},
    EndingWords{EndingKind::tsumi, "%TSUMI", "詰み"},
    EndingWords{EndingKind::fuzumi, "%FUZUMI", "不詰"},
    EndingWords{EndingKind::error, "%ERROR", "中断", "エラー"}};

const EndingWords& words_of(EndingKind kind) {
  return *std::find_if(ending_words.begin(), ending_words.end(), [&](const EndingWords& one) { return one.kind == kind; });
}

}  // namespace

bool is_foul(EndingKind kind) {
  return kind == EndingKind::illegal_move || is_action(kind);
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

const char* csa_word(EndingKind kind) { return words_of(kind).csa; }

std::optional<EndingKind> ending_of_special_move(std::string_view word) {
  for (const EndingWords& entry : ending_words) {
    if (word == entry.csa) {
      return entry.kind;
    }
  }
  return word == "%MATTA" ? std::optional(EndingKind::chudan) : std::nullopt;
}

namespace {

struct Word {
  std::string_view word;
  EndingKind kind;
};

std::optional<EndingKind> kind_of(std::string_view word, std::span<const Word> words) {
  const auto found = std::ranges::find(words, word, &Word::word);
  return found == words.end() ? std::nullopt : std::optional(found->kind);
}

constexpr std::array summary_words{
    Word{"toryo", EndingKind::toryo},           Word{"time up", EndingKind::time_up},
    Word{"kachi", EndingKind::kachi},           Word{"sennichite", EndingKind::sennichite},
    Word{"max_moves", EndingKind::max_moves},   Word{"abnormal", EndingKind::chudan},
    Word{"illegal move", EndingKind::illegal_move}, Word{"uchifuzume", EndingKind::illegal_move},
    Word{"oute_kaihimore", EndingKind::illegal_move}};

}  // namespace

std::optional<EndingKind> ending_of_summary(std::string_view summary) {
  const auto fields = base::split(summary, ':');
  if (fields.size() < 3) {
    return std::nullopt;
  }
  const std::string_view reason = fields.front();
  if (reason == "illegal kachi" || reason == "oute_sennichite") {
    const bool black_lost = fields[fields.size() - 2].ends_with(" lose");
    return foul_by(black_lost ? Color::black : Color::white);
  }
  return kind_of(reason, summary_words);
}

// --- Japanese formats

namespace {

/// What other programs write besides.
constexpr std::array further_words{
    Word{"封じ手", EndingKind::chudan},    Word{"詰", EndingKind::tsumi},
    Word{"ERROR", EndingKind::error},      Word{"時間切れ", EndingKind::time_up},
    Word{"宣言勝ち", EndingKind::kachi},   Word{"入玉宣言", EndingKind::kachi},
    Word{"反則手", EndingKind::illegal_move}, Word{"不戦勝", EndingKind::chudan},
    Word{"不戦敗", EndingKind::chudan}};

}  // namespace

const char* kif_word(EndingKind kind, Color mover) {
  return is_action(kind) && kind != foul_by(mover) ? "反則勝ち" : words_of(kind).kif;
}

std::optional<EndingKind> ending_of_kif_word(std::string_view word, Color mover) {
  if (word == "反則負け") {
    return EndingKind::illegal_move;
  }
  if (word == "反則勝ち") {
    return foul_by(opposite(mover));
  }
  for (const EndingWords& entry : ending_words) {
    if (word == entry.kif || (!word.empty() && word == entry.remark && !is_action(entry.kind))) {
      return entry.kind;
    }
  }
  return kind_of(word, further_words);
}

std::string ending_sentence(EndingKind kind, Color mover, std::size_t plies,
                            const SideNames& names) {
  const std::string begin = "まで" + std::to_string(plies) + "手で";
  const std::string last = names.of(opposite(mover));
  if (kind == EndingKind::toryo) {
    return begin + last + "の勝ち";
  }
  if (kind == EndingKind::time_up) {
    return begin + "時間切れにより" + last + "の勝ち";
  }
  if (kind == EndingKind::kachi) {
    return begin + names.of(mover) + "の入玉勝ち";
  }
  return begin + (is_foul(kind) ? names.of(mover) + std::string("の") : "") + kif_word(kind, mover);
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
  return is_action(ending.kind) && ending.reason == perpetual_check_reason ? perpetual_check_remark
                                                                           : words_of(ending.kind).remark;
}

bool take_ending_remark(std::string_view comment, Color mover, Ending& ending) {
  const bool is_perpetual = comment == perpetual_check_remark;
  if (is_perpetual || comment == words_of(EndingKind::illegal_action_by_black).remark) {
    if (!is_action(ending.kind) && ending.kind != EndingKind::illegal_move) {
      return false;
    }
    ending.kind = is_action(ending.kind) ? ending.kind : foul_by(mover);
    ending.reason = is_perpetual ? std::string(perpetual_check_reason) : "";
    return true;
  }
  // Who refines it says the rougher word in KIF.
  for (const EndingWords& finer : ending_words) {
    if (comment == finer.remark && ending.kind != finer.kind && words_of(ending.kind).remark.empty() &&
        std::string_view(words_of(ending.kind).kif) == finer.kif) {
      ending.kind = finer.kind;
      return true;
    }
  }
  return false;
}

}  // namespace kakehashi::shogi::record
