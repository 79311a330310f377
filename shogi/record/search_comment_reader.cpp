// The reading side of search_comment.hpp.
#include <algorithm>

#include "base/text.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/ki2.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/notation/kif_words.hpp"
#include "shogi/record/csa_values.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

namespace {

using Lines = std::vector<std::string>;

constexpr std::int64_t mate_score = 100'000;
constexpr std::int64_t shogigui_mate_score = 30'000;

/// Moves that follow each other, each with its triangle, as the CSA moves of a pv; up to the first
/// that cannot be played.
template <class ParseMove>
std::vector<std::string> read_pv(std::string_view text, Position position,
                                 std::optional<Square> last, ParseMove parse) {
  std::vector<std::string> pv;
  kif::skip_blanks(text);
  while (!text.empty()) {
    std::size_t end = text.size();
    for (const std::string_view mark : {"▲", "△", "▼", "▽", "☗", "☖"}) {
      end = std::min(end, text.find(mark, 1));
    }
    const auto move = parse(position, base::trim(text.substr(0, end)), last);
    if (!move || !is_legal(position, *move)) {
      break;
    }
    pv.push_back(csa::format_move(position, *move));
    last = move->to();
    position.play(*move);
    text.remove_prefix(std::min(end, text.size()));
  }
  return pv;
}

/// "先手勝ち:15手", "後手勝ち"
bool read_mate(std::string_view value, Evaluation& evaluation) {
  const bool is_black = value.starts_with("先手勝ち");
  if (!is_black && !value.starts_with("後手勝ち")) {
    return false;
  }
  evaluation.score = is_black ? mate_score : -mate_score;
  std::int64_t plies = 0;
  if (const std::size_t colon = value.find(':'); colon != std::string_view::npos) {
    std::string_view count = value.substr(colon + 1);
    count = count.substr(0, std::min(count.size(), count.find("手")));
    plies = base::parse_int(count).value_or(0);
  }
  evaluation.mate = is_black ? plies : -plies;
  return true;
}

/// ShogiHome's lines stand together: "互角", "*評価値=52", …; "#" marks an analysis afterwards.
std::optional<Evaluation> read_shogihome(Lines& comments, const Position& reached,
                                         std::optional<Square> last) {
  Evaluation evaluation;
  bool has_score = false;
  std::vector<bool> is_used(comments.size());
  for (std::size_t i = 0; i < comments.size(); ++i) {
    const std::string_view line = comments[i];
    const std::size_t equals = line.find('=');
    if (!line.starts_with('*') || equals == std::string_view::npos) {
      is_used[i] = is_judgement(line);
      continue;
    }
    const std::string_view key = line.substr(1, equals - 1);
    const std::string_view value = line.substr(equals + 1);
    const auto number = base::parse_int(value);
    if (key == "評価値" && number && !has_score) {
      evaluation.score = *number;
      has_score = is_used[i] = true;
    } else if (key == "詰み" && !has_score && read_mate(value, evaluation)) {
      has_score = is_used[i] = true;
    } else if (key == "深さ" && number) {
      evaluation.depth = *number;
      is_used[i] = true;
    } else if (key == "ノード数" && number) {
      evaluation.nodes = *number;
      is_used[i] = true;
    } else if (key == "読み筋") {
      evaluation.pv = read_pv(value, reached, last, ki2::parse_move);
      is_used[i] = !evaluation.pv.empty();
    }
  }
  if (!has_score) {
    return std::nullopt;
  }
  Lines kept;
  for (std::size_t i = 0; i < comments.size(); ++i) {
    if (!is_used[i]) {
      kept.push_back(std::move(comments[i]));
    }
  }
  comments = std::move(kept);
  return evaluation;
}

/// "*対局 深さ 12/20 ノード数 3456 評価値 52 読み筋 △３四歩(33)"
std::optional<Evaluation> read_shogigui(std::string_view line, const Position& reached,
                                        std::optional<Square> last) {
  if (!line.starts_with("*対局") && !line.starts_with("*解析")) {
    return std::nullopt;
  }
  Evaluation evaluation;
  bool has_score = false;
  if (const std::size_t pv = line.find("読み筋"); pv != std::string_view::npos) {
    evaluation.pv = read_pv(line.substr(pv + std::string_view("読み筋").size()), reached, last,
                            kif::parse_move);
    line = line.substr(0, pv);
  }
  const auto words = base::split_words(line);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view value = words[i + 1];
    if (words[i] == "評価値") {
      const auto score = base::parse_int(value);
      has_score = score.has_value();
      evaluation.score = score.value_or(0);
    } else if (words[i] == "深さ") {
      const std::size_t slash = std::min(value.find('/'), value.size());
      evaluation.depth = base::parse_int(value.substr(0, slash));
      evaluation.seldepth = base::parse_int(value.substr(std::min(slash + 1, value.size())));
    } else if (words[i] == "ノード数") {
      evaluation.nodes = base::parse_int(value);
    }
  }
  if (evaluation.score >= shogigui_mate_score || evaluation.score <= -shogigui_mate_score) {
    evaluation.score = evaluation.score > 0 ? mate_score : -mate_score;
  }
  return has_score ? std::optional(std::move(evaluation)) : std::nullopt;
}

}  // namespace

std::optional<Evaluation> take_search_comment(Lines& comments, const Position& reached,
                                              std::optional<Square> last) {
  for (auto line = comments.begin(); line != comments.end(); ++line) {
    auto evaluation = line->starts_with("* ") ? parse_evaluation(std::string_view(*line).substr(2))
                                              : read_shogigui(*line, reached, last);
    if (evaluation) {
      comments.erase(line);
      return evaluation;
    }
  }
  return read_shogihome(comments, reached, last);
}

}  // namespace kakehashi::shogi::record
