// One process of a machine at a time plays with an account at a server.
#include "daemon/account_lock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <csignal>
#include <string>

#include "rehearse/server/io/server_shell.hpp"
#include "tests/places.hpp"
#include "tests/system/look_until.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::daemon {
namespace {

using test::Program;
using test::read_text;
using test::look_until;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;

config::BotConfig account(const std::string& name, const std::string& host) {
  config::BotConfig bot;
  bot.account.name = test::own_name(name);
  bot.server.host = host;
  bot.server.port = 1;
  return bot;
}

TEST(AccountLock, is_for_one_at_a_time_and_names_who_has_it) {
  AccountLock first;
  AccountLock second;
  EXPECT_EQ(first.take(account("lock-test", "Example.test")), std::nullopt);
  EXPECT_EQ(first.take(account("lock-test", "Example.test")), std::nullopt) << "it has it already";
  EXPECT_THAT(second.take(account("lock-test", "example.test")),
              Optional("process " + std::to_string(::getpid())));
  EXPECT_EQ(second.take(account("lock-test", "other.test")), std::nullopt);
  first.release();
  EXPECT_EQ(second.take(account("lock-test", "example.test")), std::nullopt);
  EXPECT_EQ(first.take(account("lock-test", "other.test")), std::nullopt) << "the second gave it back";
}

TEST(AccountLock, names_of_any_length_are_told_apart) {
  AccountLock first;
  AccountLock second;
  const std::string host(250, 'h');
  EXPECT_EQ(first.take(account("lock-test", host + "a")), std::nullopt);
  EXPECT_EQ(second.take(account("lock-test", host + "b")), std::nullopt);
  EXPECT_NE(AccountLock().take(account("lock-test", host + "b")), std::nullopt);
}

TEST(AccountLock, a_second_process_waits_until_the_first_is_gone) {
  test::Scratch scratch;
  boost::asio::io_context context;
  rehearse::server::io::ServerShell server(context, {}, {});
  const auto port = server.start();
  ASSERT_TRUE(port);
  test::write_text(scratch.path("bot.yaml"),
                   "server: {host: 127.0.0.1, port: " + std::to_string(*port) + ", retry_max: 1s}\n" +
                       "account: {name: mybot}\n" + "game: {name: test-60-10}\n" +
                       "engine: {command: [" + test::fake_engine_binary() + "]}\n" +
                       "records: {directory: " + scratch.path("records") + "}\n");
  const auto has_logged = [&](const std::string& log, const std::string& what) {
    return look_until(context, [&] { return read_text(scratch.path(log)).find(what) != std::string::npos; });
  };
  Program first(context, {"run", scratch.path("bot.yaml")}, "", scratch.path("first"));
  ASSERT_TRUE(has_logged("first", "logged_in"));
  Program second(context, {"run", scratch.path("bot.yaml")}, "", scratch.path("second"));
  ASSERT_TRUE(has_logged("second", "process " + std::to_string(first.player()) +
                                       " of this machine plays there as \"mybot\" already"));
  EXPECT_THAT(read_text(scratch.path("first")), Not(HasSubstr("retrying")));
  EXPECT_THAT(read_text(scratch.path("second")), Not(HasSubstr("logged_in")));
  first.send_signal(SIGKILL);
  EXPECT_TRUE(has_logged("second", "logged_in"));
}

}  // namespace
}  // namespace kakehashi::daemon
