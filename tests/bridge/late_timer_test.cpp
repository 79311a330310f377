// Deadlines that are seen late: with a line of the server's, or by a timer that rings late.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "bridge/bot/bot.hpp"
#include "support/stage.hpp"
#include "support/summary_block.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;

base::Now at(Millis time) {
  return {base::SteadyTime(std::chrono::hours(1000)) + time, base::WallTime(time)};
}

std::vector<std::string> lines_to_engines(const Actions& actions) {
  std::vector<std::string> lines;
  for (const Action& action : actions) {
    if (const auto* write = std::get_if<WriteEngine>(&action)) {
      lines.push_back(seat_word(write->engine.seat) + " " + write->line);
    }
  }
  return lines;
}

// A search starts only when no further line is waiting: the next one may end the game. The same holds for
// the standby's opinion.
TEST(LateTimer, the_standby_is_not_asked_while_lines_of_the_server_wait) {
  const EngineId standby{1, 1};
  config::BotConfig config = support::stage_config();
  config.engine.clock = config::EngineClock::separate;  // nothing is asked about it
  config.engine.standby.enabled = true;
  Bot bot(config, 1);
  static_cast<void>(bot.start(at(Millis{0})));
  const auto happens = [&](const Event& event) { static_cast<void>(bot.step(event, at(Millis{0}))); };
  for (const EngineId engine : {EngineId{0, 1}, standby}) {
    happens(EngineStarted{engine, 4711});
    happens(EngineLine{engine, "usiok"});
    happens(EngineLine{engine, "readyok"});
  }
  happens(ServerConnected{base::verbatim("192.0.2.1:4081")});
  happens(ServerLine{"LOGIN:mybot OK", false});
  const auto summary = support::write_summary_block("your_turn=+ total=0 byoyomi=10 increment=0");
  ASSERT_TRUE(summary);
  for (const std::string& line : *summary) {
    happens(ServerLine{line, line != summary->back()});
  }
  happens(ServerLine{"START:test+1", false});
  ASSERT_EQ(bot.view().phase, bridge::Phase::playing);

  const Actions actions = bot.step(ServerLine{"##[CHAT][foe] hm", true}, at(Millis{9'600}));

  EXPECT_EQ(lines_to_engines(actions), std::vector<std::string>{"engine stop"});
}

/// When the timer is to ring, as the actions say last.
void follow_timer(const Actions& actions, base::SteadyTime& armed) {
  for (const Action& action : actions) {
    if (const auto* arm = std::get_if<ArmTimer>(&action)) {
      armed = arm->deadline;
    }
  }
}

/// Five turns of byoyomi of a second on which the engine says nothing, and each timer rings so late: how
/// long behind the last turn's start our move left.
Millis last_departure(Millis late) {
  config::BotConfig config = support::stage_config();
  config.engine.clock = config::EngineClock::separate;  // nothing is asked about it
  config.time.margin.reset();
  Bot bot(config, 1);
  base::SteadyTime armed{};
  follow_timer(bot.start(at(Millis{0})), armed);
  Millis now{0};
  Actions last;
  const auto happens = [&](const Event& event) {
    last = bot.step(event, at(now));
    follow_timer(last, armed);
  };
  happens(EngineStarted{EngineId{0, 1}, 4711});
  happens(EngineLine{EngineId{0, 1}, "usiok"});
  happens(EngineLine{EngineId{0, 1}, "readyok"});
  happens(ServerConnected{base::verbatim("192.0.2.1:4081")});
  happens(ServerLine{"LOGIN:mybot OK", false});
  happens(LinkMeasured{std::chrono::microseconds{1'000}, std::chrono::microseconds{100}});
  const auto summary = support::write_summary_block("your_turn=+ total=0 byoyomi=1 increment=0");
  for (const std::string& line : *summary) {
    happens(ServerLine{line, line != summary->back()});
  }
  happens(ServerLine{"START:test+1", false});
  Millis departure{0};
  bool is_forth = true;
  for (int turn = 0; turn < 5; ++turn, is_forth = !is_forth) {
    const Millis started = now;
    std::string move;
    for (int ring = 0; move.empty() && ring < 10; ++ring) {
      now = std::chrono::ceil<Millis>(armed - at(Millis{0}).steady) + late;
      happens(TimerFired{});
      for (const Action& action : last) {
        if (const auto* write = std::get_if<WriteServer>(&action)) {
          move = write->line.substr(0, 7);
          departure = now - started;
        }
      }
    }
    happens(EngineLine{EngineId{0, 1}, "bestmove resign"});  // swallowed: it was overtaken
    now += Millis{2};
    happens(ServerLine{move + ",T0", false});
    now += Millis{300};
    happens(ServerLine{is_forth ? "-8272HI,T0" : "-7282HI,T0", false});
  }
  return departure;
}

// The bridge's own lateness is measured, whatever it comes from: what is due leaves so much earlier, and once
// more while too few echoes have come to show that they are read in time.
TEST(LateTimer, what_is_due_leaves_as_much_earlier_as_the_timer_rings_late) {
  const Millis in_time = last_departure(Millis{0});
  const Millis late = last_departure(Millis{90});

  EXPECT_LT(in_time, Millis{1'000});
  EXPECT_GT(in_time, Millis{800});
  EXPECT_GT(late, in_time - Millis{180});
  EXPECT_LE(late, in_time + Millis{20});
}

// A line that is read just before the timer rings says nothing of how late that would have been.
TEST(LateTimer, what_happens_before_the_ring_does_not_pass_for_a_punctual_one) {
  config::BotConfig config = support::stage_config();
  config.time.margin.reset();
  Bot bot(config, 1);
  base::SteadyTime armed{};
  follow_timer(bot.start(at(Millis{0})), armed);
  follow_timer(bot.step(LinkMeasured{std::chrono::microseconds{1'000}, std::chrono::microseconds{100}}, at(Millis{0})),
               armed);
  const auto happens_behind_the_deadline = [&](const Event& event, Millis late) {
    const Millis now = std::chrono::ceil<Millis>(armed - at(Millis{0}).steady) + late;
    follow_timer(bot.step(event, at(now)), armed);
  };
  for (int ring = 0; ring < 12; ++ring) {
    for (int line = 0; line < 9; ++line) {
      happens_behind_the_deadline(EngineStderr{EngineId{0, 1}, "loading"}, Millis{2});
    }
    happens_behind_the_deadline(TimerFired{}, Millis{120});
  }
  EXPECT_GE(bot.view().margin, Millis{3 * 120});
}

}  // namespace
}  // namespace kakehashi::bridge
