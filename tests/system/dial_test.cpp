// A host with several addresses: one that refuses, or says nothing at all, never costs the next its
// turn.
#include "csa/io/dial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <deque>
#include <future>
#include <memory>
#include <optional>

#include "tests/system/loop.hpp"

namespace kakehashi::csa::io {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using testing::HasSubstr;

Tcp::endpoint loopback(const char* address, std::uint16_t port) {
  return {asio::ip::make_address(address), port};
}

/// An address that answers no attempt to connect: its queue is full and nobody empties it.
class Mute {
 public:
  explicit Mute(asio::io_context& context) : acceptor_(context) {
    const auto endpoint = loopback("127.0.0.1", 0);
    acceptor_.open(endpoint.protocol());
    acceptor_.bind(endpoint);
    acceptor_.listen(0);
    for (int i = 0; i < queue_max; ++i) {
      callers_.emplace_back(context).async_connect(this->endpoint(), [](auto) {});
    }
  }
  [[nodiscard]] Tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

 private:
  /// More than any kernel keeps for a listener that asked for none.
  static constexpr int queue_max = 8;
  Tcp::acceptor acceptor_;
  std::deque<Tcp::socket> callers_;
};

struct DialTest : testing::Test {
  void dial(std::vector<Tcp::endpoint> endpoints, base::Millis timeout) {
    Dial::Callbacks outcome;
    outcome.connected = [this](Tcp::socket socket, std::string peer) {
      connected.emplace(std::move(socket));
      told = std::move(peer);
    };
    outcome.failed = [this](const base::Message& why) { told = why.english(); };
    const auto dial = std::make_shared<Dial>(context, Dial::Target{"server.example", 1, timeout},
                                             std::move(outcome));
    dial->start(std::move(endpoints));
    ASSERT_TRUE(test::run_until(context, [this] { return !told.empty(); }));
  }

  asio::io_context context;
  Mute mute{context};
  Tcp::acceptor listener{context, loopback("127.0.0.1", 0)};
  std::optional<Tcp::socket> connected;
  std::string told;
};

TEST_F(DialTest, an_address_that_does_not_answer_leaves_the_next_its_share_of_the_time) {
  dial({mute.endpoint(), listener.local_endpoint()}, base::Millis{4'000});
  EXPECT_TRUE(connected.has_value());
  EXPECT_EQ(told, format_endpoint(listener.local_endpoint()));
}

TEST_F(DialTest, an_ipv6_address_where_nobody_listens_is_followed_by_ipv4) {
  // The port of a listener that is gone: refused, or without IPv6 unreachable; both at once.
  const auto port = Tcp::acceptor(context, loopback("127.0.0.1", 0)).local_endpoint().port();
  dial({loopback("::1", port), listener.local_endpoint()}, base::Millis{10'000});
  EXPECT_TRUE(connected.has_value());
}

TEST_F(DialTest, a_name_that_hangs_fails_in_time_and_holds_up_no_other) {
  const auto release = std::make_shared<std::promise<void>>();
  const auto released = std::make_shared<std::shared_future<void>>(release->get_future());
  asio::add_service(context, std::make_unique<NameLookups>(context, [released](const std::string& host) {
                               if (host == "hangs") {
                                 released->wait();
                               }
                               return NameLookups::Answer{{loopback("127.0.0.1", 0)}, {}};
                             }).release());
  const auto port = listener.local_endpoint().port();
  std::string why;
  Dial::Callbacks outcome;
  outcome.failed = [&](const base::Message& failure) { why = failure.english(); };
  const auto hanging = std::make_shared<Dial>(context, Dial::Target{"hangs", port, base::Millis{300}}, outcome);
  hanging->start();
  outcome.connected = [&](Tcp::socket, std::string peer) { told = std::move(peer); };
  const auto dial = std::make_shared<Dial>(context, Dial::Target{"good", port, base::Millis{60'000}}, outcome);
  dial->start();
  ASSERT_TRUE(test::run_until(context, [&] { return !told.empty() && !why.empty(); }));
  EXPECT_EQ(told, format_endpoint(listener.local_endpoint()));
  EXPECT_EQ(why, "looking up \"hangs\" took longer than 300 ms");
  release->set_value();
}

TEST_F(DialTest, when_none_answers_each_is_named_with_its_reason) {
  dial({mute.endpoint(), loopback("::1", 1)}, base::Millis{200});
  EXPECT_FALSE(connected.has_value());
  EXPECT_THAT(told, HasSubstr(format_endpoint(mute.endpoint()) + ": no answer in time; [::1]:1: "));
}

}  // namespace
}  // namespace kakehashi::csa::io
