#include "keeper/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace kakehashi::keeper {
namespace {

TEST(KeeperWords, each_word_is_read) {
  const auto hello = read_client_line("hello 1 ab12-x 7");
  ASSERT_TRUE(hello);
  EXPECT_EQ(std::get<Hello>(*hello).session, "ab12-x");
  EXPECT_EQ(std::get<Hello>(*hello).seen, 7U);
  const auto input = read_client_line("in 3 setoption name Book value a  b ");
  ASSERT_TRUE(input);
  EXPECT_EQ(std::get<Input>(*input).text, "setoption name Book value a  b ");
  const auto until = read_client_line("until 4 1500");
  ASSERT_TRUE(until);
  EXPECT_EQ(std::get<Until>(*until).number, 4U);
  EXPECT_EQ(std::get<Until>(*until).after.count(), 1500);
  EXPECT_EQ(std::get<Acknowledged>(*read_client_line("ack 9")).number, 9U);
  EXPECT_EQ(std::get<Ping>(*read_client_line("ping a1")).token, "a1");
  EXPECT_TRUE(std::holds_alternative<End>(*read_client_line("end")));
  EXPECT_TRUE(std::holds_alternative<Kill>(*read_client_line("kill")));
}

TEST(KeeperWords, what_is_no_word_of_a_client_is_refused) {
  for (const std::string line :
       {"", " ", "usi", "hello", "hello 1", "hello 1 s", "hello 1 s x", "hello 1 s 1 more", "hello x s 1",
        "hello 1 s/../x 1", "in", "in 0 usi", "in -1 usi", "in +1 usi", "in x usi", "in 99999999999999999999 usi",
        "until 0 5", "until 1 -5", "until 1 86400001", "until 1", "until 1 5 go", "ack", "ack -1", "ack 1 2", "ping",
        "ping a b", "end now", "kill 9", "in 1 a\tb", "in 1 a\rb"}) {
    EXPECT_FALSE(read_client_line(line)) << line;
  }
  EXPECT_FALSE(read_client_line("hello 1 " + std::string(session_bytes_max + 1, 'a') + " 1"));
  EXPECT_FALSE(read_client_line("ping " + std::string(token_bytes_max + 1, 'a')));
}

}  // namespace
}  // namespace kakehashi::keeper
