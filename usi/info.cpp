#include "usi/info.hpp"

#include <array>

#include "base/text.hpp"

namespace kakehashi::usi {

namespace {

using Words = std::vector<std::string_view>;

/// Words that begin a field; a field's value ends before the next of them.
bool is_field(std::string_view word) {
  static constexpr std::array<std::string_view, 19> fields{
      "depth", "seldepth", "time",     "nodes",   "nps",       "hashfull",       "multipv",
      "score", "currmove", "pv",       "string",  "currline",  "currmovenumber", "cpuload",
      "tbhits", "sbhits",  "refutation", "lowerbound", "upperbound"};
  for (const std::string_view field : fields) {
    if (word == field) {
      return true;
    }
  }
  return false;
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

/// "cp 52", "mate 3", "mate -", each with "lowerbound" or "upperbound" behind it.
std::optional<Score> take_score(const Words& words, std::size_t& at) {
  Score score;
  if (at + 1 >= words.size()) {
    return std::nullopt;
  }
  const std::string_view kind = words[at];
  const std::string_view value = words[at + 1];
  if (kind == "cp") {
    const auto centipawns = base::parse_int(value);
    if (!centipawns) {
      return std::nullopt;
    }
    score.value = *centipawns;
  } else if (kind == "mate") {
    score.is_mate = true;
    if (value == "+" || value == "-") {
      score.mate_is_lost = value == "-";
    } else if (const auto plies = base::parse_int(value)) {
      score.value = *plies;
      score.mate_is_lost = *plies < 0 || value.starts_with('-');
    } else {
      return std::nullopt;
    }
  } else {
    return std::nullopt;
  }
  at += 2;
  if (at < words.size() && words[at] == "lowerbound") {
    score.bound = Score::Bound::lower;
    ++at;
  } else if (at < words.size() && words[at] == "upperbound") {
    score.bound = Score::Bound::upper;
    ++at;
  }
  return score;
}

}  // namespace

Info parse_info(std::string_view text) {
  Info info;
  const Words words = base::split_words(text);
  std::size_t at = 0;
  while (at < words.size()) {
    const std::string_view field = words[at++];
    if (field == "string") {
      // Free text to the end of the line.
      info.string = at < words.size() ? std::string(base::trim(text.substr(
                                            static_cast<std::size_t>(words[at].data() - text.data()))))
                                      : std::string();
      return info;
    }
    if (field == "depth") {
      info.depth = take_int(words, at);
    } else if (field == "seldepth") {
      info.seldepth = take_int(words, at);
    } else if (field == "time") {
      info.time_ms = take_int(words, at);
    } else if (field == "nodes") {
      info.nodes = take_int(words, at);
    } else if (field == "nps") {
      info.nps = take_int(words, at);
    } else if (field == "hashfull") {
      info.hashfull = take_int(words, at);
    } else if (field == "multipv") {
      info.multipv = take_int(words, at);
    } else if (field == "score") {
      info.score = take_score(words, at);
    } else if (field == "currmove" && at < words.size()) {
      info.currmove = words[at++];
    } else if (field == "pv") {
      for (; at < words.size() && !is_field(words[at]); ++at) {
        info.pv.emplace_back(words[at]);
      }
    }
  }
  return info;
}

}  // namespace kakehashi::usi
