// The link's TLS against a real TLS server, with good and bad certificates on either side.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/io/threads.hpp"
#include "csa/io/layers.hpp"
#include "csa/io/server_link.hpp"
#include "tests/system/certificates.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/peer.hpp"
#include "tests/system/tls_front.hpp"

namespace kakehashi::csa::io {
namespace {

namespace ssl = boost::asio::ssl;
using test::Heard;
using test::Peer;
using test::run_until;
using test::TlsFront;
using test::Wanted;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::StartsWith;

class TlsTest : public testing::Test {
 protected:
  /// The server's certificate.
  void serve(const Wanted& wanted) {
    identity = authority.issue(wanted);
    front.emplace(context, identity, peer.port());
  }

  ServerAddress address() {
    ServerAddress made;
    made.host = "localhost";
    made.port = front->port();
    made.tls = TlsSettings{};
    made.tls->ca_file = authority.file();
    return made;
  }

  /// As far as the plain server behind. True: the link told of it, and nothing has failed.
  bool connect(const ServerAddress& where) {
    link.connect(where);
    const int accepted = peer.accepted();
    const auto is_settled = [&] {
      return (!heard.peers.empty() && peer.accepted() > accepted) || !heard.closes.empty();
    };
    return run_until(context, is_settled) && heard.closes.empty();
  }

  /// Connects, which must fail before anything is told to the server; why it did, without the peer.
  std::string refusal(const ServerAddress& where) {
    EXPECT_FALSE(connect(where));
    if (heard.closes.size() != 1) {
      return "not closed once";
    }
    EXPECT_EQ(heard.closes[0].first, HowClosed::refused);
    EXPECT_THAT(heard.lines, IsEmpty());
    EXPECT_EQ(peer.received(), "");
    const auto& why = heard.closes[0].second;
    const auto prefix = "127.0.0.1:" + std::to_string(where.port) + ": ";
    EXPECT_THAT(why, StartsWith(prefix));
    return why.substr(std::min(prefix.size(), why.size()));
  }

  test::Scratch scratch;
  test::Authority authority{scratch, "trusted"};
  test::Identity identity;
  boost::asio::io_context context;
  Peer peer{context};
  std::optional<TlsFront> front;
  Heard heard;
  ServerLink link{context, heard.callbacks()};
};

TEST_F(TlsTest, a_good_server_is_talked_to_and_the_note_tells_how) {
  serve({});
  ASSERT_TRUE(connect(address()));
  EXPECT_THAT(heard.peers[0],
              MatchesRegex("127\\.0\\.0\\.1:[0-9]+ \\(TLS 1\\.3, TLS_AES_[0-9A-Z_]+\\)"));
  EXPECT_THAT(front->names(), ElementsAre("localhost"));
  link.write("LOGIN a b");
  ASSERT_TRUE(run_until(context, [&] { return peer.received() == "LOGIN a b\n"; }));
  peer.say("LOGIN:a OK\nBEGIN Game_Summary\n");
  ASSERT_TRUE(run_until(context, [&] { return heard.lines.size() == 2; }));
  EXPECT_THAT(heard.lines, ElementsAre("LOGIN:a OK", "BEGIN Game_Summary"));
  EXPECT_THAT(heard.more, ElementsAre(true, false));
}

TEST_F(TlsTest, an_address_is_verified_as_such_and_sends_no_name) {
  serve({});
  auto where = address();
  where.host = "127.0.0.1";
  ASSERT_TRUE(connect(where));
  EXPECT_THAT(front->names(), ElementsAre(""));
}

TEST_F(TlsTest, another_name_may_be_asked_for_and_verified) {
  serve({"server", "DNS:csa.example"});
  auto where = address();
  where.tls->server_name = "csa.example";
  ASSERT_TRUE(connect(where));
  EXPECT_THAT(front->names(), ElementsAre("csa.example"));
}

TEST_F(TlsTest, many_records_that_are_already_here_are_one_moment) {
  serve({});
  ASSERT_TRUE(connect(address()));
  std::string block;
  const int count = 2000;
  for (int i = 0; i < count; ++i) {
    block += "line " + std::to_string(i) + "\n";
  }
  peer.say(block);
  ASSERT_TRUE(run_until(context, [&] { return heard.lines.size() == std::size_t{count}; }));
  EXPECT_EQ(heard.lines.back(), "line " + std::to_string(count - 1));
}

TEST_F(TlsTest, tls_1_2_is_spoken_and_1_1_is_not) {
  serve({});
  ::SSL_CTX_set_max_proto_version(front->settings().native_handle(), TLS1_2_VERSION);
  ASSERT_TRUE(connect(address()));
  EXPECT_THAT(heard.peers[0], HasSubstr(" (TLS 1.2, ECDHE-"));
  link.close();
  heard = {};
  front.reset();
  front.emplace(context, identity, peer.port());
  ::SSL_CTX_set_security_level(front->settings().native_handle(), 0);
  ::SSL_CTX_set_min_proto_version(front->settings().native_handle(), TLS1_VERSION);
  ::SSL_CTX_set_max_proto_version(front->settings().native_handle(), TLS1_1_VERSION);
  EXPECT_EQ(refusal(address()), "the server does not speak TLS 1.2 or newer");
}

TEST_F(TlsTest, an_expired_certificate_is_refused_with_its_date) {
  serve({"server", "DNS:localhost", -20, -1});
  EXPECT_THAT(refusal(address()), MatchesRegex("its certificate expired on 2[0-9]{3}-[0-9]{2}-[0-9]{2} "
                                               "[0-9:]{5} UTC"));
}

TEST_F(TlsTest, a_certificate_of_the_future_is_refused_with_its_date) {
  serve({"server", "DNS:localhost", 2, 30});
  EXPECT_THAT(refusal(address()), AllOf(StartsWith("its certificate is not valid before 2"),
                                        HasSubstr("is the clock of this machine right?")));
}

TEST_F(TlsTest, a_certificate_for_another_host_is_refused_with_its_names) {
  serve({"server", "DNS:csa.example,DNS:*.csa.example,IP:192.0.2.7,IP:2001:db8::1"});
  EXPECT_EQ(refusal(address()),
            "its certificate is for \"csa.example\", \"*.csa.example\", \"192.0.2.7\", "
            "\"2001:db8:0:0:0:0:0:1\", not for \"localhost\"");
}

TEST_F(TlsTest, a_certificate_for_another_address_is_refused) {
  serve({"server", "DNS:localhost"});
  auto where = address();
  where.host = "127.0.0.1";
  EXPECT_EQ(refusal(where), "its certificate is for \"localhost\", not for \"127.0.0.1\"");
}

TEST_F(TlsTest, an_unknown_authority_is_refused_with_its_name_and_the_fingerprint) {
  serve({});
  auto where = address();
  where.tls->ca_file = test::Authority(scratch, "another").file();
  EXPECT_EQ(refusal(where),
            "its certificate was issued by \"trusted\", which is not trusted here "
            "(server.tls.ca_file names others to trust, server.tls.fingerprint this certificate "
            "alone: " + identity.fingerprint + ")");
}

TEST_F(TlsTest, the_system_does_not_trust_a_private_authority) {
  serve({});
  auto where = address();
  where.tls->ca_file.clear();
  EXPECT_THAT(refusal(where), HasSubstr("which is not trusted here"));
}

TEST_F(TlsTest, a_self_signed_certificate_is_refused_unless_it_is_pinned_or_trusted) {
  Wanted alone;
  alone.is_self_signed = true;
  serve(alone);
  auto where = address();
  EXPECT_THAT(refusal(where), AllOf(StartsWith("its certificate is self-signed, so nobody vouches"),
                                    HasSubstr(identity.fingerprint)));
  where.tls->ca_file.clear();
  where.tls->fingerprint = identity.fingerprint;
  heard = {};
  EXPECT_TRUE(connect(where));
}

TEST_F(TlsTest, a_pin_trusts_one_certificate_whatever_its_name_and_dates) {
  serve({"server", "DNS:csa.example", -20, -1});
  auto where = address();
  where.tls->ca_file.clear();
  for (const char c : identity.fingerprint) {
    if (c != ':') {
      where.tls->fingerprint += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  EXPECT_TRUE(connect(where));
}

TEST_F(TlsTest, a_pin_that_does_not_match_refuses_a_good_certificate_and_shows_what_was_seen) {
  serve({});
  auto where = address();
  where.tls->fingerprint = std::string(64, '0');
  EXPECT_EQ(refusal(where), "its certificate is not the one of server.tls.fingerprint: it has the "
                            "SHA-256 fingerprint " + identity.fingerprint);
  EXPECT_EQ(front->handshakes(), 0);
}

TEST_F(TlsTest, a_client_certificate_is_shown_where_it_is_asked_for) {
  serve({});
  front->settings().load_verify_file(authority.file());
  front->settings().set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  Wanted client;
  client.file = "client";
  const auto own = authority.issue(client);
  auto where = address();
  where.tls->certificate_file = own.certificate_file;
  where.tls->key_file = own.key_file;
  ASSERT_TRUE(connect(where));
  link.write("LOGIN a b");
  ASSERT_TRUE(run_until(context, [&] { return peer.received() == "LOGIN a b\n"; }));
}

TEST_F(TlsTest, a_missing_client_certificate_is_named_as_the_cause) {
  serve({});
  front->settings().load_verify_file(authority.file());
  front->settings().set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  // In TLS 1.3 the server's refusal comes after the client's side of the handshake.
  link.connect(address());
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_THAT(heard.closes[0].second, HasSubstr("the server asks for a client certificate "
                                                "(server.tls.certificate_file)"));
}

TEST_F(TlsTest, a_client_certificate_of_an_unknown_authority_is_named_as_the_cause) {
  serve({});
  front->settings().load_verify_file(authority.file());
  front->settings().set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  Wanted client;
  client.file = "client";
  const auto own = test::Authority(scratch, "another").issue(client);
  auto where = address();
  where.tls->certificate_file = own.certificate_file;
  where.tls->key_file = own.key_file;
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_THAT(heard.closes[0].second, HasSubstr("does not accept the client certificate"));
}

TEST_F(TlsTest, a_plain_server_is_refused_and_told_nothing) {
  serve({});
  auto where = address();
  where.port = peer.port();
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !peer.received().empty(); }));
  peer.say("LOGIN:incorrect\n");
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_EQ(heard.closes[0].first, HowClosed::refused);
  EXPECT_THAT(heard.closes[0].second, HasSubstr("does not speak TLS on this port"));
  EXPECT_THAT(heard.peers, IsEmpty());
}

TEST_F(TlsTest, a_server_that_hangs_up_in_the_handshake_is_named_with_the_likely_cause) {
  serve({});
  auto where = address();
  where.port = peer.port();
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !peer.received().empty(); }));
  peer.hang_up();
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_EQ(heard.closes[0].first, HowClosed::refused);
  EXPECT_THAT(heard.closes[0].second,
              HasSubstr("the connection was closed before the TLS handshake was complete; does the "
                        "server speak TLS on this port?"));
}

TEST_F(TlsTest, a_server_that_says_nothing_is_given_up_in_time) {
  serve({});
  auto where = address();
  where.port = peer.port();
  where.connect_timeout = base::Millis{3'000};  // the files of server.tls are read within it, too
  EXPECT_FALSE(connect(where));
  ASSERT_EQ(heard.closes.size(), 1U);
  EXPECT_EQ(heard.closes[0].first, HowClosed::refused);
  EXPECT_THAT(heard.closes[0].second, HasSubstr("the TLS handshake took longer than 3 s"));
}

TEST_F(TlsTest, a_tls_server_that_is_spoken_to_plainly_is_named_as_such) {
  serve({});
  auto where = address();
  where.tls.reset();
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !heard.peers.empty(); }));
  link.write("LOGIN a b");
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_EQ(heard.closes[0].first, HowClosed::eof);
  EXPECT_THAT(heard.closes[0].second, HasSubstr("does it speak TLS on this port (server.tls)?"));
}

TEST_F(TlsTest, an_alert_on_a_plain_connection_is_no_line) {
  serve({});
  auto where = address();
  where.port = peer.port();
  where.tls.reset();
  ASSERT_TRUE(connect(where));
  peer.say(std::string("\x15\x03\x01\x00\x02\x02\x46", 7));
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_EQ(heard.closes[0].first, HowClosed::broken);
  EXPECT_EQ(heard.closes[0].second, "the server speaks TLS on this port: set server.tls");
  EXPECT_THAT(heard.lines, IsEmpty());
}

TEST_F(TlsTest, a_server_that_leaves_is_an_ordinary_end_with_and_without_a_goodbye) {
  serve({});
  for (const bool is_abrupt : {false, true}) {
    if (is_abrupt) {
      front->be_abrupt();
    }
    heard = {};
    ASSERT_TRUE(connect(address()));
    peer.say("LOGOUT:completed\n");
    peer.hang_up();
    ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
    EXPECT_THAT(heard.lines, ElementsAre("LOGOUT:completed"));
    EXPECT_EQ(heard.closes[0].first, HowClosed::eof) << heard.closes[0].second;
    EXPECT_EQ(heard.closes[0].second, "the server closed the connection");
  }
}

TEST_F(TlsTest, closing_sends_what_was_written_and_says_goodbye) {
  serve({});
  ASSERT_TRUE(connect(address()));
  link.write("%TORYO");
  link.write("LOGOUT");
  link.close();
  ASSERT_TRUE(run_until(context, [&] { return front->goodbyes() == 1; }));
  ASSERT_TRUE(run_until(context, [&] { return bool{peer.ended_by()}; }));
  EXPECT_EQ(peer.received(), "%TORYO\nLOGOUT\n");
  EXPECT_THAT(heard.closes, IsEmpty());
}

TEST_F(TlsTest, a_link_that_is_closed_in_the_handshake_is_never_heard_of) {
  serve({});
  auto where = address();
  where.port = peer.port();
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !peer.received().empty(); }));
  link.close();
  ASSERT_TRUE(run_until(context, [&] { return bool{peer.ended_by()}; }));
  EXPECT_THAT(heard.peers, IsEmpty());
  EXPECT_THAT(heard.closes, IsEmpty());
}

TEST_F(TlsTest, garbage_in_the_shape_of_a_record_is_refused) {
  serve({});
  auto where = address();
  where.port = peer.port();
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !peer.received().empty(); }));
  peer.say(std::string("\x16\x03\x03\x40\x00", 5) + std::string(0x4000, '\xff'));
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_EQ(heard.closes[0].first, HowClosed::refused);
  EXPECT_THAT(heard.closes[0].second, HasSubstr("the TLS handshake failed: "));
}

/// A pipe that nobody writes is as a disk that stands still: whoever opens it waits.
TEST_F(TlsTest, files_on_a_disk_that_stands_still_hold_up_no_loop) {
  serve({});
  ServerAddress where = address();
  where.tls->ca_file = scratch.path("pipe");
  ASSERT_EQ(::mkfifo(where.tls->ca_file.c_str(), 0600), 0);
  where.connect_timeout = base::Millis{300};
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_THAT(heard.closes[0].second, HasSubstr("reading the files of server.tls took longer than 300 ms"));

  heard.closes.clear();
  where.connect_timeout = base::Millis{60'000};
  link.connect(where);
  link.connect(where);
  ASSERT_TRUE(run_until(context, [&] { return !heard.closes.empty(); }));
  EXPECT_THAT(heard.closes[0].second, HasSubstr("are still being read")) << "two threads wait already";
  // The threads end before the process does, which would tear OpenSSL down under them: a plain file takes the
  // pipe's name, and those that wait for the pipe read its end.
  const int writer = ::open(where.tls->ca_file.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(writer, 0);
  std::filesystem::rename(authority.file(), where.tls->ca_file);
  ::close(writer);
  while (base::io::Errands::at_work() > 0) {
    std::this_thread::yield();
  }
}

class TlsFiles : public testing::Test {
 protected:
  std::string fault(const TlsSettings& settings) {
    const auto made = make_tls_context(settings);
    return made ? "none" : made.error().what.english();
  }

  test::Scratch scratch;
  test::Authority authority{scratch, "trusted"};
  test::Identity own = authority.issue({});
};

TEST_F(TlsFiles, that_can_be_used_are) {
  EXPECT_EQ(fault({}), "none");
  EXPECT_EQ(fault({authority.file(), own.certificate_file, own.key_file, "", ""}), "none");
}

TEST_F(TlsFiles, that_are_missing_are_named) {
  const auto nowhere = scratch.path("nowhere.pem");
  EXPECT_EQ(fault({nowhere, "", "", "", ""}), "the file of authorities \"" + nowhere +
                                                  "\" cannot be read: No such file or directory");
  EXPECT_EQ(fault({"", nowhere, own.key_file, "", ""}),
            "the certificate file \"" + nowhere + "\" cannot be read: No such file or directory");
  EXPECT_EQ(fault({"", own.certificate_file, nowhere, "", ""}),
            "the key file \"" + nowhere + "\" cannot be read: No such file or directory");
}

TEST_F(TlsFiles, that_hold_something_else_are_named_and_not_shown) {
  const auto text = scratch.path("text.pem");
  test::write_text(text, "swordfish\n");
  EXPECT_EQ(fault({text, "", "", "", ""}),
            "the file of authorities \"" + text + "\" holds no certificate in PEM form");
  EXPECT_EQ(fault({"", text, own.key_file, "", ""}),
            "the certificate file \"" + text + "\" holds no certificate in PEM form");
  EXPECT_EQ(fault({"", own.certificate_file, text, "", ""}),
            "the key file \"" + text + "\" holds no private key in PEM form");
  EXPECT_EQ(fault({"", own.certificate_file, own.certificate_file, "", ""}),
            "the key file \"" + own.certificate_file + "\" holds no private key in PEM form");
}

TEST_F(TlsFiles, a_key_of_another_certificate_is_named) {
  Wanted other;
  other.file = "other";
  const auto theirs = authority.issue(other);
  EXPECT_EQ(fault({"", own.certificate_file, theirs.key_file, "", ""}),
            "the key file \"" + theirs.key_file + "\" does not belong to the certificate in \"" +
                own.certificate_file + "\"");
}

TEST_F(TlsFiles, a_key_with_a_passphrase_is_refused_and_nobody_is_asked) {
  Wanted locked;
  locked.file = "locked";
  locked.passphrase = "swordfish";
  const auto files = authority.issue(locked);
  EXPECT_EQ(fault({"", files.certificate_file, files.key_file, "", ""}),
            "the key file \"" + files.key_file +
                "\" is protected by a passphrase; a key without one is needed");
}

/// A system whose files lie below a directory of the test's own.
class OtherSystem : public testing::Test {
 protected:
  void has(const std::string& path) {
    const auto file = root / std::filesystem::path(path).relative_path();
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "-----BEGIN CERTIFICATE-----\n";
  }
  std::string found() {
    const std::string file = authorities_elsewhere(root);
    return file.empty() ? file : "/" + std::filesystem::relative(file, root).string();
  }

  test::Scratch scratch;
  std::filesystem::path root = scratch.path("root");
};

TEST_F(OtherSystem, an_image_that_holds_the_bundle_alone_is_trusted) {
  has("/etc/ssl/certs/ca-certificates.crt");
  EXPECT_EQ(found(), "/etc/ssl/certs/ca-certificates.crt");
}

TEST_F(OtherSystem, the_places_of_other_distributions_are_known) {
  has("/etc/pki/tls/certs/ca-bundle.crt");
  EXPECT_EQ(found(), "/etc/pki/tls/certs/ca-bundle.crt");
}

TEST_F(OtherSystem, what_openssl_finds_by_itself_is_not_added_to) {
  has("/etc/ssl/certs/ca-certificates.crt");
  has(::X509_get_default_cert_file());
  EXPECT_EQ(found(), "");
}

TEST_F(OtherSystem, without_any_bundle_nobody_is_trusted) { EXPECT_EQ(found(), ""); }

}  // namespace
}  // namespace kakehashi::csa::io
