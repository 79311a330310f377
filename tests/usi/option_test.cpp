// What an engine declares, and what it makes of a user's spelling.
#include "usi/option.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kakehashi::usi {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Option, a_name_is_found_in_any_case_and_under_its_other_fixed_name) {
  const std::vector<Option> declared{{"Hash", OptionType::spin, "16", 1, 64, {}},
                                     {"Book File", OptionType::filename, "", {}, {}, {}},
                                     {"book file", OptionType::string, "", {}, {}, {}}};
  const auto name_of = [&](std::string_view name) {
    const Option* option = find_option(declared, name);
    return option != nullptr ? option->name : "";
  };
  EXPECT_EQ(name_of("Hash"), "Hash");
  EXPECT_EQ(name_of("hash"), "Hash");
  EXPECT_EQ(name_of("USI_Hash"), "Hash");
  EXPECT_EQ(name_of("book file"), "book file") << "letter for letter comes first";
  EXPECT_EQ(name_of("BOOK FILE"), "Book File");
  EXPECT_EQ(name_of("USI_Ponder"), "");
  EXPECT_EQ(check_setting(declared, {"usi_hash", "32"}).has_value(), true);
  EXPECT_EQ(check_setting(declared, {"USI_Hash", "32"}), std::nullopt);
  EXPECT_EQ(check_setting(declared, {"USI_Hash", "128"}),
            "option \"Hash\" takes 1 to 64, not \"128\"");
}

TEST(Option, sound_declarations_have_no_oddities) {
  for (const char* text :
       {"name UseBook type check default true", "name Selectivity type spin default 2 min 0 max 4",
        "name Style type combo default Normal var Solid var Normal var Risky",
        "name ResetLearning type button", "name BookFile type string default public.bin",
        "name LearningFile type filename default <empty>"}) {
    EXPECT_THAT(oddities(*parse_option(text)), IsEmpty()) << text;
  }
}

TEST(Option, odd_declarations_are_told) {
  EXPECT_THAT(oddities(*parse_option("name A type spin default 9 min 0 max 4")),
              ElementsAre("the default does not fit: option \"A\" takes 0 to 4, not \"9\""));
  EXPECT_THAT(oddities(*parse_option("name A type spin default 9")),
              ElementsAre("option \"A\" is a spin without min and max"));
  EXPECT_THAT(oddities(*parse_option("name A type spin default 9 min 10 max 4")),
              testing::Contains("option \"A\" has a min above its max"));
  EXPECT_THAT(oddities(*parse_option("name A type combo default x")),
              ElementsAre("option \"A\" is a combo without choices"));
  EXPECT_THAT(oddities(*parse_option("name A type check default yes")),
              ElementsAre("the default does not fit: option \"A\" takes true or false, not \"yes\""));
  EXPECT_THAT(
      oddities(*parse_option("name A type string name c:\\")),
      ElementsAre("option \"A\" has words behind its type that mean nothing there: \"name c:\\\\\""));
}

}  // namespace
}  // namespace kakehashi::usi
