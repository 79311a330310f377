// The LOGIN line, as it goes out and as it is shown.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "support/stage.hpp"

namespace kakehashi::bridge {
namespace {

struct Shown {
  std::string line;
  std::string log_as;
};

Shown log_in(const std::string& game, const char* password,
             config::LoginMode mode = config::LoginMode::csa) {
  config::BotConfig config = support::stage_config();
  config.game.name = game;
  config.account.password = base::Secret(password);
  config.server.mode = mode;
  std::optional<Shown> shown;
  support::Stage stage(config, 1, [&](base::Millis, const Event*, const Actions& actions) {
    for (const Action& action : actions) {
      if (const auto* write = std::get_if<WriteServer>(&action)) {
        shown = Shown{write->line, write->log_as};
      }
    }
  });
  stage.start();
  stage.happen(EngineStarted{EngineId{0, 1}, 1});
  stage.happen(EngineLine{EngineId{0, 1}, "usiok"});
  stage.happen(EngineLine{EngineId{0, 1}, "readyok"});
  stage.happen(ServerConnected{base::verbatim("192.0.2.1:4081")});
  return shown.value_or(Shown{});
}

TEST(LoginLine, sends_a_trip_with_commas_as_it_is) {
  const Shown shown = log_in("floodgate-300-10F", "one,two,,three");
  EXPECT_EQ(shown.line, "LOGIN mybot floodgate-300-10F,one,two,,three");
  EXPECT_EQ(shown.log_as, "LOGIN mybot floodgate-300-10F,****");
}

TEST(LoginLine, needs_no_trip_in_a_private_game) {
  EXPECT_EQ(log_in("mytest-60-5F-B", "").line, "LOGIN mybot mytest-60-5F-B");
}

TEST(LoginLine, is_a_plain_password_without_a_game) {
  const Shown shown = log_in("", "plain");
  EXPECT_EQ(shown.line, "LOGIN mybot plain");
  EXPECT_EQ(shown.log_as, "LOGIN mybot ****");
}

TEST(LoginLine, leaves_the_game_out_in_x1_mode) {
  EXPECT_EQ(log_in("mytest-60-5F", "trip", config::LoginMode::x1).line, "LOGIN mybot trip x1");
}

}  // namespace
}  // namespace kakehashi::bridge
