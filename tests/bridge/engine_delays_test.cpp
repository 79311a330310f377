#include "bridge/engine/engine_options.hpp"

#include <gtest/gtest.h>

#include <map>

namespace kakehashi::bridge {
namespace {

using base::Millis;

usi::Option spin(const char* name, const char* value) {
  usi::Option option;
  option.name = name;
  option.type = usi::OptionType::spin;
  option.default_value = value;
  return option;
}

TEST(EngineDelays, are_what_the_engine_keeps_back_by_default_or_by_the_user) {
  const std::vector<usi::Option> declared{spin("NetworkDelay", "120"), spin("NetworkDelay2", "1120"),
                                          spin("Time_Margin", "1000"), spin("Threads", "4000")};
  std::map<std::string, std::string> own{{"Time_Margin", "0"}};
  const auto set = [&](const std::string& name) -> const std::string* {
    const auto found = own.find(name);
    return found == own.end() ? nullptr : &found->second;
  };

  const auto delays = engine_delays(declared, set);

  ASSERT_EQ(delays.size(), 1U) << "NetworkDelay only shifts the rounding, Time_Margin is switched off";
  EXPECT_EQ(delays[0].option, "NetworkDelay2");
  EXPECT_EQ(delays[0].time, Millis{1'120});
  EXPECT_TRUE(delays[0].is_of_each_move);

  own["Time_Margin"] = "500";
  const auto both = engine_delays(declared, set);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_FALSE(both[1].is_of_each_move) << "dlshogi takes it off the main time alone";
}

TEST(EngineDelays, of_an_hour_and_more_are_no_delays) {
  const auto nothing = [](const std::string&) -> const std::string* { return nullptr; };
  EXPECT_EQ(engine_delays({spin("NetworkDelay2", "3599999")}, nothing).size(), 1U);
  EXPECT_TRUE(engine_delays({spin("NetworkDelay2", "3600000")}, nothing).empty());
}

TEST(EngineDelays, that_are_no_numbers_are_left_out) {
  const auto nothing = [](const std::string&) -> const std::string* { return nullptr; };
  EXPECT_TRUE(engine_delays({spin("NetworkDelay2", "fast"), spin("Move Overhead", "")}, nothing)
                  .empty());
}

}  // namespace
}  // namespace kakehashi::bridge
