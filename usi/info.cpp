#include "usi/info.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::usi {

namespace {

using Words = std::vector<std::string_view>;

/// Words that begin a field; a list of moves ends before the next of them.
bool is_field(std::string_view word) {
  static constexpr std::array<std::string_view, 22> fields{
      "depth",      "seldepth",   "time",       "nodes",    "nps",
      "hashfull",   "multipv",    "score",      "currmove", "pv",
      "string",     "currline",   "currmovenumber", "cpuload", "tbhits",
      "sbhits",     "refutation", "lowerbound", "upperbound", "wdl",
      "error",      "peg"};
  return std::find(fields.begin(), fields.end(), word) != fields.end();
}

std::optional<std::int64_t> take_int(const Words& words, std::size_t& at) {
  if (at >= words.size()) {
    return std::nullopt;
  }
  const auto value = base::parse_int(words[at]);
  if (value) {
    ++at;
  }
  return value;
}

std::vector<std::string> take_moves(const Words& words, std::size_t& at) {
  std::vector<std::string> moves;
  for (; at < words.size() && !is_field(words[at]); ++at) {
    moves.emplace_back(words[at]);
  }
  return moves;
}

/// "3", "-8", "+", "-".
std::optional<Score> mate_score(std::string_view value) {
  Score score{.is_mate = true};
  if (value == "+" || value == "-") {
    score.mate_is_lost = value == "-";
    return score;
  }
  const auto plies = base::parse_int(value);
  if (!plies) {
    return std::nullopt;
  }
  score.value = *plies;
  score.mate_is_lost = *plies < 0 || value.starts_with('-');
  return score;
}

/// "win 19", "loss 4", "draw": TEI's solved positions, with their plies where they are given.
Score solved_score(std::string_view outcome, const Words& words, std::size_t& at) {
  const std::int64_t plies = std::max<std::int64_t>(take_int(words, at).value_or(0), 0);
  if (outcome == "draw") {
    return {};
  }
  const bool is_lost = outcome == "loss";
  return {.is_mate = true, .value = is_lost ? -plies : plies, .mate_is_lost = is_lost};
}

/// The kinds of score behind the word "score", in any order, each with its bound.
void take_score(const Words& words, std::size_t& at, Info& info) {
  std::optional<Score::Bound> bound;
  for (; at < words.size(); ) {
    const std::string_view kind = words[at];
    const std::string_view value = at + 1 < words.size() ? words[at + 1] : std::string_view{};
    if (kind == "cp" && base::parse_int(value)) {
      info.score = Score{.value = *base::parse_int(value)};
      at += 2;
    } else if (kind == "mate" && mate_score(value)) {
      info.score = mate_score(value);
      at += 2;
    } else if (kind == "solved") {
      ++at;
    } else if (kind == "win" || kind == "loss" || kind == "draw") {
      info.score = solved_score(kind, words, ++at);
    } else if (kind == "wp" || kind == "eq") {
      at = std::min(at + 2, words.size());  // UCGI's percents and equities
    } else if (kind == "lowerbound" || kind == "upperbound") {
      bound = kind == "lowerbound" ? Score::Bound::lower : Score::Bound::upper;
      ++at;
    } else {
      break;
    }
  }
  if (bound && info.score) {
    info.score->bound = *bound;
  }
}

/// TEI puts several variations in one line, the moves right behind each number; the first is kept.
void take_multipv(const Words& words, std::size_t& at, Info& info) {
  const auto number = take_int(words, at);
  std::vector<std::string> moves = take_moves(words, at);
  if (info.multipv && info.multipv != number) {
    return;
  }
  info.multipv = number;
  if (!moves.empty()) {
    info.pv = std::move(moves);
  }
}

/// A field of one number; false when the word is none of them.
bool take_number_field(std::string_view field, const Words& words, std::size_t& at, Info& info) {
  struct Row {
    std::string_view word;
    std::optional<std::int64_t> Info::*place;  ///< null: nobody asks for it
  };
  static constexpr std::array<Row, 9> rows{{{"depth", &Info::depth},
                                             {"seldepth", &Info::seldepth},
                                             {"time", nullptr},
                                             {"nodes", &Info::nodes},
                                             {"nps", &Info::nps},
                                             {"hashfull", &Info::hashfull},
                                             {"currmovenumber", nullptr},
                                             {"cpuload", nullptr},
                                             {"tbhits", nullptr}}};
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const Row& candidate) { return candidate.word == field; });
  if (row == rows.end()) {
    return false;
  }
  const auto number = take_int(words, at);
  if (row->place != nullptr) {
    info.*(row->place) = number;
  }
  return true;
}

}  // namespace

Info parse_info(std::string_view text) {
  Info info;
  const Words words = base::split_words(text);
  std::size_t at = 0;
  // Free text to the end of the line.
  const auto rest = [&] {
    return at < words.size() ? std::string(base::trim(text.substr(static_cast<std::size_t>(
                                   words[at].data() - text.data()))))
                             : std::string();
  };
  while (at < words.size()) {
    const std::string_view field = words[at++];
    if (field == "string") {
      info.string = rest();
      return info;
    }
    if (field == "error") {
      info.error = rest();
      return info;
    }
    if (field == "multipv") {
      take_multipv(words, at, info);
    } else if (field == "score") {
      take_score(words, at, info);
    } else if (field == "currmove" && at < words.size()) {
      ++at;
    } else if (field == "pv") {
      info.pv = take_moves(words, at);
    } else if (field == "wdl") {
      for (int outcome = 0; outcome < 3; ++outcome) {
        static_cast<void>(take_int(words, at));
      }
    } else if (field == "refutation" || field == "currline" || field == "peg") {
      static_cast<void>(take_moves(words, at));
    } else if (!take_number_field(field, words, at, info) &&
               info.skipped.size() < Info::skipped_max) {
      info.skipped.emplace_back(field);
    }
  }
  return info;
}

}  // namespace kakehashi::usi
