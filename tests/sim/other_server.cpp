#include "sim/other_server.hpp"

#include <utility>

#include "base/text.hpp"
#include "rehearse/server/game_room.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::sim {

using rehearse::server::EndReason;
using shogi::Color;
using Output = rehearse::server::Output;

namespace {

constexpr base::Seconds agree_window{60};
constexpr base::Seconds rest{2};

std::size_t index_of(Color color) { return static_cast<std::size_t>(color); }

}  // namespace

bool is_taken_by_the_lenient(shogi::Verdict verdict) {
  return verdict == shogi::Verdict::legal || verdict == shogi::Verdict::two_pawns ||
         verdict == shogi::Verdict::drop_pawn_mate || verdict == shogi::Verdict::king_left_in_check;
}

void OtherServer::send(Id id, std::string line) {
  if (names_.contains(id) || line.starts_with("LOGIN:incorrect")) {
    output_.orders.emplace_back(rehearse::server::SendLine{id, std::move(line)});
  }
}

void OtherServer::send_both(const std::string& line) {
  send(game_.players[0], line);
  send(game_.players[1], line);
}

bool OtherServer::has_side(Id id) const {
  return game_.phase != Phase::none && (game_.players[0] == id || game_.players[1] == id);
}

Color OtherServer::side_of(Id id) const { return game_.players[0] == id ? Color::black : Color::white; }

std::int64_t OtherServer::budget_s() const {
  return game_.main_s[index_of(game_.position.side_to_move())] + clock_.byoyomi_s + clock_.increment_s;
}

Output OtherServer::connected(Id, base::Now now) {
  now_ = now;
  return std::exchange(output_, {});
}

Output OtherServer::on_line(Id id, std::string_view line, base::Now now) {
  now_ = now;
  look_at_clock();
  if (!names_.contains(id)) {
    log_in(id, line);
  } else if (base::trim(line).empty()) {
    send(id, "");
  } else if (line == "LOGOUT") {
    send(id, "LOGOUT:completed");
    output_.orders.emplace_back(rehearse::server::CloseConnection{id});
    Output said = std::exchange(output_, {});
    Output left = on_closed(id, now);
    said.orders.insert(said.orders.end(), left.orders.begin(), left.orders.end());
    said.reports.insert(said.reports.end(), left.reports.begin(), left.reports.end());
    return said;
  } else if (!has_side(id)) {
    // CHALLENGE and the like: everybody who waits is paired anyway.
  } else if (game_.phase == Phase::agreeing) {
    // Of the game that is offered, and not of one before.
    if (line == "AGREE" || line == "AGREE " + game_.id) {
      agree(id);
    } else if (line.starts_with("REJECT")) {
      reject(names_[id]);
    }
  } else if (side_of(id) == game_.position.side_to_move() && !line.starts_with("AGREE")) {
    play(id, line);
  }
  pair();
  return std::exchange(output_, {});
}

void OtherServer::log_in(Id id, std::string_view line) {
  const auto words = base::split_words(line);
  if (words.size() != 3 || words[0] != "LOGIN") {
    send(id, "LOGIN:incorrect");
    return;
  }
  for (const auto& [other, name] : names_) {
    if (name == words[1]) {
      if (has_side(other) && game_.phase == Phase::playing) {
        send(id, "LOGIN:incorrect already_logged_in");
        return;
      }
      output_.orders.emplace_back(rehearse::server::CloseConnection{other});
      if (has_side(other)) {
        reject(name);
      }
      names_.erase(other);
      break;
    }
  }
  names_[id] = std::string(words[1]);
  send(id, "LOGIN:" + names_[id] + " OK");
}

void OtherServer::pair() {
  if (game_.phase != Phase::none || names_.size() < 2 || now_.steady < rests_until_) {
    return;
  }
  auto first = names_.begin();
  auto second = std::next(first);
  if (++games_ % 2 == 0) {
    std::swap(first, second);
  }
  game_ = Game{.phase = Phase::agreeing,
               .id = "20260102-" + std::to_string(games_),
               .players = {first->first, second->first},
               .names = {first->second, second->second},
               .position = shogi::Position::startpos(),
               .main_s = {clock_.total_s, clock_.total_s},
               .agree_by = now_.steady + agree_window,
               .moves = {}};
  send_summary(Color::black);
  send_summary(Color::white);
}

/// The position stands before the times, unknown keys and blocks among them; what is zero is not said.
void OtherServer::send_summary(Color side) {
  const Id id = game_.players[index_of(side)];
  const auto say = [&](const std::string& line) { send(id, line); };
  say("BEGIN Game_Summary");
  say("Protocol_Version:1.2.1");
  say("Server_Software:other");
  say("Format:Shogi 1.0");
  say("Your_Turn:" + std::string(1, shogi::csa::sign(side)));
  say("Game_ID:" + game_.id);
  say("Name-:" + game_.names[1]);
  say("Name+:" + game_.names[0]);
  say("BEGIN Hints");
  say("Colour:blue");
  say("END Hints");
  say("BEGIN Position");
  const std::string board = shogi::csa::format_board(game_.position);
  for (const std::string_view line : base::split(std::string_view(board).substr(0, board.size() - 1), '\n')) {
    say(std::string(line));
  }
  say("+");
  say("END Position");
  if (!clock_.is_untimed()) {
    say("BEGIN Time");
    say("Time_Unit:1000msec");
    say("Total_Time:" + std::to_string(clock_.total_s));
    if (clock_.byoyomi_s > 0) {
      say("Byoyomi:" + std::to_string(clock_.byoyomi_s));
    }
    if (clock_.increment_s > 0) {
      say("Increment:" + std::to_string(clock_.increment_s));
    }
    say("END Time");
  }
  say("To_Move:+");
  say("Max_Moves:" + std::to_string(max_moves_));
  say("END Game_Summary");
}

void OtherServer::agree(Id id) {
  game_.agreed[index_of(side_of(id))] = true;
  if (!game_.agreed[0] || !game_.agreed[1]) {
    return;
  }
  game_.phase = Phase::playing;
  game_.turn_began = now_.steady;
  send_both("START:" + game_.id);
  output_.reports.push_back(rehearse::server::GameStarted{game_.id, game_.names, clock_, max_moves_,
                                                   game_.position});
}

void OtherServer::reject(const std::string& by) {
  send_both("REJECT:" + game_.id + " by " + by);
  output_.reports.push_back(rehearse::server::GameRejected{game_.id, game_.names, by});
  game_.phase = Phase::none;
  rests_until_ = now_.steady + rest;
}

void OtherServer::play(Id id, std::string_view line) {
  const Color side = side_of(id);
  const Color other = shogi::opposite(side);
  const auto seconds = std::chrono::floor<base::Seconds>(now_.steady - game_.turn_began).count();
  const std::string text(line.substr(0, std::min(line.find(','), line.size())));
  const std::string time = ",T" + std::to_string(seconds);
  if (text == "%TORYO") {
    send_both(text + time);
    end(EndReason::resign, "#RESIGN", other, line);
    return;
  }
  const auto move = shogi::csa::parse_move(game_.position, text);
  if (!move || !is_taken_by_the_lenient(shogi::judge(game_.position, *move))) {
    end(text == "%KACHI" ? EndReason::wrong_declaration : EndReason::illegal_move, "#ILLEGAL_MOVE",
        other, line);
    return;
  }
  const bool takes_king = game_.position.king(other) == move->to();
  send_both(text + time);
  if (takes_king) {
    end(EndReason::king_left_in_check, "#ILLEGAL_MOVE", side, line);
    return;
  }
  game_.position.play(*move);
  auto& main_s = game_.main_s[index_of(side)];
  main_s = std::max<std::int64_t>(0, main_s + clock_.increment_s - seconds);
  game_.turn_began = now_.steady;
  game_.moves.push_back({side, *move, text, seconds});
  output_.reports.push_back(rehearse::server::MovePlayed{
      game_.id, static_cast<int>(game_.moves.size()), game_.moves.back(), game_.main_s});
  if (max_moves_ > 0 && static_cast<int>(game_.moves.size()) >= max_moves_) {
    end(EndReason::max_moves, "#MAX_MOVES", std::nullopt, line);
  }
}

void OtherServer::end(EndReason reason, const char* word, std::optional<Color> winner,
                      std::string_view last_line) {
  send_both(word);
  for (const Color side : {Color::black, Color::white}) {
    const char* lone = reason == EndReason::max_moves ? "#CENSORED" : "#DRAW";
    send(game_.players[index_of(side)], !winner ? lone : *winner == side ? "#WIN" : "#LOSE");
  }
  output_.reports.push_back(rehearse::server::GameEnded{game_.id, game_.names, reason, winner, game_.moves,
                                                 std::string(last_line)});
  game_.phase = Phase::none;
  rests_until_ = now_.steady + rest;
}

void OtherServer::look_at_clock() {
  if (game_.phase == Phase::agreeing && game_.agree_by <= now_.steady) {
    reject("the Server (timed out)");
  }
  if (const auto deadline = next_deadline();
      game_.phase == Phase::playing && deadline && *deadline <= now_.steady) {
    end(EndReason::time_up, "#TIME_UP", shogi::opposite(game_.position.side_to_move()), "");
  }
}

Output OtherServer::on_closed(Id id, base::Now now) {
  now_ = now;
  names_.erase(id);
  if (has_side(id)) {
    if (game_.phase == Phase::agreeing) {
      reject(game_.names[index_of(side_of(id))]);
    } else {
      end(EndReason::abnormal, "#ABNORMAL", shogi::opposite(side_of(id)), "");
    }
  }
  pair();
  return std::exchange(output_, {});
}

Output OtherServer::on_timer(base::Now now) {
  now_ = now;
  look_at_clock();
  pair();
  return std::exchange(output_, {});
}

std::optional<base::SteadyTime> OtherServer::next_deadline() const {
  switch (game_.phase) {
    case Phase::none:
      return names_.size() < 2 ? std::nullopt : std::optional(rests_until_);
    case Phase::agreeing: return game_.agree_by;
    case Phase::playing:
      return clock_.is_untimed() ? std::nullopt
                                 : std::optional(game_.turn_began + base::Seconds(budget_s()));
  }
  return std::nullopt;
}

}  // namespace kakehashi::sim
