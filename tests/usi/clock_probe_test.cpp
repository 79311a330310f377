#include "usi/clock_probe.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "tests/engines/clock_models.hpp"

namespace kakehashi::usi {
namespace {

using base::Millis;

struct Probed {
  EngineClocks clocks;
  Millis taken{0};
  std::vector<std::string> sent;
  bool is_deaf = false;
};

/// Puts the questions to a modelled engine, whose every answer comes `late` milliseconds after what it plans.
Probed probe(std::string_view model, long late = 0, long keeps = 1'120, Millis delays = Millis{1'120},
             bool obeys = true) {
  const base::SteadyTime begin{std::chrono::hours(1)};
  base::SteadyTime now = begin;
  ClockProbe probe(delays);
  Probed probed;
  ClockProbe::Deed deed = probe.start(now);
  while (!probe.is_finished()) {
    if (!deed.go.empty()) {
      EXPECT_TRUE(deed.position.starts_with("position sfen "));
      probed.sent.push_back(deed.go);
      const bool is_black = deed.position.find(" b ") != std::string::npos;
      const test::Thinks thinks = test::thinking_time(model, test::told_clock(deed.go, is_black), keeps);
      if (thinks.dies) {
        probe.on_death();
        break;
      }
      const auto answers_at = now + Millis{thinks.ms.value_or(1'000'000) + late};
      if (answers_at < probe.deadline()) {
        now = answers_at;
        deed = probe.on_answer(now);
        continue;
      }
    }
    now = probe.deadline();
    deed = probe.on_time(now);
    if (deed.stop && obeys) {
      probed.sent.emplace_back("stop");
      now += Millis{20 + late};
      deed = probe.on_answer(now);
    }
  }
  probed.clocks = probe.found();
  probed.taken = base::millis_between(begin, now);
  probed.is_deaf = probe.is_deaf();
  return probed;
}

TEST(ClockProbe, tells_the_known_engines_apart) {
  EXPECT_EQ(probe("yaneuraou-9.40").clocks, (EngineClocks{ClockReading::adds, false}));
  EXPECT_EQ(probe("yaneuraou-9.70").clocks, (EngineClocks{ClockReading::keeps_to_btime, false}));
  EXPECT_EQ(probe("fairy-11.1").clocks, (EngineClocks{ClockReading::keeps_to_btime, true}));
  EXPECT_EQ(probe("fairy-14").clocks, (EngineClocks{ClockReading::keeps_to_btime, false}));
  EXPECT_EQ(probe("gpsshogi").clocks, (EngineClocks{ClockReading::no_increments, false}));
  EXPECT_EQ(probe("slow").clocks, EngineClocks{}) << "it has a least time: nothing is concluded";
}

TEST(ClockProbe, tells_them_apart_on_a_busy_machine_and_with_large_margins) {
  EXPECT_EQ(probe("yaneuraou-9.40", 450).clocks.reading, ClockReading::adds);
  EXPECT_EQ(probe("yaneuraou-9.70", 450).clocks.reading, ClockReading::keeps_to_btime);
  EXPECT_EQ(probe("yaneuraou-9.40", 0, 5'000, Millis{5'000}).clocks.reading, ClockReading::adds);
  EXPECT_EQ(probe("yaneuraou-9.40", 0, 30'000, Millis{30'000}).clocks.reading, ClockReading::adds)
      << "the increment is twice what is kept back";
}

TEST(ClockProbe, puts_its_questions_clocks_first_and_never_two_kinds_of_time_together) {
  EXPECT_EQ(probe("yaneuraou-9.70").sent,
            (std::vector<std::string>{"go btime 300 wtime 300 byoyomi 0",
                                      "go btime 300 wtime 300 binc 20000 winc 20000",
                                      "go btime 20300 wtime 20300 binc 20000 winc 20000", "stop",
                                      "go btime 300 wtime 1200000 byoyomi 0"}));
  EXPECT_LE(probe("yaneuraou-9.70").taken, Millis{2'000});
  EXPECT_LE(probe("yaneuraou-9.40").taken, Millis{2'000});
}

TEST(ClockProbe, asks_in_another_position_before_it_gives_up) {
  const Probed slow = probe("slow");
  EXPECT_EQ(slow.sent.size(), 4U);
  EXPECT_LE(slow.taken, Millis{7'000});
}

TEST(ClockProbe, an_engine_that_is_deaf_to_stop_ends_it) {
  const Probed deaf = probe("yaneuraou-9.40", 0, 1'120, Millis{0}, false);
  EXPECT_TRUE(deaf.is_deaf);
  EXPECT_EQ(deaf.clocks, EngineClocks{});
}

TEST(ClockProbe, nothing_is_found_of_an_engine_that_ends_at_the_last_question) {
  base::SteadyTime now{std::chrono::hours(1)};
  ClockProbe probe;
  EXPECT_FALSE(probe.start(now).go.empty());
  EXPECT_FALSE(probe.on_answer(now).go.empty());
  EXPECT_FALSE(probe.on_answer(now).go.empty());
  now = probe.deadline();
  EXPECT_TRUE(probe.on_time(now).stop);
  EXPECT_EQ(probe.on_answer(now).go, "go btime 300 wtime 1200000 byoyomi 0");
  probe.on_death();
  EXPECT_TRUE(probe.is_finished());
  EXPECT_EQ(probe.found(), EngineClocks{});
}

/// An engine that has answered two questions early, and is silent at the third until it is stopped.
ClockProbe probe_at_within(base::SteadyTime now) {
  ClockProbe probe;
  static_cast<void>(probe.start(now));
  static_cast<void>(probe.on_answer(now + Millis{10}));
  EXPECT_EQ(probe.on_answer(now + Millis{20}).go, "go btime 20300 wtime 20300 binc 20000 winc 20000");
  return probe;
}

TEST(ClockProbe, a_silence_in_which_nothing_could_be_heard_tells_nothing_and_the_question_is_put_again) {
  const base::SteadyTime begin{std::chrono::hours(1)};
  ClockProbe probe;
  static_cast<void>(probe.start(begin));
  const std::string behind = probe.on_answer(begin + Millis{10}).go;
  EXPECT_TRUE(probe.on_time(probe.deadline()).stop);
  probe.on_interruption();
  EXPECT_EQ(probe.on_answer(begin + Millis{4'000}).go, behind);
  EXPECT_EQ(probe.on_answer(begin + Millis{4'010}).go, "go btime 20300 wtime 20300 binc 20000 winc 20000")
      << "it was early after all";
}

TEST(ClockProbe, who_stood_still_until_long_after_the_limit_has_heard_nothing_either) {
  ClockProbe probe = probe_at_within(base::SteadyTime{std::chrono::hours(1)});
  const base::SteadyTime late = probe.deadline() + ClockProbe::late_max + Millis{1};
  EXPECT_TRUE(probe.on_time(late).stop);
  EXPECT_EQ(probe.on_answer(late + Millis{5}).go, "go btime 20300 wtime 20300 binc 20000 winc 20000");
}

TEST(ClockProbe, an_engine_that_can_never_be_heard_for_long_is_not_asked_for_ever) {
  const base::SteadyTime now{std::chrono::hours(1)};
  ClockProbe probe = probe_at_within(now);
  int asked = 0;
  for (; !probe.is_finished(); ++asked) {
    probe.on_interruption();
    static_cast<void>(probe.on_answer(now));
  }
  EXPECT_EQ(asked, ClockProbe::repeats_max + 1);
  EXPECT_EQ(probe.found(), EngineClocks{});
}

TEST(ClockProbe, an_engine_that_is_gone_with_its_link_has_not_died_of_an_increment) {
  const base::SteadyTime now{std::chrono::hours(1)};
  ClockProbe probe;
  static_cast<void>(probe.start(now));
  static_cast<void>(probe.on_answer(now));
  probe.on_interruption();
  probe.on_death();
  EXPECT_EQ(probe.found(), EngineClocks{});
}

TEST(ClockProbe, what_comes_while_no_question_waits_is_no_answer) {
  const base::SteadyTime now{std::chrono::hours(1)};
  ClockProbe probe = probe_at_within(now);
  probe.on_death();
  EXPECT_TRUE(probe.on_answer(now).go.empty());
  EXPECT_FALSE(probe.on_time(now + Millis{60'000}).stop);
  EXPECT_TRUE(probe.is_finished());
  EXPECT_FALSE(probe.is_deaf());
  ClockProbe fresh;
  EXPECT_TRUE(fresh.on_answer(now).go.empty());
  EXPECT_TRUE(fresh.is_finished());
}

TEST(ClockByName, knows_the_versions_whose_reading_is_known) {
  const auto reading = [](std::string_view name) { return clocks_by_name(name).reading; };
  EXPECT_EQ(reading("YaneuraOu NNUE 5.33 64AVX2"), ClockReading::keeps_to_btime);
  EXPECT_EQ(reading("YaneuraOu NNUE 5.40 64AVX2"), ClockReading::unknown) << "it exists in both kinds";
  EXPECT_EQ(reading("YaneuraOu NNUE 6.00 64AVX2"), ClockReading::adds);
  EXPECT_EQ(reading("YaneuraOu MaterialLv1 9.41git 64AVX2 TOURNAMENT"), ClockReading::adds);
  EXPECT_EQ(reading("YaneuraOu NNUE 9.60git 64ZEN2"), ClockReading::unknown);
  EXPECT_EQ(reading("YaneuraOu MaterialLv1 9.70git 64AVX2"), ClockReading::keeps_to_btime);
  EXPECT_EQ(reading("FukauraOu 7.50 64"), ClockReading::adds);
  EXPECT_EQ(reading("YaneuraOu 2017 Early"), ClockReading::unknown) << "a year is no version";
  EXPECT_EQ(reading("dlshogi"), ClockReading::unknown);
  EXPECT_EQ(reading(""), ClockReading::unknown);
  EXPECT_EQ(clocks_by_name("Fairy-Stockfish 11.1 LB 64"), (EngineClocks{ClockReading::keeps_to_btime, true}));
  EXPECT_EQ(clocks_by_name("Fairy-Stockfish 11.2 LB 64"), (EngineClocks{ClockReading::keeps_to_btime, true}));
  EXPECT_EQ(clocks_by_name("Fairy-Stockfish 14 LB"), (EngineClocks{ClockReading::keeps_to_btime, false}));
  EXPECT_EQ(clocks_by_name("Fairy-Stockfish 240318"), (EngineClocks{ClockReading::keeps_to_btime, false}));
  EXPECT_EQ(clocks_by_name("Fairy-Stockfish "), EngineClocks{});
}

}  // namespace
}  // namespace kakehashi::usi
