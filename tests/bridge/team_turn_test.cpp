// Our turn of a team that consults, by itself: three engines, a board and a clock, and nobody who plays what comes of it.
#include "bridge/game/team_turn.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bridge/event.hpp"
#include "bridge/game/silence_watch.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using Seat = TeamTurn::Seat;
using Lines = std::vector<std::string>;

csa::GameSummary summary(Millis total, Millis byoyomi) {
  csa::GameSummary result;
  result.start = shogi::Position::startpos();
  csa::TimeControl clock;
  clock.total = total;
  clock.byoyomi = byoyomi;
  result.times = {clock, clock};
  return result;
}

config::BotConfig team_of_three(config::TeamPlay play) {
  config::BotConfig config;
  config.engine.team_play = play;
  for (const char* name : {"second", "third"}) {
    config::FurtherEngine member;
    member.name = name;
    config.engine.team.push_back(member);
  }
  return config;
}

/// All of the team are ready, as far as they are told to be, and the one that plays searches.
class Panel {
 public:
  explicit Panel(config::BotConfig given = team_of_three(config::TeamPlay::majority), Seat ready = 3)
      : config(std::move(given)),
        team(config.engine, config.ponder != config::Ponder::off),
        game(summary(Millis{60'000}, Millis{10'000})),
        clock(now.steady, {}) {
    team.engines().start(now, out);
    for (Seat seat = 0; seat < ready; ++seat) {
      static_cast<void>(team.on(EngineStarted{id(seat), 1}, now, out));
      for (const char* line : {"id name Fake", "usiok", "readyok"}) {
        static_cast<void>(team.on(EngineLine{id(seat), line}, now, out));
      }
    }
    clock.set(in().limits(team.player_seat(), Millis{0}));
    search = *team.player().search({game.command().text(), "go btime 60000 wtime 60000 byoyomi 10000", false}, out);
    static_cast<void>(written());
  }
  [[nodiscard]] static EngineId id(Seat seat) { return {static_cast<std::uint32_t>(seat), 1}; }

  [[nodiscard]] TeamTurn::Inputs in() {
    return {{{now, config, team, link, book, out, news, false}, game, thinking}, clock};
  }
  void ask(const std::vector<Ahead::Hit>& hits = {}) { turn.ask(in(), search, hits); }
  /// A move that a member answers with, USI; it is shown as such.
  TeamTurn::Verdict says(Seat seat, const char* move) { return turn.say(in(), seat, {move, "", move}); }
  TeamTurn::Verdict loses(Seat seat) {
    turn.lose(seat);
    return turn.settle(in());
  }
  /// Lets the time come that the turn waits for.
  TeamTurn::Verdict pass() {
    now.steady = *turn.deadline();
    return turn.on_time(in());
  }
  void link_of(Seat seat, bool is_up) {
    static_cast<void>(team.on(EngineLink{.engine = id(seat), .way = "far", .is_up = is_up, .is_out = !is_up}, now, out));
    turn.on_engine_link(in());
  }
  /// What the engines were given since the last call, each line behind its seat; and the orders for keepers.
  [[nodiscard]] Lines written() {
    Lines lines;
    for (const Action& action : out.take()) {
      if (const auto* write = std::get_if<WriteEngine>(&action)) {
        lines.push_back(std::to_string(write->engine.seat) + " " + write->line.substr(0, write->line.find(' ')));
      } else if (const auto* order = std::get_if<StopEngineAt>(&action)) {
        lines.push_back(std::to_string(order->engine.seat) + " is to stop");
      }
    }
    out = Outbox();
    return lines;
  }

  config::BotConfig config;
  base::Now now{base::SteadyTime{std::chrono::hours(1)}, {}};
  Outbox out;
  EngineTeam team;
  LinkMargin link;
  BookState book;
  std::vector<EngineNews> news;
  Game game;
  Thinking thinking;
  TurnClock clock;
  usi::SearchId search{};  ///< of the one that plays
  TeamTurn turn;
};

/// The move of the team; "nobody", or "" while it is open.
std::string word(const TeamTurn::Verdict& verdict) {
  if (const auto* chosen = std::get_if<TeamTurn::Chosen>(&verdict)) {
    return chosen->answer.move;
  }
  return std::holds_alternative<TeamTurn::Nobody>(verdict) ? "nobody" : "";
}

TEST(TeamTurn, all_others_are_asked_beside_the_one_that_plays) {
  Panel panel;
  panel.ask();
  EXPECT_EQ(panel.written(), (Lines{"1 usinewgame", "1 position", "1 go", "2 usinewgame", "2 position", "2 go"}));
  EXPECT_TRUE(panel.turn.is_shared());
  EXPECT_TRUE(panel.turn.awaits(0, panel.search));
  EXPECT_TRUE(panel.turn.is_awaiting());
}

TEST(TeamTurn, is_that_of_a_single_engine_where_no_other_can_be_asked) {
  Panel panel(team_of_three(config::TeamPlay::majority), 1);
  panel.ask();
  EXPECT_EQ(panel.written(), Lines{});
  EXPECT_FALSE(panel.turn.is_shared());
  EXPECT_FALSE(panel.turn.consultation());
  EXPECT_FALSE(panel.turn.deadline());
  EXPECT_EQ(word(panel.turn.settle(panel.in())), "");
  EXPECT_FALSE(panel.turn.settle_now(panel.in()));
}

TEST(TeamTurn, ends_when_nothing_can_change_it_and_those_that_are_left_are_told_to_stop) {
  Panel panel;
  panel.ask();
  static_cast<void>(panel.written());
  EXPECT_EQ(word(panel.says(2, "7g7f")), "");
  const auto verdict = panel.says(1, "7g7f");
  EXPECT_EQ(word(verdict), "7g7f");
  EXPECT_EQ(std::get<TeamTurn::Chosen>(verdict).seat, 1U);
  EXPECT_EQ(panel.written(), Lines{"0 stop"});
  EXPECT_EQ(panel.team.player_seat(), 1U);
  EXPECT_FALSE(panel.turn.deadline());
}

TEST(TeamTurn, with_a_move_in_hand_the_others_are_waited_for_told_to_stop_and_then_not_waited_for) {
  Panel panel;
  panel.ask();
  static_cast<void>(panel.written());
  EXPECT_EQ(word(panel.says(1, "2g2f")), "");
  EXPECT_EQ(panel.turn.deadline(), panel.now.steady + shortest_patience(panel.game));

  EXPECT_EQ(word(panel.pass()), "");
  EXPECT_EQ(panel.written(), (Lines{"0 stop", "2 stop"}));
  EXPECT_EQ(panel.turn.deadline(), panel.now.steady + Millis{1'000});

  EXPECT_EQ(word(panel.says(2, "7g7f")), "");
  EXPECT_EQ(panel.turn.deadline(), panel.now.steady + Millis{1'000}) << "another answer gives no more time";
  EXPECT_EQ(word(panel.pass()), "2g2f");
}

TEST(TeamTurn, a_member_is_told_to_stop_when_its_own_time_is_over) {
  Panel panel;
  panel.ask();
  static_cast<void>(panel.written());
  EXPECT_EQ(panel.turn.deadline(), panel.clock.started() + panel.in().limits(1, Millis{0}).hurry_after);
  EXPECT_EQ(word(panel.pass()), "");
  EXPECT_EQ(panel.written(), (Lines{"1 stop", "2 stop"})) << "that of the one that plays is its owner's";
  EXPECT_FALSE(panel.turn.deadline());
}

TEST(TeamTurn, is_the_player_s_alone_when_it_is_the_last_one) {
  Panel panel;
  panel.ask();
  EXPECT_EQ(word(panel.loses(1)), "");
  EXPECT_TRUE(panel.turn.is_shared());
  EXPECT_EQ(word(panel.loses(2)), "");
  EXPECT_FALSE(panel.turn.is_shared());

  panel.turn.note(0, {"7g7f", "", "7g7f"});
  EXPECT_EQ(panel.turn.consultation()->members()[0].said->move, "7g7f") << "people are told of it";
}

TEST(TeamTurn, is_the_player_s_alone_when_nobody_has_said_anything) {
  Panel panel;
  panel.ask();
  panel.turn.lose(0);
  panel.turn.lose(1);
  EXPECT_EQ(word(panel.loses(2)), "nobody");
  EXPECT_FALSE(panel.turn.is_shared());
  EXPECT_EQ(word(panel.turn.settle(panel.in())), "") << "it is told once";
}

TEST(TeamTurn, what_has_been_said_counts_when_the_time_is_over_and_a_resignation_only_behind_all) {
  Panel panel;
  panel.ask();
  EXPECT_FALSE(panel.turn.settle_now(panel.in()));
  static_cast<void>(panel.says(1, "resign"));
  EXPECT_FALSE(panel.turn.settle_now(panel.in()));
  static_cast<void>(panel.says(2, "7g7f"));
  const auto chosen = panel.turn.settle_now(panel.in());
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->answer.move, "7g7f");
}

TEST(TeamTurn, who_pondered_the_reply_goes_on_with_what_it_thought) {
  Panel panel;
  Thought thought;
  thought.pv = {"2g2f"};
  const auto pondering = *panel.team.member(1).search({"position startpos", "go ponder btime 1000 wtime 1000", true}, panel.out);
  static_cast<void>(panel.written());
  panel.ask({{1, pondering, thought}});
  EXPECT_EQ(panel.written(), (Lines{"1 ponderhit", "2 usinewgame", "2 position", "2 go"}));
  EXPECT_TRUE(panel.turn.awaits(1, pondering));

  panel.turn.lend_line(panel.thinking);
  EXPECT_EQ(panel.thinking.thought().pv, thought.pv) << "for a move that no engine gives";
}

TEST(TeamTurn, a_search_that_waits_behind_another_one_gets_what_is_left_when_its_turn_comes) {
  Panel panel;
  static_cast<void>(panel.team.member(1).search({"position startpos", "go infinite", false}, panel.out));
  panel.ask();
  ASSERT_TRUE(panel.team.member(1).is_search_queued());
  panel.now.steady += Millis{3'000};
  panel.turn.renew_queued_search(panel.in(), 1);
  static_cast<void>(panel.written());
  static_cast<void>(panel.team.on(EngineLine{Panel::id(1), "bestmove 7g7f"}, panel.now, panel.out));
  std::string go;
  for (const Action& action : panel.out.take()) {
    if (const auto* write = std::get_if<WriteEngine>(&action)) {
      go = write->line;
    }
  }
  EXPECT_EQ(go, usi::format_go(panel.in().limits(1, Millis{3'000}).go, false));
  EXPECT_TRUE(panel.turn.awaits(1, *panel.team.member(1).current_search()));
}

config::BotConfig far_away() {
  config::BotConfig config = team_of_three(config::TeamPlay::optimist);
  config.engine.team[0].host = {"far"};
  config.engine.team[1].host = {"far"};
  return config;
}

TEST(TeamTurn, those_that_no_link_leads_to_are_not_waited_for_as_long) {
  Panel panel(far_away());
  panel.ask();
  static_cast<void>(panel.says(0, "7g7f"));
  panel.link_of(1, false);
  EXPECT_EQ(panel.turn.deadline(), panel.clock.started() + shortest_patience(panel.game)) << "one can be heard";
  panel.link_of(2, false);
  EXPECT_EQ(panel.turn.deadline(), panel.now.steady + SilenceWatch::out_max);
  panel.link_of(1, true);
  EXPECT_EQ(panel.turn.deadline(), panel.clock.started() + shortest_patience(panel.game));
  panel.link_of(1, false);
  EXPECT_EQ(word(panel.pass()), "7g7f") << "they cannot be told to stop";
}

TEST(TeamTurn, who_is_out_of_reach_is_not_asked) {
  Panel panel(far_away());
  panel.link_of(1, false);
  static_cast<void>(panel.written());
  panel.ask();
  EXPECT_EQ(panel.written(), (Lines{"2 usinewgame", "2 position", "2 go"}));
}

TEST(StopOrders, a_keeper_is_told_once_of_each_search_and_instant) {
  Panel panel(far_away());
  panel.ask();
  static_cast<void>(panel.written());
  StopOrders orders;
  orders.tell(panel.in(), 0, panel.search, panel.now.steady);
  EXPECT_EQ(panel.written(), Lines{}) << "that engine has no keeper";
  panel.turn.tell_keepers(panel.in(), orders);
  EXPECT_EQ(panel.written(), (Lines{"1 is to stop", "2 is to stop"}));
  panel.turn.tell_keepers(panel.in(), orders);
  EXPECT_EQ(panel.written(), Lines{});
  orders.tell(panel.in(), 1, *panel.team.member(1).current_search(), panel.now.steady);
  EXPECT_EQ(panel.written(), Lines{"1 is to stop"});
}

TEST(StopOrders, the_keeper_of_another_process_is_told_though_search_and_instant_are_the_same) {
  Panel panel(far_away());
  StopOrders orders;
  const base::SteadyTime at = panel.now.steady;
  orders.tell(panel.in(), 1, usi::SearchId{1}, at);
  EXPECT_EQ(panel.written(), Lines{"1 is to stop"});
  static_cast<void>(panel.team.on(EngineExited{Panel::id(1), base::verbatim("exit status 1")}, panel.now, panel.out));
  panel.now.steady = *panel.team.engines().deadline();
  static_cast<void>(panel.team.on_time(panel.now, panel.out));
  ASSERT_EQ(panel.team.member(1).id(), (EngineId{1, 2}));
  static_cast<void>(panel.written());
  orders.tell(panel.in(), 1, usi::SearchId{1}, at);
  EXPECT_EQ(panel.written(), Lines{"1 is to stop"});
}

}  // namespace
}  // namespace kakehashi::bridge
