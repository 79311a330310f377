// An exit is the last word, whatever else is due at that instant.
#include <gtest/gtest.h>

#include "bridge/bot/bot.hpp"
#include "support/stage.hpp"
#include "support/summary_block.hpp"

namespace kakehashi::bridge {
namespace {

base::Now at(std::chrono::seconds seconds) {
  return {base::SteadyTime(std::chrono::hours(1000)) + seconds, base::WallTime(seconds)};
}

// Found by the simulator: the timer of a resignation was late, and the third stop came before it.
TEST(LateExit, a_stop_at_once_at_the_deadline_of_a_resignation_exits_once) {
  using namespace std::chrono_literals;
  config::BotConfig config = support::stage_config();
  config.engine.clock = config::EngineClock::separate;  // nothing is asked about it
  Bot bot(config, 1);
  static_cast<void>(bot.start(at(0s)));
  const auto happens = [&](const Event& event) { static_cast<void>(bot.step(event, at(1s))); };
  happens(EngineStarted{EngineId{0, 1}, 4711});
  happens(EngineLine{EngineId{0, 1}, "usiok"});
  happens(EngineLine{EngineId{0, 1}, "readyok"});
  happens(ServerConnected{base::verbatim("192.0.2.1:4081")});
  happens(ServerLine{"LOGIN:mybot OK", false});
  const auto summary = support::write_summary_block("your_turn=+");
  ASSERT_TRUE(summary);
  for (const std::string& line : *summary) {
    happens(ServerLine{line, line != summary->back()});
  }
  ASSERT_EQ(bot.view().phase, bridge::Phase::agreeing);
  static_cast<void>(bot.step(StopRequested{Urgency::resign}, at(10s)));

  const Actions actions = bot.step(StopRequested{Urgency::at_once}, at(100s));

  int exits = 0;
  for (const Action& action : actions) {
    exits += std::holds_alternative<Exit>(action) ? 1 : 0;
  }
  EXPECT_EQ(exits, 1);
  ASSERT_FALSE(actions.empty());
  EXPECT_TRUE(std::holds_alternative<Exit>(actions.back()));
}

}  // namespace
}  // namespace kakehashi::bridge
