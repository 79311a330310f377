// An idle engine proves that it is alive: when it is asked, how long it has, and what follows.
#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "bridge/engine/engine_supervisor.hpp"
#include "bridge/event.hpp"
#include "tests/bridge/supervisor_on_stage.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using State = EngineSupervisor::State;

TEST(EngineSupervisorProof, an_engine_that_answers_is_ready_again_and_nobody_is_told_of_a_new_one) {
  Seat s;
  s.start_and_boot();
  s.seat.prove(s.now, s.out);
  EXPECT_EQ(s.said(), Words{"isready"});
  EXPECT_FALSE(s.seat.is_idle());
  EXPECT_EQ(s.seat.state(), State::proving);

  EXPECT_TRUE(has<EngineReady>(s.line("readyok")));

  EXPECT_EQ(s.said(), Words{});
  EXPECT_TRUE(s.seat.is_idle());
}

TEST(EngineSupervisorProof, the_question_waits_for_the_answer_that_is_owed) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.game_over(usi::GameOver::lose, s.now, s.out);
  s.seat.prove(s.now, s.out);
  EXPECT_EQ(s.said(), (Words{"usinewgame", "position startpos", "go btime 0 wtime 0 byoyomi 1000", "stop"}));

  static_cast<void>(s.line("bestmove 7g7f"));

  EXPECT_EQ(s.said(), (Words{"gameover lose", "isready", "debug bestmove_swallowed"}));
}

TEST(EngineSupervisorProof, no_question_follows_the_owed_answer_into_the_next_game) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.game_over(usi::GameOver::lose, s.now, s.out);
  s.seat.prove(s.now, s.out);
  static_cast<void>(s.seat.search(request, s.out));
  static_cast<void>(s.said());

  static_cast<void>(s.line("bestmove 7g7f"));
  EXPECT_EQ(s.said(), (Words{"gameover lose", "usinewgame", "position startpos", "go btime 0 wtime 0 byoyomi 1000",
                             "debug bestmove_swallowed"}));
  static_cast<void>(s.line("bestmove 7g7f"));
  EXPECT_EQ(s.said(), Words{});
  EXPECT_TRUE(s.seat.is_ready());
}

TEST(EngineSupervisorProof, nor_is_the_engine_renewed_behind_it) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.game_over(usi::GameOver::lose, s.now, s.out);
  s.seat.renew(s.now, s.out);
  static_cast<void>(s.seat.search(request, s.out));

  static_cast<void>(s.line("bestmove 7g7f"));
  static_cast<void>(s.line("bestmove 7g7f"));

  EXPECT_TRUE(s.seat.is_ready());
}

TEST(EngineSupervisorProof, a_silent_engine_is_replaced_at_once_and_that_counts_as_no_failure_to_start) {
  for (int round = 0; round < 2 * EngineFailures::attempts_max; ++round) {
    Seat s;
    s.start_and_boot();
    s.seat.prove(s.now, s.out);
    s.pass(EngineRun::proof_timeout_min - Millis{1});
    EXPECT_FALSE(has<EngineLost>(s.seat.on_time(s.now, s.out)));
    s.pass(life_slice + Millis{1});

    EXPECT_TRUE(has<EngineLost>(s.seat.on_time(s.now, s.out)));

    EXPECT_EQ(s.said(), (Words{"isready", "kill 1", "error engine_lost", "start 2"}));
  }
}

TEST(EngineSupervisorProof, an_engine_that_is_slow_to_get_ready_has_more_time_but_never_more_than_at_its_start) {
  for (const auto& [took, limit] : {std::pair(Millis{2'000}, Millis{16'000}),
                                    std::pair(Millis{100'000}, Millis{120'000})}) {
    Seat s;
    s.start();
    static_cast<void>(s.seat.on(EngineStarted{EngineId{0, 1}, 1}, s.now, s.out));
    static_cast<void>(s.line("usiok"));
    s.pass(took);
    static_cast<void>(s.line("readyok"));
    s.seat.prove(s.now, s.out);
    s.pass(limit - Millis{1});
    EXPECT_FALSE(has<EngineLost>(s.seat.on_time(s.now, s.out)));
    s.pass(life_slice + Millis{1});
    EXPECT_TRUE(has<EngineLost>(s.seat.on_time(s.now, s.out)));
  }
}

/// Passes the time in small steps, with a sign of life in each; true when the engine was given up meanwhile.
template <class Sign>
bool is_lost_within(Seat& s, Millis time, const Sign& sign) {
  const Millis step{5'000};
  for (Millis passed{0}; passed < time; passed += step) {
    s.pass(step);
    sign();
    if (has<EngineLost>(s.seat.on_time(s.now, s.out))) {
      return true;
    }
  }
  return false;
}

TEST(EngineSupervisorProof, empty_lines_info_and_standard_error_are_signs_of_life_while_it_gets_ready) {
  const auto signs = std::vector<std::function<void(Seat&)>>{
      [](Seat& s) { static_cast<void>(s.line("")); },
      [](Seat& s) { static_cast<void>(s.line("info string building the tables")); },
      [](Seat& s) { static_cast<void>(s.seat.on(EngineStderr{EngineId{0, 1}, "[TRT] building"}, s.now, s.out)); }};
  for (const auto& sign : signs) {
    Seat s;
    s.start();
    static_cast<void>(s.seat.on(EngineStarted{EngineId{0, 1}, 1}, s.now, s.out));
    static_cast<void>(s.line("usiok"));
    static_cast<void>(s.said());

    EXPECT_FALSE(is_lost_within(s, Millis{900'000}, [&] { sign(s); }));

    EXPECT_EQ(s.said(), (Words{"info engine_getting_ready", "info engine_getting_ready", "info engine_getting_ready",
                               "info engine_getting_ready"}))
        << "after 1, 2, 4 and 8 minutes";
    EXPECT_TRUE(has<EngineReady>(s.line("readyok")));

    s.seat.prove(s.now, s.out);
    EXPECT_FALSE(is_lost_within(s, Millis{900'000}, [&] { sign(s); }));
    EXPECT_TRUE(has<EngineReady>(s.line("readyok")));
  }
}

TEST(EngineSupervisorProof, a_lively_engine_that_never_gets_ready_is_replaced_in_the_end) {
  Seat s;
  s.start();
  static_cast<void>(s.seat.on(EngineStarted{EngineId{0, 1}, 1}, s.now, s.out));
  static_cast<void>(s.line("usiok"));
  const auto sign = [&] { static_cast<void>(s.line("")); };

  EXPECT_FALSE(is_lost_within(s, config::Engine::ready_max - Millis{5'000}, sign));
  EXPECT_TRUE(is_lost_within(s, Millis{10'000}, sign));
}

TEST(EngineSupervisorProof, an_engine_that_falls_silent_while_it_gets_ready_has_its_patience_once_more) {
  Seat s;
  s.start();
  static_cast<void>(s.seat.on(EngineStarted{EngineId{0, 1}, 1}, s.now, s.out));
  static_cast<void>(s.line("usiok"));
  EXPECT_FALSE(is_lost_within(s, Millis{300'000}, [&] { static_cast<void>(s.line("")); }));
  EXPECT_FALSE(is_lost_within(s, Millis{115'000}, [] {}));
  EXPECT_TRUE(is_lost_within(s, Millis{10'000}, [] {}));
}

TEST(EngineSupervisorProof, a_sign_of_life_is_good_for_five_minutes) {
  Seat s;
  s.start_and_boot();
  s.pass(EngineRun::proof_age_max - Millis{1});
  s.seat.prove_if_stale(s.now, s.out);
  EXPECT_EQ(s.said(), Words{});

  s.pass(Millis{1});
  s.seat.prove_if_stale(s.now, s.out);
  EXPECT_EQ(s.said(), Words{"isready"});

  static_cast<void>(s.line("readyok"));
  s.seat.prove_if_stale(s.now, s.out);
  EXPECT_EQ(s.said(), Words{});
}

TEST(EngineSupervisorProof, an_engine_that_is_renewed_or_not_needed_any_more_is_not_asked) {
  Seat s;
  s.start_and_boot();
  s.seat.renew(s.now, s.out);
  s.seat.prove(s.now, s.out);
  EXPECT_EQ(s.said(), Words{"quit"});

  Seat last;
  last.start_and_boot();
  last.seat.start_no_more();
  last.seat.prove(last.now, last.out);
  EXPECT_EQ(last.said(), Words{});
}

TEST(EngineSupervisorProof, an_engine_may_be_told_to_quit_or_die_while_it_is_asked) {
  Seat s;
  s.start_and_boot();
  s.seat.prove(s.now, s.out);
  EXPECT_FALSE(has<EngineLeft>(s.seat.quit(s.now, s.out)));
  EXPECT_EQ(s.said(), (Words{"isready", "quit"}));
  EXPECT_TRUE(has<EngineLeft>(s.exit("exit status 0")));

  Seat dying;
  dying.start_and_boot();
  dying.seat.prove(dying.now, dying.out);
  EXPECT_TRUE(has<EngineLost>(dying.exit()));
  EXPECT_EQ(dying.said(), (Words{"isready", "kill 1", "error engine_lost", "start 2"}));
}

TEST(EngineSupervisorProof, rules_that_come_meanwhile_are_told_behind_the_answer) {
  Seat s;
  s.start();
  static_cast<void>(s.seat.on(EngineStarted{EngineId{0, 1}, 1}, s.now, s.out));
  static_cast<void>(s.line("option name MaxMovesToDraw type spin default 0 min 0 max 1000"));
  static_cast<void>(s.line("usiok"));
  static_cast<void>(s.line("readyok"));
  static_cast<void>(s.said());
  s.seat.prove(s.now, s.out);
  GameRules rules;
  rules.max_moves = 300;
  s.seat.prepare_game(rules, s.now, s.out);
  EXPECT_EQ(s.said(), Words{"isready"});

  EXPECT_FALSE(has<EngineReady>(s.line("readyok"))) << "it has to take them in first";

  EXPECT_EQ(s.said(), (Words{"setoption name MaxMovesToDraw value 300", "isready",
                             "info engine_rule_set"}));
  EXPECT_TRUE(has<EngineReady>(s.line("readyok")));
}

TEST(EngineSupervisorProof, a_uci_engine_is_asked_in_the_same_word) {
  config::Engine config;
  config.protocol = usi::Protocol::uci;
  Seat s(false, config);
  s.start();
  static_cast<void>(s.seat.on(EngineStarted{EngineId{0, 1}, 1}, s.now, s.out));
  static_cast<void>(s.line("uciok"));
  static_cast<void>(s.line("readyok"));
  static_cast<void>(s.said());
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.game_over(usi::GameOver::win, s.now, s.out);
  s.seat.prove(s.now, s.out);
  static_cast<void>(s.said());

  static_cast<void>(s.line("bestmove c3c4"));

  EXPECT_EQ(s.said(), (Words{"isready", "debug bestmove_swallowed"}));
}

TEST(EngineSupervisorProof, what_was_parked_is_told_with_the_loss) {
  Seat s(true);
  s.start_and_boot();
  static_cast<void>(s.seat.search({"position startpos moves 7g7f 3c3d",
                                   "go ponder btime 0 wtime 0 byoyomi 1000", true},
                                  s.out));
  static_cast<void>(s.line("bestmove 2g2f ponder 8c8d"));

  const auto news = s.exit();

  ASSERT_TRUE(has<EngineLost>(news));
  const auto& lost = std::get<EngineLost>(news.front());
  ASSERT_TRUE(lost.parked);
  EXPECT_EQ(lost.parked->move, "2g2f");
  EXPECT_EQ(lost.parked->ponder, "8c8d");
}

}  // namespace
}  // namespace kakehashi::bridge
