#include "csa/server/summary_text.hpp"

#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::csa::server {
namespace {

using Lines = std::vector<std::string>;

std::string sign_text(shogi::Color color) { return {shogi::csa::sign(color)}; }

void append(Lines& lines, Lines more) {
  for (auto& line : more) {
    lines.push_back(std::move(line));
  }
}

void append_names(Lines& lines, const GameSetup& setup) {
  append(lines, {"BEGIN Game_Summary", "Protocol_Version:1.2", "Protocol_Mode:Server",
                 "Format:Shogi 1.0", "Declaration:Jishogi 1.1", "Game_ID:" + setup.id,
                 "Name+:" + setup.names[0], "Name-:" + setup.names[1]});
}

/// Up to Least_Time_Per_Move; the caller ends the Time block.
void append_terms(Lines& lines, const GameRoom& room, shogi::Color to_move) {
  const auto& clock = room.setup().clock;
  append(lines,
         {"Rematch_On_Draw:NO", "To_Move:" + sign_text(to_move),
          "Max_Moves:" + std::to_string(room.setup().max_moves), "BEGIN Time",
          // The stop-watch announces minutes although its numbers are seconds.
          clock.is_stop_watch ? "Time_Unit:1min" : "Time_Unit:1sec",
          "Total_Time:" + std::to_string(clock.total_s),
          "Byoyomi:" + std::to_string(clock.byoyomi_s),
          "Increment:" + std::to_string(clock.increment_s),
          "Least_Time_Per_Move:" + std::to_string(clock.least_time_s)});
}

void append_position(Lines& lines, const shogi::Position& position) {
  lines.emplace_back("BEGIN Position");
  append(lines, board_lines(position));
  lines.push_back(sign_text(position.side_to_move()));
}

}  // namespace

std::vector<std::string> board_lines(const shogi::Position& position) {
  Lines lines;
  const auto text = shogi::csa::format_board(position);
  for (const auto line : base::split(text, '\n')) {
    if (!line.empty()) {
      lines.emplace_back(line);
    }
  }
  return lines;
}

std::vector<std::string> summary_lines(const GameRoom& room, shogi::Color side) {
  Lines lines;
  append_names(lines, room.setup());
  lines.push_back("Your_Turn:" + sign_text(side));
  append_terms(lines, room, room.referee().position().side_to_move());
  lines.emplace_back("END Time");
  append_position(lines, room.setup().start);
  for (const auto& move : room.setup().moves) {
    lines.push_back(move.text + ",T" + std::to_string(move.seconds));
  }
  append(lines, {"END Position", "END Game_Summary"});
  return lines;
}

std::vector<std::string> show_lines(const GameRoom& room) {
  Lines lines;
  append_names(lines, room.setup());
  const auto& moves = room.moves();
  append_terms(lines, room, room.setup().start.side_to_move());
  append(lines,
         {"Remaining_Time+:" + std::to_string(room.clock().main_time_s(shogi::Color::black)),
          "Remaining_Time-:" + std::to_string(room.clock().main_time_s(shogi::Color::white)),
          "Last_Move:" + (moves.empty() ? std::string()
                                        : moves.back().text + ",T" +
                                              std::to_string(moves.back().seconds)),
          "Current_Turn:" + std::to_string(room.referee().plies()), "END Time"});
  append_position(lines, room.referee().position());
  append(lines, {"END Position", "END Game_Summary"});
  return lines;
}

}  // namespace kakehashi::csa::server
