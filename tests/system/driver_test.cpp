#include "daemon/driver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "rehearse/server/io/server_shell.hpp"
#include "tests/system/bots.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::daemon {
namespace {

using test::bot;
using test::fake_engine;
using test::read_text;
using test::run_until;
using testing::HasSubstr;

class DriverTest : public testing::Test {
 protected:
  DriverTest() { server.emplace(context, rehearse::server::io::ShellOptions{}, callbacks()); }

  rehearse::server::io::ShellCallbacks callbacks() {
    rehearse::server::io::ShellCallbacks made;
    made.report = [this](const rehearse::server::GameReport& report) {
      moves += std::holds_alternative<rehearse::server::MovePlayed>(report) ? 1 : 0;
      if (const auto* over = std::get_if<rehearse::server::GameEnded>(&report)) {
        end = *over;
      }
    };
    return made;
  }

  /// A bot on the server of this test, "test-600-10" being its game.
  config::BotConfig config_of(const std::string& name, std::vector<std::string> switches) {
    auto made = bot(scratch, name, fake_engine(std::move(switches)));
    made.server.host = "127.0.0.1";
    made.server.port = server->port();
    made.game.name = "test-600-10";
    made.log.file = scratch.path(name + ".log");
    return made;
  }

  struct Running {
    Running(boost::asio::io_context& context, config::BotConfig config,
            std::function<void()> on_status = {})
        : log(config.log) {
      Driver::Hooks hooks;
      hooks.ready = [this] { ++ready; };
      hooks.status = [on_status] {
        if (on_status) {
          on_status();
        }
      };
      hooks.exited = [this](int exit_status) { status = exit_status; };
      driver.emplace(context, std::move(config), 1, log, std::move(hooks), base::Millis{1});
      driver->start();
    }
    LogSink log;
    int ready = 0;
    std::optional<int> status;
    std::optional<Driver> driver;
  };

  test::Scratch scratch;
  boost::asio::io_context context;
  int moves = 0;
  std::optional<rehearse::server::GameEnded> end;
  std::optional<rehearse::server::io::ServerShell> server;
};

TEST_F(DriverTest, a_bot_that_waits_is_ready_and_leaves_when_asked) {
  ASSERT_TRUE(server->start());
  Running alice(context, config_of("alice", {}));
  ASSERT_TRUE(run_until(context, [&] { return alice.ready == 1; }));
  EXPECT_EQ(alice.driver->view().phase, bridge::Phase::waiting);
  alice.driver->request_stop(bridge::Urgency::drain);
  ASSERT_TRUE(run_until(context, [&] { return alice.status.has_value(); }));
  EXPECT_EQ(alice.status, 0);
  alice.log.flush();
  EXPECT_THAT(read_text(scratch.path("alice.log")), HasSubstr("server > \"LOGOUT\""));
}

TEST_F(DriverTest, a_drain_finishes_the_game_and_plays_no_other) {
  ASSERT_TRUE(server->start());
  Running alice(context, config_of("alice", {}));
  Running bob(context, config_of("bob", {}));
  ASSERT_TRUE(run_until(context, [&] { return moves >= 2; }));
  alice.driver->request_stop(bridge::Urgency::drain);
  bob.driver->request_stop(bridge::Urgency::drain);
  ASSERT_TRUE(run_until(context, [&] { return alice.status && bob.status; }));
  ASSERT_TRUE(end);
  EXPECT_EQ(end->reason, rehearse::server::EndReason::repetition);
  EXPECT_EQ(alice.status, 0);
  EXPECT_EQ(bob.status, 0);
}

TEST_F(DriverTest, a_second_request_resigns_the_game) {
  ASSERT_TRUE(server->start());
  Running alice(context, config_of("alice", {"--think-ms", "20"}));
  Running bob(context, config_of("bob", {"--think-ms", "20"}));
  ASSERT_TRUE(run_until(context, [&] { return moves >= 1; }));
  alice.driver->request_stop(bridge::Urgency::drain);
  alice.driver->request_stop(bridge::Urgency::resign);
  ASSERT_TRUE(run_until(context, [&] { return alice.status && end; }));
  EXPECT_EQ(end->reason, rehearse::server::EndReason::resign);
  EXPECT_EQ(alice.status, 0);
}

TEST_F(DriverTest, a_third_request_leaves_at_once_and_says_so) {
  ASSERT_TRUE(server->start());
  Running alice(context, config_of("alice", {"--hang-on-go", "1"}));
  Running bob(context, config_of("bob", {"--hang-on-go", "1"}));
  ASSERT_TRUE(run_until(context, [&] { return alice.driver->view().phase == bridge::Phase::playing; }));
  alice.driver->request_stop(bridge::Urgency::drain);
  alice.driver->request_stop(bridge::Urgency::resign);
  alice.driver->request_stop(bridge::Urgency::at_once);
  ASSERT_TRUE(run_until(context, [&] { return alice.status.has_value(); }));
  EXPECT_THAT(*alice.status, testing::AnyOf(0, 75));
}

TEST_F(DriverTest, a_server_that_vanishes_in_mid_game_costs_that_game_only) {
  const auto port = server->start();
  ASSERT_TRUE(port);
  Running alice(context, config_of("alice", {"--think-ms", "20"}));
  Running bob(context, config_of("bob", {"--think-ms", "20"}));
  ASSERT_TRUE(run_until(context, [&] { return moves >= 2; }));
  ASSERT_FALSE(end);
  rehearse::server::io::ShellOptions again;
  again.port = *port;
  server.emplace(context, again, callbacks());
  moves = 0;
  ASSERT_TRUE(server->start());
  ASSERT_TRUE(run_until(context, [&] { return moves >= 2; }));
  EXPECT_EQ(alice.ready, 1);
  alice.log.flush();
  const auto log = read_text(scratch.path("alice.log"));
  EXPECT_THAT(log, HasSubstr("game_lost_sight"));
  EXPECT_THAT(log, HasSubstr("retrying"));
}

TEST_F(DriverTest, a_bot_that_breaks_its_promise_is_dropped_and_built_anew) {
  ASSERT_TRUE(server->start());
  int failures = 0;
  Running alice(context, config_of("alice", {}), [&] {
    if (++failures == 1) {
      throw base::CheckFailure("bot.cpp:1: a promise (false)");
    }
  });
  ASSERT_TRUE(run_until(context, [&] { return alice.ready == 1; }));
  EXPECT_FALSE(alice.status);
  EXPECT_GT(failures, 1);
  alice.log.flush();
  const auto log = read_text(scratch.path("alice.log"));
  EXPECT_THAT(log, HasSubstr("bot_failed: the bot broke a promise to itself: bot.cpp:1: a promise"));
  EXPECT_THAT(log, HasSubstr("it starts anew in 1 ms"));
}

TEST_F(DriverTest, a_bot_that_fails_while_it_is_to_stop_ends_with_its_own_status) {
  ASSERT_TRUE(server->start());
  bool fails = false;
  Running alice(context, config_of("alice", {}), [&] {
    if (fails) {
      throw base::CheckFailure("broken");
    }
  });
  ASSERT_TRUE(run_until(context, [&] { return alice.ready == 1; }));
  fails = true;
  alice.driver->request_stop(bridge::Urgency::drain);
  ASSERT_TRUE(run_until(context, [&] { return alice.status.has_value(); }));
  EXPECT_EQ(alice.status, 70);
}

TEST_F(DriverTest, a_renewed_bot_begins_when_its_book_is_read_and_with_what_came_meanwhile) {
  ASSERT_TRUE(server->start());
  auto config = config_of("alice", {});
  Running alice(context, config);
  ASSERT_TRUE(run_until(context, [&] { return alice.ready == 1; }));
  config.book.file = scratch.path("none.db");
  alice.driver->renew(config);
  ASSERT_TRUE(run_until(context, [&] { return alice.driver->view().phase == bridge::Phase::beginning_anew; }));
  config.book.file = scratch.path("book.db");
  test::write_text(config.book.file, "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/"
                                     "PPPPPPPPP/1B5R1/LNSGKGSNL b - 0\n2g2f 3c3d 0 0\n");
  alice.driver->renew(config);
  ASSERT_TRUE(run_until(context, [&] { return alice.ready == 2; }));
  EXPECT_EQ(alice.driver->view().phase, bridge::Phase::waiting);
  alice.log.flush();
  EXPECT_THAT(read_text(scratch.path("alice.log")), testing::Not(HasSubstr("book_failed")));
}

TEST_F(DriverTest, a_bot_leaves_when_asked_at_any_moment_of_its_renewal) {
  ASSERT_TRUE(server->start());
  for (int handlers = 0; handlers < 6; ++handlers) {
    auto config = config_of("alice", {});
    Running alice(context, config);
    ASSERT_TRUE(run_until(context, [&] { return alice.ready == 1; }));
    config.book.file = scratch.path("none.db");
    alice.driver->renew(config);
    ASSERT_TRUE(run_until(context, [&] { return alice.driver->view().phase == bridge::Phase::beginning_anew; }));
    for (int i = 0; i < handlers; ++i) {
      context.poll_one();
    }
    alice.driver->request_stop(bridge::Urgency::drain);
    ASSERT_TRUE(run_until(context, [&] { return alice.status.has_value(); }));
    EXPECT_EQ(alice.status, 0) << handlers;
  }
}

TEST_F(DriverTest, an_engine_is_asked_how_it_reads_increments_once_and_remembered) {
  ASSERT_TRUE(server->start());
  auto config = config_of("alice", {"--clock", "yaneuraou-9.40"});
  config.game.name = "test-600-10F";
  config.engine.clock = config::EngineClock::automatic;
  for (const char* how : {"found by asking it", "remembered from an earlier start"}) {
    Running alice(context, config);
    ASSERT_TRUE(run_until(context, [&] { return alice.ready == 1; }));
    alice.driver->request_stop(bridge::Urgency::drain);
    ASSERT_TRUE(run_until(context, [&] { return alice.status.has_value(); }));
    alice.log.flush();
    EXPECT_THAT(read_text(config.log.file), HasSubstr("it adds the increment to btime by itself"));
    EXPECT_THAT(read_text(config.log.file), HasSubstr(how));
  }
}

TEST_F(DriverTest, a_driver_that_is_destroyed_takes_its_engine_with_it_and_is_never_heard_of) {
  ASSERT_TRUE(server->start());
  Running alice(context, config_of("alice", {}));
  ASSERT_TRUE(run_until(context, [&] { return alice.ready == 1; }));
  alice.driver.reset();
  server.reset();
  context.restart();
  context.run();
  EXPECT_FALSE(alice.status);
}

}  // namespace
}  // namespace kakehashi::daemon
