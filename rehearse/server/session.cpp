#include "rehearse/server/session.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/checksum.hpp"
#include "base/text.hpp"

namespace kakehashi::rehearse::server {

// --- the LOGIN line

namespace {

std::optional<GameWish> parse_wish(std::string_view text) {
  const auto color = take_color_suffix(text);
  auto game = parse_game_name(text);
  return game ? std::optional(GameWish{std::move(*game), color}) : std::nullopt;
}

void read_csa_password(std::string_view password, Login& login) {
  auto wish = parse_wish(password);
  if (!wish) {
    const auto comma = password.find(',');
    if (comma != std::string_view::npos) {
      wish = parse_wish(password.substr(0, comma));
      password.remove_prefix(comma + 1);
    }
    login.trip = base::fnv1a(password);
  }
  // shogi-server says nothing about a name that it cannot read.
  login.wish = wish ? std::move(*wish) : GameWish{*parse_game_name(default_game_name), std::nullopt};
}

}  // namespace

LoginParse parse_login(std::string_view line) {
  const auto words = base::split_words(line);
  LoginParse parse;
  parse.wants_explanation = words.size() >= 4;
  const bool is_x1 = words.size() == 4 && words[3] == "x1";
  if ((words.size() != 3 && !is_x1) || words[0] != "LOGIN" || !is_identifier(words[1])) {
    return parse;
  }
  Login login;
  login.name = std::string(words[1]);
  if (is_x1) {
    login.form = LoginForm::x1;
    login.trip = base::fnv1a(words[2]);
  } else {
    read_csa_password(words[2], login);
  }
  parse.login = std::move(login);
  return parse;
}

// --- the client

namespace {

constexpr base::Seconds login_idle_max{300};
constexpr base::Seconds poll_interval{60};
constexpr base::Seconds poll_interval_with_deferred{1};
constexpr base::Seconds refused_linger{3};

}  // namespace

const char* status_word(Status status) {
  constexpr std::array words{"connected",     "connected",     "connected", "game_waiting",
                             "agree_waiting", "start_waiting", "game",      "finished"};
  static_assert(words.size() == static_cast<std::size_t>(Status::finished) + 1);
  return words.at(static_cast<std::size_t>(status));
}

void Session::set_poll(base::SteadyTime now) {
  switch (standing) {
    case Standing::before_login:
      poll_at = now + login_idle_max;
      return;
    case Standing::refused:
      return;
    case Standing::admitted:
    case Standing::finished:
      poll_at = now + (deferred.empty() ? poll_interval : poll_interval_with_deferred);
      return;
  }
}

void Session::refuse(base::SteadyTime now) {
  standing = Standing::refused;
  poll_at = now + refused_linger;
}

bool Sessions::open(ConnectionId id, base::SteadyTime now) {
  if (sessions_.size() == connections_max) {
    return false;
  }
  auto& session = sessions_.try_emplace(id).first->second;
  session.player.id = id;
  session.last_line_at = now;
  session.set_poll(now);
  return true;
}

void Sessions::admit(Session& session, Login login) {
  session.standing = Session::Standing::admitted;
  session.player = {session.player.id, std::move(login.name), login.form, login.trip, ++logins_};
  if (login.form == LoginForm::csa) {
    session.login_wish = std::move(login.wish);
  }
}

Session* Sessions::find(ConnectionId id) {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : &found->second;
}

std::vector<const Session*> Sessions::players() const {
  std::vector<const Session*> found;
  for (const auto& [id, session] : sessions_) {
    if (session.player.login_order != 0) {
      found.push_back(&session);
    }
  }
  std::sort(found.begin(), found.end(), [](const Session* a, const Session* b) {
    return a->player.login_order < b->player.login_order;
  });
  return found;
}

Session* Sessions::due_poll(base::SteadyTime now) {
  const auto first = std::min_element(sessions_.begin(), sessions_.end(), [](const auto& a, const auto& b) {
    return a.second.poll_at < b.second.poll_at;
  });
  return first == sessions_.end() || first->second.poll_at > now ? nullptr : &first->second;
}

std::optional<base::SteadyTime> Sessions::next_poll() const {
  std::optional<base::SteadyTime> next;
  for (const auto& [id, session] : sessions_) {
    next = base::earlier(next, session.poll_at);
  }
  return next;
}

// --- the protocol to the letter

namespace {

constexpr std::size_t word_bytes_max = 32;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

bool is_name_byte(char c) {
  return is_digit(c) || is_capital(c) || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
}

bool is_word(std::string_view text, bool (*is_good)(char)) {
  return !text.empty() && text.size() <= word_bytes_max &&
         std::all_of(text.begin(), text.end(), is_good);
}

/// "+7776FU" and nothing more: comments are floodgate's.
bool is_move(std::string_view line) {
  return line.size() == 7 && (line[0] == '+' || line[0] == '-') &&
         std::all_of(line.begin() + 1, line.begin() + 5, is_digit) &&
         std::all_of(line.begin() + 5, line.end(), is_capital);
}

/// "AGREE" or "AGREE <id>".
bool is_answer(std::string_view line, std::string_view word, std::string_view game_id) {
  return line == word || line == std::string(word) + " " + std::string(game_id);
}

}  // namespace

bool is_strict_login(std::string_view line) {
  const auto words = base::split(line, ' ');
  return words.size() == 3 && words[0] == "LOGIN" && is_word(words[1], is_name_byte) &&
         is_word(words[2], [](char c) { return c > ' ' && c < '\x7f'; });
}

bool is_strict_action(std::string_view line) {
  return is_move(line) || line == "%TORYO" || line == "%KACHI";
}

bool is_strict_fault(std::string_view line, const StrictView& view) {
  if (line.empty()) {
    return view.silence < strict_keepalive_min;
  }
  if (is_strict_action(line)) {
    return view.status != Status::game || !view.is_turn;
  }
  const bool is_offered = view.status == Status::agree_waiting;
  if (is_answer(line, "AGREE", view.game_id) || is_answer(line, "REJECT", view.game_id)) {
    return !is_offered;
  }
  // A LOGOUT may have crossed with an offer.
  return line != "LOGOUT" || !(is_offered || view.status == Status::connected || view.status == Status::game_waiting);
}

}  // namespace kakehashi::rehearse::server
