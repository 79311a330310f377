#include "csa/server/session.hpp"

#include <openssl/evp.h>

#include <array>
#include <cstddef>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"

namespace kakehashi::csa::server {

namespace {

GameWish parse_wish(std::string_view text) {
  GameWish wish;
  auto name = text;
  wish.color = take_color_suffix(name);
  if (auto game = parse_game_name(name)) {
    wish.game = std::move(*game);
    return wish;
  }
  // shogi-server says nothing about a name that it cannot read.
  return {*parse_game_name(default_game_name), std::nullopt};
}

bool is_game_wish(std::string_view text) {
  (void)take_color_suffix(text);
  return parse_game_name(text).has_value();
}

void read_csa_password(std::string_view password, Login& login) {
  if (is_game_wish(password)) {
    login.wish = parse_wish(password);
    return;
  }
  const auto comma = password.find(',');
  if (comma != std::string_view::npos) {
    login.wish = parse_wish(password.substr(0, comma));
    login.trip = md5_hex(password.substr(comma + 1));
    return;
  }
  login.wish = parse_wish(default_game_name);
  login.trip = md5_hex(password);
}

}  // namespace

LoginParse parse_login(std::string_view line) {
  const auto words = base::split_words(line);
  LoginParse parse;
  parse.refusal.wants_explanation = words.size() >= 4;
  const bool is_x1 = words.size() == 4 && words[3] == "x1";
  if ((words.size() != 3 && !is_x1) || words[0] != "LOGIN" || !is_identifier(words[1])) {
    return parse;
  }
  Login login;
  login.name = std::string(words[1]);
  if (is_x1) {
    login.form = LoginForm::x1;
    login.trip = md5_hex(words[2]);
  } else {
    read_csa_password(words[2], login);
  }
  parse.login = std::move(login);
  return parse;
}

std::string md5_hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  std::size_t bytes = 0;
  // "-fips": also where the machine's OpenSSL allows no MD5 for what protects something.
  const bool is_done = EVP_Q_digest(nullptr, "MD5", "-fips", text.data(), text.size(), digest.data(), &bytes) == 1;
  KAKEHASHI_CHECK(is_done, "OpenSSL knows MD5");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (std::size_t i = 0; i < bytes; ++i) {
    hex.push_back(digits[digest[i] >> 4U]);
    hex.push_back(digits[digest[i] & 0xfU]);
  }
  return hex;
}

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
