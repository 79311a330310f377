#include <gtest/gtest.h>

#include "bridge/engine/engine_supervisor.hpp"
#include "bridge/event.hpp"
#include "tests/bridge/supervisor_on_stage.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using State = EngineSupervisor::State;

TEST(EngineSupervisor, renewal_waits_until_nothing_is_owed) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.game_over(usi::GameOver::win, s.now, s.out);
  s.seat.renew(s.now, s.out);
  EXPECT_EQ(s.said(), (Words{"usinewgame", "position startpos", "go btime 0 wtime 0 byoyomi 1000", "stop"}));

  static_cast<void>(s.line("bestmove 7g7f"));

  EXPECT_EQ(s.said(), (Words{"gameover win", "quit", "debug bestmove_swallowed"}));
  EXPECT_TRUE(s.exit("exit status 0").empty()) << "nothing is lost";
  EXPECT_EQ(s.said(), Words{"start 2"});
  s.engine = 2;
  EXPECT_TRUE(has<EngineReady>(s.boot()));
}

TEST(EngineSupervisor, renewal_kills_an_engine_that_does_not_quit) {
  Seat s;
  s.start_and_boot();
  s.seat.renew(s.now, s.out);
  s.pass(Millis{5'000});

  EXPECT_TRUE(s.seat.on_time(s.now, s.out).empty());

  EXPECT_EQ(s.said(), (Words{"quit", "kill 1", "start 2"}));
}

TEST(EngineSupervisor, renewal_gives_way_to_quitting) {
  Seat s;
  s.start_and_boot();
  s.seat.renew(s.now, s.out);
  EXPECT_FALSE(has<EngineLeft>(s.seat.quit(s.now, s.out)));

  EXPECT_TRUE(has<EngineLeft>(s.exit("exit status 0")));

  EXPECT_EQ(s.said(), Words{"quit"});
  EXPECT_EQ(s.seat.state(), State::empty);
}

TEST(EngineSupervisor, renewal_is_forgotten_when_the_engine_is_lost_before_it) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.game_over(usi::GameOver::win, s.now, s.out);
  s.seat.renew(s.now, s.out);

  EXPECT_TRUE(has<EngineLost>(s.exit("signal 11 (Segmentation fault)")));

  s.engine = 2;
  EXPECT_TRUE(has<EngineReady>(s.boot()));
  EXPECT_TRUE(s.seat.is_idle()) << "the new engine is fresh enough";
}

TEST(EngineSupervisor, an_engine_that_is_lost_while_leaving_is_not_replaced) {
  Seat s;
  s.start_and_boot();
  s.seat.start_no_more();

  EXPECT_TRUE(has<EngineLost>(s.exit("signal 9 (Killed)")));

  EXPECT_EQ(s.said(), (Words{"kill 1", "warn engine_lost_at_last"}));
  EXPECT_FALSE(s.seat.deadline().has_value());
  EXPECT_TRUE(has<EngineLeft>(s.seat.quit(s.now, s.out)));
}

TEST(EngineSupervisor, a_queued_search_that_is_hurried_has_its_own_time_to_stop) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.abandon(s.now, s.out);
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.hurry(s.now, s.out);
  s.pass(Millis{4'000});
  static_cast<void>(s.line("bestmove 7g7f"));

  ASSERT_TRUE(s.seat.deadline().has_value());
  EXPECT_EQ(*s.seat.deadline(), s.now.steady + EngineSearches::stop_timeout);
}

TEST(EngineSupervisor, answers_instead_of_readyok_do_not_stop_the_clock) {
  Seat s;
  s.start();
  static_cast<void>(s.seat.on(EngineStarted{EngineId{0, 1}, 1}, s.now, s.out));
  static_cast<void>(s.line("usiok"));
  static_cast<void>(s.line("bestmove 7g7f"));

  ASSERT_TRUE(s.seat.deadline().has_value());
  s.pass(Millis{60'000});
  EXPECT_FALSE(has<EngineLost>(s.seat.on_time(s.now, s.out)));
  s.pass(Millis{60'000} + life_slice);
  EXPECT_TRUE(has<EngineLost>(s.seat.on_time(s.now, s.out)));
}

TEST(EngineSupervisor, a_rewinding_engine_is_known_by_its_option) {
  const auto rewinds = [](const char* declared, std::optional<std::string> set) {
    config::Engine config;
    if (set) {
      config.options = {{"Stochastic_Ponder", set}};
    }
    Seat s(true, config);
    s.start();
    static_cast<void>(s.seat.on(EngineStarted{EngineId{0, 1}, 1}, s.now, s.out));
    static_cast<void>(s.line(declared));
    static_cast<void>(s.line("usiok"));
    static_cast<void>(s.line("readyok"));
    return s.seat.known().options.rewinds_when_pondering();
  };
  const char* on = "option name Stochastic_Ponder type check default true";
  const char* off = "option name Stochastic_Ponder type check default false";
  EXPECT_TRUE(rewinds(on, std::nullopt));
  EXPECT_FALSE(rewinds(on, "false"));
  EXPECT_FALSE(rewinds(off, std::nullopt));
  EXPECT_TRUE(rewinds(off, "true"));
  EXPECT_FALSE(rewinds("option name Threads type spin default 1 min 1 max 8", "true"));
}

}  // namespace
}  // namespace kakehashi::bridge
