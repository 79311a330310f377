// The scheduler of multi-ponder by script: what happens on the left, who is told what on the right.
#include "bridge/game/multi_ponder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/overload.hpp"
#include "tests/bridge/noon.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using Seat = MultiPonder::Seat;

/// "0 a, 1 b, stop 2, hit 0, search 1, survey 2".
std::string words(const MultiPonder::Orders& orders) {
  std::string text;
  for (const MultiPonder::Order& order : orders) {
    text += text.empty() ? "" : ", ";
    text += std::visit(base::Overload{
                           [](const MultiPonder::Ponder& o) { return std::to_string(o.seat) + " " + o.reply; },
                           [](const MultiPonder::Survey& o) { return "survey " + std::to_string(o.seat); },
                           [](const MultiPonder::Stop& o) { return "stop " + std::to_string(o.seat); },
                           [](const MultiPonder::Hit& o) { return "hit " + std::to_string(o.seat); },
                           [](const MultiPonder::Search& o) { return "search " + std::to_string(o.seat); },
                       },
                       order);
  }
  return text;
}

class Team {
 public:
  explicit Team(std::vector<int> weights) : ponder(weights) {
    for (Seat seat = 0; seat < weights.size(); ++seat) {
      static_cast<void>(ponder.ready(seat, now));
    }
  }
  std::string begin(std::vector<std::string> replies, Seat mover = 0, Millis survey = Millis{0}) {
    return words(ponder.begin(std::move(replies), mover, survey, now));
  }
  std::string replies(std::vector<std::string> better) { return words(ponder.replies(std::move(better), now)); }
  std::string lost(Seat seat) { return lost(std::vector{seat}); }
  std::string lost(const std::vector<Seat>& seats) { return words(ponder.lost(seats, now)); }
  std::string ready(Seat seat) { return words(ponder.ready(seat, now)); }
  std::string reply(const char* move) { return words(ponder.reply(move, now)); }
  std::string pass(Millis time) {
    now += time;
    return words(ponder.on_time(now));
  }

  MultiPonder ponder;
  base::SteadyTime now = noon;
};

TEST(MultiPonder, each_member_takes_another_reply_and_the_mover_the_best) {
  Team team({1, 3, 2});
  EXPECT_EQ(team.begin({"a", "b", "c", "d"}), "0 a, 1 b, 2 c");
}

TEST(MultiPonder, a_reply_that_is_told_twice_is_pondered_once) {
  Team team({1, 1, 1});
  EXPECT_EQ(team.begin({"a", "a", "b"}), "0 a, 1 b");
}

TEST(MultiPonder, on_a_hit_its_holder_goes_on_and_the_others_are_stopped) {
  Team team({1, 1, 1});
  static_cast<void>(team.begin({"a", "b", "c"}));
  EXPECT_EQ(team.reply("b"), "stop 0, stop 2, hit 1");
}

TEST(MultiPonder, on_a_miss_all_are_stopped_and_the_strongest_searches) {
  Team team({1, 5, 5});
  static_cast<void>(team.begin({"a", "b", "c"}));
  EXPECT_EQ(team.reply("z"), "stop 0, stop 1, stop 2, search 1") << "of two alike the first";
}

TEST(MultiPonder, without_a_prediction_the_strongest_searches_when_the_reply_is_there) {
  Team team({2, 1});
  EXPECT_EQ(team.begin({}), "");
  EXPECT_EQ(team.reply("a"), "search 0");
}

TEST(MultiPonder, nobody_there_is_nobody_told) {
  MultiPonder ponder({1, 1});
  EXPECT_EQ(words(ponder.begin({"a"}, 0, Millis{500}, noon)), "");
  EXPECT_EQ(words(ponder.reply("a", noon)), "");
}

TEST(MultiPonder, better_replies_take_the_place_of_the_least_likely_and_leave_the_others_in_peace) {
  Team team({3, 2, 1});
  static_cast<void>(team.begin({"a", "b", "c"}));
  EXPECT_EQ(team.replies({"b", "a", "d", "c"}), "2 d") << "a and b only changed places";
  EXPECT_EQ(team.replies({"b", "a", "d", "c", "e"}), "");
}

TEST(MultiPonder, the_reply_of_a_lost_member_goes_to_who_has_the_least_likely) {
  Team team({3, 2, 1});
  static_cast<void>(team.begin({"a", "b", "c"}));
  EXPECT_EQ(team.lost(0), "2 a");
  EXPECT_EQ(team.lost(1), "") << "the best is pondered";
  EXPECT_EQ(team.reply("a"), "hit 2");
}

TEST(MultiPonder, of_members_that_are_lost_together_none_is_given_what_another_had) {
  Team team({4, 3, 2, 1});
  static_cast<void>(team.begin({"a", "b", "c", "d"}));
  EXPECT_EQ(team.lost(std::vector<Seat>{0, 2, 3}), "1 a");
  EXPECT_EQ(team.lost(std::vector<Seat>{1}), "");
  EXPECT_EQ(team.ponder.gains()[2].searches, 1);
}

TEST(MultiPonder, a_member_that_is_ready_again_takes_the_best_that_is_left_alone) {
  Team team({1, 1});
  static_cast<void>(team.begin({"a", "b", "c"}));
  static_cast<void>(team.lost(1));
  EXPECT_EQ(team.ready(1), "1 b");
  EXPECT_EQ(team.ready(1), "") << "it was there";
}

TEST(MultiPonder, a_member_that_is_lost_on_our_turn_takes_nothing_when_it_is_back) {
  Team team({1, 1});
  static_cast<void>(team.begin({"a", "b"}));
  static_cast<void>(team.reply("a"));
  EXPECT_EQ(team.lost(1) + team.ready(1), "");
}

TEST(MultiPonder, where_replies_are_few_the_weakest_looks_for_more) {
  Team team({3, 2, 1});
  EXPECT_EQ(team.begin({"a"}, 0, Millis{500}), "0 a, survey 2");
  EXPECT_EQ(team.ponder.deadline(), noon + Millis{500});
  EXPECT_EQ(team.replies({"a", "b", "c"}), "1 b") << "who surveys goes on";
  EXPECT_EQ(team.pass(Millis{499}), "");
  EXPECT_EQ(team.pass(Millis{1}), "stop 2, 2 c");
  EXPECT_EQ(team.ponder.deadline(), std::nullopt);
}

TEST(MultiPonder, a_reply_in_the_middle_of_the_survey_ends_it) {
  Team team({2, 1});
  static_cast<void>(team.begin({"a"}, 0, Millis{500}));
  EXPECT_EQ(team.reply("b"), "stop 0, stop 1, search 0");
  EXPECT_EQ(team.ponder.deadline(), std::nullopt);
}

TEST(MultiPonder, a_survey_whose_member_is_lost_is_over) {
  Team team({2, 1});
  static_cast<void>(team.begin({"a"}, 0, Millis{500}));
  EXPECT_EQ(team.lost(1), "");
  EXPECT_EQ(team.ponder.deadline(), std::nullopt);
}

TEST(MultiPonder, one_engine_alone_ponders_as_ever) {
  Team team({1});
  EXPECT_EQ(team.begin({"a", "b"}, 0, Millis{500}), "0 a");
  EXPECT_EQ(team.reply("a"), "hit 0");
  EXPECT_EQ(team.begin({"c"}), "0 c");
  EXPECT_EQ(team.reply("d"), "stop 0, search 0");
}

TEST(MultiPonder, what_was_gained_is_told_by_member) {
  Team team({1, 1});
  static_cast<void>(team.begin({"a", "b"}));
  static_cast<void>(team.pass(Millis{3'000}));
  static_cast<void>(team.replies({"a", "c"}));
  static_cast<void>(team.pass(Millis{1'000}));
  static_cast<void>(team.reply("c"));
  EXPECT_EQ(team.ponder.gains()[0], (MultiPonder::Gain{1, 0, Millis{0}}));
  EXPECT_EQ(team.ponder.gains()[1], (MultiPonder::Gain{2, 1, Millis{1'000}})) << "b was pondered for nothing";
}

TEST(MultiPonder, an_end_stops_whoever_works_and_nobody_twice) {
  Team team({1, 1});
  static_cast<void>(team.begin({"a"}));
  EXPECT_EQ(words(team.ponder.end()), "stop 0");
  EXPECT_EQ(words(team.ponder.end()), "");
}

/// Whatever happens in whatever order: no reply has two holders, the best replies are covered, a hit goes to who
/// ponders it, nobody who is not there is told anything, and our turn leaves nobody at work but one.
TEST(MultiPonder, holds_in_any_order_of_events) {
  std::mt19937 dice(20261123);
  const auto roll = [&](std::size_t sides) { return static_cast<std::size_t>(dice() % sides); };
  for (int game = 0; game < 3'000; ++game) {
    const std::size_t size = 1 + roll(5);
    std::vector<int> weights;
    for (std::size_t i = 0; i < size; ++i) {
      weights.push_back(static_cast<int>(roll(3)));
    }
    MultiPonder ponder(weights);
    std::set<Seat> there;
    std::map<Seat, std::string> works;  // on what; "?" a survey
    base::SteadyTime now = noon;
    bool is_open = false;
    std::vector<std::string> expected;
    const auto any_replies = [&] {
      std::vector<std::string> replies;
      for (std::size_t i = roll(7); i > 0; --i) {
        replies.push_back(std::string(1, static_cast<char>('a' + roll(8))));
      }
      return replies;
    };
    const auto obey = [&](const MultiPonder::Orders& orders) {
      for (const MultiPonder::Order& order : orders) {
        std::visit([&](const auto& o) { EXPECT_TRUE(there.contains(o.seat)); }, order);
        std::visit(base::Overload{
                       [&](const MultiPonder::Ponder& o) { works[o.seat] = o.reply; },
                       [&](const MultiPonder::Survey& o) { works[o.seat] = "?"; },
                       [&](const MultiPonder::Stop& o) { EXPECT_EQ(works.erase(o.seat), 1U); },
                       [&](const MultiPonder::Hit&) {},
                       [&](const MultiPonder::Search& o) { EXPECT_FALSE(works.contains(o.seat)); },
                   },
                   order);
      }
    };
    for (int step = 0; step < 40; ++step) {
      now += Millis{static_cast<int>(roll(400))};
      const Seat seat = roll(size);
      switch (roll(6)) {
        case 0:
          there.insert(seat);
          obey(ponder.ready(seat, now));
          break;
        case 1:
          there.erase(seat);
          works.erase(seat);
          obey(ponder.lost({seat}, now));
          break;
        case 2:
          expected = any_replies();
          is_open = true;
          obey(ponder.begin(expected, seat, Millis{static_cast<int>(roll(2) * 500)}, now));
          break;
        case 3:
          if (is_open) {
            expected = any_replies();
          }
          obey(ponder.replies(expected, now));
          break;
        case 4: obey(ponder.on_time(now)); break;
        case 5: {
          const std::string move(1, static_cast<char>('a' + roll(8)));
          const auto holder = ponder.holder(move);
          const auto orders = ponder.reply(move, now);
          obey(orders);
          is_open = false;
          expected.clear();
          if (there.empty()) {
            EXPECT_TRUE(orders.empty());
          } else if (holder) {
            EXPECT_EQ(works, (std::map<Seat, std::string>{{*holder, move}}));
            EXPECT_EQ(orders.back(), MultiPonder::Order(MultiPonder::Hit{*holder}));
            works.clear();
          } else {
            EXPECT_TRUE(works.empty());
            EXPECT_TRUE(std::holds_alternative<MultiPonder::Search>(orders.back()));
          }
          break;
        }
      }
      std::set<std::string> held;
      std::size_t surveys = 0;
      for (const auto& [worker, reply] : works) {
        surveys += reply == "?" ? 1 : 0;
        EXPECT_TRUE(reply == "?" || held.insert(reply).second) << reply << " is pondered twice";
      }
      std::vector<std::string> best;
      for (const std::string& reply : expected) {
        if (std::find(best.begin(), best.end(), reply) == best.end()) {
          best.push_back(reply);
        }
      }
      best.resize(std::min(best.size(), there.size() - surveys));
      for (const std::string& reply : best) {
        EXPECT_TRUE(!is_open || held.contains(reply)) << reply << " is left alone";
      }
      if (HasFailure()) {
        FAIL() << "game " << game << ", step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace kakehashi::bridge
