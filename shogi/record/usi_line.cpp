#include "shogi/record/usi_line.hpp"

#include <utility>

#include "base/text.hpp"
#include "shogi/notation/usi.hpp"
#include "shogi/record/game_builder.hpp"

namespace kakehashi::shogi::record {

namespace {

using Words = std::vector<std::string_view>;

/// The start that the words name, which are then gone.
base::Result<Position> take_start(Words& words) {
  if (words.front() == "position") {
    words.erase(words.begin());
  }
  if (!words.empty() && words.front() == "startpos") {
    words.erase(words.begin());
    return Position::startpos();
  }
  if (!words.empty() && words.front() == "sfen") {
    words.erase(words.begin());
  }
  std::string sfen;
  std::size_t taken = 0;
  while (taken < words.size() && taken < 4 && words[taken] != "moves") {
    sfen += (taken == 0 ? "" : " ") + std::string(words[taken]);
    ++taken;
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(taken));
  return usi::parse_sfen(sfen);
}

base::Result<Record> read_line(std::string_view line, std::size_t number) {
  GameBuilder game(std::chrono::minutes{0});
  game.set_place("line " + std::to_string(number));
  Words words = base::split_words(line);
  if (auto trouble = game.start(take_start(words))) {
    return base::fail(std::move(*trouble));
  }
  if (!words.empty() && words.front() != "moves") {
    return base::fail(game.at_place(base::quote_for_log(words.front(), 80) +
                                    " stands where moves is due"));
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool is_last = i + 1 == words.size();
    const auto trouble = is_last && words[i] == "resign" ? game.end(EndingKind::toryo)
                         : is_last && words[i] == "win"  ? game.end(EndingKind::kachi)
                                                         : game.play(usi::parse_move(words[i]),
                                                                     words[i]);
    if (trouble) {
      return base::fail(*trouble);
    }
  }
  return game.finish();
}

}  // namespace

std::string write_usi_line(const Record& record) {
  std::string line = record.start == Position::startpos()
                         ? "position startpos"
                         : "position sfen " + usi::format_sfen(record.start);
  line += record.moves.empty() ? "" : " moves";
  for (const RecordedMove& move : record.moves) {
    line += " " + usi::format_move(move.move);
  }
  return line + "\n";
}

base::Result<std::vector<Record>> read_usi_lines(std::string_view text) {
  std::vector<Record> records;
  std::size_t number = 0;
  for (const std::string_view whole : base::split(text, '\n')) {
    ++number;
    const std::string_view line = base::trim(whole);
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    auto record = read_line(line, number);
    if (!record) {
      return base::fail(record.error().what);
    }
    records.push_back(std::move(*record));
  }
  return records;
}

}  // namespace kakehashi::shogi::record
