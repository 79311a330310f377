// For how long the connection to the server may be silent: what hangs on it decides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bridge/bot/bot.hpp"
#include "support/stage.hpp"
#include "support/summary_block.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using testing::ElementsAre;
using testing::IsEmpty;

/// A bot on its stage, and the patience that each HoldLine asked for, in seconds.
class Scene {
 public:
  explicit Scene(const config::BotConfig& config = support::stage_config())
      : stage_(config, 1, [this](Millis, const Event*, const Actions& actions) {
          for (const Action& action : actions) {
            if (const auto* hold = std::get_if<HoldLine>(&action)) {
              held_s_.push_back(static_cast<double>(hold->patience.count()) / 1000);
            }
          }
        }) {
    stage_.start();
    stage_.happen(EngineStarted{EngineId{0, 1}, 4711});
    engine_says("usiok");
    engine_says("readyok");
    log_in();
  }

  void log_in() {
    stage_.happen(ServerConnected{base::verbatim("192.0.2.1:4081")});
    server_says("LOGIN:mybot OK");
  }
  void engine_says(const char* text) { stage_.happen(EngineLine{EngineId{0, 1}, text}); }
  void server_says(const std::string& text) { stage_.happen(ServerLine{text, false}); }
  void pair(const char* words) {
    const auto block = support::write_summary_block(words);
    for (const std::string& line : block.value()) {
      server_says(line);
    }
  }
  void play(const char* words) {
    pair(words);
    server_says("START:test+1");
  }
  void happen(const Event& event) { stage_.happen(event); }

  [[nodiscard]] std::vector<double> take() { return std::exchange(held_s_, {}); }
  [[nodiscard]] const std::vector<std::string>& complaints() const { return stage_.referee().complaints(); }

 private:
  support::Stage stage_;
  std::vector<double> held_s_;
};

TEST(HoldLine, waiting_for_a_game_nothing_hangs_on_the_line) {
  Scene scene;
  EXPECT_THAT(scene.take(), IsEmpty());
}

TEST(HoldLine, the_line_is_held_until_the_clocks_of_the_turns_to_come_have_run_out) {
  Scene scene;
  scene.pair("your_turn=+ total=300 byoyomi=0 increment=10");
  EXPECT_THAT(scene.take(), ElementsAre(310 + 310 + 75)) << "the game may begin while the way is cut";
  scene.server_says("START:test+1");
  EXPECT_THAT(scene.take(), ElementsAre(310 + 15)) << "our turn";
  scene.engine_says("bestmove 7g7f");
  EXPECT_THAT(scene.take(), ElementsAre(310 + 310 + 75)) << "our move may have come there, and its echo not here";
  scene.server_says("+7776FU,T4");
  EXPECT_THAT(scene.take(), ElementsAre(316 + 310 + 75))
      << "their turn, a minute in which shogi-server may not look at their clock, and our turn";
  scene.server_says("-3334FU,T100");
  EXPECT_THAT(scene.take(), ElementsAre(316 + 15));
  EXPECT_THAT(scene.complaints(), IsEmpty());
}

TEST(HoldLine, a_game_that_can_be_had_back_is_not_held) {
  Scene scene;
  scene.play("your_turn=+ total=300 byoyomi=0 extra=Reconnect_Token:0123456789abcdef0123456789abcdef");
  EXPECT_THAT(scene.take(), IsEmpty());
}

TEST(HoldLine, without_a_clock_the_line_is_held_for_an_hour) {
  Scene scene;
  scene.play("your_turn=- time=none");
  EXPECT_THAT(scene.take(), ElementsAre(3600));
}

TEST(HoldLine, where_their_clock_never_runs_out_an_hour_is_enough_to_see_them_gone) {
  Scene scene;
  scene.play("your_turn=- time+=none time-=total:60,byoyomi:10");
  EXPECT_THAT(scene.take(), ElementsAre(3600));
}

TEST(HoldLine, behind_the_end_of_the_game_the_line_is_given_up_soon_again) {
  config::BotConfig config = support::stage_config();
  config.server.after_game = config::AfterGame::stay;
  Scene scene(config);
  scene.play("your_turn=- total=60 byoyomi=10 increment=0");
  EXPECT_THAT(scene.take(), ElementsAre(70 + 70 + 75));
  scene.server_says("#RESIGN");
  EXPECT_THAT(scene.take(), ElementsAre(0));
  scene.server_says("#WIN");
  EXPECT_THAT(scene.take(), IsEmpty());
}

TEST(HoldLine, each_connection_begins_anew) {
  Scene scene;
  scene.play("your_turn=- total=60 byoyomi=10 increment=0");
  EXPECT_THAT(scene.take(), ElementsAre(70 + 70 + 75));
  scene.happen(ServerClosed{ServerClosed::How::broken, base::verbatim("reset by peer")});
  EXPECT_THAT(scene.take(), IsEmpty());
}

}  // namespace
}  // namespace kakehashi::bridge
