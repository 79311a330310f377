#include "rehearse/server/game_room.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::rehearse::server {

// --- the clocks

ChessClock::ChessClock(const ClockRules& rules)
    : rules_(rules), main_s_{rules.total_s, rules.total_s} {}

std::int64_t ChessClock::charged_s(base::SteadyTime turn_began, base::SteadyTime now) const {
  const auto elapsed = std::chrono::floor<base::Seconds>(now - turn_began);
  const auto whole = std::max<std::int64_t>(elapsed.count(), 0);
  if (rules_.is_stop_watch) {
    return whole / rules_.byoyomi_s * rules_.byoyomi_s;
  }
  return std::max(whole, rules_.least_time_s);
}

std::optional<std::int64_t> ChessClock::judge(shogi::Color mover, base::SteadyTime turn_began,
                                              base::SteadyTime now) const {
  const auto t = charged_s(turn_began, now);
  if (rules_.is_untimed()) {
    return t;
  }
  const auto main = main_time_s(mover);
  const bool lost = rules_.is_stop_watch
                        ? main <= t
                        : main - t + rules_.byoyomi_s + rules_.increment_s <= 0;
  return lost ? std::nullopt : std::optional(t);
}

void ChessClock::charge(shogi::Color mover, std::int64_t seconds) {
  if (rules_.is_untimed()) {
    return;
  }
  auto& main = main_s_[static_cast<std::size_t>(mover)];
  main = std::max<std::int64_t>(0, main + rules_.increment_s - seconds);
}

std::optional<base::SteadyTime> ChessClock::expiry(shogi::Color mover,
                                                   base::SteadyTime turn_began) const {
  if (rules_.is_untimed()) {
    return std::nullopt;
  }
  const auto main = main_time_s(mover);
  if (rules_.is_stop_watch) {
    // The first whole slice that reaches M; at M = 0 the turn is lost as it begins.
    const auto slices = (main + rules_.byoyomi_s - 1) / rules_.byoyomi_s;
    return turn_began + base::Seconds(slices * rules_.byoyomi_s);
  }
  const auto budget = main + rules_.byoyomi_s + rules_.increment_s;
  return turn_began + base::Seconds(rules_.least_time_s >= budget ? 0 : budget);
}

// --- the game

namespace {

void tell(RoomOutput& output, shogi::Color side, std::string line) {
  output.lines.push_back({side, std::move(line)});
}

void tell_both(RoomOutput& output, const std::string& line) {
  tell(output, shogi::Color::black, line);
  tell(output, shogi::Color::white, line);
}

}  // namespace

GameRoom::GameRoom(GameSetup setup)
    : setup_(std::move(setup)),
      clock_(setup_.clock),
      referee_(setup_.start, setup_.max_moves) {
  for (const auto& move : setup_.moves) {
    KAKEHASHI_CHECK(referee_.play_listed(move.text), "a prepared start holds legal moves");
  }
}

bool GameRoom::is_turn(shogi::Color side) const { return is_playing() && mover() == side; }

bool GameRoom::is_repeated(std::string_view line) const {
  return !moves_.empty() && moves_.back().text == line.substr(0, line.find(','));
}

RoomOutput GameRoom::agree(shogi::Color side, base::Now now) {
  KAKEHASHI_CHECK(phase_ == Phase::agreeing, "agreement comes before the game");
  RoomOutput output;
  agreed_[static_cast<std::size_t>(side)] = true;
  if (!agreed_[0] || !agreed_[1]) {
    return output;
  }
  phase_ = Phase::playing;
  turn_began_ = now.steady;
  tell_both(output, "START:" + setup_.id);
  output.reports.push_back(GameStarted{setup_.id, setup_.names, setup_.clock, setup_.max_moves,
                                       referee_.position()});
  return output;
}

RoomOutput GameRoom::reject(std::string_view by) {
  KAKEHASHI_CHECK(phase_ == Phase::agreeing, "only a game that was not started is rejected");
  RoomOutput output;
  phase_ = Phase::over;
  tell_both(output, "REJECT:" + setup_.id + " by " + std::string(by));
  output.reports.push_back(GameRejected{setup_.id, setup_.names, std::string(by)});
  return output;
}

RoomOutput GameRoom::play(std::string_view line, base::Now now) {
  KAKEHASHI_CHECK(is_playing(), "lines are judged while the game is played");
  const auto side = mover();
  const auto other = shogi::opposite(side);
  const auto seconds = clock_.judge(side, turn_began_, now.steady);
  if (!seconds) {
    return look_at_clock(now);
  }
  RoomOutput output;
  const auto ruling = referee_.judge(line);
  if (!ruling.echo.empty()) {
    record(output, side, ruling, *seconds, now);
  }
  // An absent opponent loses, whatever the mover has just done.
  if (is_absent(other)) {
    end(output, Ending{EndReason::abnormal, side}, line);
  } else if (ruling.ending) {
    end(output, *ruling.ending, line);
  }
  return output;
}

void GameRoom::record(RoomOutput& output, shogi::Color side, const Ruling& ruling, std::int64_t seconds, base::Now now) {
  clock_.charge(side, seconds);
  turn_began_ = now.steady;
  tell_both(output, ruling.echo + ",T" + std::to_string(seconds));
  if (!ruling.move) {
    return;
  }
  moves_.push_back({side, *ruling.move, ruling.echo, seconds});
  output.reports.push_back(MovePlayed{
      setup_.id, referee_.plies(), moves_.back(),
      {clock_.main_time_s(shogi::Color::black), clock_.main_time_s(shogi::Color::white)}});
}

RoomOutput GameRoom::look_at_clock(base::Now now) {
  RoomOutput output;
  if (!is_playing() || clock_.judge(mover(), turn_began_, now.steady)) {
    return output;
  }
  const auto other = shogi::opposite(mover());
  end(output,
      is_absent(other) ? Ending{EndReason::abnormal, mover()} : Ending{EndReason::time_up, other},
      "");
  return output;
}

RoomOutput GameRoom::leave(shogi::Color side) {
  KAKEHASHI_CHECK(is_playing(), "a side leaves a game that is played; before, it rejects");
  RoomOutput output;
  absent_[static_cast<std::size_t>(side)] = true;
  if (mover() == side) {
    end(output, Ending{EndReason::abnormal, shogi::opposite(side)}, "");
  }
  return output;
}

RoomOutput GameRoom::foul(shogi::Color side, std::string_view line) {
  KAKEHASHI_CHECK(is_playing(), "a foul outside of a game costs no game");
  RoomOutput output;
  end(output, Ending{EndReason::illegal_action, shogi::opposite(side)}, line);
  return output;
}

std::optional<base::SteadyTime> GameRoom::expiry() const {
  return is_playing() ? clock_.expiry(mover(), turn_began_) : std::nullopt;
}

void GameRoom::end(RoomOutput& output, const Ending& ending, std::string_view last_line) {
  phase_ = Phase::over;
  for (const auto line : end_lines(ending.reason)) {
    tell_both(output, std::string(line));
  }
  for (const auto side : {shogi::Color::black, shogi::Color::white}) {
    tell(output, side, std::string(result_line(ending, side)));
  }
  output.reports.push_back(GameEnded{setup_.id, setup_.names, ending.reason, ending.winner, moves_,
                                     std::string(last_line)});
}

// --- its summary

namespace {

void append_position(std::vector<std::string>& lines, const shogi::Position& position) {
  lines.emplace_back("BEGIN Position");
  const auto text = shogi::csa::format_board(position);
  for (const auto line : base::split(text, '\n')) {
    if (!line.empty()) {
      lines.emplace_back(line);
    }
  }
  lines.emplace_back(1, shogi::csa::sign(position.side_to_move()));
}

}  // namespace

std::vector<std::string> summary_lines(const GameRoom& room, shogi::Color side) {
  const auto& setup = room.setup();
  const auto& clock = setup.clock;
  std::vector<std::string> lines{
      "BEGIN Game_Summary", "Protocol_Version:1.2", "Protocol_Mode:Server", "Format:Shogi 1.0", "Declaration:Jishogi 1.1",
      "Game_ID:" + setup.id,
      "Name+:" + setup.names[0],
      "Name-:" + setup.names[1],
      std::string("Your_Turn:") + shogi::csa::sign(side),
      "Rematch_On_Draw:NO",
      std::string("To_Move:") + shogi::csa::sign(room.referee().position().side_to_move()),
      "Max_Moves:" + std::to_string(setup.max_moves),
      "BEGIN Time",
      // The stop-watch announces minutes although its numbers are seconds.
      clock.is_stop_watch ? "Time_Unit:1min" : "Time_Unit:1sec",
      "Total_Time:" + std::to_string(clock.total_s),
      "Byoyomi:" + std::to_string(clock.byoyomi_s),
      "Increment:" + std::to_string(clock.increment_s),
      "Least_Time_Per_Move:" + std::to_string(clock.least_time_s),
      "END Time"};
  append_position(lines, setup.start);
  for (const auto& move : setup.moves) {
    lines.push_back(move.text + ",T" + std::to_string(move.seconds));
  }
  lines.emplace_back("END Position");
  lines.emplace_back("END Game_Summary");
  return lines;
}

}  // namespace kakehashi::rehearse::server
