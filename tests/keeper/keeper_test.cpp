#include "keeper/keeper.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <variant>
#include <vector>

#include "base/overload.hpp"

namespace kakehashi::keeper {

namespace {

using base::Millis;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t plenty = std::size_t{1} << 30U;

TEST(Backlog, keeps_lines_until_they_are_acknowledged) {
  Backlog said;
  EXPECT_TRUE(said.add("out", "id name E", false));
  EXPECT_TRUE(said.add("out", "usiok", false));
  said.acknowledge(1);
  ASSERT_NE(said.behind(0), nullptr);
  EXPECT_EQ(said.behind(0)->text, "out 2 usiok");
  EXPECT_EQ(said.behind(2), nullptr);
  said.acknowledge(2);
  EXPECT_EQ(said.behind(0), nullptr);
  EXPECT_EQ(said.last(), 2U) << "numbers are never used again";
}

TEST(Backlog, gives_up_the_oldest_info) {
  Backlog said;
  const std::string long_info(Backlog::bytes_max / 2, 'x');
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(said.add("out", long_info, true));
  }
  EXPECT_EQ(said.behind(0)->number, 3U);
  EXPECT_TRUE(said.add("out", "bestmove 7g7f", false));
  EXPECT_EQ(said.behind(3)->text, "out 4 bestmove 7g7f");
}

TEST(Backlog, without_info_to_give_up_nothing_is_kept) {
  Backlog said;
  EXPECT_TRUE(said.add("out", std::string(Backlog::bytes_max / 2, 'x'), false));
  EXPECT_FALSE(said.add("out", std::string(Backlog::bytes_max / 2, 'x'), false));
  EXPECT_EQ(said.behind(0), nullptr);
  EXPECT_TRUE(said.add("exit", "status 0", false));
  EXPECT_EQ(said.behind(0)->text, "exit 3 status 0");
}

TEST(Inbox, takes_each_line_once_and_in_order) {
  Inbox inbox;
  EXPECT_EQ(inbox.arrive(1), Inbox::Arrival::next);
  EXPECT_EQ(inbox.arrive(1), Inbox::Arrival::repeated);
  EXPECT_EQ(inbox.arrive(3), Inbox::Arrival::gap);
  EXPECT_EQ(inbox.arrive(2), Inbox::Arrival::next);
  EXPECT_EQ(inbox.accepted(), 2U);
}

TEST(Inbox, what_waits_is_bounded_and_taken_once) {
  Inbox inbox;
  const base::SteadyTime now{std::chrono::hours{1}};
  EXPECT_TRUE(inbox.wait(Until{1, Millis{500}}, now));
  EXPECT_FALSE(inbox.wait(Input{2, std::string(Inbox::waiting_bytes_max, 'x')}, now));
  EXPECT_EQ(inbox.take_waiting().size(), 1U);
  EXPECT_TRUE(inbox.take_waiting().empty());
  EXPECT_TRUE(inbox.wait(Input{3, "usi"}, now)) << "there is room again";
}

TEST(Searches, a_stop_is_told_once_and_only_to_what_is_searched) {
  Searches searches;
  EXPECT_FALSE(searches.admit("stop")) << "nothing is searched";
  EXPECT_TRUE(searches.admit("go infinite"));
  EXPECT_TRUE(searches.admit("stop"));
  EXPECT_FALSE(searches.admit("stop"));
  searches.on_answer();
  EXPECT_TRUE(searches.admit("go infinite")) << "another search, which may be stopped again";
  EXPECT_TRUE(searches.admit("stop"));
}

TEST(Searches, a_time_is_of_the_search_that_runs) {
  const base::SteadyTime at{std::chrono::hours{1}};
  Searches searches;
  searches.stop_at(at);
  EXPECT_FALSE(searches.deadline()) << "nothing is searched";
  static_cast<void>(searches.admit("go infinite"));
  searches.stop_at(at);
  EXPECT_FALSE(searches.take_due(at - Millis{1}));
  EXPECT_TRUE(searches.take_due(at));
  EXPECT_FALSE(searches.deadline());
  searches.stop_at(at);
  EXPECT_FALSE(searches.deadline()) << "it was told";
  EXPECT_FALSE(searches.admit("stop"));
  searches.on_answer();
  static_cast<void>(searches.admit("go infinite"));
  searches.stop_at(at);
  searches.on_answer();
  EXPECT_FALSE(searches.take_due(at)) << "it would meet the next one";
}

TEST(Searches, what_is_abandoned_settles_when_every_answer_has_come) {
  Searches searches;
  EXPECT_FALSE(searches.abandon()) << "nothing is searched";
  static_cast<void>(searches.admit("go infinite"));
  static_cast<void>(searches.admit("go infinite"));
  EXPECT_TRUE(searches.abandon());
  EXPECT_FALSE(searches.abandon()) << "it was told";
  searches.on_answer();
  EXPECT_TRUE(searches.is_settling());
  searches.on_answer();
  EXPECT_FALSE(searches.is_settling());
  static_cast<void>(searches.admit("go infinite"));
  EXPECT_TRUE(searches.abandon());
  searches.on_exit();
  EXPECT_FALSE(searches.is_settling()) << "no answer will come";
}

/// A keeper with a virtual clock; what it does is kept as text.
class KeeperTest : public testing::Test {
 protected:
  void say(int client, const std::string& line) {
    keeper_.on_client_line(client, line, now_);
    look();
  }
  void attach(int client, const std::string& session, int seen) {
    keeper_.on_client(client, now_);
    say(client, "hello 1 " + session + " " + std::to_string(seen));
  }
  void leave(int client) {
    keeper_.on_client_gone(client, now_);
    look();
  }
  void engine(const std::string& line) {
    keeper_.on_engine_line(line, now_);
    look();
  }
  void pass(Millis time) {
    const auto end = now_ + time;
    for (auto due = keeper_.deadline(); due && *due <= end; due = keeper_.deadline()) {
      now_ = std::max(now_, *due);
      keeper_.on_time(now_);
      look();
    }
    now_ = end;
  }
  std::vector<std::string> heard(int client, std::size_t bytes_max = plenty) {
    std::vector<std::string> lines;
    std::string text = keeper_.take_text(client, bytes_max);
    for (std::size_t at = 0; (at = text.find('\n')) != std::string::npos; text.erase(0, at + 1)) {
      lines.push_back(text.substr(0, at));
    }
    EXPECT_THAT(text, IsEmpty());
    return lines;
  }
  std::vector<std::string> done() { return std::exchange(done_, {}); }

  base::SteadyTime now_{std::chrono::hours{1}};
  Keeper keeper_{{.version = "v"}, now_};

 private:
  void look() {
    for (const Action& action : keeper_.take_actions()) {
      done_.push_back(std::visit(base::Overload{
                                     [](const WriteEngine& write) { return "write " + write.line; },
                                     [](const KillEngine&) { return std::string("kill"); },
                                     [](const CloseClient& close) { return "close " + std::to_string(close.client); },
                                     [](const Leave&) { return std::string("leave"); },
                                 },
                                 action));
    }
  }

  std::vector<std::string> done_;
};

TEST_F(KeeperTest, lines_pass_both_ways_and_are_numbered) {
  attach(1, "s", 0);
  EXPECT_THAT(heard(1), ElementsAre("keeper 1 v 0"));
  say(1, "in 1 usi");
  EXPECT_THAT(done(), ElementsAre("write usi"));
  engine("id name E");
  engine("usiok");
  EXPECT_THAT(heard(1), ElementsAre("ack 1", "out 1 id name E", "out 2 usiok"));
  EXPECT_THAT(heard(1), IsEmpty());
}

TEST_F(KeeperTest, who_comes_back_misses_nothing_and_repeats_nothing) {
  attach(1, "s", 0);
  say(1, "in 1 usi");
  engine("id name E");
  heard(1);
  leave(1);
  engine("usiok");
  attach(2, "s", 1);
  EXPECT_THAT(heard(2), ElementsAre("keeper 1 v 1", "out 2 usiok"));
  say(2, "in 1 usi");  // it had not heard the acknowledgement
  say(2, "in 2 isready");
  EXPECT_THAT(done(), ElementsAre("write usi", "write isready"));
}

TEST_F(KeeperTest, an_acknowledgement_goes_with_the_next_words) {
  attach(1, "s", 0);
  heard(1);
  say(1, "in 1 usi");
  EXPECT_THAT(heard(1), IsEmpty());
  say(1, "ping 7");
  EXPECT_THAT(heard(1), ElementsAre("pong 7", "ack 1"));
}

TEST_F(KeeperTest, the_last_client_that_takes_its_leave_takes_the_engine_along) {
  attach(1, "s", 0);
  attach(2, "s", 0);
  keeper_.on_leave_taken(1, now_);
  leave(1);
  EXPECT_THAT(done(), IsEmpty());
  keeper_.on_leave_taken(2, now_);
  leave(2);
  EXPECT_THAT(done(), ElementsAre("write quit"));
}

TEST_F(KeeperTest, two_ways_at_once_carry_each_line_and_the_first_copy_counts) {
  attach(1, "s", 0);
  attach(2, "s", 0);
  heard(1);
  heard(2);
  say(2, "in 1 usi");
  say(1, "in 1 usi");
  EXPECT_THAT(done(), ElementsAre("write usi"));
  engine("usiok");
  EXPECT_THAT(heard(1), ElementsAre("ack 1", "out 1 usiok"));
  EXPECT_THAT(heard(2), ElementsAre("ack 1", "out 1 usiok"));
}

TEST_F(KeeperTest, a_line_that_is_missing_is_never_skipped) {
  attach(1, "s", 0);
  say(1, "in 2 isready");
  EXPECT_THAT(done(), ElementsAre("close 1"));
  EXPECT_THAT(heard(1), ElementsAre("keeper 1 v 0", "refused other line 1 is missing"));
  EXPECT_THAT(heard(1), IsEmpty());
  say(1, "in 1 usi");
  EXPECT_THAT(done(), IsEmpty());
}

TEST_F(KeeperTest, a_timed_search_is_stopped_while_nobody_is_there_and_its_answer_waits) {
  attach(1, "s", 0);
  say(1, "in 1 go btime 0 wtime 0 byoyomi 2000");
  say(1, "until 2 1500");
  done();
  leave(1);
  pass(Millis{1499});
  EXPECT_THAT(done(), IsEmpty());
  pass(Millis{1});
  EXPECT_THAT(done(), ElementsAre("write stop"));
  engine("bestmove 7g7f");
  pass(Millis{60'000});
  attach(2, "s", 0);
  EXPECT_THAT(heard(2), ElementsAre("keeper 1 v 2", "out 1 bestmove 7g7f"));
}

TEST_F(KeeperTest, an_answer_a_stop_and_a_new_time_each_end_a_deadline) {
  attach(1, "s", 0);
  say(1, "in 1 go infinite");
  say(1, "until 2 100");
  engine("bestmove 7g7f");
  say(1, "in 3 go infinite");
  say(1, "until 4 100");
  say(1, "in 5 stop");
  engine("bestmove 7g7f");
  say(1, "in 6 go ponder");
  say(1, "in 7 ponderhit");
  say(1, "until 8 100");
  say(1, "until 9 500");
  done();
  pass(Millis{499});
  EXPECT_THAT(done(), IsEmpty());
  pass(Millis{1});
  EXPECT_THAT(done(), ElementsAre("write stop"));
}

TEST_F(KeeperTest, an_engine_hears_stop_once_and_never_behind_its_answer) {
  attach(1, "s", 0);
  say(1, "in 1 go infinite");
  say(1, "until 2 100");
  pass(Millis{100});
  say(1, "in 3 stop");
  EXPECT_THAT(done(), ElementsAre("write go infinite", "write stop"));
  engine("bestmove 7g7f");
  say(1, "in 4 stop");
  say(1, "in 5 go ponder");
  engine("bestmove 7g7f");
  say(1, "in 6 ponderhit");
  say(1, "until 7 100");
  pass(Millis{1000});
  say(1, "in 8 go infinite");
  say(1, "in 9 stop");
  EXPECT_THAT(done(), ElementsAre("write go ponder", "write ponderhit", "write go infinite", "write stop"));
}

TEST_F(KeeperTest, a_line_that_was_never_said_is_not_acknowledged) {
  attach(1, "s", 0);
  engine("usiok");
  say(1, "ack 2");
  EXPECT_THAT(done(), ElementsAre("close 1"));
  attach(2, "s", 0);
  EXPECT_THAT(heard(2), ElementsAre("keeper 1 v 0", "out 1 usiok"));
}

TEST_F(KeeperTest, who_has_seen_what_this_engine_never_said_takes_it_from_nobody) {
  attach(1, "s", 0);
  attach(2, "other", 7);
  EXPECT_THAT(done(), ElementsAre("close 2"));
  engine("usiok");
  EXPECT_THAT(heard(1), ElementsAre("keeper 1 v 0", "out 1 usiok"));
}

TEST_F(KeeperTest, the_time_of_a_search_that_has_to_wait_runs_from_its_arrival) {
  attach(1, "old", 0);
  say(1, "in 1 go infinite");
  attach(2, "new", 0);
  say(2, "in 1 go btime 0 wtime 0 byoyomi 1000");
  say(2, "until 2 1000");
  pass(Millis{400});
  done();
  engine("bestmove 7g7f");
  pass(Millis{599});
  EXPECT_THAT(done(), ElementsAre("write go btime 0 wtime 0 byoyomi 1000"));
  pass(Millis{1});
  EXPECT_THAT(done(), ElementsAre("write stop"));
}

TEST_F(KeeperTest, another_session_has_an_engine_that_owes_nothing) {
  attach(1, "old", 0);
  say(1, "in 1 go infinite");
  engine("info depth 1 pv 7g7f");
  done();
  attach(2, "new", 0);
  EXPECT_THAT(done(), ElementsAre("close 1", "write stop"));
  EXPECT_THAT(heard(1), ElementsAre("keeper 1 v 0", "refused taken another session has taken the engine"));
  say(2, "in 1 usi");
  EXPECT_THAT(done(), IsEmpty()) << "the engine still owes its answer";
  engine("info depth 9 pv 7g7f");
  engine("bestmove 7g7f");
  EXPECT_THAT(done(), ElementsAre("write usi"));
  engine("usiok");
  EXPECT_THAT(heard(2), ElementsAre("keeper 1 v 0", "ack 1", "out 1 usiok"));
}

TEST_F(KeeperTest, without_anybody_the_engine_is_told_to_quit_and_killed_if_it_does_not) {
  attach(1, "s", 0);
  leave(1);
  pass(Millis{599'999});
  EXPECT_THAT(done(), IsEmpty());
  pass(Millis{1});
  EXPECT_THAT(done(), ElementsAre("write quit"));
  attach(2, "s", 0);
  EXPECT_THAT(done(), ElementsAre("close 2"));
  pass(Millis{5'000});
  EXPECT_THAT(done(), ElementsAre("kill", "leave"));
}

TEST_F(KeeperTest, nobody_from_the_beginning_is_nobody_too) {
  pass(Millis{600'000});
  EXPECT_THAT(done(), ElementsAre("write quit"));
}

TEST_F(KeeperTest, the_engines_end_waits_for_somebody_to_hear_of_it) {
  attach(1, "s", 0);
  engine("usiok");
  leave(1);
  keeper_.on_engine_exit("signal 9", now_);
  attach(2, "s", 1);
  EXPECT_THAT(heard(2), ElementsAre("keeper 1 v 0", "exit 2 signal 9"));
  EXPECT_THAT(done(), IsEmpty());
  say(2, "ack 2");
  EXPECT_THAT(done(), ElementsAre("leave"));
}

TEST_F(KeeperTest, a_silent_client_is_gone_and_one_that_pings_is_not) {
  attach(1, "s", 0);
  attach(2, "s", 0);
  for (int i = 0; i < 10; ++i) {
    pass(Millis{10'000});
    say(2, "ping p" + std::to_string(i));
  }
  EXPECT_THAT(done(), ElementsAre("close 1"));
  EXPECT_THAT(heard(2), ElementsAre("keeper 1 v 0", "pong p9"));
}

TEST_F(KeeperTest, memory_is_bounded_and_info_goes_first) {
  attach(1, "s", 0);
  heard(1);
  leave(1);
  engine("id name E");
  const std::string long_line(50'000, 'x');
  for (int i = 0; i < 1000; ++i) {
    engine("info string " + long_line);
    pass(Thinner::pause);
  }
  engine("usiok");
  attach(2, "s", 0);
  const auto lines = heard(2);
  EXPECT_THAT(lines[1], HasSubstr("id name E"));
  EXPECT_LT(lines.size(), 1000U);
  EXPECT_THAT(lines.back(), HasSubstr("usiok"));
  std::size_t bytes = 0;
  for (const std::string& line : lines) {
    bytes += line.size();
  }
  EXPECT_LT(bytes, Backlog::bytes_max + 1000);
  EXPECT_THAT(done(), IsEmpty());
}

TEST_F(KeeperTest, an_engine_that_says_too_much_else_is_killed) {
  attach(1, "s", 0);
  done();
  const std::string long_line(50'000, 'x');
  for (int i = 0; i < 200; ++i) {
    engine(long_line);
  }
  EXPECT_THAT(done(), ElementsAre("kill"));
}

TEST_F(KeeperTest, strangers_are_refused) {
  keeper_.on_client(1, now_);
  say(1, "usi");
  keeper_.on_client(2, now_);
  say(2, "in 1 usi");
  attach(3, "s", 5);
  keeper_.on_client(4, now_);
  say(4, "hello 2 s 0");
  EXPECT_THAT(done(), ElementsAre("close 1", "close 2", "close 3", "close 4"));
  EXPECT_THAT(heard(4), ElementsAre("refused protocol this keeper speaks protocol 1"));
}

TEST_F(KeeperTest, end_quits_the_engine_and_kill_kills_it) {
  attach(1, "s", 0);
  say(1, "end");
  EXPECT_THAT(done(), ElementsAre("write quit"));
  keeper_.on_engine_exit("status 0", now_);
  pass(Millis{0});
  EXPECT_THAT(heard(1), ElementsAre("keeper 1 v 0", "exit 1 status 0"));
  Keeper other({.version = "v"}, now_);
  other.on_client(1, now_);
  other.on_client_line(1, "hello 1 s 0", now_);
  other.on_client_line(1, "kill", now_);
  EXPECT_EQ(other.take_actions().size(), 2U);
}

TEST_F(KeeperTest, who_goes_while_the_engine_is_leaving_leaves_no_deadline_behind) {
  attach(1, "s", 0);
  say(1, "end");
  leave(1);
  pass(Millis{5'000});
  EXPECT_THAT(done(), ElementsAre("write quit", "kill", "leave"));
  EXPECT_FALSE(keeper_.deadline().has_value());
}

/// A client as the bridge's: it numbers, acknowledges and asks again, over ways that break at any byte.
TEST_F(KeeperTest, cuts_at_any_moment_lose_no_line_and_repeat_none) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 dice(seed);
    Keeper keeper({.version = "v"}, now_);
    std::vector<std::string> to_engine;
    std::vector<std::string> from_engine;
    std::uint64_t written = 0;  // acknowledged to the client
    std::uint64_t seen = 0;
    std::uint64_t said = 0;
    int client = 0;
    const auto engine_reads = [&] {
      for (const Action& action : keeper.take_actions()) {
        if (const auto* write = std::get_if<WriteEngine>(&action)) {
          to_engine.push_back(write->line);
          keeper.on_engine_line("bestmove " + write->line, now_);
        }
      }
    };
    while (from_engine.size() < 100) {
      keeper.on_client(++client, now_);
      keeper.on_client_line(client, "hello 1 s " + std::to_string(seen), now_);
      for (std::uint64_t number = written + 1; number <= said; ++number) {
        keeper.on_client_line(client, "in " + std::to_string(number) + " line" + std::to_string(number), now_);
      }
      const auto steps = dice() % 6;
      for (std::size_t step = 0; step < steps; ++step) {
        ++said;
        const std::string line = "in " + std::to_string(said) + " line" + std::to_string(said);
        if (dice() % 4 != 0) {  // else it is lost with the way
          keeper.on_client_line(client, line, now_);
        } else {
          break;
        }
        engine_reads();
        std::string text = keeper.take_text(client, 1 + dice() % 60);
        if (dice() % 4 == 0) {
          break;  // sent, and never arrived
        }
        for (std::size_t at = 0; (at = text.find('\n')) != std::string::npos; text.erase(0, at + 1)) {
          const std::string got = text.substr(0, at);
          if (got.starts_with("ack ")) {
            written = std::stoull(got.substr(4));
          } else if (got.starts_with("keeper ")) {
            written = std::stoull(got.substr(got.rfind(' ') + 1));
          } else if (got.starts_with("out ")) {
            const std::uint64_t number = std::stoull(got.substr(4));
            ASSERT_EQ(number, seen + 1) << "seed " << seed;
            seen = number;
            from_engine.push_back(got.substr(got.find(' ', 4) + 1));
            if (dice() % 2 == 0) {
              keeper.on_client_line(client, "ack " + std::to_string(seen), now_);
            }
          }
        }
      }
      engine_reads();
      keeper.on_client_gone(client, now_);
    }
    for (std::size_t i = 0; i < from_engine.size(); ++i) {
      ASSERT_EQ(to_engine[i], "line" + std::to_string(i + 1)) << "seed " << seed;
      ASSERT_EQ(from_engine[i], "bestmove line" + std::to_string(i + 1)) << "seed " << seed;
    }
  }
}

constexpr base::SteadyTime start{std::chrono::hours{1}};

TEST(Thinner, of_one_kind_the_last_line_waits_for_the_pause) {
  Thinner thinner;
  EXPECT_THAT(thinner.take("info depth 1 pv 7g7f", start), ElementsAre("info depth 1 pv 7g7f"));
  EXPECT_THAT(thinner.take("info depth 2 pv 7g7f", start + Millis{10}), IsEmpty());
  EXPECT_THAT(thinner.take("info depth 3 pv 2g2f", start + Millis{20}), IsEmpty());
  EXPECT_EQ(thinner.deadline(), start + Thinner::pause);
  EXPECT_THAT(thinner.due(start + Thinner::pause - Millis{1}), IsEmpty());
  EXPECT_THAT(thinner.due(start + Thinner::pause), ElementsAre("info depth 3 pv 2g2f"));
  EXPECT_EQ(thinner.deadline(), std::nullopt);
}

TEST(Thinner, an_answer_goes_through_at_once_behind_all_that_waits) {
  Thinner thinner;
  EXPECT_THAT(thinner.take("info depth 1 multipv 1 pv 7g7f", start), ElementsAre("info depth 1 multipv 1 pv 7g7f"));
  EXPECT_THAT(thinner.take("info depth 1 multipv 2 pv 2g2f", start), ElementsAre("info depth 1 multipv 2 pv 2g2f"));
  EXPECT_THAT(thinner.take("info depth 2 multipv 2 pv 2g2f", start), IsEmpty());
  EXPECT_THAT(thinner.take("info depth 2 multipv 1 pv 7g7f", start), IsEmpty());
  EXPECT_THAT(thinner.take("bestmove 7g7f", start),
              ElementsAre("info depth 2 multipv 2 pv 2g2f", "info depth 2 multipv 1 pv 7g7f", "bestmove 7g7f"));
}

TEST(Thinner, a_flood_passes_ten_lines_a_second_and_ends_with_its_last_line) {
  Thinner thinner;
  std::size_t passed = 0;
  for (int i = 0; i < 10'000; ++i) {
    passed += thinner.take("info depth 9 pv " + std::to_string(i), start + Millis{i / 10}).size();
  }
  EXPECT_EQ(passed, 10U);
  EXPECT_THAT(thinner.take("bestmove 7g7f", start + Millis{1000}),
              ElementsAre("info depth 9 pv 9999", "bestmove 7g7f"));
}

TEST(Thinner, kinds_without_end_take_no_memory_without_end) {
  Thinner thinner;
  std::size_t passed = 0;
  for (int i = 0; i < 1000; ++i) {
    passed += thinner.take("info multipv " + std::to_string(i) + " pv 7g7f", start).size();
  }
  EXPECT_EQ(passed, Thinner::kinds_max + 1);
  EXPECT_EQ(thinner.take("bestmove 7g7f", start).size(), 2U);
}

TEST(Thinner, kinds_that_are_over_make_room) {
  Thinner thinner;
  for (std::size_t i = 0; i < Thinner::kinds_max; ++i) {
    static_cast<void>(thinner.take("info multipv " + std::to_string(i + 10) + " pv 7g7f", start));
  }
  EXPECT_EQ(thinner.take("info multipv 1 pv 7g7f", start + Thinner::pause).size(), 1U);
  EXPECT_EQ(thinner.take("info multipv 2 pv 7g7f", start + Thinner::pause).size(), 1U);
}

TEST(Thinner, bounds_strings_and_counters_are_kinds_of_their_own) {
  EXPECT_EQ(kind_of_info("info depth 3 score cp 1 pv 7g7f"), "1 pv");
  EXPECT_EQ(kind_of_info("info depth 3 multipv 2 score cp 1 pv 7g7f"), "2 pv");
  EXPECT_EQ(kind_of_info("info depth 3 score cp 1 lowerbound pv 7g7f"), "1 lowerbound");
  EXPECT_EQ(kind_of_info("info string a pv of words"), "string");
  EXPECT_EQ(kind_of_info("info currmove 7g7f"), "currmove");
  EXPECT_EQ(kind_of_info("info nodes 12 nps 3"), "other");
  EXPECT_EQ(kind_of_info("info"), "other");
}

}  // namespace

}  // namespace kakehashi::keeper
