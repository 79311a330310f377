// Addresses of webhooks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "watch/notices.hpp"

namespace kakehashi::watch {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(WebAddress, is_taken_apart) {
  const auto usual = parse_web_address("https://discord.com/api/webhooks/1/abc?wait=true");
  ASSERT_TRUE(usual);
  EXPECT_TRUE(usual->is_tls);
  EXPECT_EQ(usual->host, "discord.com");
  EXPECT_EQ(usual->port, 443);
  EXPECT_EQ(usual->target.reveal(), "/api/webhooks/1/abc?wait=true");
  const auto local = parse_web_address("http://[::1]:8080");
  ASSERT_TRUE(local);
  EXPECT_FALSE(local->is_tls);
  EXPECT_EQ(local->host, "::1");
  EXPECT_EQ(local->port, 8080);
  EXPECT_EQ(local->target.reveal(), "/");
  EXPECT_EQ(parse_web_address("http://a?b#c")->target.reveal(), "/?b");
}

TEST(WebAddress, what_is_none_is_told_without_being_shown) {
  for (const char* text : {"", "s3cret", "ftp://s3cret/", "https://", "https:///s3cret", "https://a:b@s3cret/",
                           "https://a:0/s3cret", "https://a:99999/s3cret", "https://a/s3cret\r\nX: y",
                           "https://a/s3cret b", "https://a/s3cret\xFF"}) {
    const auto address = parse_web_address(text);
    ASSERT_FALSE(address) << text;
    EXPECT_THAT(address.error(), Not(HasSubstr("s3cret")));
  }
}

}  // namespace
}  // namespace kakehashi::watch
