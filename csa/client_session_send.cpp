// What the session sends, and when it may.
#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"
#include "csa/client_session.hpp"

namespace kakehashi::csa {

using base::SteadyTime;

std::string ClientSession::sent(std::string line, SteadyTime now) {
  last_sent_ = now;
  return line;
}

std::string ClientSession::sent_on_turn(std::string line, SteadyTime now) {
  if (!reason_.empty()) {
    silence_ = now + result_patience;  // the end was doubted: now the server has the word
  }
  return sent(std::move(line), now);
}

std::string ClientSession::login_line(std::string_view name, std::string_view password,
                                      std::string_view tail, SteadyTime now) {
  KAKEHASHI_CHECK(state_ == State::connected, "LOGIN is the first line and is sent once");
  state_ = State::logging_in;
  // Room for all of it: growing would leave copies of the password behind in freed memory.
  std::string line;
  line.reserve(std::string_view("LOGIN  ").size() + name.size() + password.size() + tail.size() + 1);
  line.append("LOGIN ").append(name).append(" ").append(password).append(tail);
  return sent(std::move(line), now);
}

std::string ClientSession::login(std::string_view name, std::string_view password,
                                 SteadyTime now) {
  return login_line(name, password, "", now);
}

std::string ClientSession::login_x1(std::string_view name, std::string_view password,
                                    SteadyTime now) {
  return login_line(name, password, " x1", now);
}

std::string ClientSession::login_again(std::string_view name, std::string_view password,
                                       std::string_view game_id, std::string_view token,
                                       SteadyTime now) {
  asked_back_ = game_id;
  return login_line(name, password, " reconnect:" + std::string(game_id) + "+" + std::string(token),
                    now);
}

std::string ClientSession::ask(std::string_view request, SteadyTime now) {
  KAKEHASHI_CHECK(state_ == State::waiting || state_ == State::ended,
                  "a game is asked for while there is none");
  return sent(std::string(request), now);
}

std::string ClientSession::with_game_id(std::string_view answer) const {
  // The id is the server's own text: a carriage return in it would end our line.
  const bool is_sendable = !game_id_.empty() && !base::has_control_byte(game_id_);
  return is_sendable ? std::string(answer) + " " + game_id_ : std::string(answer);
}

std::string ClientSession::agree(SteadyTime now) {
  KAKEHASHI_CHECK(state_ == State::summary, "AGREE answers a game summary");
  state_ = State::agreed;
  return sent(with_game_id("AGREE"), now);
}

std::string ClientSession::reject(SteadyTime now) {
  KAKEHASHI_CHECK(state_ == State::summary, "REJECT answers a game summary");
  state_ = State::waiting;
  return sent(with_game_id("REJECT"), now);
}

std::string ClientSession::logout(SteadyTime now) {
  KAKEHASHI_CHECK(state_ == State::waiting || state_ == State::ended,
                  "LOGOUT is sent while waiting for a game");
  return sent("LOGOUT", now);
}

std::string ClientSession::move(std::string_view move, std::string_view comment, SteadyTime now) {
  KAKEHASHI_CHECK(may_send_move(), "a move is sent on our turn, once");
  sent_ = move;
  std::string line(move);
  if (!comment.empty()) {
    line += ',';
    for (const char c : comment) {
      // A comma would end the comment, and a control byte might end the line.
      if (c >= 0x20 && c < 0x7F && c != ',') {
        line += c;
      }
    }
    if (line.size() > line_bytes_max) {
      line.resize(line_bytes_max);
      line.resize(std::min(line.size(), line.find_last_of(' ')));
    }
  }
  return sent_on_turn(std::move(line), now);
}

std::string ClientSession::resign(SteadyTime now) {
  KAKEHASHI_CHECK(may_send_move(), "%TORYO is sent on our turn");
  sent_ = "%TORYO";
  return sent_on_turn(sent_, now);
}

std::string ClientSession::declare(SteadyTime now) {
  KAKEHASHI_CHECK(may_send_move(), "%KACHI is sent on our turn");
  sent_ = "%KACHI";
  return sent_on_turn(sent_, now);
}

bool ClientSession::may_send_move() const {
  return state_ == State::playing && !is_ending_ && turn_ == our_color_ && sent_.empty();
}

bool ClientSession::is_echo_owed() const {
  return state_ == State::playing && turn_ == our_color_ && !sent_.empty();
}

std::optional<shogi::Color> ClientSession::turn() const { return turn_; }

std::optional<SteadyTime> ClientSession::keepalive_due(base::Seconds interval) const {
  if (state_ == State::connected || state_ == State::logging_in || state_ == State::refused ||
      !last_sent_) {
    return std::nullopt;
  }
  const SteadyTime last = std::max(*last_sent_, last_heard_.value_or(*last_sent_));
  return last + std::max(interval, keepalive_interval_min);
}

std::string ClientSession::keepalive(SteadyTime now, std::string_view form) {
  return sent(std::string(form), now);
}

}  // namespace kakehashi::csa
