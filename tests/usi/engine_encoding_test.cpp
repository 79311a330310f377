#include "usi/engine_encoding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/usi/words.hpp"
#include "usi/session.hpp"

namespace kakehashi::usi {
namespace {

using usi::test::words;
using ::testing::ElementsAre;

// 評価, 普通 and 速い.
constexpr const char* declaration =
    "option name \x95\x5D\x89\xBF type combo default \x95\x81\x92\xCA var \x95\x81\x92\xCA var \x91\xAC\x82\xA2";

TEST(EngineEncoding, an_option_declared_in_shift_jis_is_found_checked_and_set_by_its_original_bytes) {
  EngineEncoding encoding;
  Session session;
  static_cast<void>(session.begin());
  static_cast<void>(session.on_line(encoding.heard(declaration)));
  static_cast<void>(session.on_line(encoding.heard("usiok")));
  const Settings settings = plan_settings(session.dialect(), session.options(), {{"評価", "速い"}}, false);
  EXPECT_THAT(settings.problems, ElementsAre());
  std::vector<std::string> told;
  for (const std::string& line : session.prepare(settings.lines).lines) {
    told.push_back(encoding.told(line));
  }
  EXPECT_THAT(told, ElementsAre("setoption name \x95\x5D\x89\xBF value \x91\xAC\x82\xA2", "isready"));
}

TEST(EngineEncoding, what_an_engine_says_in_shift_jis_is_shown_in_utf8) {
  EngineEncoding encoding;
  Session session;
  EXPECT_THAT(words(session.on_line(encoding.heard("info string \x95\x5D\x89\xBF"))), ElementsAre("said 評価"));
  EXPECT_EQ(readable("\x95\x5D\x89\xBF"), "評価");
}

TEST(EngineEncoding, utf8_and_bytes_that_are_neither_stay_as_they_are) {
  EngineEncoding encoding;
  for (const char* line : {"info string 評価", "option name 評価 type string default ", "info string caf\xE9 x", "bestmove 7g7f",
                           "", "info string \x95\x5D\x89"}) {
    EXPECT_EQ(encoding.heard(line), line);
    EXPECT_EQ(readable(line), line);
  }
  EXPECT_EQ(encoding.told("setoption name 評価 value 速い"), "setoption name 評価 value 速い");
}

TEST(EngineEncoding, other_options_of_such_an_engine_are_set_as_they_were_declared) {
  EngineEncoding encoding;
  static_cast<void>(encoding.heard("option name Book type filename default <empty>"));
  static_cast<void>(encoding.heard(declaration));
  EXPECT_EQ(encoding.told("setoption name Book value 定跡.db"), "setoption name Book value 定跡.db");
  EXPECT_EQ(encoding.told("setoption name 評価値 value 1"), "setoption name 評価値 value 1");
  EXPECT_EQ(encoding.told("position startpos\ngo infinite"), "position startpos\ngo infinite");
  EXPECT_EQ(encoding.told("setoption name 評価 value 速い\nisready"),
            "setoption name \x95\x5D\x89\xBF value \x91\xAC\x82\xA2\nisready");
}

TEST(EngineEncoding, the_name_goes_back_in_the_bytes_that_the_engine_chose_of_several) {
  // NEC's and IBM's pair for one character, and a name that begins with another.
  EngineEncoding encoding;
  EXPECT_EQ(encoding.heard("option name \xEE\xE0 type button"), "option name 髙 type button");
  EXPECT_EQ(encoding.heard("option name \xEE\xE0 value type string default \xEE\xE0"), "option name 髙 value type string default 髙");
  EXPECT_EQ(encoding.told("setoption name 髙"), "setoption name \xEE\xE0");
  EXPECT_EQ(encoding.told("setoption name 髙 value value 髙"), "setoption name \xEE\xE0 value value \xFB\xFC");
}

TEST(EngineEncoding, a_name_in_ascii_has_its_value_in_the_encoding_of_its_declaration) {
  EngineEncoding encoding;
  EXPECT_EQ(encoding.heard("option name Style type combo default \x91\xAC\x82\xA2 var \x91\xAC\x82\xA2"),
            "option name Style type combo default 速い var 速い");
  EXPECT_EQ(encoding.told("setoption name Style value 速い"), "setoption name Style value \x91\xAC\x82\xA2");
}

}  // namespace
}  // namespace kakehashi::usi
