#include "shogi/record/search_comment.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/record/csa.hpp"

namespace kakehashi::shogi::record {

// --- writing

namespace {

using Lines = std::vector<std::string>;

/// Where a score can be written but no mate; the reference value of these programs.
constexpr std::int64_t shogigui_mate_score = 30'000;
constexpr std::int64_t mate_score = 100'000;
constexpr std::size_t pv_bytes_max = 990;

bool is_mate(const Evaluation& evaluation) {
  return evaluation.mate || evaluation.score >= mate_score || evaluation.score <= -mate_score;
}

/// The text with as many of the words behind it as fit.
std::string with_words(std::string text, const Lines& words, std::string_view separator) {
  for (const std::string& word : words) {
    if (text.size() + separator.size() + word.size() > pv_bytes_max) {
      break;
    }
    text.append(separator).append(word);
  }
  return text;
}

std::string floodgate_line(const Evaluation& evaluation, bool with_nodes) {
  const std::string text = with_words("* " + std::to_string(evaluation.score), evaluation.pv, " ");
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
  if (const auto pv = ki2::format_line(reached, playable(evaluation.pv, reached), last); !pv.empty()) {
    lines.push_back(with_words("*読み筋=", pv, ""));
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
  Lines words;
  for (const Move& move : playable(evaluation.pv, position)) {
    const char* mark = position.side_to_move() == Color::black ? "▲" : "△";
    words.push_back(mark + shogi::kif::format_move(position, move, {}));
    position.play(move);
  }
  return words.empty() ? text : with_words(text + " 読み筋", words, " ");
}

}  // namespace

std::vector<Move> playable(const std::vector<std::string>& pv, const Position& reached) {
  std::vector<Move> moves;
  Position position = reached;
  for (const std::string& word : pv) {
    const auto move = shogi::csa::parse_move(position, word);
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

// --- reading

namespace {

/// Moves that follow each other, each with its triangle, as the CSA moves of a pv; up to the first
/// that cannot be played.
template <class ParseMove>
std::vector<std::string> read_pv(std::string_view text, Position position,
                                 std::optional<Square> last, ParseMove parse) {
  std::vector<std::string> pv;
  shogi::kif::skip_blanks(text);
  while (!text.empty()) {
    std::size_t end = text.size();
    for (const std::string_view mark : shogi::kif::triangles) {
      end = std::min(end, text.find(mark, 1));
    }
    const auto move = parse(position, base::trim(text.substr(0, end)), last);
    if (!move || !is_legal(position, *move)) {
      break;
    }
    pv.push_back(shogi::csa::format_move(position, *move));
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

/// ShogiHome's words for a score: "互角", "先手有利", …
bool is_judgement(std::string_view line) {
  return line == lost_words || std::any_of(judgements.begin(), judgements.end(),
                                           [&](const Judgement& j) { return line == j.words; });
}

/// ShogiHome's lines stand together: "互角", "*評価値=52", …; "#" marks an analysis afterwards.
std::optional<Evaluation> read_shogihome(Lines& comments, std::string_view mark, const Position& reached,
                                         std::optional<Square> last) {
  Evaluation evaluation;
  bool has_score = false;
  std::vector<bool> is_used(comments.size());
  for (std::size_t i = 0; i < comments.size(); ++i) {
    std::string_view line = comments[i];
    if (!shogi::kif::take_word(line, mark)) {
      continue;
    }
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
                            shogi::kif::parse_move);
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

std::optional<Evaluation> take_search_comment(Lines& comments, std::string_view mark, const Position& reached,
                                              std::optional<Square> last) {
  for (auto comment = comments.begin(); comment != comments.end(); ++comment) {
    std::string_view line = *comment;
    if (!shogi::kif::take_word(line, mark)) {
      continue;
    }
    auto evaluation = line.starts_with("* ") ? parse_evaluation(line.substr(2)) : read_shogigui(line, reached, last);
    if (evaluation) {
      comments.erase(comment);
      return evaluation;
    }
  }
  return read_shogihome(comments, mark, reached, last);
}

}  // namespace kakehashi::shogi::record
