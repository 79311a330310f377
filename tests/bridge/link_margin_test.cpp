#include "bridge/link_margin.hpp"

#include <gtest/gtest.h>

namespace kakehashi::bridge {
namespace {

using base::Millis;
using Micros = LinkMargin::Micros;

constexpr LinkMargin::Bounds wide{Millis{0}, Millis{10'000}};

TEST(LinkMargin, is_a_second_before_anything_is_known) {
  const LinkMargin margin;

  EXPECT_FALSE(margin.is_measured());
  EXPECT_EQ(margin.margin(wide), Millis{1'000});
  EXPECT_EQ(margin.way(), Millis{0});
  EXPECT_EQ(margin.margin({Millis{0}, Millis{400}}), Millis{400}) << "within its bounds";
}

TEST(LinkMargin, holds_the_way_a_lost_packet_and_the_stop) {
  LinkMargin margin;
  margin.take_round_trip(Micros{30'000}, Micros{5'000});

  EXPECT_EQ(margin.way(), Millis{40});
  EXPECT_EQ(margin.margin(wide), Millis{40 + 230 + 100});
}

TEST(LinkMargin, of_a_slow_link_grows_with_its_spread) {
  LinkMargin margin;
  margin.take_round_trip(Micros{200'000}, Micros{50'000});

  EXPECT_EQ(margin.way(), Millis{300});
  EXPECT_EQ(margin.margin(wide), Millis{300 + 400 + 100});
}

TEST(LinkMargin, stays_within_its_bounds) {
  LinkMargin margin;
  margin.take_round_trip(Micros{100}, Micros{10});
  EXPECT_EQ(margin.margin({Millis{500}, Millis{3'000}}), Millis{500});

  margin.take_round_trip(Micros{9'000'000}, Micros{1'000'000});
  EXPECT_EQ(margin.margin({Millis{500}, Millis{3'000}}), Millis{3'000});
}

TEST(LinkMargin, begins_with_the_login_where_the_kernel_sees_a_proxy) {
  LinkMargin margin;
  margin.take_login(Millis{240});
  margin.take_round_trip(Micros{100}, Micros{10});

  EXPECT_EQ(margin.way(), Millis{360});
  EXPECT_EQ(margin.margin(wide), Millis{360 + 440 + 100});

  margin.take_echo(Millis{200});
  EXPECT_EQ(margin.way(), Millis{400}) << "a move's echo tells more";
}

TEST(LinkMargin, takes_a_slow_login_for_the_servers_own) {
  LinkMargin margin;
  margin.take_login(Millis{25'000});

  EXPECT_EQ(margin.way(), Millis{1'500});
}

TEST(LinkMargin, learns_from_echoes_where_the_kernel_says_nothing) {
  LinkMargin margin;
  margin.take_echo(Millis{80});
  EXPECT_TRUE(margin.is_measured());
  EXPECT_EQ(margin.way(), Millis{160}) << "one sample is half unknown";

  for (int i = 0; i < 50; ++i) {
    margin.take_echo(Millis{80});
  }

  EXPECT_LE(margin.way(), Millis{82});
  EXPECT_GE(margin.way(), Millis{80});
}

TEST(LinkMargin, learns_from_a_charge_above_our_own_count) {
  LinkMargin margin;
  margin.take_round_trip(Micros{10'000}, Micros{1'000});
  margin.take_charge(Millis{4'900}, Millis{4'000});
  EXPECT_EQ(margin.way(), Millis{12}) << "rounded down: nothing is known";

  margin.take_charge(Millis{4'500}, Millis{5'000});
  EXPECT_EQ(margin.way(), Millis{500});

  for (int i = 0; i < 60; ++i) {
    margin.take_charge(Millis{4'900}, Millis{4'000});
  }
  EXPECT_EQ(margin.way(), Millis{12}) << "an accident is forgotten";
}

TEST(LinkMargin, gives_an_engine_that_stops_slowly_more_room) {
  LinkMargin margin;
  margin.take_round_trip(Micros{10'000}, Micros{1'000});
  margin.take_stop(Millis{400});

  EXPECT_EQ(margin.margin(wide), Millis{12 + 210 + 600});
}

TEST(LinkMargin, takes_no_nonsense) {
  LinkMargin margin;
  margin.take_round_trip(Micros{-5}, Micros{-5});
  margin.take_echo(Millis{-5});
  margin.take_charge(Millis{0}, Millis{86'400'000});
  margin.take_stop(Millis{-1});

  EXPECT_EQ(margin.way(), LinkMargin::surplus_max);
}

}  // namespace
}  // namespace kakehashi::bridge
