// A whole bot, with its engine process, against a server that says what no server should. Whatever
// a connection brings, the bot comes back, and when the server behaves it agrees to a game.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "daemon/driver.hpp"
#include "tests/system/bots.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::daemon {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using test::run_until;
using testing::HasSubstr;

const char* const login_ok = "LOGIN:bot OK\n";

std::string summary_of(const std::string& id, const std::string& position) {
  return "BEGIN Game_Summary\nProtocol_Version:1.2\nFormat:Shogi 1.0\nGame_ID:" + id +
         "\nName+:foe\nName-:bot\nYour_Turn:-\nTo_Move:+\nBEGIN Time\nTotal_Time:60\nEND Time\n"
         "BEGIN Position\n" + position + "+\nEND Position\nEND Game_Summary\n";
}

/// Answers each LOGIN with what the next connection is to get, and hangs up behind it, except
/// behind the last one.
class HostilePeer {
 public:
  HostilePeer(asio::io_context& context, std::vector<std::string> answers)
      : acceptor_(context, {asio::ip::make_address("127.0.0.1"), 0}),
        socket_(context),
        answers_(std::move(answers)) {
    accept();
  }

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  [[nodiscard]] std::size_t connections() const { return connections_; }
  [[nodiscard]] const std::string& received() const { return received_; }

 private:
  void accept() {
    acceptor_.async_accept([this](error_code failed, asio::ip::tcp::socket socket) {
      if (failed) {
        return;
      }
      socket_ = std::move(socket);
      received_.clear();
      ++connections_;
      read();
    });
  }
  void read() {
    socket_.async_read_some(asio::buffer(buffer_), [this](error_code failed, std::size_t bytes) {
      const bool is_login = received_.empty() && bytes > 0;
      received_.append(buffer_.data(), bytes);
      if (is_login) {
        answer();
      } else if (!failed) {
        read();
      }
    });
  }
  void answer() {
    text_ = answers_[std::min(connections_, answers_.size()) - 1];
    asio::async_write(socket_, asio::buffer(text_), [this](error_code, std::size_t) {
      if (connections_ < answers_.size()) {
        socket_.close();
        accept();
      } else {
        read();
      }
    });
  }

  asio::ip::tcp::acceptor acceptor_;
  asio::ip::tcp::socket socket_;
  std::vector<std::string> answers_;
  std::array<char, 4096> buffer_{};
  std::string received_;
  std::string text_;
  std::size_t connections_ = 0;
};

std::string random_bytes(std::size_t count) {
  std::mt19937 random(5);
  std::string bytes(count, '\0');
  for (char& c : bytes) {
    c = static_cast<char>(random() % 256);
  }
  return bytes;
}

TEST(HostileServer, costs_a_connection_and_never_the_daemon) {
  constexpr std::size_t ten_megabytes = 10'000'000;
  const std::string good = summary_of("good", "PI\n");
  asio::io_context context;
  HostilePeer peer(
      context, {
                   login_ok + std::string(ten_megabytes, 'x'),
                   std::string(ten_megabytes, 'x') + "\n" + login_ok,
                   random_bytes(100'000),
                   login_ok + random_bytes(100'000),
                   login_ok + good.substr(0, good.size() / 2),
                   login_ok + summary_of("contradictory", "P1-OU\nPI\n") + "#WIN\nSTART:nothing\n",
                   login_ok + good + "START:good\n+7776FU,T1\n" + std::string(ten_megabytes, '+'),
                   login_ok + good.substr(0, good.size() / 2) + "REJECT:good by foe\n" + good,
               });
  test::Scratch scratch;
  auto config = test::bot(scratch, "bot", test::fake_engine());
  config.server.host = "127.0.0.1";
  config.server.port = peer.port();
  config.server.retry_max = base::Seconds{1};
  config.log.file = scratch.path("bot.log");
  LogSink log(config.log);
  std::optional<int> exit_status;
  Driver::Hooks hooks;
  hooks.exited = [&](int status) { exit_status = status; };
  Driver driver(context, config, 1, log, std::move(hooks), base::Millis{1});

  driver.start();

  const auto is_agreed = [&] {
    return peer.received().find("AGREE good\n") != std::string::npos && peer.connections() == 8;
  };
  EXPECT_TRUE(run_until(context, is_agreed)) << test::read_text(config.log.file).substr(0, 4'000);
  EXPECT_FALSE(exit_status);
  log.flush();
  const std::string told = test::read_text(config.log.file);
  EXPECT_EQ(told.find("bot_failed"), std::string::npos);
  EXPECT_THAT(told, HasSubstr("65536 bytes"));
  EXPECT_THAT(told, HasSubstr("game \"contradictory\" cannot be played and is rejected"));
  EXPECT_LT(told.size(), 2'000'000U) << "what a server sends does not fill the disk";
}

}  // namespace
}  // namespace kakehashi::daemon
