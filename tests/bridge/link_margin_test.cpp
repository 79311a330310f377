#include "bridge/game/link_margin.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

namespace kakehashi::bridge {
namespace {

using base::Millis;
using Micros = LinkMargin::Micros;

constexpr LinkMargin::Bounds wide{Millis{0}, Millis{10'000}};
/// Of an engine that always ended by itself.
const StopDelays no_stops;

/// A move of ours came back after so long.
void move(LinkMargin& margin, Millis echo) {
  margin.take_echo(echo);
  margin.end_move();
}

/// 20 ms away, and a little more now and then.
LinkMargin settled() {
  LinkMargin margin;
  margin.take_login(Millis{21});
  margin.take_round_trip(Micros{20'000}, Micros{4'000});
  for (int i = 0; i < 12; ++i) {
    move(margin, Millis{20 + i % 3});
  }
  return margin;
}

/// "Within 5 % of the old margin".
void expect_back(const LinkMargin& margin, Millis before) {
  EXPECT_LE(margin.margin(wide, no_stops), before + before / 20);
  EXPECT_GE(margin.margin(wide, no_stops), before - before / 20);
}

TEST(LinkMargin, is_a_second_before_anything_is_known) {
  const LinkMargin margin;

  EXPECT_FALSE(margin.is_measured());
  EXPECT_EQ(margin.margin(wide, no_stops), Millis{1'000});
  EXPECT_EQ(margin.way(), Millis{0});
  EXPECT_EQ(margin.margin({Millis{0}, Millis{400}}, no_stops), Millis{400}) << "within its bounds";
}

TEST(LinkMargin, holds_the_way_and_a_lost_packet) {
  LinkMargin margin;
  margin.take_round_trip(Micros{30'000}, Micros{5'000});

  EXPECT_EQ(margin.way(), Millis{40});
  EXPECT_EQ(margin.margin(wide, no_stops), Millis{40 + 230 + 20});
}

TEST(LinkMargin, two_short_echoes_are_not_taken_for_a_short_way) {
  LinkMargin margin;
  margin.take_login(Millis{84});
  move(margin, Millis{54});
  move(margin, Millis{37});

  EXPECT_GE(margin.way(), Millis{54}) << "the login is the one that is forgiven";
}

// A way that takes 8 to 230 ms, evenly (simulated game of seed 1796636246160999).
TEST(LinkMargin, two_lucky_echoes_do_not_unsay_what_connecting_and_the_login_took) {
  LinkMargin margin;
  margin.take_round_trip(Micros{119'000}, Micros{59'500});
  margin.take_login(Millis{165});
  move(margin, Millis{28});
  move(margin, Millis{37});
  EXPECT_GE(margin.way(), Millis{165});

  LinkMargin near;  // of which connecting tells nothing new
  near.take_round_trip(Micros{20'000}, Micros{10'000});
  near.take_login(Millis{21});
  move(near, Millis{20});
  move(near, Millis{21});
  EXPECT_LE(near.way(), Millis{26});

  for (int i = 0; i < 10; ++i) {
    move(margin, Millis{28 + i});
  }
  EXPECT_LE(margin.way(), Millis{60}) << "many echoes have the last word";
}

TEST(LinkMargin, of_a_slow_link_grows_with_its_spread) {
  LinkMargin margin;
  for (const int echo : {140, 260, 140, 260, 140, 260, 140, 260, 140, 260, 260}) {
    move(margin, Millis{echo});
  }

  EXPECT_EQ(margin.way(), Millis{387});
  EXPECT_EQ(margin.margin(wide, no_stops), Millis{387 + 206 + 240 + 20});
}

TEST(LinkMargin, takes_no_guess_of_the_kernel_for_a_deviation) {
  LinkMargin margin;
  margin.take_round_trip(Micros{600'000}, Micros{300'000});

  EXPECT_EQ(margin.way(), Millis{900});
}

TEST(LinkMargin, stays_within_its_bounds) {
  LinkMargin margin;
  margin.take_round_trip(Micros{100}, Micros{10});
  EXPECT_EQ(margin.margin({Millis{500}, Millis{3'000}}, no_stops), Millis{500});

  margin.take_round_trip(Micros{9'000'000}, Micros{1'000'000});
  EXPECT_EQ(margin.margin({Millis{500}, Millis{3'000}}, no_stops), Millis{3'000});
}

TEST(LinkMargin, begins_with_the_login_where_the_kernel_sees_a_proxy) {
  LinkMargin margin;
  margin.take_login(Millis{240});
  margin.take_round_trip(Micros{100}, Micros{10});

  EXPECT_EQ(margin.way(), Millis{360});
  EXPECT_EQ(margin.margin(wide, no_stops), Millis{360 + 440 + 20});

  move(margin, Millis{200});
  EXPECT_EQ(margin.way(), Millis{250}) << "an echo and the login: the longer may be an accident";
}

TEST(LinkMargin, takes_a_slow_login_for_the_servers_own) {
  LinkMargin margin;
  margin.take_login(Millis{25'000});
  margin.take_round_trip(Micros{20'000}, Micros{1'000});
  EXPECT_EQ(margin.way(), Millis{1'500});

  move(margin, Millis{20});
  EXPECT_LE(margin.way(), Millis{25});
  move(margin, Millis{20});
  move(margin, Millis{1'000});
  EXPECT_LE(margin.way(), Millis{25}) << "it is no second accident";
}

TEST(LinkMargin, begins_with_a_long_way_as_the_login_shows_it_where_the_kernel_says_nothing) {
  LinkMargin margin;
  margin.take_login(Millis{1'800});
  EXPECT_GE(margin.way(), Millis{1'800});

  move(margin, Millis{1'750});
  EXPECT_GE(margin.way(), Millis{1'750});
}

TEST(LinkMargin, cuts_no_way_that_echoes_show) {
  LinkMargin margin;
  margin.take_round_trip(Micros{3'400'000}, Micros{1'000});
  EXPECT_GE(margin.way(), Millis{3'400});

  for (int i = 0; i < 5; ++i) {
    move(margin, Millis{3'400});
    EXPECT_GE(margin.way(), Millis{3'400});
  }
}

TEST(LinkMargin, learns_from_echoes_where_the_kernel_says_nothing) {
  LinkMargin margin;
  move(margin, Millis{80});
  EXPECT_TRUE(margin.is_measured());
  EXPECT_EQ(margin.way(), Millis{100}) << "one sample is no rule yet";

  for (int i = 0; i < 50; ++i) {
    move(margin, Millis{80});
  }

  EXPECT_EQ(margin.way(), Millis{84}) << "no way varies by less than a 64th of it";
}

// A way that takes 1,754 to 1,944 ms (simulated game of seed 1796637313128600).
TEST(LinkMargin, ten_echoes_that_lie_close_together_may_have_been_lucky) {
  LinkMargin margin;
  for (int i = 0; i < 11; ++i) {
    move(margin, Millis{1'840 + 3 * (i % 5)});
  }
  EXPECT_GE(margin.way(), Millis{1'928});
}

TEST(LinkMargin, follows_a_way_that_varies) {
  LinkMargin margin;
  margin.take_login(Millis{600});
  for (const int echo : {620, 880, 700, 760, 840, 900, 650, 810, 720, 690}) {
    move(margin, Millis{echo});
  }

  EXPECT_GE(margin.way(), Millis{880});
  EXPECT_LE(margin.way(), Millis{980});
}

TEST(LinkMargin, forgives_one_late_echo_at_once) {
  for (const Millis accident : {Millis{1'000}, Millis{1'900}, Millis{56'000}}) {
    LinkMargin margin = settled();
    const Millis before = margin.margin(wide, no_stops);

    move(margin, accident);
    expect_back(margin, before);
    for (int i = 0; i < 3; ++i) {
      move(margin, Millis{20});
    }
    expect_back(margin, before);
  }
}

// An accident of the network between the kernels: their smoothed figures remember it for many moves.
TEST(LinkMargin, forgives_what_the_kernel_remembers_of_one_late_echo) {
  LinkMargin margin = settled();
  const Millis before = margin.margin(wide, no_stops);

  move(margin, Millis{1'000});
  // As Linux has them after one sample of 1 s and after each further one of 20 ms.
  constexpr std::array kernel{std::pair{142'000, 249'000}, std::pair{127'000, 218'000},
                              std::pair{114'000, 190'000}, std::pair{102'000, 166'000}};
  for (const auto& [rtt, variance] : kernel) {
    margin.take_round_trip(Micros{rtt}, Micros{variance});
    expect_back(margin, before);
    move(margin, Millis{20});
  }
}

TEST(LinkMargin, believes_two_late_echoes_in_ten_moves) {
  for (std::size_t between = 0; between <= 8; ++between) {
    LinkMargin margin = settled();
    move(margin, Millis{1'000});
    for (std::size_t i = 0; i < between; ++i) {
      move(margin, Millis{20});
    }
    move(margin, Millis{1'100});
    EXPECT_GE(margin.way(), Millis{1'000}) << between << " moves between them";
  }
}

TEST(LinkMargin, of_a_new_connection_trusts_its_kernel_before_the_echoes_of_the_last_one) {
  LinkMargin margin = settled();
  margin.take_login(Millis{310});
  margin.take_round_trip(Micros{300'000}, Micros{20'000});
  EXPECT_EQ(margin.way(), Millis{340});
}

TEST(LinkMargin, learns_from_a_charge_above_our_own_count) {
  LinkMargin margin = settled();
  const Millis way = margin.way();
  margin.take_charge(Millis{4'900}, Millis{4'000});
  move(margin, Millis{20});
  EXPECT_EQ(margin.way(), way) << "rounded down: nothing is known";

  margin.take_charge(Millis{4'500}, Millis{5'000});
  move(margin, Millis{20});
  EXPECT_EQ(margin.way(), way) << "one accident";

  margin.take_charge(Millis{4'500}, Millis{5'000});
  move(margin, Millis{20});
  EXPECT_EQ(margin.way(), Millis{500});

  for (int i = 0; i < 10; ++i) {
    margin.take_charge(Millis{4'900}, Millis{4'000});
    move(margin, Millis{20});
  }
  EXPECT_LE(margin.way(), way);
}

TEST(LinkMargin, believes_a_slow_stop_at_once_and_forgives_it_after_three_moves) {
  LinkMargin margin = settled();
  const Millis before = margin.margin(wide, no_stops);

  StopDelays stops;
  stops.take(Millis{2'000});
  EXPECT_EQ(stops.expected(), Millis{3'000});
  EXPECT_GE(margin.margin(wide, stops), Millis{3'000});
  for (int i = 0; i < 3; ++i) {
    stops.end_move();
  }

  EXPECT_EQ(stops.expected(), Millis{0});
  EXPECT_EQ(margin.margin(wide, stops), before);
  EXPECT_FALSE(stops.are_usual());
}

TEST(LinkMargin, gives_an_engine_that_always_stops_slowly_its_time_besides_the_lost_packet) {
  LinkMargin margin = settled();
  const Millis before = margin.margin(wide, no_stops);
  StopDelays stops;
  for (int i = 0; i < 10; ++i) {
    stops.take(Millis{400});
    stops.end_move();
  }

  EXPECT_TRUE(stops.are_usual());
  EXPECT_EQ(stops.expected(), Millis{600});
  EXPECT_EQ(margin.margin(wide, stops), before + Millis{600});
}

TEST(LinkMargin, grows_with_our_own_lateness_and_forgives_one) {
  LinkMargin margin = settled();
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(margin.wants_lateness());
    margin.take_lateness(Millis{1});
  }
  EXPECT_FALSE(margin.wants_lateness());
  const Millis before = margin.margin(wide, no_stops);
  move(margin, Millis{20});
  EXPECT_TRUE(margin.wants_lateness()) << "once a move";
  margin.take_lateness(Millis{90});
  move(margin, Millis{20});
  EXPECT_EQ(margin.margin(wide, no_stops), before);

  margin.take_lateness(Millis{100});
  margin.take_lateness(Millis{3});
  move(margin, Millis{20});
  EXPECT_EQ(margin.lateness(), Millis{90});
  EXPECT_EQ(margin.margin(wide, no_stops), before + Millis{89});
}

TEST(LinkMargin, expects_more_of_a_lateness_that_spreads_than_it_has_seen) {
  LinkMargin margin;
  for (const int late : {10, 190, 60, 120, 170, 30, 150, 80, 110, 140}) {
    margin.take_lateness(Millis{late});
  }
  EXPECT_GE(margin.lateness(), Millis{200});
  EXPECT_LE(margin.lateness(), Millis{240});
}

TEST(LinkMargin, keeps_what_it_knows_of_lateness_through_turns_in_which_no_timer_rings) {
  LinkMargin margin;
  for (int i = 0; i < 10; ++i) {
    margin.take_lateness(Millis{40});
  }
  for (int i = 0; i < 30; ++i) {
    move(margin, Millis{20});
  }
  EXPECT_EQ(margin.lateness(), Millis{40});
}

TEST(LinkMargin, leaves_the_engines_answer_the_time_that_we_are_late_with_it) {
  LinkMargin margin = settled();
  for (int i = 0; i < 10; ++i) {
    margin.take_lateness(Millis{180});
  }
  EXPECT_EQ(margin.margin(wide, no_stops), margin.way() + Millis{180 + 360});
}

/// A way of 1,480 to 1,660 ms shows four times the same length.
TEST(LinkMargin, does_not_take_a_few_echoes_that_are_alike_for_a_way_that_never_varies) {
  LinkMargin margin;
  margin.take_login(Millis{1'530});
  for (const int echo : {1'530, 1'600, 1'533, 1'536}) {
    move(margin, Millis{echo});
  }
  EXPECT_GE(margin.way(), Millis{1'660});
}

TEST(LinkMargin, remembers_how_far_the_way_varies_beyond_the_last_ten_moves) {
  LinkMargin margin;
  margin.take_login(Millis{600});
  for (int i = 0; i < 40; ++i) {
    move(margin, Millis{580 + 30 * (i % 5)});
  }
  for (int i = 0; i < 11; ++i) {
    move(margin, Millis{630 + i % 3});
  }
  EXPECT_GE(margin.way(), Millis{690});
  for (int i = 0; i < 60; ++i) {
    move(margin, Millis{630 + i % 3});
  }
  EXPECT_LE(margin.way(), Millis{630 + 2 + 3 * 630 / 64}) << "not for ever";
}

TEST(LinkMargin, expects_an_echo_to_be_read_as_late_as_a_timer_while_few_have_come) {
  LinkMargin margin;
  for (const int late : {10, 190, 60, 120, 170, 30, 150, 80, 110, 140}) {
    margin.take_lateness(Millis{late});
  }
  margin.take_login(Millis{48});
  margin.take_round_trip(Micros{20'000}, Micros{10'000});
  EXPECT_GE(margin.way(), Millis{48 + 190});
  move(margin, Millis{80});
  move(margin, Millis{46});
  EXPECT_GE(margin.way(), Millis{46 + 190});
}

TEST(LastMoves, the_middle_is_known_from_three_on) {
  LastMoves moves(Millis{60'000});
  for (const int sample : {900, 100}) {
    moves.take(Millis{sample});
    moves.end_move();
    EXPECT_FALSE(moves.middle());
  }
  moves.take(Millis{300});
  EXPECT_EQ(moves.middle(), Millis{300});
  moves.end_move();
  moves.take(Millis{100'000});
  EXPECT_EQ(moves.middle(), Millis{300}) << "the lower one of two";
}

TEST(StopDelays, of_another_process_hold_until_the_first_answer) {
  StopDelays slow;
  slow.take(Millis{400});
  slow.end_move();
  StopDelays fresh;
  fresh.take_over(slow);
  EXPECT_EQ(fresh.expected(), Millis{600});

  StopDelays own;
  own.end_move();
  own.take_over(slow);
  EXPECT_EQ(own.expected(), Millis{0}) << "it has ended by itself";
}

TEST(StopDelays, take_no_nonsense) {
  StopDelays stops;
  stops.take(Millis{-1});
  EXPECT_EQ(stops.expected(), Millis{0});
  stops.take(Millis{86'400'000});
  EXPECT_EQ(stops.expected(), Millis{3'000}) << "one measurement is no rule for any move";
}

TEST(LinkMargin, takes_no_nonsense) {
  LinkMargin margin;
  for (int i = 0; i < 2; ++i) {
    margin.take_round_trip(Micros{-5}, Micros{-5});
    margin.take_echo(Millis{-5});
    margin.take_charge(Millis{0}, Millis{86'400'000});
    margin.take_lateness(Millis{-1});
    margin.end_move();
  }

  EXPECT_EQ(margin.way(), LinkMargin::sample_max);
  EXPECT_EQ(margin.lateness(), Millis{0});
}

}  // namespace
}  // namespace kakehashi::bridge
