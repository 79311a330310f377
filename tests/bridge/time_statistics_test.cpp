#include "bridge/time_statistics.hpp"

#include <gtest/gtest.h>

namespace kakehashi::bridge {
namespace {

using base::Millis;

TEST(TimeStatistics, what_is_kept_back_of_a_byoyomi_is_gone) {
  TimeStatistics statistics;
  EXPECT_EQ(statistics.share_permille(), 0);
  statistics.take({.entitled = Millis{10'000}, .had = Millis{9'700}, .used = Millis{3'100},
              .charged = Millis{3'000}, .added = Millis{10'000}});
  statistics.take({.entitled = Millis{10'000}, .had = Millis{9'600}, .used = Millis{4'900},
              .charged = Millis{5'000}, .added = Millis{10'000}});

  EXPECT_EQ(statistics.granted, Millis{20'000});
  EXPECT_EQ(statistics.had(), Millis{19'300});
  EXPECT_EQ(statistics.share_permille(), 965);
  EXPECT_EQ(statistics.lost, Millis{100}) << "what a rounded charge hides is not set off";
  EXPECT_EQ(describe(statistics),
            "in 2 moves the engine had 96.5 % of the time granted; used 8 s, charged 8 s, "
            "lost on the link 100 ms");
}

TEST(TimeStatistics, main_time_that_was_kept_back_comes_again) {
  TimeStatistics statistics;
  // 60 s + 2 s, and all is used that may be: it stays on the clock until the last move.
  statistics.take({.entitled = Millis{62'000}, .had = Millis{61'700}, .used = Millis{61'700},
              .charged = Millis{61'000}, .added = Millis{62'000}, .left = Millis{1'000}});
  statistics.take({.entitled = Millis{3'000}, .had = Millis{2'700}, .used = Millis{2'700},
              .charged = Millis{2'000}, .added = Millis{2'000}, .left = Millis{1'000}});

  EXPECT_EQ(statistics.granted, Millis{64'000});
  EXPECT_EQ(statistics.had(), Millis{63'700});

  TimeStatistics together;
  together.add(statistics);
  together.add(statistics);
  EXPECT_EQ(together.had(), 2 * statistics.had()) << "each game keeps its last turn's";
}

TEST(TimeStatistics, the_way_costs_main_time) {
  TimeStatistics statistics;
  statistics.take({.entitled = Millis{60'000}, .had = Millis{59'700}, .used = Millis{5'500},
              .charged = Millis{7'000}, .added = Millis{60'000}, .left = Millis{53'000}});

  EXPECT_EQ(statistics.had(), Millis{60'000 - 1'500 - 300});
}

TEST(TimeStatistics, an_engine_that_was_lost_had_no_more_of_a_byoyomi_and_has_its_main_time_again) {
  TimeStatistics byoyomi;
  byoyomi.take({.entitled = Millis{10'000}, .had = Millis{2'000}, .used = Millis{9'800},
                .charged = Millis{9'000}, .added = Millis{10'000}});
  EXPECT_EQ(byoyomi.had(), Millis{2'000});

  TimeStatistics main;
  main.take({.entitled = Millis{60'000}, .had = Millis{2'000}, .used = Millis{2'100},
             .charged = Millis{2'000}, .added = Millis{60'000}, .left = Millis{58'000}});
  main.take({.entitled = Millis{58'000}, .had = Millis{57'700}, .used = Millis{9'000},
             .charged = Millis{9'000}, .added = Millis{0}, .left = Millis{49'000}});
  EXPECT_EQ(main.had(), Millis{59'700});
}

TEST(TimeStatistics, a_move_is_told_in_one_line) {
  EXPECT_EQ(describe(MoveTime{Millis{10'000}, Millis{9'700}, Millis{3'100}, Millis{3'000}}),
            "granted 10 s, had 9.7 s, used 3.1 s, charged 3 s, lost on the link 0 ms");
}

}  // namespace
}  // namespace kakehashi::bridge
