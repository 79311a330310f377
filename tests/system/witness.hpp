// What the embedded server knows of its games, and what the players must have heard of them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rehearse/server/game_report.hpp"
#include "rehearse/server/io/server_shell.hpp"

namespace kakehashi::test {

/// What the server knows of the games and of what each bot had heard of them.
class Witness {
 public:
  void report(const rehearse::server::GameReport& report) {
    if (const auto* played = std::get_if<rehearse::server::MovePlayed>(&report)) {
      moves[played->game_id].push_back(played->move.text);
    } else if (const auto* over = std::get_if<rehearse::server::GameEnded>(&report)) {
      ended.push_back(over->game_id);
    }
  }

  void line(rehearse::server::ConnectionId connection, rehearse::server::io::Direction way,
            std::string_view text) {
    ++lines;
    Seat& seat = seats_[connection];
    if (way == rehearse::server::io::Direction::from_client) {
      if (text.starts_with("LOGIN ")) {
        ++logins;
        seat.bot = text.substr(6, text.find(' ', 6) - 6);
      } else if (text.starts_with("+") || text.starts_with("-")) {
        // Whoever moves has heard all that was said to him before.
        heard[{seat.bot, seat.game}] = seat.told;
      }
    } else if (text.starts_with("START:")) {
      seat.game = text.substr(6);
      seat.told = 0;
    } else if ((text.starts_with("+") || text.starts_with("-")) && text.size() > 7 &&
               text[7] == ',') {
      ++seat.told;
    }
  }

  int lines = 0;
  int logins = 0;
  std::vector<std::string> ended;                                          ///< games
  std::map<std::string, std::vector<std::string>> moves;                   ///< by game
  std::map<std::pair<std::string, std::string>, std::size_t> heard;  ///< by bot and game

 private:
  struct Seat {
    std::string bot;
    std::string game;
    std::size_t told = 0;
  };
  std::map<rehearse::server::ConnectionId, Seat> seats_;
};

}  // namespace kakehashi::test
