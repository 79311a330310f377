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

TEST(RecordFormats, the_styles_of_comments_stand_in_one_order) {
  using config::RecordComments;
  using shogi::record::CommentStyle;
  EXPECT_EQ(static_cast<CommentStyle>(RecordComments::automatic), CommentStyle::automatic);
  EXPECT_EQ(static_cast<CommentStyle>(RecordComments::floodgate), CommentStyle::floodgate);
  EXPECT_EQ(static_cast<CommentStyle>(RecordComments::csa3), CommentStyle::csa3);
  EXPECT_EQ(static_cast<CommentStyle>(RecordComments::shogihome), CommentStyle::shogihome);
  EXPECT_EQ(static_cast<CommentStyle>(RecordComments::shogigui), CommentStyle::shogigui);
  EXPECT_EQ(static_cast<CommentStyle>(RecordComments::none), CommentStyle::none);
}

}  // namespace
}  // namespace kakehashi::bridge
