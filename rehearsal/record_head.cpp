#include "rehearsal/record_head.hpp"

#include <chrono>
#include <cstdint>
#include <utility>

#include "rehearsal/summary_text.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::rehearsal {
namespace {

std::string two_digits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

/// "2026/01/02 03:04:05" (UTC).
std::string format_time(base::WallTime wall) {
  const auto day = std::chrono::floor<std::chrono::days>(wall);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<base::Seconds>(wall - day));
  return std::to_string(static_cast<int>(date.year())) + "/" +
         two_digits(static_cast<unsigned>(date.month())) + "/" +
         two_digits(static_cast<unsigned>(date.day())) + " " + two_digits(time.hours().count()) +
         ":" + two_digits(time.minutes().count()) + ":" + two_digits(time.seconds().count());
}

bool has_trip(const std::string& player_id) { return player_id.find('+') != std::string::npos; }

}  // namespace

std::vector<std::string> record_head(const GameRoom& room,
                                     const std::array<std::string, 2>& player_ids,
                                     base::WallTime paired_at) {
  const auto& setup = room.setup();
  std::vector<std::string> lines = {
      "V2",
      "N+" + setup.names[0],
      "N-" + setup.names[1],
      "'Max_Moves:" + std::to_string(setup.max_moves),
      "'Least_Time_Per_Move:" + std::to_string(setup.clock.least_time_s),
      "'Increment:" + std::to_string(setup.clock.increment_s),
      "$EVENT:" + setup.id,
      "$START_TIME:" + format_time(paired_at),
  };
  for (auto& line : board_lines(setup.start)) {
    lines.push_back(std::move(line));
  }
  lines.emplace_back(1, shogi::csa::sign(setup.start.side_to_move()));
  if (has_trip(player_ids[0]) && has_trip(player_ids[1])) {
    lines.push_back("'rating:" + player_ids[0] + ":" + player_ids[1]);
  }
  for (const auto& move : setup.moves) {
    lines.push_back(move.text);
    lines.push_back("T" + std::to_string(move.seconds));
  }
  for (const auto& move : room.moves()) {
    lines.push_back(move.text);
    lines.push_back("T" + std::to_string(move.seconds));
    if (!move.comment.empty()) {
      lines.push_back("'*" + move.comment);
    }
  }
  return lines;
}

}  // namespace kakehashi::rehearsal
