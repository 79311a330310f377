// The status page on a real socket.
#include "watch/io/http_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <thread>
#include <vector>

namespace kakehashi::watch::io {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using testing::HasSubstr;
using testing::StartsWith;

/// A server whose loop runs beside the test.
class HttpServerTest : public testing::Test {
 protected:
  ~HttpServerTest() override {
    asio::post(context_, [this] { server_.reset(); });
    work_.reset();
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  std::uint16_t open(std::string token = "", const std::string& address = "127.0.0.1") {
    HttpSources sources{[] { return "metrics"; }, [this] { return "{\"n\":" + std::to_string(++n_) + "}"; },
                        [] { return base::say("playing"); }, [] { return std::vector<base::Message>(); },
                        [] { return "page"; }};
    sources.games = [this](const std::string& target, const std::function<void(HttpAnswer)>& reply) {
      asio::post(context_, [target, reply] { reply({200, "text/plain", target + ", later"}); });
    };
    server_ = std::make_unique<HttpServer>(
        context_, HttpOptions{address, 0, base::Secret(std::move(token))}, std::move(sources));
    const auto port = server_->start();
    why_ = port ? "" : port.error().english();
    thread_ = std::thread([this] { context_.run(); });
    return port ? *port : std::uint16_t{0};
  }

  /// What comes back until the server closes.
  static std::string exchange(std::uint16_t port, const std::string& request) {
    asio::io_context context;
    tcp::socket socket(context);
    socket.connect({asio::ip::address_v4::loopback(), port});
    boost::system::error_code failed;
    asio::write(socket, asio::buffer(request), failed);
    std::string text;
    asio::read(socket, asio::dynamic_buffer(text), failed);
    return text;
  }

  asio::io_context context_;
  asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
  std::string why_;
  int n_ = 0;
};

TEST_F(HttpServerTest, answers_a_request_and_closes) {
  const auto port = open();
  const auto reply = http_get({"127.0.0.1", port, {}}, "/metrics", base::Millis{10'000});
  ASSERT_TRUE(reply) << reply.error();
  EXPECT_EQ(reply->status, 200);
  EXPECT_EQ(reply->body, "metrics");
}

TEST_F(HttpServerTest, who_reads_may_name_his_language) {
  const auto port = open();
  const auto reply = http_get({"127.0.0.1", port, {}, words::Language::japanese}, "/api/v1/line", base::Millis{10'000});
  ASSERT_TRUE(reply) << reply.error();
  EXPECT_EQ(reply->body, "対局中\n");
}

TEST_F(HttpServerTest, any_address_of_loopback_is_one) {
  const auto reply = http_get({"127.0.0.2", open("", "127.0.0.2"), {}}, "/metrics", base::Millis{10'000});
  ASSERT_TRUE(reply) << reply.error();
  EXPECT_EQ(reply->status, 200);
}

TEST_F(HttpServerTest, an_ipv6_address_is_asked_by_its_name) {
  const auto port = open("", "::1");
  if (port == 0) {  // no IPv6 on this machine
    EXPECT_THAT(why_, HasSubstr("::1"));
    return;
  }
  const auto reply = http_get({"::1", port, {}}, "/metrics", base::Millis{10'000});
  ASSERT_TRUE(reply) << reply.error();
  EXPECT_EQ(reply->status, 200);
}

TEST_F(HttpServerTest, an_answer_that_comes_later_is_waited_for) {
  const auto port = open();
  const auto reply = http_get({"127.0.0.1", port, {}}, "/api/v1/games?limit=1", base::Millis{10'000});
  ASSERT_TRUE(reply) << reply.error();
  EXPECT_EQ(reply->status, 200);
  EXPECT_EQ(reply->body, "/api/v1/games?limit=1, later");
}

TEST_F(HttpServerTest, head_has_no_body) {
  const std::string text =
      exchange(open(), "HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(text, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(text.ends_with("\r\n\r\n"));
}

TEST_F(HttpServerTest, a_token_is_asked_for_and_taken) {
  const auto port = open("word");
  EXPECT_EQ(http_get({"127.0.0.1", port, {}}, "/metrics", base::Millis{10'000})->status, 401);
  EXPECT_EQ(http_get({"127.0.0.1", port, base::Secret("word")}, "/metrics", base::Millis{10'000})->status,
            200);
}

TEST_F(HttpServerTest, other_addresses_than_loopback_need_a_token) {
  EXPECT_EQ(open("", "0.0.0.0"), 0);
  EXPECT_THAT(why_, HasSubstr("--status-token-file"));
}

TEST_F(HttpServerTest, a_header_without_end_is_cut_off) {
  const auto port = open();
  const std::string text = exchange(port, "GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x'));
  EXPECT_EQ(text, "");
  EXPECT_EQ(http_get({"127.0.0.1", port, {}}, "/metrics", base::Millis{10'000})->status, 200)
      << "the next one is served";
}

TEST_F(HttpServerTest, nonsense_harms_nothing) {
  const auto port = open();
  for (const std::string& text : {std::string("\x16\x03\x01\x02\0\x01", 6), std::string("\r\n\r\n"),
                                 std::string("GET\r\n\r\n")}) {
    static_cast<void>(exchange(port, text));
  }
  EXPECT_EQ(http_get({"127.0.0.1", port, {}}, "/metrics", base::Millis{10'000})->status, 200);
}

TEST_F(HttpServerTest, a_stream_gets_an_event_for_each_change) {
  const auto port = open();
  asio::io_context context;
  tcp::socket socket(context);
  socket.connect({asio::ip::address_v4::loopback(), port});
  asio::write(socket, asio::buffer(std::string("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")));
  std::string text;
  asio::read_until(socket, asio::dynamic_buffer(text), "data: {\"n\":1}\n\n");
  asio::post(context_, [this] { server_->changed(); });
  asio::read_until(socket, asio::dynamic_buffer(text), "data: {\"n\":2}\n\n");
  asio::post(context_, [this] { server_->changed(); });
  asio::read_until(socket, asio::dynamic_buffer(text), "data: {\"n\":3}\n\n");
  EXPECT_THAT(text, HasSubstr("Content-Type: text/event-stream"));
}

TEST_F(HttpServerTest, those_who_ask_nothing_keep_nobody_out) {
  const auto port = open();
  asio::io_context context;
  std::vector<tcp::socket> silent;
  for (std::size_t i = 0; i < HttpServer::connections_max + 8; ++i) {
    silent.emplace_back(context).connect({asio::ip::address_v4::loopback(), port});
  }
  const auto reply = http_get({"127.0.0.1", port, {}}, "/healthz", base::Millis{10'000});
  ASSERT_TRUE(reply) << reply.error();
  EXPECT_EQ(reply->status, 200);
}

TEST_F(HttpServerTest, those_who_read_events_keep_nobody_out) {
  const auto port = open();
  asio::io_context context;
  std::vector<tcp::socket> readers;
  for (std::size_t i = 0; i < HttpServer::streams_max; ++i) {
    auto& socket = readers.emplace_back(context);
    socket.connect({asio::ip::address_v4::loopback(), port});
    asio::write(socket, asio::buffer(std::string("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")));
    std::string text;
    asio::read_until(socket, asio::dynamic_buffer(text), "data: ");
  }
  EXPECT_THAT(exchange(port, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"),
              StartsWith("HTTP/1.1 503 "));
  EXPECT_EQ(http_get({"127.0.0.1", port, {}}, "/metrics", base::Millis{10'000})->status, 200);
}

TEST(HttpGet, says_when_nothing_answers) {
  const auto reply = http_get({"127.0.0.1", 1, {}}, "/", base::Millis{5'000});
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error(), HasSubstr("nothing answers on 127.0.0.1:1"));
}

/// What is read of a server that says this, and then no more: it closes, or stays.
base::Result<HttpReply, base::Message> read_of(const std::string& answer, bool closes, base::Millis timeout) {
  asio::io_context context;
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
  const std::uint16_t port = acceptor.local_endpoint().port();
  std::thread server([&] {
    tcp::socket socket = acceptor.accept();
    boost::system::error_code failed;
    asio::write(socket, asio::buffer(answer), failed);
    if (closes) {
      socket.shutdown(tcp::socket::shutdown_send, failed);
    }
    std::string heard;
    asio::read(socket, asio::dynamic_buffer(heard), failed);
  });
  auto reply = http_get({"127.0.0.1", port, {}}, "/", timeout);
  server.join();
  return reply;
}

TEST(HttpGet, an_answer_that_ends_with_the_connection_is_whole) {
  const auto reply = read_of("HTTP/1.0 503 Away\r\n\r\nlater", true, base::Millis{10'000});
  ASSERT_TRUE(reply) << reply.error();
  EXPECT_EQ(reply->status, 503);
  EXPECT_EQ(reply->body, "later");
}

TEST(HttpGet, an_answer_without_end_is_cut) {
  const auto reply =
      read_of("HTTP/1.0 200 OK\r\n\r\n" + std::string(2 * http_body_max, 'x'), true, base::Millis{30'000});
  ASSERT_TRUE(reply) << reply.error();
  EXPECT_EQ(reply->body.size(), http_body_max);
}

TEST(HttpGet, who_speaks_another_language_or_none_is_told) {
  for (const bool closes : {true, false}) {
    const auto reply = read_of(closes ? "220 mail is welcome\r\n" : "", closes, base::Millis{300});
    ASSERT_FALSE(reply);
    EXPECT_THAT(reply.error(), HasSubstr("does not speak HTTP"));
  }
}

}  // namespace
}  // namespace kakehashi::watch::io
