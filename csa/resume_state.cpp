#include "csa/resume_state.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace kakehashi::csa {

namespace {

constexpr base::Millis day = std::chrono::hours{24};

std::optional<base::Millis> read_clock(std::string_view value) {
  const auto millis = base::parse_int(value);
  return millis && *millis >= 0 ? std::optional(std::min(base::Millis{*millis}, day)) : std::nullopt;
}

}  // namespace

bool ResumeReader::feed(std::string_view line) {
  line = base::trim(line);
  if (line.starts_with("END ") || ++lines_ > lines_max) {
    return true;
  }
  const std::size_t colon = std::min(line.find(':'), line.size());
  const std::string_view key = line.substr(0, colon);
  const std::string_view value = base::trim(line.substr(std::min(colon + 1, line.size())));
  if (key == "Current_Turn" && (value == "+" || value == "-")) {
    state_.turn = value == "+" ? shogi::Color::black : shogi::Color::white;
  } else if (key == "Black_Time_Remaining_Ms") {
    state_.black = read_clock(value);
  } else if (key == "White_Time_Remaining_Ms") {
    state_.white = read_clock(value);
  } else if (key == "Last_Move") {
    state_.last_move = std::string(value.substr(0, 7));
  }
  return false;
}

}  // namespace kakehashi::csa
