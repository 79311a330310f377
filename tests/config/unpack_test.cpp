
#include <gtest/gtest.h>
#include <stdlib.h>
#include <zlib.h>

#include <string>

#include "config/io/load_shogihome.hpp"

namespace kakehashi::config::io {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  std::string copy = text;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

std::string base64(const std::string& bytes) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = (bits << 8U) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? alphabet[(bits >> (18 - 6 * k)) & 0x3FU] : '=';
    }
  }
  return text;
}

constexpr std::size_t bytes_max = 1000;

TEST(Unpack, gives_back_what_was_packed) {
  for (const std::string text : {"", "a", "{\"usi\":{}}", "将棋"}) {
    EXPECT_EQ(*unpack(base64(gzip(text)), bytes_max), text);
  }
  std::string wrapped = base64(gzip("abc"));
  wrapped.insert(5, "\r\n ");
  EXPECT_EQ(*unpack(wrapped + "\n", bytes_max), "abc");
}

TEST(Unpack, takes_what_gzip_and_base64_make) {
  // printf '{"a":1}' | gzip -n | base64
  EXPECT_EQ(*unpack("H4sIAAAAAAAAA6tWSlSyMqwFAK+sG1YHAAAA", bytes_max), "{\"a\":1}");
}

TEST(Unpack, stops_at_its_bound) {
  EXPECT_TRUE(unpack(base64(gzip(std::string(bytes_max, 'x'))), bytes_max));
  const auto bomb = unpack(base64(gzip(std::string(10'000'000, 'x'))), bytes_max);
  ASSERT_FALSE(bomb);
  EXPECT_EQ(bomb.error().what, "holds more than 1000 bytes when unpacked");
}

TEST(Unpack, tells_what_is_wrong_and_repeats_nothing) {
  EXPECT_EQ(unpack("himitsu!", bytes_max).error().what, "is not base64");
  EXPECT_EQ(unpack("YQ==YQ==", bytes_max).error().what, "is not base64");
  EXPECT_EQ(unpack("himitsu", bytes_max).error().what, "is not gzip in base64, or is damaged");
  EXPECT_EQ(unpack("", bytes_max).error().what, "is cut off: gzip's end is missing");
  const std::string packed = gzip("a text of some length, a text of some length");
  EXPECT_EQ(unpack(base64(packed.substr(0, packed.size() - 4)), bytes_max).error().what,
            "is cut off: gzip's end is missing");
  std::string damaged = packed;
  damaged[15] = static_cast<char>(damaged[15] ^ 0x55);
  EXPECT_FALSE(unpack(base64(damaged), bytes_max));
}

TEST(Unpack, is_told_from_settings_by_its_beginning) {
  EXPECT_TRUE(looks_packed(base64(gzip("{}"))));
  EXPECT_TRUE(looks_packed("\n" + base64(gzip("{}")) + "\n"));
  EXPECT_FALSE(looks_packed("H4sI: true\n"));
  EXPECT_FALSE(looks_packed("{}"));
  EXPECT_FALSE(looks_packed(""));
}

TEST(LoadShogiHome, settings_in_a_variable_are_read_packed_or_not) {
  const std::string json = R"({"usi":{"path":"/bin/sh"},"server":{"protocolVersion":"v121",)"
                           R"("host":"h","port":1,"id":"me","password":"p"}})";
  for (const std::string& text : {json, base64(gzip(json))}) {
    ::setenv("KAKEHASHI_TEST_SETTINGS", text.c_str(), 1);
    const auto made = load_shogihome("env:KAKEHASHI_TEST_SETTINGS", {});
    EXPECT_TRUE(made.problems.empty());
    EXPECT_EQ(made.bot.engine.command, std::vector<std::string>{"/bin/sh"});
    EXPECT_EQ(made.bot.account.password.reveal(), "p");
  }
  ::unsetenv("KAKEHASHI_TEST_SETTINGS");
  const auto missing = load_shogihome("env:KAKEHASHI_TEST_SETTINGS", {});
  ASSERT_EQ(missing.problems.size(), 1U);
  EXPECT_EQ(describe(missing.problems[0]),
            "env:KAKEHASHI_TEST_SETTINGS: is not set");
}

TEST(LoadShogiHome, a_program_that_is_nowhere_is_told) {
  ::setenv("KAKEHASHI_TEST_SETTINGS",
           "usi: {path: nowhere/engine}\nserver: {protocolVersion: v121, host: h, port: 1, id: me, "
           "password: p}\n",
           1);
  const auto made = load_shogihome("env:KAKEHASHI_TEST_SETTINGS", {});
  ::unsetenv("KAKEHASHI_TEST_SETTINGS");
  ASSERT_EQ(made.problems.size(), 1U);
  EXPECT_EQ(made.problems[0].text, "there is no file \"nowhere/engine\"");
}

}  // namespace
}  // namespace kakehashi::config::io
