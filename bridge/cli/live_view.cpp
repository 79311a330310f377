#include "bridge/cli/live_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "base/text.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::bridge::cli {
namespace {

using shogi::Color;
using shogi::PieceKind;

constexpr std::array<const char*, shogi::piece_kind_count> kanji_pieces = {
    "歩", "香", "桂", "銀", "金", "角", "飛", "玉", "と", "杏", "圭", "全", "馬", "龍"};
constexpr std::array<const char*, 9> kanji_ranks = {"一", "二", "三", "四", "五",
                                                    "六", "七", "八", "九"};
constexpr std::size_t last_moves_shown = 6;
constexpr std::size_t pv_bytes_max = 60;
constexpr std::size_t thoughts_rows = 4;
constexpr std::size_t end_rows = 2;

std::string piece_text(PieceKind kind, const Look& look) {
  return look.kanji ? kanji_pieces[static_cast<std::size_t>(kind)] : shogi::csa::piece_code(kind);
}

std::string hand_text(const shogi::Position& position, Color color, const Look& look) {
  std::string text;
  for (int i = shogi::hand_kind_count - 1; i >= 0; --i) {
    const auto kind = static_cast<PieceKind>(i);
    const int count = position.hand(color, kind);
    if (count > 0) {
      text += (text.empty() ? "" : " ") + piece_text(kind, look) +
              (count > 1 ? std::to_string(count) : "");
    }
  }
  return text.empty() ? "-" : text;
}

/// "4:05", "1:02:09"; a clock that has run out stands at 0:00.
std::string clock_text(base::Millis time) {
  const auto seconds = std::max<std::int64_t>(time.count(), 0) / 1000;
  return seconds >= 3600 ? fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
                         : fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

std::string seconds_text(base::Millis time) {
  return fmt::format("{:.1f} s", static_cast<double>(time.count()) / 1000.0);
}

/// The target square of the last move: "+7776FU" leads to 76.
std::optional<shogi::Square> last_target(const GameView& game) {
  if (game.moves.empty() || game.moves.back().move.size() != 7) {
    return std::nullopt;
  }
  const int file = game.moves.back().move[3] - '0';
  const int rank = game.moves.back().move[4] - '0';
  return shogi::Square::is_on_board(file, rank) ? std::optional(shogi::Square(file, rank))
                                                : std::nullopt;
}

std::string board_text(const GameView& game, const Look& look) {
  const auto marked = look.color ? last_target(game) : std::nullopt;
  std::string text = look.kanji ? "  ９ ８ ７ ６ ５ ４ ３ ２ １\n" : "   9  8  7  6  5  4  3  2  1\n";
  text += "+---------------------------+\n";
  for (int rank = 1; rank <= 9; ++rank) {
    text += '|';
    for (int file = 9; file >= 1; --file) {
      const shogi::Square square(file, rank);
      const auto piece = game.position.at(square);
      std::string cell = look.kanji ? " ・" : " * ";
      if (piece) {
        const char side = look.kanji ? (piece->color == Color::black ? ' ' : 'v')
                                     : shogi::csa::sign(piece->color);
        cell = side + piece_text(piece->kind, look);
      }
      text += marked == square ? "\x1b[7m" + cell + "\x1b[0m" : cell;
    }
    text += '|';
    text += look.kanji ? kanji_ranks[static_cast<std::size_t>(rank - 1)] : std::to_string(rank);
    text += '\n';
  }
  return text + "+---------------------------+\n";
}

std::string side_text(const WatchedGame& watched, Color color, base::SteadyTime now,
                      const Look& look) {
  const auto& game = *watched.game;
  const bool is_black = color == Color::black;
  const auto& main_time = is_black ? game.black_main_time : game.white_main_time;
  const auto& engine = is_black ? watched.black_engine : watched.white_engine;
  const bool is_thinking = !game.end && game.position.side_to_move() == color;
  const auto spent = std::max(base::millis_between(game.turn_started, now), base::Millis{0});

  std::string text = is_black ? (look.kanji ? "▲ black  " : "+ black  ")
                              : (look.kanji ? "△ white  " : "- white  ");
  text += plain(is_black ? game.black_name : game.white_name);
  if (!engine.empty()) {
    text += " (" + plain(engine) + ")";
  }
  if (main_time) {
    text += "   " + clock_text(is_thinking ? *main_time - spent : *main_time);
  }
  if (is_thinking) {
    text += "   thinking " + seconds_text(spent);
  }
  text += "\n  in hand: " + hand_text(game.position, color, look);
  return text + "\n";
}

std::string thought_text(std::string_view side, const std::optional<ViewedScore>& score) {
  std::string text = "  " + std::string(side) + ": ";
  if (!score) {
    return text + "-\n";
  }
  text += format_score(*score) + ", depth " + std::to_string(score->depth);
  const auto pv = plain(std::string_view(score->pv).substr(0, pv_bytes_max));
  return text + (pv.empty() ? "" : ", " + pv) + "\n";
}

/// Behind an empty line and a heading; without the heading where there is no room for it.
std::string last_moves_text(const GameView& game, std::size_t rows) {
  if (rows < 2) {
    return "";
  }
  const bool has_heading = rows >= 3;
  const auto count = game.moves.size();
  std::string text = has_heading ? "\nlast moves\n" : "\n";
  for (auto i = count - std::min({count, last_moves_shown, rows - (has_heading ? 2 : 1)}); i < count; ++i) {
    text += format_move_line(game, i, std::nullopt) + "\n";
  }
  return text;
}

}  // namespace

std::string plain(std::string_view text) {
  auto quoted = base::quote_for_log(text, 60);
  return quoted.size() >= 2 && quoted.front() == '"' ? quoted.substr(1, quoted.size() - 2) : quoted;
}

std::string format_score(const ViewedScore& score) {
  if (score.is_mate) {
    return "mate in " + std::to_string(std::abs(score.value)) +
           (score.value < 0 ? " for white" : " for black");
  }
  return (score.value > 0 ? "+" : "") + std::to_string(score.value);
}

std::string format_end(const GameView& game) {
  if (!game.end) {
    return "still running";
  }
  const auto& end = *game.end;
  const bool is_black = game.our_color == Color::black;
  const auto& ours = plain(is_black ? game.black_name : game.white_name);
  const auto& theirs = plain(is_black ? game.white_name : game.black_name);
  const auto reason = end.reason.empty() ? end.result : end.reason;
  const auto why = reason.empty() ? " (the server gave no reason)" : " (" + plain(reason) + ")";
  switch (end.outcome) {
    case csa::Outcome::win: return ours + " won" + why;
    case csa::Outcome::lose: return theirs + " won" + why;
    case csa::Outcome::draw: return "draw" + why;
    case csa::Outcome::none: return "no result" + why;
  }
  return "no result" + why;
}

std::string format_move_line(const GameView& game, std::size_t index,
                             const std::optional<ViewedScore>& score) {
  const auto& played = game.moves.at(index);
  std::string line = fmt::format("{:4} {}  {}", index + 1, plain(played.move), seconds_text(played.consumed));
  if (score) {
    line += "  " + format_score(*score) + " depth " + std::to_string(score->depth);
  }
  return line;
}

std::string render_live_view(const WatchedGame& watched, base::SteadyTime now, const Look& look) {
  std::string text = "game " + std::to_string(watched.number);
  if (watched.count) {
    text += " of " + std::to_string(*watched.count);
  }
  if (watched.game == nullptr) {
    return text + ": waiting for both bots\n";
  }
  const auto& game = *watched.game;
  text += ", move " + std::to_string(game.moves.size()) + "\n\n";
  text += side_text(watched, Color::white, now, look);
  text += board_text(game, look);
  text += side_text(watched, Color::black, now, look);
  const std::size_t above = live_view_rows_min - (game.end ? 0 : end_rows);
  std::size_t rows_left = look.rows - std::min(look.rows, above);
  if (rows_left >= thoughts_rows) {
    rows_left -= thoughts_rows;
    text += "\nevaluation, + is good for black\n";
    text += thought_text("black", watched.black_score);
    text += thought_text("white", watched.white_score);
  }
  text += last_moves_text(game, rows_left);
  if (game.end) {
    text += "\n" + format_end(game) + "\n";
  }
  return text;
}

}  // namespace kakehashi::bridge::cli
