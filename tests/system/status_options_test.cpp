// --status and --status-token-file: where the state is shown, and who may read it.
#include "cli/status_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "tests/system/scratch.hpp"

namespace kakehashi::cli {
namespace {

using testing::HasSubstr;

std::string token_in(const std::string& text, mode_t mode = 0600) {
  test::Scratch scratch;
  test::write_text(scratch.path("token"), text);
  ::chmod(scratch.path("token").c_str(), mode);
  const StatusOptions options{.where = "127.0.0.1:0", .token_file = scratch.path("token")};
  const auto read = options.read();
  return read ? std::string((*read)->token.reveal()) : "refused: " + read.error().english();
}

TEST(StatusOptions, the_token_is_the_word_of_the_first_line_without_its_end) {
  EXPECT_EQ(token_in("open-sesame"), "open-sesame");
  EXPECT_EQ(token_in("open-sesame\n"), "open-sesame") << "as echo and editors write it";
  EXPECT_EQ(token_in(" open-sesame \r\nmade in May\n"), "open-sesame");
}

TEST(StatusOptions, a_file_without_a_word_opens_nothing) {
  EXPECT_THAT(token_in(""), HasSubstr("refused: --status-token-file"));
  EXPECT_THAT(token_in("\nopen-sesame\n"), HasSubstr("nothing in its first line; write a word of your own there"));
  EXPECT_THAT(token_in("open\x01sesame\n"), HasSubstr("a control character"));
}

TEST(StatusOptions, a_token_that_everyone_can_read_opens_nothing) {
  EXPECT_EQ(token_in("open-sesame\n", 0640), "open-sesame") << "Prometheus may be in its group";
  const std::string refused = token_in("open-sesame\n", 0644);
  EXPECT_THAT(refused, HasSubstr("refused: --status-token-file: \"/"));
  EXPECT_THAT(refused, HasSubstr("can be read by everyone on this machine"));
  EXPECT_THAT(refused, HasSubstr("chmod 600"));
}

}  // namespace
}  // namespace kakehashi::cli
