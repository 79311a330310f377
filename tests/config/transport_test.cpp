// How the way to the server is set: TLS, WebSocket and proxies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/secrets.hpp"
#include "tests/config/settings.hpp"

namespace kakehashi::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string pin(64, 'a');

Server server_of(const std::vector<std::string>& settings) {
  const Loaded loaded = load(settings);
  EXPECT_THAT(described(loaded.problems), IsEmpty());
  return loaded.bots.at(0).server;
}

TEST(Tls, is_off_unless_asked_for) {
  EXPECT_FALSE(server_of({}).tls.enabled);
  EXPECT_FALSE(server_of({"server.tls: false"}).tls.enabled);
}

TEST(Tls, is_switched_on_by_true_and_by_any_of_its_settings) {
  EXPECT_TRUE(server_of({"server.tls: true"}).tls.enabled);
  EXPECT_TRUE(server_of({"server.tls: {}"}).tls.enabled);
  const auto tls = server_of({"server.tls.ca_file: /ca.pem", "server.tls.server_name: csa.example"}).tls;
  EXPECT_TRUE(tls.enabled);
  EXPECT_EQ(tls.ca_file, "/ca.pem");
  EXPECT_EQ(tls.server_name, "csa.example");
}

TEST(Tls, nothing_else_switches_it_on) {
  EXPECT_THAT(faults({"server.tls: yes"}),
              ElementsAre("server.tls: must be true or false, not \"yes\""));
  EXPECT_THAT(faults({"server.tls: [true]"}),
              ElementsAre("server.tls: must be true or false, not a list"));
}

TEST(Tls, its_settings_without_it_have_no_place) {
  EXPECT_THAT(faults({"server.fingerprint: " + pin}),
              ElementsAre("server.fingerprint: is no setting here; did you mean "
                          "server.tls.fingerprint?"));
  EXPECT_THAT(texts(load_text("server: {host: h, tls.ca_file: /ca.pem}\naccount: {name: a}\n"
                              "game: {name: x-1-1}\nengine: {command: /e}\n")
                        .problems),
              ElementsAre("server.tls.ca_file: is no setting here; write ca_file indented below "
                          "server.tls:"));
}

TEST(Tls, an_unknown_setting_is_told_with_the_nearest) {
  EXPECT_THAT(faults({"server.tls.cafile: /ca.pem"}),
              ElementsAre("server.tls.cafile: is no setting; did you mean server.tls.ca_file?"));
}

TEST(Tls, a_fingerprint_has_64_digits_with_or_without_colons) {
  EXPECT_EQ(server_of({"server.tls.fingerprint: " + pin}).tls.fingerprint, pin);
  std::string with_colons = "0F";
  for (int i = 1; i < 32; ++i) {
    with_colons += ":0F";
  }
  EXPECT_THAT(faults({"server.tls.fingerprint: " + with_colons}), IsEmpty());
  for (const std::string& wrong : {pin.substr(1), pin + "a", "g" + pin.substr(1),
                                   with_colons.substr(0, 93) + "0:F", std::string("sha256")}) {
    EXPECT_THAT(faults({"server.tls.fingerprint: \"" + wrong + "\""}),
                ElementsAre(HasSubstr("must be the SHA-256 fingerprint of a certificate: 64")))
        << wrong;
  }
}

TEST(Tls, a_fingerprint_leaves_nothing_for_authorities_to_say) {
  EXPECT_THAT(faults({"server.tls.fingerprint: " + pin, "server.tls.ca_file: /ca.pem"}),
              ElementsAre("server.tls.ca_file: has no say beside server.tls.fingerprint, which "
                          "trusts one certificate alone; remove one of them"));
}

TEST(Tls, a_client_certificate_and_its_key_go_together) {
  EXPECT_THAT(faults({"server.tls.certificate_file: /c.pem", "server.tls.key_file: /k.pem"}),
              IsEmpty());
  EXPECT_THAT(faults({"server.tls.certificate_file: /c.pem"}),
              ElementsAre("server.tls.certificate_file: goes with server.tls.key_file, which is not "
                          "given"));
  EXPECT_THAT(faults({"server.tls.key_file: /k.pem"}),
              ElementsAre("server.tls.key_file: goes with server.tls.certificate_file, which is not "
                          "given"));
}

TEST(WebSocketSettings, are_a_switch_and_a_path) {
  EXPECT_FALSE(server_of({}).websocket.enabled);
  EXPECT_EQ(server_of({"server.port: 80", "server.websocket: true"}).websocket.path, "/");
  const auto websocket =
      server_of({"server.port: 443", "server.tls: true", "server.websocket.path: \"/ws/room?x=1\""}).websocket;
  EXPECT_TRUE(websocket.enabled);
  EXPECT_EQ(websocket.path, "/ws/room?x=1");
}

TEST(WebSocketSettings, need_a_port) {
  EXPECT_THAT(faults({"server.websocket: true"}),
              ElementsAre("server.port: must be given for a WebSocket; most are at 80, or with "
                          "server.tls at 443"));
  EXPECT_THAT(faults({"server.websocket: true", "server.tls: true"}),
              ElementsAre("server.port: must be given for a WebSocket; most are at 443"));
}

TEST(WebSocketSettings, a_path_and_an_origin_cannot_break_the_request) {
  const std::string port = "server.port: 80";
  EXPECT_THAT(faults({port, "server.websocket.path: ws"}),
              ElementsAre(HasSubstr("must be the path behind the server's name, beginning with /")));
  EXPECT_THAT(faults({port, "server.websocket.path: \"/a\\r\\nX: y\""}), testing::SizeIs(1));
  EXPECT_THAT(faults({port, "server.websocket.origin: \"https://a\\r\\nX: y\""}), testing::SizeIs(1));
  EXPECT_THAT(faults({port, "server.websocket.origin: https://example.org"}), IsEmpty());
}

TEST(Url, in_place_of_host_and_port_is_explained) {
  EXPECT_THAT(faults({"server.url: wss://h/p"}),
              ElementsAre("server.url: is no setting; wss://host:port/path is written as host: host, "
                          "port: port, tls: true and websocket: {path: /path}"));
}

TEST(ProxySetting, names_its_kind_and_place) {
  const auto socks = parse_proxy("socks5://proxy.example:1080");
  ASSERT_TRUE(socks);
  EXPECT_EQ(socks->kind, csa::ProxySettings::Kind::socks5);
  EXPECT_EQ(socks->host, "proxy.example");
  EXPECT_EQ(socks->port, 1080);
  EXPECT_EQ(socks->user, "");
  const auto http = parse_proxy("http://[2001:db8::1]:3128/");
  ASSERT_TRUE(http);
  EXPECT_EQ(http->kind, csa::ProxySettings::Kind::http);
  EXPECT_EQ(http->host, "2001:db8::1");
  EXPECT_EQ(http->port, 3128);
}

TEST(ProxySetting, may_hold_credentials_with_escapes) {
  const auto proxy = parse_proxy("socks5h://al%40ice:p%3Aa:s%25s@proxy:1");
  ASSERT_TRUE(proxy);
  EXPECT_EQ(proxy->user, "al@ice");
  EXPECT_EQ(proxy->password.reveal(), "p:a:s%s");
}

TEST(ProxySetting, that_is_wrong_is_refused_without_repeating_it) {
  for (const std::string wrong :
       {"swordfish", "proxy:1080", "https://u:swordfish@h:1", "ftp://u:swordfish@h:1", "socks5://h",
        "socks5://u:swordfish@h", "socks5://u:swordfish@h:0", "socks5://u:swordfish@h:65536",
        "socks5://u:swordfish@h:1x", "socks5://:swordfish@h:1", "socks5://u:swordfish%zz@h:1",
        "socks5://u:swordfish%0a@h:1", "socks5://u:swordfish@:1", "socks5://u:swordfish@[::1:1",
        "socks5://u:swordfish@a b:1", "socks5://a%3Ab:swordfish@h:1"}) {
    const auto found = faults({"server.proxy: \"" + wrong + "\""});
    EXPECT_THAT(found, testing::SizeIs(1)) << wrong;
    EXPECT_THAT(found, testing::Each(Not(HasSubstr("swordfish")))) << wrong;
  }
  EXPECT_THAT(faults({"server.proxy: [socks5://u:swordfish@h:1]"}),
              ElementsAre("server.proxy: must be a text such as socks5://host:port"));
}

TEST(ProxySetting, words_have_the_length_that_proxies_take) {
  const std::string longest(proxy_word_bytes_max, 'x');
  EXPECT_TRUE(parse_proxy("socks5://" + longest + ":" + longest + "@h:1"));
  EXPECT_FALSE(parse_proxy("socks5://" + longest + "x:y@h:1"));
  EXPECT_FALSE(parse_proxy("socks5://y:" + longest + "x@h:1"));
}

TEST(ProxyPasswordFile, goes_with_a_user_and_no_other_password) {
  const std::string file = "server.proxy_password_file: /p";
  EXPECT_THAT(faults({"server.proxy: socks5://u@h:1", file}), IsEmpty());
  EXPECT_THAT(faults({file}), ElementsAre("server.proxy_password_file: goes with server.proxy, which "
                                          "is not given"));
  EXPECT_THAT(faults({"server.proxy: socks5://h:1", file}),
              ElementsAre("server.proxy_password_file: goes with a user in server.proxy: write "
                          "socks5://user@host:port"));
  EXPECT_THAT(faults({"server.proxy: socks5://u:p@h:1", file}),
              ElementsAre("server.proxy_password_file: the proxy's password has one source, and "
                          "server.proxy holds one too; remove it there"));
}

TEST(ProxyPasswordFile, holds_one_line) {
  EXPECT_EQ(read_proxy_password("a word with spaces\r\n").value().reveal(), "a word with spaces");
  EXPECT_EQ(read_proxy_password("").error().what, "is empty");
  EXPECT_EQ(read_proxy_password("swordfish\nswordfish\n").error().what,
            "holds more than one line, or a control character");
  EXPECT_EQ(read_proxy_password(std::string(256, 'x')).error().what,
            "has more than 255 bytes, which proxies do not take");
}

}  // namespace
}  // namespace kakehashi::config
