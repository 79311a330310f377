// How a seat learns how its engine reads increments, and what its searches are told then.
#include <gtest/gtest.h>

#include "bridge/engine/engine_supervisor.hpp"
#include "bridge/event.hpp"
#include "tests/bridge/supervisor_on_stage.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using config::EngineClock;
using usi::ClockReading;
using State = EngineSupervisor::State;

config::Engine config_with(EngineClock clock) {
  config::Engine config;
  config.clock = clock;
  return config;
}

class LearningSeat : public Seat {
 public:
  explicit LearningSeat(bool may_ask = true, EngineClock clock = EngineClock::automatic)
      : Seat(false, config_with(clock)) {
    seat.known().clocks.learn(may_ask);
    start();
  }
  std::vector<EngineNews> greet(const char* name = "id name Fake") {
    static_cast<void>(seat.on(EngineStarted{EngineId{0, engine}, 1}, now, out));
    static_cast<void>(line(name));
    return line("usiok");
  }
  std::vector<EngineNews> recall(ClockReading reading, bool swaps = false) {
    return seat.on(ClockRecalled{EngineId{0, engine}, {reading, swaps}}, now, out);
  }
  std::vector<EngineNews> wait(Millis time) {
    pass(time);
    return seat.on_time(now, out);
  }
};

TEST(EngineSupervisorClock, what_is_remembered_needs_no_asking) {
  LearningSeat s;
  static_cast<void>(s.greet());
  EXPECT_EQ(s.recall(ClockReading::keeps_to_btime).size(), 0U);
  EXPECT_TRUE(has<EngineReady>(s.line("readyok")));
  EXPECT_EQ(s.said(), (Words{"start 1", "usi", "isready", "debug engine_clock", "info engine_ready"}));
  EXPECT_EQ(s.seat.known().clocks.form(), EngineClock::included);
}

TEST(EngineSupervisorClock, an_engine_that_is_ready_sooner_than_the_memory_waits_for_it) {
  LearningSeat s;
  static_cast<void>(s.greet());
  EXPECT_FALSE(has<EngineReady>(s.line("readyok")));
  EXPECT_FALSE(s.seat.is_ready());
  EXPECT_TRUE(has<EngineReady>(s.recall(ClockReading::adds)));
  EXPECT_EQ(s.seat.known().clocks.form(), EngineClock::separate);
}

TEST(EngineSupervisorClock, an_engine_of_which_nothing_is_remembered_is_asked_before_it_is_ready) {
  LearningSeat s;
  static_cast<void>(s.greet());
  static_cast<void>(s.recall(ClockReading::unknown));
  s.out = Outbox();
  EXPECT_FALSE(has<EngineReady>(s.line("readyok")));
  EXPECT_EQ(s.seat.state(), State::learning);
  EXPECT_EQ(s.said().back(), "go btime 300 wtime 300 byoyomi 0");
  s.pass(Millis{100});
  EXPECT_TRUE(s.line("info depth 1 pv 7g7f").empty()) << "nobody is told of it";
  EXPECT_TRUE(s.line("bestmove 7g7f").empty());
  EXPECT_EQ(s.said().back(), "go btime 300 wtime 300 binc 20000 winc 20000");
  static_cast<void>(s.wait(Millis{1'000}));
  EXPECT_EQ(s.said(), Words{"stop"});
  static_cast<void>(s.line("bestmove 7g7f"));
  EXPECT_EQ(s.said().back(), "go btime 300 wtime 1200000 byoyomi 0");
  EXPECT_TRUE(s.line("bestmove 7g7f").empty());
  EXPECT_EQ(s.said(), (Words{"usinewgame", "isready", "info engine_clock"}));
  EXPECT_EQ(s.seat.state(), State::preparing);
  EXPECT_TRUE(has<EngineReady>(s.line("readyok")));
  EXPECT_TRUE(s.seat.is_idle());
  EXPECT_EQ(s.seat.known().clocks.form(), EngineClock::separate);
}

TEST(EngineSupervisorClock, a_silence_of_its_link_is_not_taken_for_the_engines) {
  LearningSeat s;
  const auto link = [&](bool is_up) {
    static_cast<void>(s.seat.on(EngineLink{.engine = {0, s.engine}, .way = "gpu1", .is_up = is_up, .is_out = !is_up}, s.now, s.out));
  };
  static_cast<void>(s.greet());
  static_cast<void>(s.recall(ClockReading::unknown));
  static_cast<void>(s.line("readyok"));
  static_cast<void>(s.line("bestmove 7g7f"));
  EXPECT_EQ(s.said().back(), "go btime 300 wtime 300 binc 20000 winc 20000");
  static_cast<void>(s.wait(Millis{1'000}));
  link(false);
  s.pass(Millis{2'000});
  link(true);
  s.out = Outbox();

  static_cast<void>(s.line("bestmove 7g7f"));

  EXPECT_EQ(s.said().back(), "go btime 300 wtime 300 binc 20000 winc 20000") << "it is asked again";
  static_cast<void>(s.line("bestmove 7g7f"));
  EXPECT_EQ(s.said().back(), "go btime 20300 wtime 20300 binc 20000 winc 20000") << "it was early";
}

TEST(EngineSupervisorClock, what_is_asked_while_no_link_leads_there_is_asked_again) {
  LearningSeat s;
  const auto link = [&](bool is_up) {
    static_cast<void>(s.seat.on(EngineLink{.engine = {0, s.engine}, .way = "gpu1", .is_up = is_up, .is_out = !is_up}, s.now, s.out));
  };
  static_cast<void>(s.greet());
  static_cast<void>(s.line("readyok"));
  link(false);
  s.out = Outbox();
  static_cast<void>(s.recall(ClockReading::unknown));
  EXPECT_EQ(s.said().back(), "go btime 300 wtime 300 byoyomi 0");
  s.pass(Millis{5'000});
  link(true);
  s.out = Outbox();
  static_cast<void>(s.line("bestmove 7g7f"));
  EXPECT_EQ(s.said().back(), "go btime 300 wtime 300 byoyomi 0") << "how long it took tells nothing";
}

TEST(EngineSupervisorClock, a_memory_that_does_not_answer_is_not_waited_for_long) {
  LearningSeat s;
  static_cast<void>(s.greet());
  static_cast<void>(s.line("readyok"));
  s.out = Outbox();
  static_cast<void>(s.wait(EngineRun::recall_timeout));
  EXPECT_EQ(s.said().back(), "go btime 300 wtime 300 byoyomi 0");
  EXPECT_TRUE(s.recall(ClockReading::adds).empty()) << "too late";
}

TEST(EngineSupervisorClock, an_engine_that_ends_on_binc_comes_back_and_is_never_given_it_again) {
  LearningSeat s;
  static_cast<void>(s.greet());
  static_cast<void>(s.recall(ClockReading::unknown));
  static_cast<void>(s.line("readyok"));
  static_cast<void>(s.line("bestmove 7g7f"));
  s.out = Outbox();
  EXPECT_TRUE(has<EngineLost>(s.exit("signal 6 (Aborted)")));
  EXPECT_EQ(s.said(), (Words{"info engine_clock", "kill 1", "error engine_lost", "start 2"}));
  s.engine = 2;
  static_cast<void>(s.greet());
  EXPECT_TRUE(has<EngineReady>(s.line("readyok"))) << "it is not asked a second time";
  EXPECT_EQ(s.seat.known().clocks.form(), EngineClock::byoyomi);
}

TEST(EngineSupervisorClock, an_engine_that_hangs_while_it_is_asked_is_replaced_and_not_asked_again) {
  LearningSeat s;
  static_cast<void>(s.greet());
  static_cast<void>(s.recall(ClockReading::unknown));
  static_cast<void>(s.line("readyok"));
  static_cast<void>(s.wait(Millis{3'000}));
  EXPECT_TRUE(has<EngineLost>(s.wait(Millis{5'000})));
  s.engine = 2;
  static_cast<void>(s.greet("id name YaneuraOu NNUE 8.30git 64AVX2"));
  EXPECT_TRUE(has<EngineReady>(s.line("readyok")));
  EXPECT_EQ(s.seat.known().clocks.form(), EngineClock::byoyomi) << "whatever its name says";
  EXPECT_TRUE(s.seat.known().clocks.gets_own_clock_twice());
}

TEST(EngineSupervisorClock, an_engine_that_ends_at_the_last_question_gets_the_form_that_does_no_harm) {
  LearningSeat s;
  static_cast<void>(s.greet());
  static_cast<void>(s.recall(ClockReading::unknown));
  static_cast<void>(s.line("readyok"));
  static_cast<void>(s.line("bestmove 7g7f"));
  static_cast<void>(s.line("bestmove 7g7f"));
  static_cast<void>(s.wait(Millis{1'000}));
  static_cast<void>(s.line("bestmove 7g7f"));  // it keeps to btime
  s.out = Outbox();
  EXPECT_TRUE(has<EngineLost>(s.exit("signal 11 (Segmentation fault)")));
  EXPECT_EQ(s.said(), (Words{"kill 1", "warn engine_clock", "error engine_lost", "start 2"}));
  s.engine = 2;
  static_cast<void>(s.greet("id name Fairy-Stockfish 14"));
  EXPECT_TRUE(has<EngineReady>(s.line("readyok")));
  EXPECT_EQ(s.seat.known().clocks.form(), EngineClock::byoyomi);
  EXPECT_TRUE(s.seat.known().clocks.gets_own_clock_twice());
}

TEST(EngineSupervisorClock, what_the_user_has_set_is_not_asked_for) {
  LearningSeat s(true, EngineClock::included);
  static_cast<void>(s.greet());
  EXPECT_TRUE(has<EngineReady>(s.line("readyok")));
  EXPECT_EQ(s.seat.known().clocks.form(), EngineClock::included);
}

TEST(EngineSupervisorClock, where_nothing_is_known_the_increment_goes_as_byoyomi) {
  LearningSeat s(false);
  static_cast<void>(s.greet());
  static_cast<void>(s.recall(ClockReading::unknown));
  EXPECT_TRUE(has<EngineReady>(s.line("readyok"))) << "one that may not be asked is ready";
  EXPECT_EQ(s.seat.known().clocks.form(), EngineClock::byoyomi);
}

TEST(EngineSupervisorClock, an_engine_that_ends_without_a_word_on_its_first_increment_gets_byoyomi_from_then_on) {
  const usi::SearchRequest fischer{"position startpos", "go btime 9000 wtime 9000 binc 1000 winc 1000", false};
  Seat s(false, config_with(EngineClock::separate));
  s.start_and_boot();
  static_cast<void>(s.seat.search(fischer, s.out));
  s.out = Outbox();
  static_cast<void>(s.exit("signal 6 (Aborted)"));
  EXPECT_EQ(s.said().front(), "warn engine_clock");
  EXPECT_EQ(s.seat.known().clocks.form(), EngineClock::byoyomi);

  Seat other(false, config_with(EngineClock::separate));
  other.start_and_boot();
  static_cast<void>(other.seat.search(fischer, other.out));
  static_cast<void>(other.line("info depth 1 pv 7g7f"));
  static_cast<void>(other.exit("signal 6 (Aborted)"));
  EXPECT_EQ(other.seat.known().clocks.form(), EngineClock::separate) << "it had begun to think: it died of something else";
}

}  // namespace
}  // namespace kakehashi::bridge
