// A deadline that is seen late, with a line of the server's and not with the timer.
#include <gtest/gtest.h>

#include "bridge/bot.hpp"
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
      lines.push_back((is_standby(write->engine) ? "standby " : "engine ") + write->line);
    }
  }
  return lines;
}

// A search starts only when no further line is waiting: the next one may end the game. The same holds for
// the standby's opinion.
TEST(LateTimer, the_standby_is_not_asked_while_lines_of_the_server_wait) {
  const EngineId standby{standby_engines + 1};
  config::BotConfig config = support::stage_config();
  config.engine.clock = config::EngineClock::separate;  // nothing is asked about it
  config.engine.standby.enabled = true;
  Bot bot(config, 1);
  static_cast<void>(bot.start(at(Millis{0})));
  const auto happens = [&](const Event& event) { static_cast<void>(bot.step(event, at(Millis{0}))); };
  for (const EngineId engine : {EngineId{1}, standby}) {
    happens(EngineStarted{engine, 4711});
    happens(EngineLine{engine, "usiok"});
    happens(EngineLine{engine, "readyok"});
  }
  happens(ServerConnected{"192.0.2.1:4081"});
  happens(ServerLine{"LOGIN:mybot OK", false});
  const auto summary = support::write_summary_block("your_turn=+ total=0 byoyomi=10 increment=0");
  ASSERT_TRUE(summary);
  for (const std::string& line : *summary) {
    happens(ServerLine{line, line != summary->back()});
  }
  happens(ServerLine{"START:test+1", false});
  ASSERT_EQ(bot.view().phase, "playing");

  const Actions actions = bot.step(ServerLine{"##[CHAT][foe] hm", true}, at(Millis{9'600}));

  EXPECT_EQ(lines_to_engines(actions), std::vector<std::string>{"engine stop"});
}

}  // namespace
}  // namespace kakehashi::bridge
