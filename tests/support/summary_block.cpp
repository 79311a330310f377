#include "support/summary_block.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::support {

namespace {

using Lines = std::vector<std::string>;

class Words {
 public:
  explicit Words(std::string_view text) {
    for (const std::string_view word : base::split_words(text)) {
      const std::size_t sign = word.find('=');
      values_.emplace(std::string(word.substr(0, sign)),
                      sign == std::string_view::npos ? "" : std::string(word.substr(sign + 1)));
    }
  }

  [[nodiscard]] std::string take(const std::string& key, const std::string& otherwise) {
    const auto found = values_.find(key);
    if (found == values_.end()) {
      return otherwise;
    }
    std::string value = found->second;
    values_.erase(found);
    return value;
  }
  /// Each word is known or a mistake.
  [[nodiscard]] std::string left_over() const {
    return values_.empty() ? "" : values_.begin()->first;
  }

 private:
  std::map<std::string, std::string> values_;
};

void add_clock(Lines& lines, const std::string& suffix, const std::string& words,
               const std::string& unit) {
  lines.push_back("BEGIN Time" + suffix);
  lines.push_back("Time_Unit:" + unit);
  for (const std::string_view piece : base::split(words, ',')) {
    const std::size_t colon = piece.find(':');
    std::string key(piece.substr(0, colon));
    const std::string value(piece.substr(colon + 1));
    key = key == "total"       ? "Total_Time"
          : key == "byoyomi"   ? "Byoyomi"
          : key == "increment" ? "Increment"
                               : key;
    lines.push_back(key + ":" + value);
  }
  lines.push_back("END Time" + suffix);
}

base::Result<Lines> board_lines(const std::string& board) {
  if (!board.starts_with("sfen:")) {
    return Lines{board};
  }
  std::string sfen = board.substr(5);
  std::replace(sfen.begin(), sfen.end(), '_', ' ');
  const auto position = shogi::usi::parse_sfen(sfen);
  if (!position) {
    return base::fail(base::verbatim("board=" + board + ": " + position.error().what.english()));
  }
  Lines lines;
  std::string text = shogi::csa::format_board(*position);
  for (const std::string_view line : base::split(text, '\n')) {
    if (!line.empty()) {
      lines.emplace_back(line);
    }
  }
  return lines;
}

const char* const startpos_board =
    "sfen:lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL_b_-_1";

}  // namespace

base::Result<Lines> write_summary_block(std::string_view text) {
  Words words(text);
  const std::string us = words.take("your_turn", "+");
  const std::string foe = words.take("foe", "foe");
  const std::string turn = words.take("turn", "+");
  const std::string moves = words.take("moves", "");
  const std::string declaration = words.take("declaration", "Jishogi 1.1");
  const std::string drop = words.take("drop", "");
  const bool has_blank_lines = words.take("blank_lines", "no") == "yes";
  std::string to_move = turn;
  if (!moves.empty()) {
    to_move = base::split(moves, '/').back().front() == '+' ? "-" : "+";
  }

  Lines lines{"BEGIN Game_Summary",
              "Protocol_Version:1.2",
              "Protocol_Mode:" + words.take("mode", "Server"),
              "Format:" + words.take("format", "Shogi") + " 1.0"};
  if (declaration != "none") {
    lines.push_back("Declaration:" + declaration);
  }
  lines.push_back("Game_ID:" + words.take("id", "test+1"));
  lines.push_back("Name+:" + (us == "+" ? std::string("mybot") : foe));
  lines.push_back("Name-:" + (us == "+" ? foe : std::string("mybot")));
  lines.push_back("Your_Turn:" + us);
  lines.push_back("Rematch_On_Draw:NO");
  lines.push_back("To_Move:" + words.take("to_move", to_move));
  if (const std::string max_moves = words.take("max_moves", "256"); max_moves != "none") {
    lines.push_back("Max_Moves:" + max_moves);
  }

  const std::string unit = words.take("unit", "1sec");
  const std::string total = words.take("total", "300");
  const std::string byoyomi = words.take("byoyomi", "0");
  const std::string increment = words.take("increment", "10");
  const std::string least = words.take("least", "0");
  const std::string black_clock = words.take("time+", "");
  const std::string white_clock = words.take("time-", "");
  const bool has_clock = words.take("time", "") != "none";
  if (!black_clock.empty()) {
    add_clock(lines, "+", black_clock, unit);
  }
  if (!white_clock.empty()) {
    add_clock(lines, "-", white_clock, unit);
  }
  if (has_clock && black_clock.empty() && white_clock.empty()) {
    std::string clock = total == "none" ? "" : "total:" + total + ",";
    clock += "byoyomi:" + byoyomi + ",increment:" + increment + ",Least_Time_Per_Move:" + least;
    add_clock(lines, "", clock, unit);
  }

  const auto board = board_lines(words.take("board", startpos_board));
  if (!board) {
    return base::fail(board.error().what);
  }
  lines.emplace_back("BEGIN Position");
  lines.insert(lines.end(), board->begin(), board->end());
  lines.push_back(turn);
  if (!moves.empty()) {
    for (const std::string_view move : base::split(moves, '/')) {
      lines.emplace_back(move);
    }
  }
  lines.emplace_back("END Position");
  if (const std::string extra = words.take("extra", ""); !extra.empty()) {
    lines.push_back(extra);
  }
  lines.emplace_back("END Game_Summary");

  if (const std::string unknown = words.left_over(); !unknown.empty()) {
    return base::fail(base::verbatim("no such word of a summary: " + unknown));
  }
  if (!drop.empty()) {
    std::erase_if(lines, [&](const std::string& line) { return line.starts_with(drop + ":"); });
  }
  if (has_blank_lines) {
    Lines spaced;
    for (const std::string& line : lines) {
      spaced.push_back(line);
      if (line != lines.back()) {
        spaced.emplace_back("");
      }
    }
    return spaced;
  }
  return lines;
}

}  // namespace kakehashi::support
