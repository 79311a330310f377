// A fixed list of seeds in each run of CI; scripts/simulate.sh runs on with fresh ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/minimise.hpp"
#include "sim/plain_client.hpp"
#include "sim/statistics.hpp"

namespace kakehashi::sim {
namespace {

using base::Millis;

constexpr std::uint64_t seeds_a_test = 60;

class Seeds : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Seeds, keep_every_promise) {
  Statistics statistics;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + seeds_a_test; ++seed) {
    const Scenario scenario = draw_scenario(seed);
    const Outcome outcome = play_story(scenario);
    statistics.add(outcome);
    for (const std::string& complaint : outcome.complaints) {
      ADD_FAILURE() << describe(scenario) << complaint;
    }
  }
  EXPECT_GT(statistics.games, seeds_a_test) << "the stories must come to games";
}

INSTANTIATE_TEST_SUITE_P(Simulator, Seeds,
                         testing::Values(1, 1'001, 2'001, 3'001, 4'001, 5'001, 6'001, 7'001));

TEST(Simulator, who_dies_with_the_last_say_leaves_no_resignation_of_others_behind) {
  const Scenario scenario = draw_scenario(7'100'004'958, true);
  EXPECT_EQ(play_story(scenario).complaints, std::vector<std::string>{}) << describe(scenario);
}

TEST(Simulator, the_same_seed_tells_the_same_story) {
  for (std::uint64_t seed = 100; seed < 110; ++seed) {
    std::vector<std::string> lines[2];
    for (auto& told : lines) {
      static_cast<void>(play_story(
          draw_scenario(seed), [&](std::size_t, base::Millis at, const bridge::Event*,
                                   const bridge::Actions& actions) {
            for (const bridge::Action& action : actions) {
              if (const auto* write = std::get_if<bridge::WriteServer>(&action)) {
                told.push_back(std::to_string(at.count()) + " " + write->line);
              }
            }
          }));
    }
    EXPECT_FALSE(lines[0].empty());
    EXPECT_EQ(lines[0], lines[1]) << "seed " << seed;
  }
}

TEST(Simulator, every_kind_of_fault_comes_to_pass) {
  Statistics statistics;
  for (std::uint64_t seed = 20'000; seed < 21'000; ++seed) {
    statistics.add(play_story(draw_scenario(seed)));
  }
  for (std::size_t i = 0; i < fault_kind_count; ++i) {
    EXPECT_GT(statistics.faults[i], 0U) << entry_of(static_cast<FaultKind>(i)).name;
  }
}

TEST(Simulator, a_failure_keeps_only_the_faults_it_needs_of_the_engine_and_of_its_standby) {
  const Fault needed{FaultKind::line_cut, 3};
  const Fault needed_of_standby{FaultKind::engine_hangs, 2};
  Scenario scenario = draw_scenario(1);
  scenario.bots.resize(1);
  scenario.bots[0].faults = {{FaultKind::info_flood, 1}, needed, {FaultKind::late_timer, 4}};
  scenario.bots[0].further_faults = {{needed_of_standby, {FaultKind::illegal_move, 1},
                                      {FaultKind::engine_hangs, 1}}};
  const auto has = [](const std::vector<Fault>& faults, const Fault& wanted) {
    return std::any_of(faults.begin(), faults.end(), [&](const Fault& fault) {
      return fault.kind == wanted.kind && fault.occasion == wanted.occasion;
    });
  };
  const Scenario small = minimise_faults(scenario, [&](const Scenario& fewer) {
    return has(fewer.bots[0].faults, needed) && has(fewer.bots[0].further_faults[0], needed_of_standby);
  });
  EXPECT_EQ(small.bots[0].faults.size(), 1U) << describe(small);
  EXPECT_EQ(small.bots[0].further_faults[0].size(), 1U) << describe(small);
}

TEST(Simulator, a_plain_client_keeps_what_arrives_before_the_flag) {
  Way way({.latency = Millis{300}, .jitter_max = Millis{100}});
  Turn turn{.began = Millis{10'000}, .budget = Millis{1'000}, .heard = {}, .answered = {}, .over = Millis{11'000}};
  EXPECT_TRUE(plain_client_keeps(way, turn)) << "400 ms down and 400 ms up";
  turn.heard = Millis{10'589};
  EXPECT_TRUE(plain_client_keeps(way, turn));
  turn.heard = Millis{10'590};
  EXPECT_FALSE(plain_client_keeps(way, turn)) << "its engine may need the last 10 ms";
  turn.heard.reset();
  turn.late_max = Millis{200};
  EXPECT_FALSE(plain_client_keeps(way, turn)) << "the machine needs the rest";
  turn.late_max = Millis{0};
  turn.heard = Millis{10'650};
  EXPECT_FALSE(plain_client_keeps(way, turn)) << "it came late";
  turn.budget.reset();
  EXPECT_TRUE(plain_client_keeps(way, turn)) << "no clock runs";
}

/// 10 s, and the packets of a minute: what is sent is repeated after 0.2, 0.6, 1.4, 3, 6.2, 12.6, 25.4, 51 s
/// and 102.2 s.
TEST(Simulator, a_plain_client_waits_out_an_outage) {
  Way way({});
  way.cut_out(Millis{10'000}, Millis{70'000});
  EXPECT_EQ(way.arrival(Way::Direction::up, Millis{10'000}, Millis{20}), Millis{10'000 + 102'200 + 20});
  EXPECT_EQ(way.arrival_behind(Way::Direction::up, Millis{112'220}, Millis{60'000}, Millis{20}), Millis{112'220})
      << "what follows goes with what is repeated";
  Turn turn{.began = Millis{9'000}, .budget = Millis{300'000}, .heard = Millis{10'000}, .answered = {}, .over = Millis{55'000}};
  EXPECT_TRUE(plain_client_keeps(way, turn));
  turn.budget = Millis{60'000};
  EXPECT_FALSE(plain_client_keeps(way, turn));
}

TEST(Simulator, what_nobody_could_foresee_is_taken_off) {
  const Way way({.latency = Millis{10}});
  // Thought by right for 2.5 s of 3; then its move was held up for two.
  Turn turn{.began = Millis{0}, .budget = Millis{3'000}, .heard = Millis{10}, .answered = Millis{2'500},
            .over = Millis{3'000}};
  EXPECT_TRUE(is_accident(way, turn));
  turn.answered.reset();
  EXPECT_FALSE(is_accident(way, turn)) << "silent to the end";
  turn.heard = Millis{1'200};
  EXPECT_TRUE(is_accident(way, turn)) << "it believed in a whole turn, which had lost 1.19 s on the way";
  turn.heard = Millis{10};
  turn.answered = Millis{2'995};
  EXPECT_FALSE(is_accident(way, turn)) << "too late for the ordinary way";
}

TEST(Simulator, complaints_of_one_bug_are_of_one_kind) {
  EXPECT_EQ(kind_of("bot 0 @17.250s: lost on time in test+a+b after 12 plies"),
            kind_of("bot 1 @3.000s: lost on time in test+a+b after 12 plies"));
  EXPECT_NE(kind_of("@17.250s: a stop without a search, or a second one"),
            kind_of("@17.250s: lost on time"));
}

}  // namespace
}  // namespace kakehashi::sim
