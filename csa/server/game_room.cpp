#include "csa/server/game_room.hpp"

#include <utility>

#include "base/check.hpp"
#include "csa/server/referee.hpp"

namespace kakehashi::csa::server {
namespace {

void tell(RoomOutput& output, shogi::Color side, std::string line) {
  output.lines.push_back({side, std::move(line)});
}

void tell_both(RoomOutput& output, const std::string& line) {
  tell(output, shogi::Color::black, line);
  tell(output, shogi::Color::white, line);
}

/// The comment of a move line: its second field when it begins with an apostrophe.
std::string comment_of(std::string_view line) {
  const auto comma = line.find(',');
  if (comma == std::string_view::npos) {
    return {};
  }
  auto field = line.substr(comma + 1);
  field = field.substr(0, field.find(','));
  return field.starts_with('\'') ? std::string(field.substr(1)) : std::string();
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
                                       referee_.position(), now.wall});
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
    record(output, side, ruling, line, *seconds, now);
  }
  // An absent opponent loses, whatever the mover has just done.
  if (is_absent(other)) {
    end(output, Ending{EndReason::abnormal, side}, line, now);
  } else if (ruling.ending) {
    end(output, *ruling.ending, line, now);
  }
  return output;
}

void GameRoom::record(RoomOutput& output, shogi::Color side, const Ruling& ruling,
                      std::string_view line, std::int64_t seconds, base::Now now) {
  clock_.charge(side, seconds);
  turn_began_ = now.steady;
  tell_both(output, ruling.echo + ",T" + std::to_string(seconds));
  if (!ruling.move) {
    return;
  }
  moves_.push_back({side, *ruling.move, ruling.echo, seconds, comment_of(line), now.wall});
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
      "", now);
  return output;
}

RoomOutput GameRoom::leave(shogi::Color side, base::Now now) {
  KAKEHASHI_CHECK(is_playing(), "a side leaves a game that is played; before, it rejects");
  RoomOutput output;
  absent_[static_cast<std::size_t>(side)] = true;
  if (mover() == side) {
    end(output, Ending{EndReason::abnormal, shogi::opposite(side)}, "", now);
  }
  return output;
}

RoomOutput GameRoom::foul(shogi::Color side, std::string_view line, base::Now now) {
  KAKEHASHI_CHECK(is_playing(), "a foul outside of a game costs no game");
  RoomOutput output;
  end(output, Ending{EndReason::illegal_action, shogi::opposite(side)}, line, now);
  return output;
}

std::optional<base::SteadyTime> GameRoom::expiry() const {
  return is_playing() ? clock_.expiry(mover(), turn_began_) : std::nullopt;
}

void GameRoom::end(RoomOutput& output, const Ending& ending, std::string_view last_line,
                   base::Now now) {
  phase_ = Phase::over;
  for (const auto line : end_lines(ending.reason)) {
    tell_both(output, std::string(line));
  }
  for (const auto side : {shogi::Color::black, shogi::Color::white}) {
    tell(output, side, std::string(result_line(ending, side)));
  }
  output.reports.push_back(GameEnded{setup_.id, setup_.names, ending.reason, ending.winner, moves_,
                                     std::string(last_line), now.wall});
}

}  // namespace kakehashi::csa::server
