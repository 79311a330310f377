#include "csa/io/server_link.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/system/loop.hpp"
#include "tests/system/peer.hpp"

namespace kakehashi::csa::io {
namespace {

namespace asio = boost::asio;
using test::Heard;
using test::Peer;
using test::run_until;
using testing::ElementsAre;
using testing::HasSubstr;

class ServerLinkTest : public testing::Test {
 protected:
  ServerLink::Callbacks callbacks() {
    auto made = heard.callbacks();
    made.line = [this, tell = made.line](std::string line, bool more) {
      tell(std::move(line), more);
      if (on_line) {
        on_line();
      }
    };
    return made;
  }

  ServerAddress address() {
    ServerAddress made;
    made.host = "127.0.0.1";
    made.port = peer.port();
    return made;
  }

  void connect() {
    const auto peers = heard.peers.size();
    const auto accepted = peer.accepted();
    link->connect(address());
    ASSERT_TRUE(run_until(context, [&] {
      return heard.peers.size() > peers && peer.accepted() > accepted;
    }));
  }

  asio::io_context context;
  Peer peer{context};
  Heard heard;
  std::function<void()> on_line;
  std::optional<ServerLink> link{std::in_place, context, callbacks()};
};

TEST_F(ServerLinkTest, a_connection_names_the_address_that_answered) {
  connect();
  EXPECT_THAT(heard.peers, ElementsAre("127.0.0.1:" + std::to_string(peer.port())));
}

TEST_F(ServerLinkTest, the_way_is_measured_while_there_is_a_connection) {
  EXPECT_FALSE(link->quality().has_value());
  connect();
  const auto quality = link->quality();
  ASSERT_TRUE(quality.has_value());
  EXPECT_GT(quality->rtt.count(), 0);

  link->close();

  EXPECT_FALSE(link->quality().has_value());
}

/// Nothing can be sent any more, and the reading side meets no end.
void stop_sending_to(std::uint16_t port) {
  constexpr int descriptors_max = 1024;
  for (int descriptor = 0; descriptor < descriptors_max; ++descriptor) {
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) == 0 &&
        peer.sin_family == AF_INET && ntohs(peer.sin_port) == port) {
      ::shutdown(descriptor, SHUT_WR);
    }
  }
}

TEST_F(ServerLinkTest, an_end_that_only_a_write_meets_is_told_behind_the_lines_that_still_come) {
  connect();
  stop_sending_to(peer.port());
  link->write("+7776FU");
  peer.say("#WIN\n");
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_THAT(heard.lines, ElementsAre("#WIN"));
  EXPECT_EQ(heard.closes[0].first, HowClosed::broken);
  EXPECT_THAT(heard.closes[0].second, HasSubstr("nothing can be sent: Broken pipe"));
}

TEST_F(ServerLinkTest, a_name_is_looked_up_and_each_of_its_addresses_is_tried) {
  auto by_name = address();
  by_name.host = "localhost";  // may mean ::1 first, where nobody listens
  link->connect(by_name);
  ASSERT_TRUE(run_until(context, [&] { return !heard.peers.empty(); }));
  EXPECT_THAT(heard.peers, ElementsAre("127.0.0.1:" + std::to_string(peer.port())));
  EXPECT_TRUE(heard.closes.empty());
}

TEST_F(ServerLinkTest, lines_that_come_together_are_told_with_more_behind_all_but_the_last) {
  connect();
  peer.say("-3334FU,T1\n#SENNICHITE\n#DRAW\n");
  ASSERT_TRUE(run_until(context, [&] { return heard.lines.size() == 3; }));
  EXPECT_THAT(heard.lines, ElementsAre("-3334FU,T1", "#SENNICHITE", "#DRAW"));
  EXPECT_THAT(heard.more, ElementsAre(true, true, false));
}

TEST_F(ServerLinkTest, many_lines_that_are_already_here_are_one_moment_whatever_the_read_size) {
  connect();
  std::string block;
  const int count = 4000;  // more than one read buffer holds
  for (int i = 0; i < count; ++i) {
    block += "line " + std::to_string(i) + "\n";
  }
  peer.say(block);
  ASSERT_TRUE(run_until(context, [&] { return heard.lines.size() == std::size_t{count}; }));
  EXPECT_EQ(heard.lines.back(), "line " + std::to_string(count - 1));
  EXPECT_EQ(std::count(heard.more.begin(), heard.more.end(), false), 1);
}

TEST_F(ServerLinkTest, a_line_in_pieces_is_told_once_and_whole) {
  connect();
  peer.say("LOGIN:kake");
  peer.say("hashi");
  peer.say(" OK\r");
  peer.say("\n");
  ASSERT_TRUE(run_until(context, [&] { return !heard.lines.empty(); }));
  EXPECT_THAT(heard.lines, ElementsAre("LOGIN:kakehashi OK"));
}

TEST_F(ServerLinkTest, what_is_written_arrives_in_order_with_line_ends) {
  connect();
  link->write("AGREE:x");
  link->write("");
  link->write("+7776FU");
  ASSERT_TRUE(run_until(context, [&] { return peer.received().size() >= 17; }));
  EXPECT_EQ(peer.received(), "AGREE:x\n\n+7776FU\n");
}

TEST_F(ServerLinkTest, a_refused_connection_says_which_address_refused) {
  const auto where = "127.0.0.1:" + std::to_string(peer.port());
  const auto target = address();
  peer.stop_listening();
  link->connect(target);
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_EQ(heard.closes[0].first, HowClosed::refused);
  EXPECT_EQ(heard.closes[0].second, where + ": Connection refused");
}

TEST_F(ServerLinkTest, a_name_that_cannot_be_looked_up_is_a_refused_connection) {
  auto nowhere = address();
  nowhere.host = "no-such-host.invalid";
  link->connect(nowhere);
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_EQ(heard.closes[0].first, HowClosed::refused);
  EXPECT_THAT(heard.closes[0].second, HasSubstr("no-such-host.invalid"));
}

TEST_F(ServerLinkTest, lines_before_the_end_are_told_before_the_close) {
  connect();
  peer.say("LOGOUT:completed\n");
  peer.hang_up();
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_THAT(heard.lines, ElementsAre("LOGOUT:completed"));
  EXPECT_EQ(heard.closes[0].first, HowClosed::eof);
  EXPECT_EQ(heard.closes[0].second, "the server closed the connection");
}

TEST_F(ServerLinkTest, half_a_line_at_the_end_is_not_told_as_a_line) {
  connect();
  peer.say("+7776FU,T1\n-33");
  peer.stop_sending();
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_THAT(heard.lines, ElementsAre("+7776FU,T1"));
  EXPECT_EQ(heard.closes[0].first, HowClosed::eof);
  EXPECT_THAT(heard.closes[0].second, HasSubstr("in mid-line"));
}

TEST_F(ServerLinkTest, a_reset_connection_is_broken) {
  connect();
  peer.reset();
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_EQ(heard.closes[0].first, HowClosed::broken);
  EXPECT_EQ(heard.closes[0].second, "Connection reset by peer");
}

TEST_F(ServerLinkTest, a_line_over_the_bound_is_left_out_and_the_game_goes_on_behind_it) {
  connect();
  peer.say("first\n" + std::string(10 * ServerLink::line_bytes_max, 'x') + "\nsecond\n");
  ASSERT_TRUE(run_until(context, [&] { return heard.lines.size() > 1 || !heard.closes.empty(); }));
  EXPECT_THAT(heard.lines, ElementsAre("first", "second"));
  EXPECT_EQ(heard.dropped, 1U);
  EXPECT_TRUE(heard.closes.empty());
}

TEST_F(ServerLinkTest, a_line_with_a_nul_byte_is_left_out_and_the_game_goes_on_behind_it) {
  connect();
  peer.say(std::string("chat\0\nx\0y\n+7776FU,T1\n", 21));
  ASSERT_TRUE(run_until(context, [&] { return !heard.lines.empty() || !heard.closes.empty(); }));
  EXPECT_THAT(heard.lines, ElementsAre("+7776FU,T1"));
  EXPECT_EQ(heard.dropped, 2U);
  EXPECT_TRUE(heard.closes.empty());
}

// A server with Nagle's algorithm on holds its next line back until then; the kernel itself waits for our next one.
TEST_F(ServerLinkTest, what_is_read_is_acknowledged_without_an_answer) {
  connect();
  constexpr std::size_t moves = 40;
  std::size_t late = 0;
  for (std::size_t move = 1; move <= moves; ++move) {
    link->write("+7776FU");
    peer.say("+7776FU,T1\n");
    ASSERT_TRUE(run_until(context, [&] { return heard.lines.size() == move; }));
    late += peer.unacknowledged();
  }
  EXPECT_EQ(late, 0U);
}

TEST_F(ServerLinkTest, a_server_that_reads_nothing_breaks_the_connection_at_the_bound) {
  connect();
  const std::string line(16'000, '*');
  // Without running the loop the peer reads nothing, and what the kernels of both sides hold is full at last.
  constexpr std::size_t kernels_bytes = std::size_t{16} * 1024 * 1024;
  for (std::size_t i = 0; i < 2 + (kernels_bytes + ServerLink::queue_bytes_max) / line.size(); ++i) {
    link->write(line);
  }
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_EQ(heard.closes[0].first, HowClosed::broken);
  EXPECT_THAT(heard.closes[0].second, HasSubstr("does not read"));
}

TEST_F(ServerLinkTest, closing_sends_what_was_written_although_unread_bytes_wait) {
  connect();
  peer.say("a line that nobody reads any more\n");
  link->write("LOGOUT");
  link->close();
  ASSERT_TRUE(run_until(context, [&] { return bool{peer.ended_by()}; }));
  EXPECT_EQ(peer.received(), "LOGOUT\n");
  EXPECT_EQ(peer.ended_by(), asio::error::eof);
  peer.hang_up();
  EXPECT_TRUE(heard.lines.empty());
  EXPECT_TRUE(heard.closes.empty());
}

TEST_F(ServerLinkTest, a_link_that_is_closed_in_the_middle_of_a_read_tells_no_further_line) {
  connect();
  on_line = [&] { link->close(); };
  peer.say("one\ntwo\nthree\n");
  ASSERT_TRUE(run_until(context, [&] { return bool{peer.ended_by()}; }));
  EXPECT_THAT(heard.lines, ElementsAre("one"));
  EXPECT_TRUE(heard.closes.empty());
}

TEST_F(ServerLinkTest, a_link_may_be_destroyed_by_its_own_callback) {
  connect();
  on_line = [&] { link.reset(); };
  peer.say("one\ntwo\n");
  ASSERT_TRUE(run_until(context, [&] { return bool{peer.ended_by()}; }));
  EXPECT_THAT(heard.lines, ElementsAre("one"));
}

TEST_F(ServerLinkTest, a_new_connection_hears_nothing_of_the_old_one) {
  connect();
  peer.say("old\n");
  connect();  // the old one is replaced before its line is read
  peer.say("new\n");
  ASSERT_TRUE(run_until(context, [&] { return !heard.lines.empty(); }));
  EXPECT_THAT(heard.lines, ElementsAre("new"));
  EXPECT_TRUE(heard.closes.empty());
}

TEST_F(ServerLinkTest, a_connection_that_is_given_up_while_connecting_is_never_heard_of) {
  link->connect(address());
  link->close();
  bool has_run_dry = false;
  asio::post(context, [&] { has_run_dry = true; });
  ASSERT_TRUE(run_until(context, [&] { return has_run_dry; }));
  connect();
  EXPECT_EQ(heard.peers.size(), 1U);
  EXPECT_TRUE(heard.closes.empty());
}

TEST_F(ServerLinkTest, a_line_without_a_connection_goes_nowhere) {
  link->write("+7776FU");
  connect();
  link->write("AGREE");
  ASSERT_TRUE(run_until(context, [&] { return !peer.received().empty(); }));
  EXPECT_EQ(peer.received(), "AGREE\n");
}

}  // namespace
}  // namespace kakehashi::csa::io
