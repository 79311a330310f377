#include "bridge/bot/connection.hpp"

#include <gtest/gtest.h>

#include <set>

namespace kakehashi::bridge {
namespace {

using base::Millis;

TEST(Retry, pauses_double_up_to_the_longest) {
  Retry retry(Millis{1000}, Millis{5000}, 1);

  for (const int step_ms : {1000, 2000, 4000, 5000, 5000}) {
    const Millis pause = retry.next();
    EXPECT_LE(pause.count(), step_ms);
    EXPECT_GE(pause.count(), step_ms * 3 / 4);
  }
}

TEST(Retry, a_success_begins_anew) {
  Retry retry(Millis{1000}, Millis{60'000}, 1);
  for (int i = 0; i < 10; ++i) {
    static_cast<void>(retry.next());
  }

  retry.reset();

  EXPECT_LE(retry.next().count(), 1000);
}

TEST(Retry, a_pause_is_never_shorter_than_the_server_wishes) {
  Retry retry(Millis{1000}, Millis{60'000}, 1);

  EXPECT_EQ(retry.next(Millis{90'000}), Millis{90'000});
}

TEST(Retry, the_servers_wish_does_not_speed_up_the_doubling) {
  Retry retry(Millis{1000}, Millis{60'000}, 1);
  static_cast<void>(retry.next(Millis{90'000}));

  EXPECT_LE(retry.next().count(), 2000);
}

TEST(Retry, the_same_seed_gives_the_same_pauses) {
  Retry first(Millis{1000}, Millis{60'000}, 42);
  Retry second(Millis{1000}, Millis{60'000}, 42);

  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(first.next(), second.next());
  }
}

TEST(Retry, different_seeds_spread_the_attempts) {
  std::set<Millis> pauses;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    pauses.insert(Retry(Millis{8000}, Millis{60'000}, seed).next());
  }

  EXPECT_GT(pauses.size(), 40U);
}

TEST(Retry, a_longest_pause_below_the_first_is_raised_to_it) {
  Retry retry(Millis{1000}, Millis{10}, 1);

  for (int i = 0; i < 3; ++i) {
    EXPECT_GE(retry.next().count(), 750);
  }
}

TEST(Retry, a_pause_of_a_millisecond_has_no_jitter_to_give) {
  Retry retry(Millis{1}, Millis{1}, 7);

  EXPECT_EQ(retry.next(), Millis{1});
}

}  // namespace
}  // namespace kakehashi::bridge
