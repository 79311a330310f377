// Commands to a seat whose engine is not ready, is leaving, or is given up; words for a seat that there is
// not. All of them are dropped.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>

#include "bridge/engine/engine_team.hpp"
#include "bridge/event.hpp"
#include "tests/bridge/supervisor_on_stage.hpp"

namespace kakehashi::bridge {
namespace {

using State = EngineSupervisor::State;

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

TEST(EmptySeat, an_engine_that_is_not_needed_any_more_is_not_renewed_and_proves_nothing) {
  Seat s;
  s.start_and_boot();
  s.seat.start_no_more();
  s.seat.renew(s.now, s.out);
  s.seat.prove(s.now, s.out);
  s.pass(base::Millis{3'600'000});
  s.seat.prove_if_stale(s.now, s.out);
  EXPECT_EQ(s.said(), Words{});
}

TEST(EmptySeat, without_a_process_there_is_nothing_to_know_of_it) {
  Seat s;
  EXPECT_FALSE(s.seat.may_be_ready_by(s.now.steady + std::chrono::hours(1))) << "none was asked for yet";
  s.start_and_boot();
  const auto lose = [&] {
    static_cast<void>(s.exit());
    ++s.engine;
  };
  lose();
  lose();
  ASSERT_TRUE(s.seat.deadline()) << "the next one is started then";
  const base::SteadyTime next = *s.seat.deadline();
  EXPECT_FALSE(s.seat.has_lines());
  EXPECT_FALSE(s.seat.silent_since());
  s.seat.watch_silence(s.now);
  EXPECT_FALSE(s.seat.silent_since());
  EXPECT_FALSE(s.seat.may_be_ready_by(next));
  EXPECT_TRUE(s.seat.may_be_ready_by(next + base::Millis{1}));
}

// ssh asks for a password, or the machine is down: what is said of a link does not stop the clock.
TEST(EmptySeat, a_process_that_does_not_even_start_is_not_excused_by_its_link) {
  Seat s;
  s.start();
  const base::SteadyTime by = *s.seat.deadline();
  static_cast<void>(s.seat.on(EngineLink{.engine = {0, 1}, .way = "gpu1", .is_up = false, .is_out = true}, s.now, s.out));
  EXPECT_EQ(s.seat.deadline(), by);
  s.now.steady = by;
  EXPECT_TRUE(has<EngineLost>(s.seat.on_time(s.now, s.out)));
}

TEST(EmptySeat, the_patience_that_has_run_out_is_named_by_its_setting) {
  for (const bool is_patient : {false, true}) {
    config::Engine config;
    config.ready_timeout = base::Millis{is_patient ? 3'600'000 : 10'000};
    Seat s(false, config);
    s.start();
    static_cast<void>(s.seat.on(EngineStarted{EngineId{0, 1}, 1}, s.now, s.out));
    static_cast<void>(s.line("usiok"));
    const base::SteadyTime asked = s.now.steady;
    std::vector<EngineNews> news;
    while (!has<EngineLost>(news)) {  // it says something all the time
      ASSERT_TRUE(s.seat.deadline());
      s.now.steady = std::min(*s.seat.deadline(), s.now.steady + base::Millis{5'000});
      static_cast<void>(s.line("info string loading"));
      news = s.seat.on_time(s.now, s.out);
    }
    EXPECT_EQ(base::millis_between(asked, s.now.steady), is_patient ? config.ready_timeout : config::Engine::ready_max);
    const std::string why = std::get<EngineLost>(news.front()).why.english();
    EXPECT_EQ(why.find("engine.ready_timeout") != std::string::npos, is_patient) << why;
  }
}

TEST(EmptySeat, one_that_was_given_up_stays_so) {
  Seat s;
  s.start();
  while (s.seat.state() != State::given_up) {
    static_cast<void>(s.seat.on(EngineFailedToStart{EngineId{0, s.engine}, base::verbatim("gone")}, s.now, s.out));
    s.pass(base::Millis{8'000});
    static_cast<void>(s.seat.on_time(s.now, s.out));
    ++s.engine;
  }
  static_cast<void>(s.said());
  --s.engine;

  EXPECT_TRUE(s.exit().empty()) << "the end of the last process, told late";
  EXPECT_TRUE(s.seat.replace(base::verbatim("no move"), s.now, s.out).empty());
  command_everything(s);
  s.seat.kill(s.out);
  EXPECT_EQ(s.said(), Words{});
}

TEST(EmptySeat, an_engine_that_was_ready_once_is_tried_again_for_an_hour_and_told_of_more_and_more_rarely) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.exit());
  int notes = 0;
  base::Millis pause{0};
  const auto fail = [&] {
    ++s.engine;
    return s.seat.on(EngineFailedToStart{EngineId{0, s.engine}, base::verbatim("no such file")}, s.now, s.out);
  };
  const base::SteadyTime lost_at = s.now.steady;
  for (int attempt = 1; s.now.steady < lost_at + EngineFailures::missing_max; ++attempt) {
    const auto news = fail();
    ASSERT_TRUE(has<EngineLost>(news));
    EXPECT_EQ(std::get<EngineLost>(news.front()).is_missing, attempt >= EngineFailures::attempts_max);
    ASSERT_TRUE(s.seat.deadline());
    pause = base::millis_between(s.now.steady, *s.seat.deadline());
    s.pass(pause);
    static_cast<void>(s.seat.on_time(s.now, s.out));
    const auto said = s.said();
    notes += static_cast<int>(std::count(said.begin(), said.end(), "error engine_lost"));
  }
  EXPECT_EQ(pause, EngineFailures::pause_max);
  EXPECT_LT(notes, 12);
  EXPECT_TRUE(has<EngineGivenUp>(fail()));
}

TEST(EmptySeat, an_engine_that_comes_back_after_a_while_is_as_good_as_new) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.exit());
  for (int attempt = 1; attempt <= 2 * EngineFailures::attempts_max; ++attempt) {
    ++s.engine;
    static_cast<void>(s.seat.on(EngineFailedToStart{EngineId{0, s.engine}, base::verbatim("no such file")}, s.now, s.out));
    s.pass(EngineFailures::pause_max);
    static_cast<void>(s.seat.on_time(s.now, s.out));
  }
  EXPECT_TRUE(s.seat.known().failures.is_missing());
  ++s.engine;
  EXPECT_TRUE(has<EngineReady>(s.boot()));
  EXPECT_FALSE(s.seat.known().failures.is_missing());
}

TEST(EmptySeat, a_start_that_fails_names_what_the_engine_did_not_get_of_the_environment) {
  Seat s;
  s.start();
  static_cast<void>(s.seat.on(EngineStarted{EngineId{0, 1}, 1, "FOO_PATH, MY_TOKEN"}, s.now, s.out));
  static_cast<void>(s.exit("exit status 127"));

  std::string text;
  for (const Action& action : s.out.take()) {
    if (const auto* note = std::get_if<Note>(&action); note != nullptr && note->code == "engine_environment") {
      text += note->text.english();
    }
  }
  EXPECT_NE(text.find("variables: FOO_PATH, MY_TOKEN; if it needs one, name it in engine.pass_environment"),
            std::string::npos)
      << text;
}

TEST(EmptySeat, nobody_is_replaced_in_it_or_killed) {
  Seat s;
  EXPECT_TRUE(s.seat.replace(base::verbatim("no move"), s.now, s.out).empty());
  s.seat.kill(s.out);
  EXPECT_EQ(s.said(), Words{});
}

TEST(EmptySeat, an_engine_that_is_quitting_is_not_replaced) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.seat.quit(s.now, s.out));
  EXPECT_TRUE(s.seat.replace(base::verbatim("no move"), s.now, s.out).empty());
  EXPECT_EQ(s.said(), Words{"quit"});
}

TEST(EmptySeat, an_engine_that_refuses_to_run_as_a_copy_is_a_failure) {
  Seat s;
  s.start();
  static_cast<void>(s.seat.on(EngineStarted{EngineId{0, 1}, 1}, s.now, s.out));
  EXPECT_TRUE(has<EngineLost>(s.line("copyprotection error")));
  EXPECT_EQ(s.said(), (Words{"start 1", "usi", "kill 1", "error engine_lost", "start 2"}));
}

TEST(EmptySeat, words_of_a_standby_that_there_is_not_are_nobodys) {
  EngineTeam team({}, false);
  Outbox out;
  const base::Now now{};
  const EngineId standby{1, 1};
  EXPECT_TRUE(team.on(EngineStarted{standby, 1}, now, out).empty());
  EXPECT_TRUE(team.on(EngineFailedToStart{standby, base::verbatim("gone")}, now, out).empty());
  EXPECT_TRUE(team.on(EngineLine{standby, "usiok"}, now, out).empty());
  EXPECT_TRUE(team.on(EngineStderr{standby, "hello"}, now, out).empty());
  EXPECT_TRUE(team.on(EngineExited{standby, base::verbatim("exit status 1")}, now, out).empty());
  EXPECT_TRUE(out.take().empty());
}

}  // namespace
}  // namespace kakehashi::bridge
