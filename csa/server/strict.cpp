#include "csa/server/strict.hpp"

#include <algorithm>
#include <string>

#include "base/text.hpp"

namespace kakehashi::csa::server {
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

std::optional<std::string_view> strict_fault(std::string_view line, const StrictView& view) {
  const bool is_playing = view.status == Status::game;
  if (line.empty()) {
    return view.silence < strict_keepalive_min
               ? std::optional<std::string_view>("an empty line within 30 s of the last line")
               : std::nullopt;
  }
  if (is_strict_action(line)) {
    if (!is_playing) {
      return "a move without a game";
    }
    return view.is_turn ? std::nullopt
                        : std::optional<std::string_view>("a move on the opponent's turn");
  }
  if (is_answer(line, "AGREE", view.game_id) || is_answer(line, "REJECT", view.game_id)) {
    return view.status == Status::agree_waiting
               ? std::nullopt
               : std::optional<std::string_view>("an answer to no offer");
  }
  if (line == "LOGOUT") {
    // It may have crossed with an offer.
    const bool may_leave = view.status == Status::connected ||
                           view.status == Status::game_waiting ||
                           view.status == Status::agree_waiting;
    return may_leave ? std::nullopt : std::optional<std::string_view>("LOGOUT out of waiting");
  }
  return "no line of the protocol";
}

}  // namespace kakehashi::csa::server
