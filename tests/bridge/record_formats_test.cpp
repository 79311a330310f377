// The configuration's words for records mean the same as the records' own.
#include <gtest/gtest.h>

#include "config/bot_config.hpp"
#include "config/schema/keys.hpp"
#include "shogi/record/format.hpp"

namespace kakehashi::bridge {
namespace {

TEST(RecordFormats, the_configuration_has_the_words_of_the_formats_in_their_order) {
  const auto& words = std::get<config::ChoicesKey>(config::find_key("records.formats")->shape).words;
  ASSERT_EQ(words.size(), shogi::record::formats.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(words[i], shogi::record::formats.at(i).word);
    EXPECT_EQ(static_cast<std::size_t>(shogi::record::formats.at(i).format), i);
  }
}

TEST(RecordFormats, the_words_for_styles_of_comments_stand_in_their_order) {
  using shogi::record::CommentStyle;
  const auto& words = std::get<config::ChoiceKey>(config::find_key("records.comments")->shape).words;
  ASSERT_EQ(words.size(), 6U);
  EXPECT_EQ(words[static_cast<std::size_t>(CommentStyle::automatic)], "auto");
  EXPECT_EQ(words[static_cast<std::size_t>(CommentStyle::floodgate)], "floodgate");
  EXPECT_EQ(words[static_cast<std::size_t>(CommentStyle::csa3)], "csa3");
  EXPECT_EQ(words[static_cast<std::size_t>(CommentStyle::shogihome)], "shogihome");
  EXPECT_EQ(words[static_cast<std::size_t>(CommentStyle::shogigui)], "shogigui");
  EXPECT_EQ(words[static_cast<std::size_t>(CommentStyle::none)], "none");
}

}  // namespace
}  // namespace kakehashi::bridge
