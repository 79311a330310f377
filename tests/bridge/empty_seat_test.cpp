// Commands to a seat whose engine is not ready, is leaving, or is given up; words for a seat that there is
// not. All of them are dropped.
#include <gtest/gtest.h>

#include "bridge/engine_team.hpp"
#include "tests/bridge/seat_on_stage.hpp"

namespace kakehashi::bridge {
namespace {

using State = EngineSeat::State;

void command_everything(Seat& s) {
  s.seat.hurry(s.now, s.out);
  s.seat.abandon(s.now, s.out);
  s.seat.renew(s.now, s.out);
  s.seat.prove(s.now, s.out);
  s.seat.new_game(s.out);
  s.seat.game_over(usi::GameOver::draw, s.now, s.out);
  EXPECT_TRUE(s.seat.ponderhit("", s.out).empty());
  EXPECT_FALSE(s.seat.search(request, s.out).has_value());
  EXPECT_FALSE(s.seat.current_search().has_value());
}

TEST(EmptySeat, an_engine_that_is_not_ready_is_told_nothing) {
  Seat s;
  s.start();
  EXPECT_EQ(s.said(), Words{"start 1"});
  command_everything(s);
  EXPECT_EQ(s.said(), Words{});
}

TEST(EmptySeat, an_engine_that_is_not_needed_any_more_is_not_renewed) {
  Seat s;
  s.start_and_boot();
  s.seat.start_no_more();
  s.seat.renew(s.now, s.out);
  EXPECT_EQ(s.said(), Words{});
}

TEST(EmptySeat, one_that_was_given_up_stays_so) {
  Seat s;
  s.start();
  while (s.seat.state() != State::given_up) {
    static_cast<void>(s.seat.on_failed({EngineId{s.engine}, "gone"}, s.now, s.out));
    s.pass(base::Millis{8'000});
    static_cast<void>(s.seat.on_time(s.now, s.out));
    ++s.engine;
  }
  static_cast<void>(s.said());
  --s.engine;

  EXPECT_TRUE(s.exit().empty()) << "the end of the last process, told late";
  EXPECT_TRUE(s.seat.replace("no move", s.now, s.out).empty());
  command_everything(s);
  s.seat.kill(s.out);
  EXPECT_EQ(s.said(), Words{});
}

TEST(EmptySeat, nobody_is_replaced_in_it_or_killed) {
  Seat s;
  EXPECT_TRUE(s.seat.replace("no move", s.now, s.out).empty());
  s.seat.kill(s.out);
  EXPECT_EQ(s.said(), Words{});
}

TEST(EmptySeat, an_engine_that_is_quitting_is_not_replaced) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.seat.quit(s.now, s.out));
  EXPECT_TRUE(s.seat.replace("no move", s.now, s.out).empty());
  EXPECT_EQ(s.said(), Words{"quit"});
}

TEST(EmptySeat, an_engine_that_refuses_to_run_as_a_copy_is_a_failure) {
  Seat s;
  s.start();
  static_cast<void>(s.seat.on_started({EngineId{1}, 1}, s.now, s.out));
  EXPECT_TRUE(has<SeatLost>(s.line("copyprotection error")));
  EXPECT_EQ(s.said(), (Words{"start 1", "usi", "kill 1", "error engine_lost", "start 2"}));
}

TEST(EmptySeat, words_of_a_standby_that_there_is_not_are_nobodys) {
  EngineTeam team({}, false);
  Outbox out;
  const base::Now now{};
  const EngineId standby{standby_engines + 1};
  EXPECT_TRUE(team.on_started({standby, 1}, now, out).empty());
  EXPECT_TRUE(team.on_failed({standby, "gone"}, now, out).empty());
  EXPECT_TRUE(team.on_line({standby, "usiok"}, now, out).empty());
  EXPECT_TRUE(team.on_stderr({standby, "hello"}).empty());
  EXPECT_TRUE(team.on_exited({standby, "exit status 1"}, now, out).empty());
  EXPECT_TRUE(out.take().empty());
}

}  // namespace
}  // namespace kakehashi::bridge
