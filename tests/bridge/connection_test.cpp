// The connection by itself: no engine, no game. What it wants done is looked at as actions.
#include "bridge/bot/connection.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bridge/event.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;

config::BotConfig bot() {
  config::BotConfig config;
  config.server.host = "server";
  config.server.port = 4081;
  config.account.name = "mybot";
  config.account.password = base::Secret("secret");
  return config;
}

class Link {
 public:
  explicit Link(const config::BotConfig& config = bot()) : connection(config, 1) {}

  void connect() { connection.connect(now, out); }
  void log_in() {
    connect();
    connection.on_connected({base::verbatim("peer")}, true, now, out);
    for (const csa::SessionEvent& event : connection.on_line("LOGIN:mybot OK", now)) {
      if (const auto* logged_in = std::get_if<csa::LoggedIn>(&event)) {
        static_cast<void>(connection.on_logged_in(*logged_in, now, out));
      }
    }
  }
  void wait_for_deadline() { now.steady = *connection.deadline_of(Connection::Due::state, now); }
  template <class Which>
  [[nodiscard]] int count() {
    int found = 0;
    for (const Action& action : actions()) {
      found += std::holds_alternative<Which>(action) ? 1 : 0;
    }
    return found;
  }
  /// Since the last call.
  [[nodiscard]] std::vector<Action> actions() {
    std::vector<Action> taken = out.take();
    out = Outbox();
    return taken;
  }

  base::Now now{base::SteadyTime{std::chrono::hours(1)}, {}};
  Outbox out;
  Connection connection;
};

TEST(Connection, logs_in_and_is_ready_once) {
  Link link;
  link.log_in();
  EXPECT_EQ(link.connection.phase(), Phase::waiting);
  EXPECT_TRUE(link.connection.is_up());
  EXPECT_EQ(link.count<ReportReady>(), 1);
  link.connection.on_closed(base::verbatim("reset"), true, link.now, link.out);
  link.log_in();
  EXPECT_EQ(link.count<ReportReady>(), 0);
}

TEST(Connection, shows_no_password) {
  Link link;
  link.log_in();
  bool has_written = false;
  for (const Action& action : link.actions()) {
    if (const auto* write = std::get_if<WriteServer>(&action)) {
      has_written = true;
      EXPECT_NE(write->line.find("secret"), std::string::npos);
      EXPECT_EQ(write->log_as.find("secret"), std::string::npos);
    }
  }
  EXPECT_TRUE(has_written);
}

TEST(Connection, an_attempt_that_hangs_is_given_up_and_repeated) {
  Link link;
  link.connect();
  link.wait_for_deadline();
  EXPECT_FALSE(link.connection.leave_state(link.now, link.out));
  EXPECT_EQ(link.connection.phase(), Phase::backoff);
  link.wait_for_deadline();
  EXPECT_TRUE(link.connection.leave_state(link.now, link.out));
  EXPECT_EQ(link.connection.phase(), Phase::preparing);
}

TEST(Connection, without_an_engine_it_does_not_log_in) {
  Link link;
  link.connect();
  static_cast<void>(link.actions());
  link.connection.on_connected({base::verbatim("peer")}, false, link.now, link.out);
  EXPECT_EQ(link.connection.phase(), Phase::preparing);
  EXPECT_EQ(link.count<WriteServer>(), 0);
}

TEST(Connection, a_connection_that_nobody_asked_for_is_closed) {
  Link link;
  link.connection.on_connected({base::verbatim("peer")}, true, link.now, link.out);
  EXPECT_EQ(link.connection.phase(), Phase::preparing);
  EXPECT_EQ(link.count<CloseServer>(), 1);
}

TEST(Connection, keeps_alive_and_holds_the_line_only_while_it_is_up) {
  Link link;
  link.connection.hold(Millis{60'000}, link.out);
  EXPECT_EQ(link.count<HoldLine>(), 0);
  link.log_in();
  static_cast<void>(link.actions());
  link.connection.hold(Millis{60'000}, link.out);
  link.connection.hold(Millis{60'000}, link.out);
  EXPECT_EQ(link.count<HoldLine>(), 1);
  link.now.steady += std::chrono::hours(1);
  ASSERT_LE(*link.connection.deadline_of(Connection::Due::keepalive, link.now), link.now.steady);
  link.connection.keep_alive(link.now, link.out);
  EXPECT_EQ(link.count<WriteServer>(), 1);
  EXPECT_GT(*link.connection.deadline_of(Connection::Due::keepalive, link.now), link.now.steady);
}

TEST(Connection, behind_a_refusal_it_pauses_for_ten_seconds_at_least) {
  Link link;
  link.connect();
  link.connection.on_connected({base::verbatim("peer")}, true, link.now, link.out);
  const csa::LoginFailed refused{};
  ASSERT_TRUE(link.connection.on_login_failed(refused, link.out));
  EXPECT_FALSE(link.connection.is_up());
  link.connection.back_off_refused(refused, link.now, link.out);
  EXPECT_GE(*link.connection.deadline_of(Connection::Due::state, link.now), link.now.steady + Millis{10'000});
}

TEST(Connection, logins_that_are_cut_off_at_once_are_told_from_the_second_on) {
  Link link;
  const auto cut_off = [&link] {
    link.log_in();
    static_cast<void>(link.actions());
    link.connection.on_closed(base::verbatim("end of file"), true, link.now, link.out);
    for (const Action& action : link.actions()) {
      if (const auto* note = std::get_if<Note>(&action); note != nullptr && note->code == "login_cut_off") {
        return true;
      }
    }
    return false;
  };
  EXPECT_FALSE(cut_off());
  EXPECT_TRUE(cut_off());
  link.connection.succeed();
  EXPECT_FALSE(cut_off());
}

TEST(Connection, asks_for_a_lost_game_by_its_token) {
  Link link;
  csa::GameSummary game;
  game.game_id = "test+1";
  game.reconnect_token = "tok";
  link.connection.seek_back(game, link.now);
  link.connect();
  static_cast<void>(link.actions());
  link.connection.on_connected({base::verbatim("peer")}, true, link.now, link.out);
  bool has_asked = false;
  for (const Action& action : link.actions()) {
    if (const auto* write = std::get_if<WriteServer>(&action)) {
      has_asked = write->line.find("test+1") != std::string::npos && write->line.find("tok") != std::string::npos;
      EXPECT_EQ(write->log_as.find("tok"), std::string::npos);
    }
  }
  EXPECT_TRUE(has_asked);
}

}  // namespace
}  // namespace kakehashi::bridge
