#include "shogi/record/search_comment.hpp"

#include <algorithm>
#include <array>

#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/ki2.hpp"
#include "shogi/notation/kif.hpp"

namespace kakehashi::shogi::record {

namespace {

using Lines = std::vector<std::string>;

/// Where a score can be written but no mate; the reference value of these programs.
constexpr std::int64_t shogigui_mate_score = 30'000;
constexpr std::int64_t mate_score = 100'000;
constexpr std::size_t pv_bytes_max = 990;

bool is_mate(const Evaluation& evaluation) {
  return evaluation.mate || evaluation.score >= mate_score || evaluation.score <= -mate_score;
}

std::string floodgate_line(const Evaluation& evaluation, bool with_nodes) {
  std::string text = "* " + std::to_string(evaluation.score);
  for (const std::string& pv : evaluation.pv) {
    if (text.size() + 1 + pv.size() > pv_bytes_max) {
      break;
    }
    text += " " + pv;
  }
  return text + (with_nodes && evaluation.nodes ? " #" + std::to_string(*evaluation.nodes) : "");
}

struct Judgement {
  std::int64_t least;  ///< the score from which on the words hold
  const char* words;
};
constexpr std::array judgements{
    Judgement{1500, "先手勝勢"}, Judgement{600, "先手優勢"}, Judgement{400, "先手有利"},
    Judgement{200, "先手有望"},  Judgement{-200, "互角"},    Judgement{-400, "後手有望"},
    Judgement{-600, "後手有利"}, Judgement{-1500, "後手優勢"}};
constexpr const char* lost_words = "後手勝勢";

const char* judgement_of(std::int64_t score) {
  for (const Judgement& judgement : judgements) {
    if (score >= judgement.least) {
      return judgement.words;
    }
  }
  return lost_words;
}

std::string ki2_pv(const Evaluation& evaluation, const Position& position, std::optional<Square> last) {
  std::string text;
  for (const std::string& word : ki2::format_line(position, playable(evaluation.pv, position), last)) {
    if (text.size() + word.size() > pv_bytes_max) {
      break;
    }
    text += word;
  }
  return text;
}

Lines shogihome_lines(const Evaluation& evaluation, const Position& reached,
                      std::optional<Square> last) {
  Lines lines;
  if (is_mate(evaluation)) {
    const std::int64_t plies = evaluation.mate.value_or(0);
    lines.push_back(std::string("*詰み=") + (evaluation.score > 0 ? "先手勝ち" : "後手勝ち") +
                    (plies == 0 ? "" : ":" + std::to_string(plies < 0 ? -plies : plies) + "手"));
  } else {
    lines.emplace_back(judgement_of(evaluation.score));
    lines.push_back("*評価値=" + std::to_string(evaluation.score));
  }
  if (const std::string pv = ki2_pv(evaluation, reached, last); !pv.empty()) {
    lines.push_back("*読み筋=" + pv);
  }
  if (evaluation.depth) {
    lines.push_back("*深さ=" + std::to_string(*evaluation.depth));
  }
  if (evaluation.nodes) {
    lines.push_back("*ノード数=" + std::to_string(*evaluation.nodes));
  }
  return lines;
}

std::string shogigui_line(const Evaluation& evaluation, Position position) {
  std::string text = "*対局";
  if (evaluation.depth) {
    text += " 深さ " + std::to_string(*evaluation.depth) +
            (evaluation.seldepth ? "/" + std::to_string(*evaluation.seldepth) : "");
  }
  if (evaluation.nodes) {
    text += " ノード数 " + std::to_string(*evaluation.nodes);
  }
  const std::int64_t score =
      std::clamp(evaluation.score, -shogigui_mate_score, shogigui_mate_score);
  text += " 評価値 " + std::to_string(score);
  bool is_first = true;
  for (const Move& move : playable(evaluation.pv, position)) {
    const char* mark = position.side_to_move() == Color::black ? "▲" : "△";
    const std::string word = " " + std::string(mark) + kif::format_move(position, move, {});
    if (text.size() + word.size() > pv_bytes_max) {
      break;
    }
    text += is_first ? " 読み筋" : "";
    text += word;
    is_first = false;
    position.play(move);
  }
  return text;
}

}  // namespace

bool is_judgement(std::string_view line) {
  return line == lost_words || std::any_of(judgements.begin(), judgements.end(),
                                           [&](const Judgement& j) { return line == j.words; });
}

std::vector<Move> playable(const std::vector<std::string>& pv, const Position& reached) {
  std::vector<Move> moves;
  Position position = reached;
  for (const std::string& word : pv) {
    const auto move = csa::parse_move(position, word);
    if (!move || !is_legal(position, *move)) {
      break;
    }
    moves.push_back(*move);
    position.play(*move);
  }
  return moves;
}

Lines search_comment(CommentStyle style, const Evaluation& evaluation, const Position& reached,
                     std::optional<Square> last) {
  switch (style) {
    case CommentStyle::floodgate: return {floodgate_line(evaluation, false)};
    case CommentStyle::csa3: return {floodgate_line(evaluation, true)};
    case CommentStyle::automatic:
    case CommentStyle::shogihome: return shogihome_lines(evaluation, reached, last);
    case CommentStyle::shogigui: return {shogigui_line(evaluation, reached)};
    case CommentStyle::none: return {};
  }
  return {};
}

}  // namespace kakehashi::shogi::record
