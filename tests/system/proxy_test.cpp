// The link through real proxies, SOCKS5 and HTTP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <optional>
#include <string>
#include <utility>

#include "csa/io/server_link.hpp"
#include "tests/system/certificates.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/peer.hpp"
#include "tests/system/proxy_peer.hpp"
#include "tests/system/tls_front.hpp"

namespace kakehashi::csa::io {
namespace {

using test::Heard;
using test::Peer;
using test::ProxyPeer;
using test::run_until;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// A name under .invalid is known to no resolver (RFC 2606): the proxy alone can look it up.
const std::string host = "csa.invalid";

class Proxied : public testing::TestWithParam<ProxyPeer::Kind> {
 protected:
  void start(ProxyPeer::Rules rules) {
    rules.kind = GetParam();
    proxy.emplace(context, std::move(rules));
  }
  [[nodiscard]] ProxyPeer::Rules knowing(std::uint16_t port) const {
    ProxyPeer::Rules rules;
    rules.hosts[host + ":4081"] = port;
    return rules;
  }

  ServerAddress address(const std::string& user = "", const std::string& password = "") {
    ServerAddress made;
    made.host = host;
    made.proxy = ProxySettings{};
    made.proxy->kind = GetParam() == ProxyPeer::Kind::http ? ProxySettings::Kind::http
                                                           : ProxySettings::Kind::socks5;
    made.proxy->host = "127.0.0.1";
    made.proxy->port = proxy->port();
    made.proxy->user = user;
    made.proxy->password = base::Secret(password);
    return made;
  }

  bool connect(const ServerAddress& where) {
    const int accepted = peer.accepted();
    link.connect(where);
    const auto is_settled = [&] {
      return (!heard.peers.empty() && peer.accepted() > accepted) || !heard.closes.empty();
    };
    return run_until(context, is_settled) && heard.closes.empty();
  }

  std::string refusal(const ServerAddress& where) {
    EXPECT_FALSE(connect(where));
    EXPECT_THAT(heard.peers, IsEmpty());
    if (heard.closes.size() != 1) {
      return "not closed once";
    }
    EXPECT_EQ(heard.closes[0].first, HowClosed::refused);
    EXPECT_THAT(heard.closes[0].second, Not(HasSubstr("swordfish")));
    return heard.closes[0].second;
  }

  /// What the proxy's failures are told with in front.
  std::string through() {
    return host + ":4081 through 127.0.0.1:" + std::to_string(proxy->port());
  }

  boost::asio::io_context context;
  Peer peer{context};
  std::optional<ProxyPeer> proxy;
  Heard heard;
  ServerLink link{context, heard.callbacks()};
};

TEST_P(Proxied, the_server_is_looked_up_by_the_proxy_and_lines_pass) {
  start(knowing(peer.port()));
  ASSERT_TRUE(connect(address()));
  EXPECT_THAT(proxy->requests(), ElementsAre(host + ":4081"));
  EXPECT_THAT(heard.peers, ElementsAre(through()));
  link.write("LOGIN a b");
  ASSERT_TRUE(run_until(context, [&] { return peer.received() == "LOGIN a b\n"; }));
  peer.say("LOGIN:a OK\n+\n");
  ASSERT_TRUE(run_until(context, [&] { return heard.lines.size() == 2; }));
  EXPECT_THAT(heard.lines, ElementsAre("LOGIN:a OK", "+"));
  peer.hang_up();
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_EQ(heard.closes[0].first, HowClosed::eof);
}

TEST_P(Proxied, an_address_is_passed_on_as_one) {
  auto rules = knowing(peer.port());
  rules.hosts["192.0.2.1:4081"] = peer.port();
  start(rules);
  auto where = address();
  where.host = "192.0.2.1";
  ASSERT_TRUE(connect(where));
  EXPECT_THAT(proxy->requests(), ElementsAre("192.0.2.1:4081"));
}

TEST_P(Proxied, a_user_logs_in) {
  auto rules = knowing(peer.port());
  rules.user = "alice";
  rules.password = "swordfish";
  start(rules);
  EXPECT_TRUE(connect(address("alice", "swordfish")));
}

TEST_P(Proxied, a_user_that_is_not_needed_does_no_harm) {
  start(knowing(peer.port()));
  EXPECT_TRUE(connect(address("alice", "swordfish")));
}

TEST_P(Proxied, a_missing_user_is_asked_for) {
  auto rules = knowing(peer.port());
  rules.user = "alice";
  start(rules);
  EXPECT_EQ(refusal(address()),
            through() + ": the proxy asks for a user and a password (server.proxy)");
}

TEST_P(Proxied, a_wrong_password_is_told_and_not_shown) {
  auto rules = knowing(peer.port());
  rules.user = "alice";
  rules.password = "right";
  start(rules);
  EXPECT_EQ(refusal(address("alice", "swordfish")),
            through() + ": the proxy refused the user and the password (server.proxy)");
}

TEST_P(Proxied, a_proxy_that_refuses_the_connection_is_named_as_the_proxy) {
  start({});
  const auto where = address();
  proxy->stop_listening();
  EXPECT_EQ(refusal(where), "the proxy does not answer: 127.0.0.1:" +
                                std::to_string(where.proxy->port) + ": Connection refused");
}

TEST_P(Proxied, a_mute_proxy_is_given_up_in_time) {
  ProxyPeer::Rules rules;
  rules.is_mute = true;
  start(rules);
  auto where = address();
  where.connect_timeout = base::Millis{1'000};
  EXPECT_EQ(refusal(where), through() + ": the answer of the proxy took longer than 1 s");
}

TEST_P(Proxied, something_else_is_no_proxy) {
  start({});
  auto where = address();
  where.proxy->port = peer.port();
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !peer.received().empty(); }));
  peer.say("##[LOGIN] nobody\n");
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_EQ(heard.closes[0].first, HowClosed::refused);
  EXPECT_THAT(heard.closes[0].second, HasSubstr("the proxy does not speak "));
}

TEST_P(Proxied, a_proxy_that_hangs_up_is_told) {
  start({});
  auto where = address();
  where.proxy->port = peer.port();
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !peer.received().empty(); }));
  peer.hang_up();
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_THAT(heard.closes[0].second,
              HasSubstr("the connection was closed before the answer of the proxy was complete"));
}

TEST_P(Proxied, an_answer_in_single_bytes_is_one_answer_and_the_servers_first_word_is_kept) {
  start({});
  auto where = address();
  where.proxy->port = peer.port();
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !peer.received().empty(); }));
  const auto answer = GetParam() == ProxyPeer::Kind::http
                          ? std::string("HTTP/1.0 200 yes\n\n")
                          : std::string("\5\0\5\0\0\3\2ab\0\1", 11);
  for (const char c : answer + "hello\nwor") {
    bool has_passed = false;
    peer.say(std::string(1, c));
    boost::asio::post(context, [&] { has_passed = true; });
    ASSERT_TRUE(run_until(context, [&] { return has_passed; }));
  }
  peer.say("ld\n");
  ASSERT_TRUE(run_until(context, [&] { return heard.lines.size() == 2; }));
  EXPECT_THAT(heard.lines, ElementsAre("hello", "world"));
}

TEST_P(Proxied, tls_goes_through_and_verifies_the_server_and_not_the_proxy) {
  test::Scratch scratch;
  const test::Authority authority(scratch, "trusted");
  test::TlsFront front(context, authority.issue({"server", "DNS:" + host}), peer.port());
  start(knowing(front.port()));
  auto where = address();
  where.tls = TlsSettings{};
  where.tls->ca_file = authority.file();
  ASSERT_TRUE(connect(where));
  EXPECT_THAT(heard.peers[0], StartsWith(through() + " (TLS 1.3, "));
  EXPECT_THAT(front.names(), ElementsAre(host));
  link.write("LOGIN a b");
  ASSERT_TRUE(run_until(context, [&] { return peer.received() == "LOGIN a b\n"; }));
}

std::string name_of(const testing::TestParamInfo<ProxyPeer::Kind>& kind) {
  return kind.param == ProxyPeer::Kind::http ? "http" : "socks5";
}

INSTANTIATE_TEST_SUITE_P(Proxies, Proxied,
                         testing::Values(ProxyPeer::Kind::socks5, ProxyPeer::Kind::http), name_of);

struct Failure {
  ProxyPeer::Kind kind;
  int socks;
  std::string http;
  std::string told;
};

class ProxyFailure : public testing::TestWithParam<Failure> {};

TEST_P(ProxyFailure, is_told_in_the_words_of_the_proxy) {
  boost::asio::io_context context;
  ProxyPeer::Rules rules;
  rules.kind = GetParam().kind;
  rules.socks_failure = GetParam().socks;
  rules.http_failure = GetParam().http;
  ProxyPeer proxy(context, rules);
  Heard heard;
  ServerLink link(context, heard.callbacks());
  ServerAddress where;
  where.host = host;
  where.proxy = ProxySettings{};
  where.proxy->kind = GetParam().kind == ProxyPeer::Kind::http ? ProxySettings::Kind::http
                                                               : ProxySettings::Kind::socks5;
  where.proxy->host = "127.0.0.1";
  where.proxy->port = proxy.port();
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_EQ(heard.closes[0].first, HowClosed::refused);
  EXPECT_THAT(heard.closes[0].second,
              HasSubstr(": the proxy cannot reach csa.invalid:4081: " + GetParam().told));
}

INSTANTIATE_TEST_SUITE_P(
    Proxies, ProxyFailure,
    testing::Values(Failure{ProxyPeer::Kind::socks5, 1, "", "the proxy has failed"},
                    Failure{ProxyPeer::Kind::socks5, 2, "", "the proxy's rules do not allow it"},
                    Failure{ProxyPeer::Kind::socks5, 3, "", "its network is unreachable"},
                    Failure{ProxyPeer::Kind::socks5, 4, "", "the host is unreachable"},
                    Failure{ProxyPeer::Kind::socks5, 5, "", "it refused the connection"},
                    Failure{ProxyPeer::Kind::socks5, 6, "", "it did not answer in time"},
                    Failure{ProxyPeer::Kind::socks5, 99, "", "the proxy answered with the unknown code 99"},
                    Failure{ProxyPeer::Kind::http, 0, "502 Bad Gateway",
                            "it answered \"502 Bad Gateway\""},
                    Failure{ProxyPeer::Kind::http, 0, "403 For\x1b[2Jbidden",
                            "it answered \"403 For\\x1B[2Jbidden\""}));

}  // namespace
}  // namespace kakehashi::csa::io
