#include "rehearse/server/io/server_shell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tests/system/loop.hpp"

namespace kakehashi::rehearse::server::io {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using test::run_until;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using Tcp = asio::ip::tcp;

/// A client that collects lines; its bytes go straight into the kernel's buffers.
class Client {
 public:
  Client(asio::io_context& context, std::uint16_t port) : socket_(context) {
    socket_.connect({asio::ip::make_address("127.0.0.1"), port});
    read();
  }

  void say(const std::string& bytes) { asio::write(socket_, asio::buffer(bytes)); }
  void hang_up() { socket_.close(); }
  [[nodiscard]] bool is_ended() const { return ended_; }
  [[nodiscard]] error_code ended_by() const { return ended_by_; }

  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> found;
    std::string line;
    for (const char c : received_) {
      if (c == '\n') {
        found.push_back(std::exchange(line, {}));
      } else {
        line.push_back(c);
      }
    }
    return found;
  }
  [[nodiscard]] bool has(const std::string& line) const {
    const auto all = lines();
    return std::find(all.begin(), all.end(), line) != all.end();
  }

 private:
  void read() {
    socket_.async_read_some(asio::buffer(buffer_), [this](error_code failed, std::size_t bytes) {
      received_.append(buffer_.data(), bytes);
      if (failed) {
        ended_ = true;
        ended_by_ = failed;
      } else {
        read();
      }
    });
  }

  Tcp::socket socket_;
  std::array<char, 4096> buffer_{};
  std::string received_;
  bool ended_ = false;
  error_code ended_by_;
};

class ServerShellTest : public testing::Test {
 protected:
  ServerShellTest() : shell_(context_, {}, callbacks()) {
    const auto port = shell_.start();
    EXPECT_TRUE(port);
    EXPECT_EQ(shell_.port(), *port);
  }

  std::unique_ptr<Client> client() { return std::make_unique<Client>(context_, shell_.port()); }

  bool wait_for(const Client& client, const std::string& line) {
    return run_until(context_, [&] { return client.has(line); });
  }

  void start_game(Client& black, Client& white) {
    black.say("LOGIN black test-60-10-B,secret\n");
    white.say("LOGIN white test-60-10-W,secret\n");
    ASSERT_TRUE(wait_for(black, "END Game_Summary"));
    ASSERT_TRUE(wait_for(white, "END Game_Summary"));
    black.say("AGREE\n");
    white.say("AGREE\n");
    ASSERT_TRUE(run_until(context_, [&] { return black.lines().back().starts_with("START:"); }));
    ASSERT_TRUE(run_until(context_, [&] { return white.lines().back().starts_with("START:"); }));
  }

  ShellCallbacks callbacks() {
    ShellCallbacks made;
    made.report = [this](const GameReport& report) { reports_.push_back(report); };
    made.line = [this](ConnectionId, Direction direction, std::string_view line) {
      told_.push_back((direction == Direction::from_client ? "< " : "> ") + std::string(line));
    };
    return made;
  }

  asio::io_context context_;
  std::vector<GameReport> reports_;
  std::vector<std::string> told_;
  ServerShell shell_;
};

TEST_F(ServerShellTest, two_clients_play_a_game_to_its_end) {
  const auto black = client();
  const auto white = client();
  start_game(*black, *white);
  black->say("+7776FU\n");
  ASSERT_TRUE(run_until(context_, [&] { return white->lines().back().starts_with("+7776FU,T"); }));
  white->say("%TORYO\n");
  ASSERT_TRUE(wait_for(*white, "#LOSE"));
  ASSERT_TRUE(wait_for(*black, "#WIN"));
  ASSERT_TRUE(run_until(context_, [&] { return white->is_ended(); }));
  EXPECT_EQ(white->ended_by(), asio::error::eof);
  EXPECT_FALSE(black->is_ended());
  ASSERT_EQ(reports_.size(), 3U);
  EXPECT_EQ(std::get<GameEnded>(reports_.back()).reason, EndReason::resign);
}

TEST_F(ServerShellTest, bytes_may_come_one_by_one_or_all_at_once) {
  const auto one = client();
  for (const char c : std::string("LOGIN one pw x1\r\n")) {
    one->say({c});
    context_.poll();
  }
  one->say("%%CHAT a\n%%CHAT b\n\n%%CHAT c\n");
  ASSERT_TRUE(wait_for(*one, "##[CHAT][one] c"));
  EXPECT_THAT(one->lines(),
              testing::ElementsAre("LOGIN:one OK", "##[LOGIN] +OK x1", "##[CHAT][one] a", "##[CHAT][one] b", "",
                                   "##[CHAT][one] c"));
}

TEST_F(ServerShellTest, a_client_that_vanishes_loses_on_its_turn) {
  const auto black = client();
  const auto white = client();
  start_game(*black, *white);
  black->hang_up();
  ASSERT_TRUE(wait_for(*white, "#WIN"));
}

TEST_F(ServerShellTest, the_last_lines_arrive_although_the_client_has_more_to_say) {
  const auto black = client();
  const auto white = client();
  start_game(*black, *white);
  black->say("%TORYO\nLOGOUT\n\n\n\n");
  ASSERT_TRUE(run_until(context_, [&] { return black->is_ended(); }));
  EXPECT_EQ(black->ended_by(), asio::error::eof) << "a reset could have destroyed the result";
  EXPECT_EQ(black->lines().back(), "#LOSE");
}

TEST_F(ServerShellTest, the_deadline_timer_ends_a_game_on_time) {
  const auto black = client();
  const auto white = client();
  black->say("LOGIN black test-0-1-B,x\n");
  white->say("LOGIN white test-0-1-W,x\n");
  ASSERT_TRUE(wait_for(*black, "END Game_Summary"));
  black->say("AGREE\n");
  white->say("AGREE\n");
  ASSERT_TRUE(wait_for(*white, "#TIME_UP"));
  ASSERT_TRUE(wait_for(*white, "#WIN"));
}

TEST_F(ServerShellTest, an_overlong_line_breaks_the_connection) {
  const auto one = client();
  one->say(std::string(ServerShell::line_bytes_max + 1, 'x'));
  ASSERT_TRUE(run_until(context_, [&] { return one->is_ended(); }));
}

TEST_F(ServerShellTest, passwords_are_masked_for_those_who_look_on) {
  const auto one = client();
  one->say("LOGIN one secret x1\nLOGIN one secret x1\n");
  ASSERT_TRUE(run_until(context_, [&] { return told_.size() >= 5; }));
  EXPECT_THAT(told_, Contains("< LOGIN one *****"));
  EXPECT_THAT(told_, Not(Contains(HasSubstr("secret"))));
}

TEST_F(ServerShellTest, a_client_that_does_not_read_is_dropped) {
  // Replies pile up in the kernel's buffers first, then in the bounded queue.
  Tcp::socket deaf(context_);
  deaf.open(Tcp::v4());
  deaf.set_option(asio::socket_base::receive_buffer_size(4096));
  deaf.connect({asio::ip::make_address("127.0.0.1"), shell_.port()});
  std::string lines = "LOGIN deaf pw x1\n";
  for (int i = 0; i < 1000; ++i) {
    lines += "%%HELP\n";
  }
  bool is_dropped = false;
  std::function<void(error_code, std::size_t)> say_more = [&](error_code failed, std::size_t) {
    is_dropped = failed.failed();
    if (!is_dropped) {
      asio::async_write(deaf, asio::buffer(lines), say_more);
    }
  };
  asio::async_write(deaf, asio::buffer(lines), say_more);
  EXPECT_TRUE(run_until(context_, [&] { return is_dropped; }));
}

TEST_F(ServerShellTest, stopping_closes_the_port_and_every_connection) {
  const auto one = client();
  one->say("LOGIN one pw x1\n");
  ASSERT_TRUE(wait_for(*one, "LOGIN:one OK"));
  const auto port = shell_.port();
  shell_.stop();
  ASSERT_TRUE(run_until(context_, [&] { return one->is_ended(); }));
  Tcp::socket late(context_);
  error_code failed;
  late.connect({asio::ip::make_address("127.0.0.1"), port}, failed);
  EXPECT_TRUE(failed);
}

TEST_F(ServerShellTest, a_port_that_is_taken_is_named) {
  ShellOptions options;
  options.port = shell_.port();
  ServerShell second(context_, options);
  const auto port = second.start();
  ASSERT_FALSE(port);
  EXPECT_THAT(port.error(), HasSubstr("cannot listen on 127.0.0.1 port " +
                                      std::to_string(options.port)));
}

}  // namespace
}  // namespace kakehashi::rehearse::server::io
