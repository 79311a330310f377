// The link's WebSocket against a real one, and whole games through TLS and WebSocket.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <optional>
#include <string>
#include <utility>

#include "csa/io/server_link.hpp"
#include "daemon/driver.hpp"
#include "rehearse/server/io/server_shell.hpp"
#include "tests/system/bots.hpp"
#include "tests/system/certificates.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/peer.hpp"
#include "tests/system/proxy_peer.hpp"
#include "tests/system/tls_front.hpp"
#include "tests/system/websocket_front.hpp"

namespace kakehashi::csa::io {
namespace {

using test::Heard;
using test::Peer;
using test::run_until;
using test::WebSocketFront;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::StartsWith;

class WebSocketTest : public testing::Test {
 protected:
  ServerAddress address() {
    ServerAddress made;
    made.host = "127.0.0.1";
    made.port = front.port();
    made.websocket = WebSocketSettings{};
    return made;
  }

  bool connect(const ServerAddress& where) {
    link.connect(where);
    return run_until(context, [&] { return !heard.peers.empty() || !heard.closes.empty(); }) &&
           heard.closes.empty();
  }

  /// What the connection ended with.
  std::pair<HowClosed, std::string> end() {
    const bool has_ended = run_until(context, [&] { return !heard.closes.empty(); });
    return has_ended ? heard.closes[0] : std::pair{HowClosed::refused, std::string("no end")};
  }

  boost::asio::io_context context;
  WebSocketFront front{context};
  Heard heard;
  ServerLink link{context, heard.callbacks()};
};

TEST_F(WebSocketTest, the_path_and_the_origin_are_asked_for) {
  auto where = address();
  where.websocket = WebSocketSettings{"/ws/room?x=1", "https://example.org"};
  ASSERT_TRUE(connect(where));
  const auto host = "127.0.0.1:" + std::to_string(front.port());
  EXPECT_THAT(heard.peers, ElementsAre(host + " (WebSocket)"));
  EXPECT_THAT(front.paths(), ElementsAre("/ws/room?x=1"));
  EXPECT_THAT(front.headers(), ElementsAre(host + " https://example.org kakehashi"));
}

TEST_F(WebSocketTest, each_line_is_a_message_without_its_end) {
  ASSERT_TRUE(connect(address()));
  link.write("LOGIN a b");
  link.write("");
  link.write("+7776FU");
  ASSERT_TRUE(run_until(context, [&] { return front.messages().size() == 3; }));
  EXPECT_THAT(front.messages(), ElementsAre("LOGIN a b", "", "+7776FU"));
}

TEST_F(WebSocketTest, messages_are_lines_with_or_without_an_end_and_may_hold_several) {
  ASSERT_TRUE(connect(address()));
  front.say("LOGIN:a OK");
  front.say("BEGIN Game_Summary\r\n");
  front.say("+7776FU,T1\n#SENNICHITE\n#DRAW");
  front.say_in_pieces("-33", "34FU,T2");
  ASSERT_TRUE(run_until(context, [&] { return heard.lines.size() == 6; }));
  EXPECT_THAT(heard.lines, ElementsAre("LOGIN:a OK", "BEGIN Game_Summary", "+7776FU,T1",
                                       "#SENNICHITE", "#DRAW", "-3334FU,T2"));
}

TEST_F(WebSocketTest, messages_that_come_together_are_one_moment) {
  ASSERT_TRUE(connect(address()));
  const auto frame = [](const std::string& text) {
    return std::string{'\x81', static_cast<char>(text.size())} + text;
  };
  front.say_raw(frame("-3334FU,T1") + frame("#SENNICHITE") + frame("#DRAW"));
  ASSERT_TRUE(run_until(context, [&] { return heard.lines.size() == 3; }));
  EXPECT_THAT(heard.more, ElementsAre(true, true, false));
}

TEST_F(WebSocketTest, a_ping_is_answered) {
  ASSERT_TRUE(connect(address()));
  front.ping();
  ASSERT_TRUE(run_until(context, [&] { return front.pongs() == 1; }));
  EXPECT_THAT(heard.lines, IsEmpty());
}

TEST_F(WebSocketTest, of_a_burst_of_pings_the_latest_is_answered) {
  ASSERT_TRUE(connect(address()));
  std::string burst;
  for (int i = 0; i < 20'000; ++i) {
    burst += "\x89\x04ping";
  }
  front.say_raw(burst + "\x89\x04last" + "\x81\x0a-3334FU,T1");
  ASSERT_TRUE(run_until(context, [&] { return !heard.lines.empty() || !heard.closes.empty(); }));
  EXPECT_THAT(heard.lines, ElementsAre("-3334FU,T1"));
  ASSERT_TRUE(run_until(context, [&] { return front.last_pong() == "last"; }));
  EXPECT_LT(front.pongs(), 100);
  EXPECT_THAT(heard.closes, IsEmpty());
}

TEST_F(WebSocketTest, pings_of_a_server_that_does_not_read_cost_nothing) {
  ASSERT_TRUE(connect(address()));
  front.stop_reading();
  const std::string ping = "\x89\x7d" + std::string(125, 'p');
  for (int i = 0; i < 40'000 && heard.closes.empty(); ++i) {
    front.say_raw(ping);
    context.restart();
    context.poll();
  }
  front.say_raw("\x81\x0a-3334FU,T1");
  ASSERT_TRUE(run_until(context, [&] { return !heard.lines.empty() || !heard.closes.empty(); }));
  EXPECT_THAT(heard.lines, ElementsAre("-3334FU,T1"));
  EXPECT_THAT(heard.closes, IsEmpty());
}

TEST_F(WebSocketTest, a_declined_request_tells_the_answer) {
  front.decline("404 Not Found");
  auto where = address();
  where.websocket->path = "/nowhere";
  EXPECT_FALSE(connect(where));
  EXPECT_EQ(end().first, HowClosed::refused);
  EXPECT_THAT(end().second, HasSubstr("the server declined the WebSocket at \"/nowhere\": it "
                                      "answered \"404 Not Found\""));
}

TEST_F(WebSocketTest, a_plain_server_is_no_websocket) {
  Peer peer(context);
  auto where = address();
  where.port = peer.port();
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !peer.received().empty(); }));
  peer.say("LOGIN:incorrect\n");
  EXPECT_EQ(end().first, HowClosed::refused);
  EXPECT_THAT(end().second, HasSubstr("the server does not speak WebSocket on this port"));
}

TEST_F(WebSocketTest, a_server_that_answers_nothing_is_given_up_in_time) {
  Peer peer(context);
  auto where = address();
  where.port = peer.port();
  where.connect_timeout = base::Millis{1'000};
  EXPECT_FALSE(connect(where));
  EXPECT_THAT(end().second, HasSubstr("the WebSocket handshake took longer than 1 s"));
}

TEST_F(WebSocketTest, a_message_over_the_bound_is_left_out_and_the_game_goes_on_behind_it) {
  ASSERT_TRUE(connect(address()));
  front.say("first");
  front.say(std::string(10 * ServerLink::line_bytes_max, 'x'));
  front.say("second");
  ASSERT_TRUE(run_until(context, [&] { return heard.lines.size() > 1 || !heard.closes.empty(); }));
  EXPECT_THAT(heard.lines, ElementsAre("first", "second"));
  EXPECT_THAT(heard.closes, IsEmpty());
}

TEST_F(WebSocketTest, lines_may_come_in_binary_messages) {
  ASSERT_TRUE(connect(address()));
  front.say_binary("+7776FU,T1\n");
  ASSERT_TRUE(run_until(context, [&] { return !heard.lines.empty() || !heard.closes.empty(); }));
  EXPECT_THAT(heard.lines, ElementsAre("+7776FU,T1"));
}

TEST_F(WebSocketTest, a_broken_frame_breaks_the_connection) {
  ASSERT_TRUE(connect(address()));
  front.say_raw(std::string("\x8f\x01x", 3));  // an opcode that does not exist
  EXPECT_EQ(end().first, HowClosed::broken);
  EXPECT_THAT(end().second, StartsWith("the server broke the WebSocket protocol: "));
}

TEST_F(WebSocketTest, a_server_that_says_goodbye_is_an_ordinary_end_with_its_reason) {
  ASSERT_TRUE(connect(address()));
  front.say("LOGOUT:completed");
  ASSERT_TRUE(run_until(context, [&] { return !heard.lines.empty(); }));
  front.close("see you\x1b[2J");
  EXPECT_EQ(end(), std::pair(HowClosed::eof, std::string("the server closed the WebSocket: "
                                                         "\"see you\\x1B[2J\"")));
}

TEST_F(WebSocketTest, closing_sends_what_was_written_and_says_goodbye) {
  ASSERT_TRUE(connect(address()));
  link.write("%TORYO");
  link.write("LOGOUT");
  link.close();
  ASSERT_TRUE(run_until(context, [&] { return front.goodbyes() == 1; }));
  EXPECT_THAT(front.messages(), ElementsAre("%TORYO", "LOGOUT"));
  EXPECT_THAT(heard.closes, IsEmpty());
}

TEST_F(WebSocketTest, all_layers_at_once) {
  test::Scratch scratch;
  const test::Authority authority(scratch, "trusted");
  test::TlsFront tls(context, authority.issue({"server", "DNS:csa.invalid"}), front.port());
  test::ProxyPeer::Rules rules;
  rules.hosts["csa.invalid:443"] = tls.port();
  const test::ProxyPeer proxy(context, rules);
  ServerAddress where;
  where.host = "csa.invalid";
  where.port = 443;
  where.proxy = ProxySettings{};
  where.proxy->host = "127.0.0.1";
  where.proxy->port = proxy.port();
  where.tls = TlsSettings{};
  where.tls->ca_file = authority.file();
  where.websocket = WebSocketSettings{};
  ASSERT_TRUE(connect(where));
  EXPECT_THAT(heard.peers, ElementsAre(MatchesRegex(
                               "csa\\.invalid:443 through 127\\.0\\.0\\.1:[0-9]+ \\(TLS 1\\.3, "
                               "[A-Z0-9_]+, WebSocket\\)")));
  EXPECT_THAT(front.headers(), ElementsAre("csa.invalid  kakehashi"));
  link.write("LOGIN a b");
  ASSERT_TRUE(run_until(context, [&] { return front.messages().size() == 1; }));
  front.say("LOGIN:a OK");
  ASSERT_TRUE(run_until(context, [&] { return heard.lines.size() == 1; }));
}

TEST(WholeGameByWss, is_played_to_its_end) {
  test::Scratch scratch;
  boost::asio::io_context context;
  rehearse::server::io::ServerShell server(context, {});
  ASSERT_TRUE(server.start());
  WebSocketFront front(context, server.port());
  const test::Authority authority(scratch, "trusted");
  test::TlsFront tls(context, authority.issue({}), front.port());

  const auto config_of = [&](const std::string& name, std::vector<std::string> switches) {
    auto made = test::bot(scratch, name, test::fake_engine(std::move(switches)));
    made.server.host = "localhost";
    made.server.port = tls.port();
    made.server.tls.enabled = true;
    made.server.tls.ca_file = authority.file();
    made.server.websocket.enabled = true;
    made.game.name = "test-600-10";
    made.game.count = 1;
    made.log.file = scratch.path(name + ".log");
    return made;
  };
  const auto alice_config = config_of("alice", {});
  const auto bob_config = config_of("bob", {"--resign-on-go", "4"});
  daemon::LogSink alice_log(alice_config.log);
  daemon::LogSink bob_log(bob_config.log);
  std::optional<int> alice_status;
  std::optional<int> bob_status;
  daemon::Driver::Hooks hooks;
  hooks.exited = [&](int status) { alice_status = status; };
  daemon::Driver alice(context, alice_config, 1, alice_log, hooks);
  hooks.exited = [&](int status) { bob_status = status; };
  daemon::Driver bob(context, bob_config, 2, bob_log, hooks);
  alice.start();
  bob.start();
  ASSERT_TRUE(run_until(context, [&] { return alice_status && bob_status; }));
  EXPECT_EQ(alice_status, 0);
  EXPECT_EQ(bob_status, 0);
  alice_log.flush();
  const auto log = test::read_text(scratch.path("alice.log"));
  EXPECT_THAT(log, HasSubstr("(TLS 1.3, "));
  EXPECT_THAT(log, HasSubstr(", WebSocket)"));
  EXPECT_THAT(log, HasSubstr("#WIN"));
  EXPECT_THAT(log, testing::Not(HasSubstr("do-not-tell")));
  ASSERT_THAT(scratch.names("records"), testing::SizeIs(2));
}

}  // namespace
}  // namespace kakehashi::csa::io
