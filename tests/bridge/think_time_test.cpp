#include "bridge/game/think_time.hpp"

#include <gtest/gtest.h>

#include "bridge/game/link_margin.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using shogi::Color;

csa::TimeControl clock(int total_s, int byoyomi_s, int increment_s) {
  csa::TimeControl control;
  control.total = Millis{total_s * 1000};
  control.byoyomi = Millis{byoyomi_s * 1000};
  control.increment = Millis{increment_s * 1000};
  return control;
}

csa::GameClock both(const csa::TimeControl& control) {
  return csa::GameClock(csa::TimeControls{control, control});
}

constexpr ThinkTimeRules rules{Millis{1000}, Millis{10'000}};

std::string words(const ThinkTime& time) { return usi::format_times(time.go); }

TEST(ThinkTime, byoyomi_loses_the_margin_and_the_main_time_stays_whole) {
  const ThinkTime time = think_time(both(clock(600, 10, 0)), Color::black, Millis{0}, rules);

  EXPECT_EQ(words(time), "btime 600000 wtime 600000 byoyomi 9000");
  EXPECT_EQ(time.entitled, Millis{610'000});
  EXPECT_EQ(time.hurry_after, Millis{609'500});
  EXPECT_EQ(time.rescue_after, Millis{609'750});
}

TEST(ThinkTime, byoyomi_alone_is_all_there_is) {
  const ThinkTime time = think_time(both(clock(0, 10, 0)), Color::black, Millis{0}, rules);

  EXPECT_EQ(words(time), "btime 0 wtime 0 byoyomi 9000");
  EXPECT_EQ(time.entitled, Millis{10'000});
}

TEST(ThinkTime, a_byoyomi_clock_without_a_total_is_byoyomi_alone) {
  csa::TimeControl control = clock(0, 30, 0);
  control.total.reset();

  const ThinkTime time = think_time(both(control), Color::white, Millis{0}, rules);

  EXPECT_EQ(words(time), "btime 0 wtime 0 byoyomi 29000");
  EXPECT_EQ(time.entitled, Millis{30'000});
}

TEST(ThinkTime, an_increment_game_gets_the_clocks_before_the_increment) {
  const ThinkTime time = think_time(both(clock(300, 0, 10)), Color::white, Millis{0}, rules);

  EXPECT_EQ(words(time), "btime 300000 wtime 299000 binc 10000 winc 10000");
  EXPECT_EQ(time.entitled, Millis{310'000});
}

TEST(ThinkTime, with_an_empty_main_time_the_margin_comes_off_the_increment) {
  const ThinkTime time = think_time(both(clock(0, 0, 10)), Color::black, Millis{0}, rules);

  EXPECT_EQ(words(time), "btime 1 wtime 0 binc 9000 winc 10000") << "two empty clocks are no limit for some";
  EXPECT_EQ(time.hurry_after, Millis{9'500});
  EXPECT_EQ(time.rescue_after, Millis{9'750});
}

TEST(ThinkTime, sudden_death_loses_the_margin_from_the_main_time) {
  const ThinkTime time = think_time(both(clock(600, 0, 0)), Color::black, Millis{0}, rules);

  EXPECT_EQ(words(time), "btime 599000 wtime 600000 byoyomi 0");
  EXPECT_EQ(time.entitled, Millis{600'000});
}

TEST(ThinkTime, a_server_that_rounds_up_may_charge_a_second_more) {
  csa::TimeControl byoyomi = clock(600, 10, 0);
  byoyomi.rounds_up = true;
  const ThinkTime time = think_time(both(byoyomi), Color::black, Millis{0}, rules);
  EXPECT_EQ(words(time), "btime 600000 wtime 600000 byoyomi 8000");
  EXPECT_EQ(time.entitled, Millis{610'000});
  EXPECT_EQ(time.hurry_after, Millis{608'500});
  EXPECT_EQ(time.rescue_after, Millis{608'750});

  csa::TimeControl increment = clock(0, 0, 10);
  increment.rounds_up = true;
  EXPECT_EQ(words(think_time(both(increment), Color::black, Millis{0}, rules)),
            "btime 1 wtime 0 binc 8000 winc 10000");
}

TEST(ThinkTime, rounding_up_takes_no_more_than_half_of_a_tiny_budget) {
  csa::TimeControl tiny = clock(0, 1, 0);
  tiny.rounds_up = true;
  const ThinkTime time = think_time(both(tiny), Color::black, Millis{0}, rules);
  EXPECT_EQ(words(time), "btime 0 wtime 0 byoyomi 250");
  EXPECT_LT(time.rescue_after, Millis{500});
}

TEST(ThinkTime, an_untimed_side_gets_the_configured_time_whole) {
  const ThinkTime time = think_time(csa::GameClock(), Color::black, Millis{0}, rules);

  EXPECT_EQ(words(time), "btime 0 wtime 0 byoyomi 10000");
  EXPECT_FALSE(time.entitled.has_value());
  EXPECT_GE(time.hurry_after, Millis{10'000});
}

TEST(ThinkTime, where_no_clock_runs_a_long_way_takes_nothing) {
  const ThinkTimeRules far{.margin = Millis{1'000}, .untimed_move = Millis{2'000}, .way = Millis{1'900}, .unsure = Millis{400}};
  const ThinkTime time = think_time(csa::GameClock(), Color::black, Millis{0}, far);

  EXPECT_EQ(time.given, Millis{2'000});
  EXPECT_GE(time.hurry_after, Millis{2'000});
}

TEST(ThinkTime, rounding_up_means_nothing_where_no_clock_runs) {
  csa::TimeControl untimed;
  untimed.rounds_up = true;
  const ThinkTime time = think_time(both(untimed), Color::black, Millis{0}, rules);

  EXPECT_FALSE(time.entitled.has_value());
  EXPECT_EQ(words(time), "btime 0 wtime 0 byoyomi 10000");
}

TEST(ThinkTime, an_untimed_side_has_time_to_replace_a_hung_engine) {
  const ThinkTime time = think_time(csa::GameClock(), Color::black, Millis{0}, rules);

  EXPECT_EQ(time.rescue_after - time.hurry_after, Millis{60'000});
}

TEST(ThinkTime, clocks_with_both_byoyomi_and_increment_never_send_both) {
  const ThinkTime time = think_time(both(clock(60, 10, 5)), Color::black, Millis{0}, rules);

  EXPECT_EQ(words(time), "btime 65000 wtime 60000 byoyomi 9000");
  EXPECT_EQ(time.entitled, Millis{75'000});
}

TEST(ThinkTime, the_own_side_decides_between_byoyomi_and_increment) {
  const csa::GameClock game_clock(csa::TimeControls{clock(60, 10, 0), clock(600, 0, 5)});

  EXPECT_EQ(words(think_time(game_clock, Color::black, Millis{0}, rules)),
            "btime 60000 wtime 600000 byoyomi 9000");
  EXPECT_EQ(words(think_time(game_clock, Color::white, Millis{0}, rules)),
            "btime 60000 wtime 599000 binc 0 winc 5000");
}

TEST(ThinkTime, an_opponents_increment_is_told_even_if_we_have_none) {
  const csa::GameClock game_clock(csa::TimeControls{clock(60, 0, 0), clock(60, 0, 5)});

  EXPECT_EQ(words(think_time(game_clock, Color::black, Millis{0}, rules)),
            "btime 59000 wtime 60000 binc 0 winc 5000");
}

TEST(ThinkTime, an_untimed_side_against_a_timed_one_gets_the_configured_time) {
  const csa::GameClock game_clock(csa::TimeControls{csa::TimeControl{}, clock(60, 0, 5)});

  EXPECT_EQ(words(think_time(game_clock, Color::black, Millis{0}, rules)),
            "btime 0 wtime 60000 byoyomi 10000");
}

TEST(ThinkTime, time_spent_on_a_failed_search_comes_off_as_on_the_server) {
  const ThinkTime byoyomi = think_time(both(clock(5, 10, 0)), Color::black, Millis{7000}, rules);
  const ThinkTime fischer = think_time(both(clock(5, 0, 10)), Color::black, Millis{7000}, rules);
  const ThinkTime sudden = think_time(both(clock(60, 0, 0)), Color::black, Millis{7000}, rules);

  EXPECT_EQ(words(byoyomi), "btime 0 wtime 5000 byoyomi 7000");
  EXPECT_EQ(words(fischer), "btime 0 wtime 5000 binc 7000 winc 10000");
  EXPECT_EQ(words(sudden), "btime 52000 wtime 60000 byoyomi 0");
}

TEST(ThinkTime, spent_time_moves_no_deadline) {
  const csa::GameClock game_clock = both(clock(60, 0, 0));

  const ThinkTime early = think_time(game_clock, Color::black, Millis{0}, rules);
  const ThinkTime late = think_time(game_clock, Color::black, Millis{7000}, rules);

  EXPECT_EQ(early.hurry_after, late.hurry_after);
  EXPECT_EQ(early.rescue_after, late.rescue_after);
}

TEST(ThinkTime, more_time_spent_than_there_was_leaves_nothing_and_no_negative_number) {
  const ThinkTime time = think_time(both(clock(5, 0, 1)), Color::black, Millis{90'000}, rules);

  EXPECT_EQ(words(time), "btime 0 wtime 5000 binc 0 winc 1000");
}

TEST(ThinkTime, a_margin_above_the_budget_takes_half_of_it) {
  const ThinkTime time =
      think_time(both(clock(0, 1, 0)), Color::black, Millis{0}, {Millis{5000}, Millis{10'000}});

  EXPECT_EQ(words(time), "btime 0 wtime 0 byoyomi 500");
  EXPECT_EQ(time.hurry_after, Millis{750});
  EXPECT_EQ(time.rescue_after, Millis{875});
}

TEST(ThinkTime, a_margin_above_the_byoyomi_goes_on_to_the_main_time) {
  const ThinkTime time =
      think_time(both(clock(60, 1, 0)), Color::black, Millis{0}, {Millis{3000}, Millis{10'000}});

  EXPECT_EQ(words(time), "btime 58000 wtime 60000 byoyomi 0");
}

TEST(ThinkTime, without_a_margin_the_deadlines_are_the_budget) {
  const ThinkTime time =
      think_time(both(clock(0, 10, 0)), Color::black, Millis{0}, {Millis{0}, Millis{10'000}});

  EXPECT_EQ(words(time), "btime 0 wtime 0 byoyomi 10000");
  EXPECT_EQ(time.rescue_after, Millis{10'000});
}

TEST(ThinkTime, the_game_clock_is_followed_move_by_move) {
  csa::GameClock game_clock = both(clock(20, 0, 10));
  game_clock.charge(Color::black, Millis{25'000});
  game_clock.charge(Color::white, Millis{4'000});

  EXPECT_EQ(words(think_time(game_clock, Color::black, Millis{0}, rules)),
            "btime 4000 wtime 26000 binc 10000 winc 10000");
}

TEST(ThinkTime, an_engine_that_takes_btime_for_all_there_is_gets_the_increment_in_it) {
  const ThinkTimeRules included{.margin = Millis{1000},
                                .untimed_move = Millis{10'000},
                                .clock = config::EngineClock::included};
  const ThinkTime time = think_time(both(clock(300, 0, 10)), Color::white, Millis{0}, included);
  EXPECT_EQ(words(time), "btime 310000 wtime 309000 binc 10000 winc 10000");
  EXPECT_EQ(time.given, Millis{309'000});

  csa::GameClock empty = both(clock(300, 0, 10));
  empty.set_main_time(Color::black, Millis{0});
  EXPECT_EQ(words(think_time(empty, Color::black, Millis{2'000}, included)),
            "btime 7000 wtime 310000 binc 10000 winc 10000");
  EXPECT_EQ(words(think_time(both(clock(60, 10, 0)), Color::black, Millis{0}, included)),
            "btime 60000 wtime 60000 byoyomi 9000")
      << "it is about increments only";
}

TEST(ThinkTime, an_engine_without_increments_gets_them_as_byoyomi) {
  const ThinkTimeRules byoyomi{.margin = Millis{1000},
                               .untimed_move = Millis{10'000},
                               .clock = config::EngineClock::byoyomi};
  EXPECT_EQ(words(think_time(both(clock(300, 0, 10)), Color::black, Millis{0}, byoyomi)),
            "btime 299000 wtime 300000 byoyomi 10000");
}

TEST(ThinkTime, two_empty_clocks_are_sent_only_with_byoyomi) {
  const ThinkTimeRules all{.margin = Millis{1000}, .clock = config::EngineClock::included};
  EXPECT_EQ(words(think_time(both(clock(0, 0, 1)), Color::white, Millis{5'000}, all)),
            "btime 1000 wtime 0 binc 1000 winc 1000");
  csa::GameClock game_clock = both(clock(5, 0, 0));
  game_clock.set_main_time(Color::white, Millis{0});
  EXPECT_EQ(words(think_time(game_clock, Color::black, Millis{9'000}, all)), "btime 1 wtime 0 byoyomi 0");
  EXPECT_EQ(words(think_time(both(clock(0, 10, 0)), Color::black, Millis{0}, all)),
            "btime 0 wtime 0 byoyomi 9000");
}

TEST(ThinkTime, an_engine_that_takes_the_other_sides_clock_is_given_its_own_for_both) {
  ThinkTimeRules swapped{.margin = Millis{1000}, .clock = config::EngineClock::included, .swaps_sides = true};
  csa::GameClock game_clock = both(clock(300, 0, 10));
  game_clock.set_main_time(Color::black, Millis{20'000});
  EXPECT_EQ(words(think_time(game_clock, Color::white, Millis{0}, swapped)),
            "btime 309000 wtime 309000 binc 10000 winc 10000");
  swapped.clock = config::EngineClock::separate;
  EXPECT_EQ(words(think_time(game_clock, Color::black, Millis{0}, swapped)),
            "btime 19000 wtime 19000 binc 10000 winc 10000");
  EXPECT_EQ(words(think_time(both(clock(60, 10, 0)), Color::white, Millis{0}, swapped)),
            "btime 60000 wtime 60000 byoyomi 9000");
  game_clock = both(clock(5, 0, 0));
  game_clock.set_main_time(Color::white, Millis{0});
  EXPECT_EQ(words(think_time(game_clock, Color::white, Millis{9'000}, swapped)), "btime 1 wtime 1 byoyomi 0")
      << "nor are both empty";
}

TEST(ThinkTime, what_the_engine_keeps_back_is_not_kept_back_twice) {
  ThinkTimeRules kept{.margin = Millis{1500}, .engine_keeps = Millis{1120}};
  EXPECT_EQ(words(think_time(both(clock(300, 0, 10)), Color::black, Millis{0}, kept)),
            "btime 299620 wtime 300000 binc 10000 winc 10000");
  kept.clock = config::EngineClock::included;
  EXPECT_EQ(words(think_time(both(clock(300, 0, 10)), Color::black, Millis{0}, kept)),
            "btime 309620 wtime 310000 binc 10000 winc 10000");
  kept.margin = Millis{300};
  const ThinkTime time = think_time(both(clock(0, 10, 0)), Color::black, Millis{0}, kept);
  EXPECT_EQ(words(time), "btime 0 wtime 0 byoyomi 10000") << "and never more than there is";
  EXPECT_EQ(time.hurry_after, Millis{9'850}) << "the guard stands where it stood";
}

TEST(ThinkTime, nothing_leaves_later_than_the_way_takes) {
  const ThinkTimeRules slow{
      .margin = Millis{800}, .untimed_move = Millis{10'000}, .way = Millis{400}};
  const ThinkTime time = think_time(both(clock(0, 10, 0)), Color::black, Millis{0}, slow);

  EXPECT_EQ(time.given, Millis{9'200});
  EXPECT_EQ(time.hurry_after, Millis{9'400});
  EXPECT_EQ(time.rescue_after, Millis{9'500});

  const ThinkTimeRules slower{
      .margin = Millis{800}, .untimed_move = Millis{10'000}, .way = Millis{4'000}};
  EXPECT_EQ(think_time(both(clock(0, 10, 0)), Color::black, Millis{0}, slower).rescue_after,
            Millis{5'950})
      << "the margin's bound does not cut the way, and a reserve is kept besides";
}

TEST(ThinkTime, an_engine_that_stops_slowly_is_told_earlier) {
  const ThinkTimeRules slow{
      .margin = Millis{800}, .untimed_move = Millis{10'000}, .stop = Millis{500}};
  const ThinkTime time = think_time(both(clock(0, 10, 0)), Color::black, Millis{0}, slow);
  EXPECT_EQ(time.rescue_after, Millis{9'800});
  EXPECT_EQ(time.hurry_after, Millis{9'300});

  const ThinkTimeRules slower{
      .margin = Millis{800}, .untimed_move = Millis{10'000}, .stop = Millis{5'000}};
  EXPECT_EQ(think_time(both(clock(0, 10, 0)), Color::black, Millis{0}, slower).hurry_after,
            Millis{9'200})
      << "not before its time is over";
}

TEST(ThinkTime, the_way_comes_off_a_short_turn_first) {
  for (const int way : {20, 520, 600, 700, 900}) {
    const ThinkTimeRules slow{.margin = Millis{2 * way + 250},
                              .untimed_move = Millis{10'000},
                              .way = Millis{way},
                              .stop = LinkMargin::stop_min};
    const ThinkTime time = think_time(both(clock(0, 1, 0)), Color::black, Millis{0}, slow);

    EXPECT_LT(time.rescue_after + Millis{way}, Millis{1'000}) << way;
    EXPECT_LE(time.hurry_after, time.rescue_after) << way;
    EXPECT_LE(time.given, time.hurry_after + Millis{1}) << way;
    EXPECT_GE(time.given, Millis{1}) << way;
  }
}

TEST(ThinkTime, where_the_way_takes_most_of_a_turn_an_engine_out_of_reach_is_not_waited_for) {
  ThinkTimeRules cut{.margin = Millis{1'500}, .untimed_move = Millis{10'000}, .way = Millis{600}, .mean_way = Millis{600}};
  const auto rescue_after = [&](int byoyomi) {
    return think_time(both(clock(0, byoyomi, 0)), Color::black, Millis{0}, cut).rescue_after;
  };
  const Millis short_turn = rescue_after(1);
  const Millis long_turn = rescue_after(5);
  cut.is_out_of_reach = true;
  EXPECT_LT(rescue_after(1), short_turn);
  EXPECT_LE(rescue_after(1), Millis{30});
  EXPECT_EQ(rescue_after(5), long_turn);
}

TEST(ThinkTime, the_increment_and_a_longer_byoyomi_lose_the_way_too) {
  const ThinkTimeRules slow{
      .margin = Millis{1'500}, .untimed_move = Millis{10'000}, .way = Millis{600}};
  EXPECT_EQ(words(think_time(both(clock(0, 0, 1)), Color::black, Millis{0}, slow)),
            "btime 1 wtime 0 binc 300 winc 1000");

  const ThinkTimeRules slower{
      .margin = Millis{3'000}, .untimed_move = Millis{10'000}, .way = Millis{1'200}};
  const ThinkTime time = think_time(both(clock(0, 2, 0)), Color::black, Millis{0}, slower);
  EXPECT_EQ(words(time), "btime 0 wtime 0 byoyomi 600");
  EXPECT_EQ(time.rescue_after, Millis{750});
}

TEST(ThinkTime, where_the_way_leaves_nothing_the_engine_is_stopped_at_once) {
  const ThinkTimeRules slow{
      .margin = Millis{3'000}, .untimed_move = Millis{10'000}, .way = Millis{1'100}};
  const ThinkTime time = think_time(both(clock(0, 1, 0)), Color::black, Millis{0}, slow);

  EXPECT_EQ(words(time), "btime 0 wtime 0 byoyomi 1") << "no clock at 0: to some that is no limit";
  EXPECT_EQ(time.hurry_after, Millis{0});
  EXPECT_GT(time.rescue_after, Millis{0}) << "for its first word";
  EXPECT_LE(time.rescue_after, Millis{50});
}

TEST(ThinkTime, no_word_is_waited_for_where_the_way_takes_the_whole_turn_each_time) {
  ThinkTimeRules slow{.margin = Millis{3'000},
                      .untimed_move = Millis{10'000},
                      .way = Millis{995},
                      .mean_way = Millis{990},
                      .unsure = Millis{3}};
  EXPECT_LT(think_time(both(clock(0, 1, 0)), Color::black, Millis{0}, slow).rescue_after, Millis{5});

  slow.way = Millis{2'000};
  slow.mean_way = Millis{250};
  EXPECT_EQ(think_time(both(clock(0, 1, 0)), Color::black, Millis{0}, slow).rescue_after, Millis{30})
      << "two accidents in ten moves: a word of the engine is worth more";
}

TEST(ThinkTime, an_engine_that_needs_longer_for_its_first_word_is_not_waited_for) {
  ThinkTimeRules slow{.margin = Millis{3'000}, .untimed_move = Millis{10'000}, .way = Millis{1'100}, .stop_seen = Millis{150}};
  EXPECT_EQ(think_time(both(clock(0, 1, 0)), Color::black, Millis{0}, slow).rescue_after, Millis{0});
}

TEST(ThinkTime, an_engine_that_must_be_stopped_and_cannot_stop_in_what_is_left_is_not_waited_for) {
  ThinkTimeRules slow{.margin = Millis{3'000},
                      .untimed_move = Millis{10'000},
                      .way = Millis{850},
                      .mean_way = Millis{810},
                      .stop_seen = Millis{300},
                      .needs_stop = true};
  EXPECT_EQ(think_time(both(clock(0, 1, 0)), Color::black, Millis{0}, slow).rescue_after, Millis{0});
  slow.stop_seen = Millis{80};
  EXPECT_GT(think_time(both(clock(0, 1, 0)), Color::black, Millis{0}, slow).rescue_after, Millis{80});
}

TEST(ThinkTime, a_move_in_place_of_a_far_engines_does_not_go_to_it_and_back) {
  const ThinkTimeRules near{.margin = Millis{1'000}, .untimed_move = Millis{10'000}, .way = Millis{40}, .mean_way = Millis{30}};
  ThinkTimeRules far = near;
  far.margin += Millis{300};
  far.way += Millis{300};
  far.engine_way = Millis{300};
  const ThinkTime of_near = think_time(both(clock(0, 10, 0)), Color::black, Millis{0}, near);
  const ThinkTime of_far = think_time(both(clock(0, 10, 0)), Color::black, Millis{0}, far);
  EXPECT_EQ(of_far.rescue_after, of_near.rescue_after);
  EXPECT_EQ(of_far.given, of_near.given - Millis{300});
  EXPECT_EQ(of_far.hurry_after, of_near.hurry_after - Millis{300}) << "the stop goes there, and the answer back";

  far.resigns = true;
  EXPECT_EQ(think_time(both(clock(0, 10, 0)), Color::black, Millis{0}, far).rescue_after, Millis{9'970});
}

TEST(ThinkTime, an_engine_that_stops_slowly_gets_its_time_on_a_short_turn_too) {
  const ThinkTimeRules slow{.margin = Millis{1'200},
                            .untimed_move = Millis{10'000},
                            .way = Millis{20},
                            .stop = Millis{600}};
  const ThinkTime time = think_time(both(clock(0, 1, 0)), Color::black, Millis{0}, slow);

  EXPECT_GE(time.rescue_after - time.hurry_after, Millis{600});
}

TEST(ThinkTime, an_engine_that_does_not_end_by_itself_is_told_when_its_time_is_over) {
  const ThinkTimeRules told{
      .margin = Millis{800}, .untimed_move = Millis{10'000}, .needs_stop = true};
  const ThinkTime time = think_time(both(clock(0, 10, 0)), Color::black, Millis{0}, told);

  EXPECT_EQ(time.given, Millis{9'200});
  EXPECT_EQ(time.hurry_after, Millis{9'200});
  EXPECT_EQ(time.rescue_after, Millis{9'800});
}

}  // namespace
}  // namespace kakehashi::bridge
