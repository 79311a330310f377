// The parts of a bot's and a game's book-keeping, each by itself: the way out, the timer, what moves take, the clock
// of a turn, what members of a team have chosen and said.
#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "bridge/bot/bot_core.hpp"
#include "bridge/game/move_account.hpp"
#include "bridge/game/think_time.hpp"
#include "shogi/notation/csa.hpp"
#include "tests/bridge/noon.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using base::SteadyTime;

// --- the way out

TEST(WayOut, a_game_that_is_drained_is_resigned_and_then_left) {
  WayOut way;
  way.take_no_more_games();
  way.drain(noon);
  EXPECT_EQ(way.drain_until(), noon);
  EXPECT_FALSE(way.is_resigning());
  way.resign(noon + Millis{30'000});
  EXPECT_FALSE(way.drain_until());
  EXPECT_TRUE(way.is_resigning());
  EXPECT_EQ(way.leave_by(), noon + Millis{30'000});
  way.end_game();
  EXPECT_FALSE(way.leave_by());
  EXPECT_FALSE(way.is_over()) << "it still has to take its leave";
}

TEST(WayOut, it_waits_for_logout_and_then_for_the_engines_with_the_status_of_the_exit) {
  WayOut way;
  way.drain(noon);
  way.leave(noon + Millis{5'000}, 69);
  EXPECT_TRUE(way.is_over());
  EXPECT_FALSE(way.drain_until()) << "nothing is finished any more";
  EXPECT_EQ(way.logout_by(), noon + Millis{5'000});
  EXPECT_FALSE(way.waits_for_engines());
  way.quit_engines();
  EXPECT_FALSE(way.logout_by());
  EXPECT_EQ(way.waits_for_engines(), 69);
  way.be_gone();
  EXPECT_TRUE(way.is_gone());
  EXPECT_FALSE(way.waits_for_engines());
}

// --- the timer

std::optional<SteadyTime> armed(Outbox& out) {
  std::optional<SteadyTime> at;
  for (const Action& action : out.take()) {
    if (const auto* arm = std::get_if<ArmTimer>(&action)) {
      at = arm->deadline;
    }
  }
  out = Outbox();
  return at;
}

TEST(WakeTimer, is_moved_forward_only) {
  WakeTimer timer;
  LinkMargin link;
  Outbox out;
  timer.arm(noon + Millis{100}, false, false, {noon, {}}, link, out);
  EXPECT_EQ(armed(out), noon + Millis{100});
  timer.arm(noon + Millis{200}, false, false, {noon, {}}, link, out);
  EXPECT_EQ(armed(out), std::nullopt);
  timer.arm(noon + Millis{50}, false, false, {noon, {}}, link, out);
  EXPECT_EQ(armed(out), noon + Millis{50});
}

TEST(WakeTimer, what_it_rings_late_is_learned) {
  WakeTimer timer;
  LinkMargin link;
  Outbox out;
  SteadyTime now = noon;
  while (link.wants_lateness()) {
    timer.arm(now + Millis{100}, false, false, {now, {}}, link, out);
    now += Millis{180};
    timer.arm(std::nullopt, true, false, {now, {}}, link, out);
  }
  EXPECT_GE(link.lateness(), Millis{80});
}

TEST(WakeTimer, rings_for_nothing_while_it_is_not_known_how_late_it_rings) {
  WakeTimer timer;
  LinkMargin link;
  Outbox out;
  ASSERT_TRUE(link.wants_lateness());
  timer.arm(std::nullopt, false, true, {noon, {}}, link, out);
  EXPECT_TRUE(armed(out));
}

// --- what moves take

csa::GameSummary summary() {
  csa::GameSummary result;
  result.start = shogi::Position::startpos();
  csa::TimeControl clock;
  clock.total = Millis{60'000};
  clock.byoyomi = Millis{10'000};
  result.times = {clock, clock};
  return result;
}

SentMove sent(SteadyTime left) {
  return {.move = *shogi::csa::parse_move(shogi::Position::startpos(), "+7776FU"),
          .thought = {},
          .left = left,
          .entitled = Millis{70'000},
          .had = Millis{69'000},
          .main_time = Millis{60'000},
          .elapsed = base::millis_between(noon, left)};
}

TEST(MoveAccount, a_move_is_charged_whole_seconds_with_its_way) {
  const Game game(summary());
  LinkMargin link;
  const MoveAccount account(noon, noon);
  EXPECT_EQ(account.charge_until(noon + Millis{2'100}, game, link), Millis{3'000});
}

TEST(MoveAccount, an_echo_tells_what_the_move_took_and_teaches_the_link) {
  Game game(summary());
  LinkMargin link;
  MoveAccount account(noon, noon);
  account.send(sent(noon + Millis{2'100}));
  csa::MovePlayed echo{shogi::Color::black, "+7776FU", Millis{2'000}};
  echo.is_ours = true;
  ASSERT_FALSE(game.play(echo));

  const auto time = account.take_echo(echo, noon + Millis{2'140}, game, link);

  ASSERT_TRUE(time);
  EXPECT_EQ(time->used, Millis{2'100});
  EXPECT_EQ(time->charged, Millis{2'000});
  EXPECT_EQ(time->added, Millis{60'000}) << "the first turn brings the main time, and the byoyomi was not begun";
  EXPECT_EQ(account.time().moves, 1);
  EXPECT_EQ(account.facts_behind(echo, nullptr, noon + Millis{2'140}).link_delay, Millis{40});
}

TEST(MoveAccount, a_move_that_was_sent_twice_teaches_the_link_nothing) {
  Game game(summary());
  LinkMargin link;
  LinkMargin untouched;
  MoveAccount account(noon, noon);
  account.send(sent(noon + Millis{2'100}));
  account.repeat();
  csa::MovePlayed echo{shogi::Color::black, "+7776FU", Millis{40'000}};
  echo.is_ours = true;
  ASSERT_FALSE(game.play(echo));

  EXPECT_TRUE(account.take_echo(echo, noon + Millis{40'000}, game, link));

  EXPECT_EQ(link.way(), untouched.way());
}

TEST(MoveAccount, an_echo_of_nothing_that_left_tells_nothing) {
  Game game(summary());
  LinkMargin link;
  MoveAccount account(noon, noon);
  csa::MovePlayed echo{shogi::Color::black, "+7776FU", Millis{2'000}};
  echo.is_ours = true;
  ASSERT_FALSE(game.play(echo));
  EXPECT_FALSE(account.take_echo(echo, noon, game, link));
  EXPECT_EQ(account.time().moves, 0);
}

TEST(MoveAccount, a_move_whose_echo_never_came_is_charged_by_the_reply) {
  const Game game(summary());
  LinkMargin link;
  MoveAccount account(noon, noon);
  account.send(sent(noon + Millis{1'200}));
  csa::MovePlayed move{shogi::Color::black, "+7776FU", Millis{0}};
  move.is_ours = true;
  move.is_unechoed = true;
  move.reply_took = Millis{5'000};
  EXPECT_EQ(account.charge_unechoed(move, noon + Millis{9'000}, game, link), Millis{4'000})
      << "9 s passed at the server's board, of which the opponent's T was 5";
}

// --- the clock of a turn

TEST(TurnClock, what_passes_without_an_engine_is_not_the_engines) {
  ThinkTime limits;
  limits.entitled = Millis{10'000};
  limits.given = Millis{9'000};
  TurnClock clock(noon, limits);
  EXPECT_EQ(clock.time_of_engine(), Millis{9'000});
  clock.watch_idleness(false, noon + Millis{1'000});
  clock.watch_idleness(true, noon + Millis{1'500});
  EXPECT_EQ(clock.time_of_engine(), Millis{8'500});
  clock.end_thinking(noon + Millis{4'000});
  EXPECT_EQ(clock.time_of_engine(), Millis{3'500}) << "what is left behind a rescue was nobody's";
}

TEST(TurnClock, the_rescue_is_only_ever_moved_forward) {
  ThinkTime limits;
  limits.hurry_after = Millis{900};
  limits.rescue_after = Millis{950};
  TurnClock clock(noon, limits);
  clock.rescue_within(Millis{980});
  EXPECT_EQ(clock.rescue_at(), noon + Millis{950});
  clock.rescue_within(Millis{930});
  EXPECT_EQ(clock.rescue_at(), noon + Millis{930});
  EXPECT_EQ(clock.hurry_at(), noon + Millis{900});
}

TEST(TurnClock, without_a_clock_nothing_of_the_time_is_gone) {
  ThinkTime limits;
  TurnClock clock(noon, limits);
  EXPECT_EQ(clock.gone(noon + Millis{700}), Millis{0});
  EXPECT_EQ(clock.spent(noon + Millis{700}), Millis{700});
  limits.entitled = Millis{10'000};
  clock.set(limits);
  EXPECT_EQ(clock.gone(noon + Millis{700}), Millis{700});
}

// --- what the members of a team have chosen and said

config::Engine team_of_two(config::TeamPlay play) {
  config::Engine engine;
  engine.team_play = play;
  config::FurtherEngine second;
  second.name = "second";
  engine.team.push_back(second);
  return engine;
}

TEST(TeamAccount, counts_the_moves_of_each_and_knows_whose_the_last_one_was) {
  const EngineTeam team(team_of_two(config::TeamPlay::multi_ponder), true);
  TeamAccount account;
  account.send(1, team);
  EXPECT_EQ(account.chosen_by(), "second");
  account.send(std::nullopt, team);
  EXPECT_EQ(account.chosen_by(), "") << "of the book";
  account.send(1, team);
  const auto members = account.members(team, {}, account.said(), shogi::Color::black);
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[0].moves, 0);
  EXPECT_EQ(members[1].moves, 2);
  EXPECT_TRUE(members[0].plays);
}

TEST(TeamAccount, says_nothing_of_engines_that_do_not_think_together) {
  const EngineTeam team(config::Engine{}, true);
  TeamAccount account;
  account.send(0, team);
  EXPECT_EQ(account.chosen_by(), "");
  EXPECT_TRUE(account.members(team, {}, account.said(), shogi::Color::black).empty());
}

TEST(TeamAccount, tells_what_each_has_said_from_black_s_point_of_view) {
  const EngineTeam team(team_of_two(config::TeamPlay::majority), true);
  Consultation held(config::TeamPlay::majority, team.engines().weights(), true);
  held.ask(0, usi::SearchId{1}, std::nullopt);
  held.ask(1, usi::SearchId{1}, std::nullopt);
  usi::Info info;
  info.score = usi::Score{.value = 80};
  info.depth = 12;
  info.pv = {"3c3d"};
  held.on_info(0, {usi::SearchId{1}, info});
  held.say(0, {"3c3d", "", "-3334FU"});
  TeamAccount account;
  account.end_turn(held);
  EXPECT_EQ(describe_opinions(account.members(team, {}, account.said(), shogi::Color::white)),
            "team: engine -3334FU -80 (depth 12)");
  held.say(1, {"8c8d", "", "-8384FU"});
  EXPECT_EQ(describe_opinions(account.members(team, {}, held, shogi::Color::white)),
            "team: engine -3334FU -80 (depth 12), second -8384FU");
  account.end_turn(std::nullopt);
  EXPECT_EQ(describe_opinions(account.members(team, {}, account.said(), shogi::Color::white)), "");
}

}  // namespace
}  // namespace kakehashi::bridge
