#include "csa/server/session.hpp"


namespace kakehashi::csa::server {

const char* status_word(Status status) {
  switch (status) {
    case Status::before_login:
    case Status::refused:
    case Status::connected:
      return "connected";
    case Status::game_waiting:
      return "game_waiting";
    case Status::agree_waiting:
      return "agree_waiting";
    case Status::start_waiting:
      return "start_waiting";
    case Status::game:
      return "game";
    case Status::finished:
      return "finished";
  }
  return "connected";
}

std::string Session::who() const {
  auto text = player_id() + (form == LoginForm::x1 ? " x1 " : " CSA ") + status_word(status);
  const auto sign = [](shogi::Color color) { return color == shogi::Color::black ? '+' : '-'; };
  if (wish) {
    text += " " + wish->game.text + " ";
    text.push_back(wish->color ? sign(*wish->color) : '*');
  } else if (table != nullptr) {
    text += " " + table->game_name + " ";
    text.push_back(sign(side));
  }
  return text;
}

}  // namespace kakehashi::csa::server
