// Logging in: who is admitted, who is thrown out for it, who is refused.
#include <utility>

#include "rehearsal/server.hpp"

namespace kakehashi::rehearsal {
namespace {

constexpr base::Seconds refused_linger{3};
/// A session that has been silent for so long in mid-game gives way to a new login.
constexpr std::chrono::hours stale_session_age{24};

}  // namespace

void Server::log_in(Session& session, std::string_view line) {
  auto parse = parse_login(line);
  if (!parse.login) {
    send(session.id, "LOGIN:incorrect");
    if (parse.refusal.wants_explanation) {
      send(session.id, "type 'LOGIN name password' or 'LOGIN name password x1'");
    }
    return;
  }
  auto& login = *parse.login;
  if (!admit(session, login, parse.refusal.wants_explanation)) {
    refuse(session);
    return;
  }
  session.status = Status::connected;
  session.name = std::move(login.name);
  session.form = login.form;
  session.trip = std::move(login.trip);
  session.login_order = ++logins_;
  send(session.id, "LOGIN:" + session.name + " OK");
  switch (session.form) {
    case LoginForm::x1:
      send(session.id, "##[LOGIN] +OK x1");
      return;
    case LoginForm::csa:
      session.login_wish = login.wish;
      wait_for_game(session, login.wish, false);
      return;
  }
}

bool Server::admit(const Session& session, const Login& login, bool explains) {
  for (auto* other : players()) {
    if (other->name != login.name) {
      continue;
    }
    const bool is_playing = other->status == Status::game &&
                            now_.steady - other->last_line_at <= stale_session_age;
    if (other->trip == login.trip && !is_playing) {
      close(other->id);
      return true;
    }
    send(session.id, "LOGIN:incorrect");
    if (explains && other->trip == login.trip) {
      send(session.id, "username " + login.name + " is already connected");
    }
    return false;
  }
  return true;
}

void Server::refuse(Session& session) {
  session.status = Status::refused;
  session.poll_at = now_.steady + refused_linger;
}

}  // namespace kakehashi::rehearsal
