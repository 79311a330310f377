// What the machines of one bot are handed with each call, and keep nothing of: the instant, the settings of the
// present game, the machines beside them by their doors, and where what they want done is put.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "bridge/engine/engine_team.hpp"
#include "bridge/finished_game.hpp"
#include "bridge/game/game.hpp"
#include "bridge/game/link_margin.hpp"
#include "bridge/game/think_time.hpp"
#include "bridge/game/thought.hpp"
#include "bridge/game/translate.hpp"
#include "bridge/outbox.hpp"
#include "config/bot_config.hpp"
#include "csa/client_session.hpp"
#include "usi/command.hpp"

namespace kakehashi::bridge {

/// Questions to the opening book, counted, and the dice that choose from its answers.
struct BookState {
  std::uint64_t lookups = 0;
  std::uint64_t random = 0;
};

/// What went wrong on our turns of one game.
struct Trouble {
  std::vector<RescueMove> rescues{};
  int searches_lost = 0;  ///< with their engine, since the last answer
  bool is_to_declare = false;  ///< an engine has declared too early: when the win holds, it is declared for it
};

struct Context {
  base::Now now;
  const config::BotConfig& config;  ///< with what its rules set for the game that was offered last
  EngineTeam& team;
  LinkMargin& link;
  BookState& book;
  Outbox& out;
  std::vector<EngineNews>& news;  ///< of engines that were asked for something: the bot deals with them behind the call
  bool lines_wait = false;      ///< further server lines are in the buffer: nothing is begun before they are read

  /// What is kept back of a turn, by what is known now of the link and of the engine that plays.
  [[nodiscard]] ThinkTimeRules rules() const { return rules(team.player_seat()); }
  /// And of a member's.
  [[nodiscard]] ThinkTimeRules rules(EngineTeam::Seat seat) const { return think_time_rules(config, link, team.member(seat)); }
  /// The `position` line for a member: that of the game, or where it would not reach it whole, the position alone.
  [[nodiscard]] std::string position_line(EngineTeam::Seat seat, const std::string& line, const shogi::Position& position) const {
    return team.member(seat).known().lines.is_too_long(line.size()) ? PositionCommand(position).text() : line;
  }
  [[nodiscard]] bool expired(base::SteadyTime deadline) const { return now.steady >= deadline; }
  void take(std::vector<EngineNews> more) const {
    for (EngineNews& item : more) {
      news.push_back(std::move(item));
    }
  }
};

/// For what plays our turn: the game, and what is thought of it.
struct TurnContext : Context {
  const Game& game;
  Thinking& thinking;

  [[nodiscard]] ThinkTimeRules turn_rules(EngineTeam::Seat seat) const {
    ThinkTimeRules rules = this->rules(seat);
    if (team.consults()) {
      rules.stop_seen = base::Millis{0};  // nothing is lost by waiting in vain for one of several
    }
    return rules;
  }
  /// For that member, on a turn of which `spent` has passed.
  [[nodiscard]] ThinkTime limits(EngineTeam::Seat seat, base::Millis spent) const {
    return think_time(game.game_clock(), game.summary().our_color, spent, turn_rules(seat));
  }
  [[nodiscard]] std::string position_line(EngineTeam::Seat seat) const {
    return Context::position_line(seat, game.command().text(), game.position());
  }
  /// What stands behind `ponderhit`: the clocks where it was begun before they were known, which some engines need
  /// and most others ignore.
  [[nodiscard]] std::string ponderhit_times(const ThinkTime& limits) const {
    return config.ponder == config::Ponder::early ? usi::format_times(limits.go) : "";
  }
};

/// For what speaks to the server: the words of the game, and whether the operator wants it resigned.
struct GameContext : Context {
  csa::ClientSession& session;
  bool must_resign = false;

  /// A line of the game, which may be shown as it is.
  void send(const std::string& line) const { out.add(WriteServer{line, line}); }
};

}  // namespace kakehashi::bridge
