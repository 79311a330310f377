#include "bridge/engine/engine_supervisor.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bridge/event.hpp"
#include "tests/bridge/supervisor_on_stage.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using State = EngineSupervisor::State;

TEST(EngineSupervisor, brings_an_engine_from_its_start_to_readyok) {
  Seat s;
  s.start();
  EXPECT_EQ(s.said(), Words{"start 1"});
  EXPECT_EQ(s.seat.state(), State::starting);

  const auto news = s.boot();

  EXPECT_TRUE(has<EngineReady>(news));
  EXPECT_TRUE(s.seat.is_idle());
  EXPECT_EQ(s.said(), (Words{"usi", "isready", "info engine_ready"}));
  EXPECT_EQ(s.seat.known().name, "Fake");
  EXPECT_FALSE(s.seat.deadline().has_value());
}

TEST(EngineSupervisor, pondering_is_told_by_the_name_that_the_engine_knows) {
  Seat usi(true);
  usi.start();
  static_cast<void>(usi.boot());
  EXPECT_EQ(usi.said(), (Words{"start 1", "usi", "setoption name USI_Ponder value true", "isready",
                               "info engine_ready"}));

  Seat uci(true);
  uci.start();
  static_cast<void>(uci.seat.on(EngineStarted{EngineId{0, 1}, 1}, uci.now, uci.out));
  static_cast<void>(uci.line("option name Ponder type check default false"));
  static_cast<void>(uci.line("usiok"));
  EXPECT_EQ(uci.said(), (Words{"start 1", "usi", "setoption name Ponder value true", "isready"}));
}

TEST(EngineSupervisor, an_option_of_the_user_is_not_overridden) {
  config::Engine config;
  config.options = {{"USI_Ponder", "false"}};
  Seat s(true, config);
  s.start();
  static_cast<void>(s.boot());

  EXPECT_EQ(s.said(), (Words{"start 1", "usi", "setoption name USI_Ponder value false", "isready",
                             "info engine_ready"}));
}

TEST(EngineSupervisor, a_silent_start_is_a_failure_after_its_time) {
  Seat s;
  s.start();
  s.pass(Millis{30'000});

  EXPECT_TRUE(has<EngineLost>(s.seat.on_time(s.now, s.out)));

  EXPECT_EQ(s.said(), (Words{"start 1", "kill 1", "error engine_lost", "start 2"}));
}

TEST(EngineSupervisor, too_early_a_look_changes_nothing) {
  Seat s;
  s.start();
  s.pass(Millis{29'999});

  EXPECT_TRUE(s.seat.on_time(s.now, s.out).empty());

  EXPECT_EQ(s.said(), Words{"start 1"});
}

TEST(EngineSupervisor, the_cuts_of_its_link_are_counted_and_the_present_one_with_them) {
  Seat s;
  s.start_and_boot();
  const auto link = [&](bool is_up) {
    static_cast<void>(s.seat.on(EngineLink{.engine = EngineId{0, 1}, .way = "far", .is_up = is_up, .is_out = !is_up,
                                      .round_trip = std::chrono::microseconds{900}},
                                     s.now, s.out));
  };
  link(true);
  EXPECT_EQ(s.seat.view_link(s.now.steady).cuts, 0);
  link(false);
  s.pass(Millis{2'000});
  EXPECT_TRUE(s.seat.view_link(s.now.steady).is_out);
  EXPECT_EQ(s.seat.view_link(s.now.steady).out, Millis{2'000});
  link(true);
  s.pass(Millis{5'000});
  link(false);
  s.pass(Millis{1'000});

  const ViewedEngineLink seen = s.seat.view_link(s.now.steady);
  EXPECT_EQ(seen.cuts, 2);
  EXPECT_EQ(seen.out, Millis{3'000});
  EXPECT_EQ(seen.ways_lost, 1);
  EXPECT_EQ(seen.round_trip, std::chrono::microseconds{900});
}

TEST(EngineSupervisor, gives_up_after_five_failures_in_a_row) {
  Seat s;
  s.start();
  for (s.engine = 1; s.engine < 5; ++s.engine) {
    EXPECT_TRUE(has<EngineLost>(s.exit()));
    if (s.seat.state() == State::empty) {
      s.pass(Millis{10'000});
      static_cast<void>(s.seat.on_time(s.now, s.out));
    }
  }

  EXPECT_TRUE(has<EngineGivenUp>(s.exit()));

  EXPECT_EQ(s.seat.state(), State::given_up);
  EXPECT_FALSE(s.seat.deadline().has_value());
}

TEST(EngineSupervisor, words_of_an_earlier_engine_are_ignored) {
  Seat s;
  s.start();
  static_cast<void>(s.exit());

  EXPECT_TRUE(s.seat.on(EngineStarted{EngineId{0, 1}, 1}, s.now, s.out).empty());
  EXPECT_TRUE(s.line("usiok").empty());
  EXPECT_TRUE(s.exit().empty());

  EXPECT_EQ(s.seat.state(), State::starting);
}

TEST(EngineSupervisor, an_answer_belongs_to_its_search) {
  Seat s;
  s.start_and_boot();
  const auto search = s.seat.search(request, s.out);
  ASSERT_TRUE(search.has_value());
  EXPECT_FALSE(s.seat.is_idle());

  const auto news = s.line("bestmove 7g7f ponder 3c3d");

  ASSERT_TRUE(has<usi::SearchAnswered>(news));
  EXPECT_EQ(std::get<usi::SearchAnswered>(news.front()).search, *search);
  EXPECT_TRUE(s.seat.is_idle());
}

TEST(EngineSupervisor, a_search_without_a_ready_engine_is_no_search) {
  Seat s;
  s.start();

  EXPECT_FALSE(s.seat.search(request, s.out).has_value());
  EXPECT_EQ(s.said(), Words{"start 1"});
}

TEST(EngineSupervisor, an_abandoned_search_is_answered_to_nobody_and_holds_the_next_one_back) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.abandon(s.now, s.out);
  static_cast<void>(s.seat.search(request, s.out));
  EXPECT_EQ(s.said(), (Words{"usinewgame", request.position, request.go, "stop"}));

  const auto news = s.line("bestmove resign");

  EXPECT_FALSE(has<usi::SearchAnswered>(news));
  EXPECT_EQ(s.said(), (Words{request.position, request.go, "debug bestmove_swallowed"}));
  EXPECT_TRUE(has<usi::SearchAnswered>(s.line("bestmove 7g7f")));
}

TEST(EngineSupervisor, an_engine_that_does_not_stop_is_replaced_after_five_seconds) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.hurry(s.now, s.out);
  ASSERT_TRUE(s.seat.deadline().has_value());
  EXPECT_EQ(*s.seat.deadline(), s.now.steady + EngineSearches::stop_timeout);
  s.pass(EngineSearches::stop_timeout);

  EXPECT_TRUE(has<EngineLost>(s.seat.on_time(s.now, s.out)));

  EXPECT_EQ(s.said(), (Words{"usinewgame", request.position, request.go, "stop", "kill 1", "error engine_lost",
                             "start 2"}));
}

TEST(EngineSupervisor, an_answer_in_time_takes_the_deadline_away) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.hurry(s.now, s.out);
  static_cast<void>(s.line("bestmove 7g7f"));

  EXPECT_FALSE(s.seat.deadline().has_value());
}

TEST(EngineSupervisor, restarts_come_slower_and_an_answered_search_forgives) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.exit());
  EXPECT_EQ(s.seat.state(), State::starting) << "the first restart is immediate";
  s.engine = 2;
  static_cast<void>(s.boot());
  static_cast<void>(s.exit());
  EXPECT_EQ(s.seat.state(), State::empty) << "the second waits";
  s.pass(Millis{1000});
  static_cast<void>(s.seat.on_time(s.now, s.out));
  s.engine = 3;
  static_cast<void>(s.boot());
  static_cast<void>(s.seat.search(request, s.out));
  static_cast<void>(s.line("bestmove 7g7f"));
  static_cast<void>(s.exit());

  EXPECT_EQ(s.seat.state(), State::starting) << "and now at once again";
}

TEST(EngineSupervisor, gameover_waits_for_the_owed_answer) {
  Seat s;
  s.start_and_boot();
  s.seat.new_game(s.out);
  static_cast<void>(s.seat.search(request, s.out));
  s.seat.game_over(usi::GameOver::lose, s.now, s.out);
  EXPECT_EQ(s.said(), (Words{"usinewgame", request.position, request.go, "stop"}));

  static_cast<void>(s.line("bestmove 7g7f"));

  EXPECT_EQ(s.said(), (Words{"gameover lose", "debug bestmove_swallowed"}));
}

TEST(EngineSupervisor, an_engine_that_heard_of_no_game_hears_of_no_end) {
  Seat s;
  s.start_and_boot();

  s.seat.game_over(usi::GameOver::lose, s.now, s.out);

  EXPECT_TRUE(s.said().empty());
}

TEST(EngineSupervisor, last_words_are_shown_when_the_engine_is_lost) {
  Seat s;
  s.start_and_boot();
  for (int i = 0; i < 30; ++i) {
    static_cast<void>(s.seat.on(EngineStderr{EngineId{0, 1}, "word"}, s.now, s.out));
  }
  static_cast<void>(s.exit());

  const Words words = s.said();
  EXPECT_EQ(std::count(words.begin(), words.end(), "warn engine_stderr"),
            static_cast<std::ptrdiff_t>(EngineRun::last_words_kept));
}

TEST(EngineSupervisor, quit_is_done_when_the_engine_is_gone) {
  Seat s;
  s.start_and_boot();

  EXPECT_TRUE(s.seat.quit(s.now, s.out).empty());
  EXPECT_TRUE(has<EngineLeft>(s.exit("exit status 0")));

  EXPECT_EQ(s.said(), Words{"quit"});
}

TEST(EngineSupervisor, quit_is_done_when_its_time_is_over) {
  Seat s;
  s.start_and_boot();
  static_cast<void>(s.seat.quit(s.now, s.out));
  s.pass(Millis{5'000});

  EXPECT_TRUE(has<EngineLeft>(s.seat.on_time(s.now, s.out)));

  EXPECT_EQ(s.said(), (Words{"quit", "kill 1"}));
}

TEST(EngineSupervisor, quit_of_an_engine_that_does_not_run_yet_is_done_at_once) {
  Seat s;
  s.start();

  EXPECT_TRUE(has<EngineLeft>(s.seat.quit(s.now, s.out)));

  EXPECT_EQ(s.said(), (Words{"start 1", "kill 1"}));
  EXPECT_FALSE(s.seat.deadline().has_value());
}

TEST(EngineSupervisor, a_late_failure_of_an_engine_that_was_quit_starts_no_other) {
  Seat s;
  s.start();
  static_cast<void>(s.seat.quit(s.now, s.out));
  static_cast<void>(s.said());

  EXPECT_TRUE(s.seat.on(EngineFailedToStart{EngineId{0, 1}, base::verbatim("No such file")}, s.now, s.out).empty());

  EXPECT_EQ(s.seat.state(), State::empty);
  EXPECT_TRUE(s.said().empty());
}

TEST(EngineSupervisor, quit_of_an_empty_seat_is_done_at_once) {
  Seat s;

  EXPECT_TRUE(has<EngineLeft>(s.seat.quit(s.now, s.out)));
}

TEST(EngineSupervisor, a_parked_answer_comes_with_the_hit) {
  Seat s(true);
  s.start_and_boot();
  const auto search =
      s.seat.search({"position startpos moves 7g7f", "go ponder btime 0 wtime 0", true}, s.out);
  EXPECT_FALSE(has<usi::SearchAnswered>(s.line("bestmove 3c3d")));
  EXPECT_EQ(s.seat.current_search(), search);
  static_cast<void>(s.said());

  const auto news = s.seat.ponderhit("", s.out);

  ASSERT_TRUE(has<usi::SearchAnswered>(news));
  EXPECT_TRUE(s.said().empty()) << "an engine that does not search gets no ponderhit";
}

}  // namespace
}  // namespace kakehashi::bridge
