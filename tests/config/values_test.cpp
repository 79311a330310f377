#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "config/schema/text.hpp"
#include "tests/config/settings.hpp"

namespace kakehashi::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Duration, units_and_decimals_are_read) {
  EXPECT_EQ(*read_duration("0ms"), Millis{0});
  EXPECT_EQ(*read_duration("500ms"), Millis{500});
  EXPECT_EQ(*read_duration("1.5s"), Millis{1'500});
  EXPECT_EQ(*read_duration("1.250s"), Millis{1'250});
  EXPECT_EQ(*read_duration("2min"), Millis{120'000});
  EXPECT_EQ(*read_duration("0.5h"), Millis{1'800'000});
  EXPECT_EQ(*read_duration("10 s"), Millis{10'000});
}

TEST(Duration, everything_else_is_an_error_that_says_what_to_write) {
  EXPECT_EQ(read_duration("5").error().what, "has no unit; write 5ms, 5s, 5min or 5h");
  EXPECT_EQ(read_duration("1.5").error().what, "has no unit; write 1.5ms, 1.5s, 1.5min or 1.5h");
  EXPECT_EQ(read_duration("5m").error().what,
            "has the unknown unit \"m\"; the units are ms, s, min and h");
  EXPECT_EQ(read_duration("5 s s").error().what,
            "has the unknown unit \"s s\"; the units are ms, s, min and h");
  EXPECT_EQ(read_duration("5.s").error().what,
            "has the unknown unit \".s\"; the units are ms, s, min and h");
  EXPECT_EQ(read_duration("1,5s").error().what,
            "has the unknown unit \",5s\"; the units are ms, s, min and h");
  for (const char* text : {"", "s", "-1s", "+1s", ".5s", "soon"}) {
    EXPECT_EQ(read_duration(text).error().what,
              "is no duration: write a number and its unit, such as 500ms, 1.5s, 2min or 1h")
        << text;
  }
  for (const char* text : {"0.5ms", "1.0005s", "9999999999999s"}) {
    EXPECT_EQ(read_duration(text).error().what,
              "is no duration that can be counted in milliseconds")
        << text;
  }
}

TEST(Duration, what_is_spelled_is_read_back) {
  for (const std::int64_t count : {0, 1, 999, 1'000, 1'050, 1'500, 50'000, 60'000, 90'000, 300'000,
                                   3'600'000, 5'400'000, 86'400'000}) {
    const std::string text = spell_duration(Millis{count});
    EXPECT_EQ(*read_duration(text), Millis{count}) << text;
  }
  EXPECT_EQ(spell_duration(Millis{1'050}), "1.05s");
  EXPECT_EQ(spell_duration(Millis{50'000}), "50s");
  EXPECT_EQ(spell_duration(Millis{300'000}), "5min");
}

TEST(Size, units_are_read) {
  EXPECT_EQ(*read_size("0"), 0U);
  EXPECT_EQ(*read_size("4096"), 4'096U);
  EXPECT_EQ(*read_size("4096B"), 4'096U);
  EXPECT_EQ(*read_size("10MB"), 10'000'000U);
  EXPECT_EQ(*read_size("10 MiB"), 10'485'760U);
  EXPECT_EQ(*read_size("1.5GB"), 1'500'000'000U);
  EXPECT_EQ(*read_size("0.5KiB"), 512U);
}

TEST(Size, everything_else_is_an_error) {
  EXPECT_EQ(read_size("10M").error().what,
            "has the unknown unit \"M\"; the units are B, kB, MB, GB, KiB, MiB and GiB");
  EXPECT_EQ(read_size("big").error().what,
            "is no size: write a number and its unit, such as 500kB, 10MB or 1GiB");
  EXPECT_EQ(read_size("1.5B").error().what, "is no size that can be counted in bytes");
  EXPECT_EQ(read_size("9999999999999999").error().what, "is no size that can be counted in bytes");
}

TEST(Size, what_is_spelled_is_read_back) {
  for (const std::uint64_t bytes : {0U, 1U, 1'000U, 1'024U, 65'536U, 10'000'000U, 1'000'000'000U}) {
    const std::string text = spell_size(bytes);
    EXPECT_EQ(*read_size(text), bytes) << text;
  }
  EXPECT_EQ(spell_size(10'000'000), "10MB");
}

TEST(Value, durations_have_a_range_and_a_step) {
  EXPECT_THAT(faults({"server.keepalive: 29s"}),
              ElementsAre("server.keepalive: must be 30s to 1h, in whole seconds, not \"29s\""));
  EXPECT_THAT(faults({"server.keepalive: 30.5s"}),
              ElementsAre("server.keepalive: must be 30s to 1h, in whole seconds, not \"30.5s\""));
  EXPECT_THAT(faults({"time.margin: 61s"}),
              ElementsAre("time.margin: must be auto, 0ms to 1min, not \"61s\""));
  EXPECT_THAT(faults({"time.margin: 1000"}),
              ElementsAre("time.margin: \"1000\" has no unit; write 1000ms, 1000s, 1000min or 1000h "
                          "(accepted: auto, 0ms to 1min)"));
  EXPECT_THAT(faults({"time.margin: {ms: 5}"}),
              ElementsAre("time.margin: a map is no duration: write a number and its unit, such as 500ms, 1.5s, 2min or 1h "
                          "(accepted: auto, 0ms to 1min)"));
}

TEST(Value, whole_numbers_have_a_range) {
  for (const auto& [value, seen] : std::vector<std::pair<std::string, std::string>>{
           {"0", "\"0\""}, {"65536", "\"65536\""}, {"-1", "\"-1\""}, {"4081.0", "\"4081.0\""},
           {"0x10", "\"0x10\""}, {"ssh", "\"ssh\""}, {"[1]", "a list"},
           {"99999999999999999999", "\"99999999999999999999\""}}) {
    EXPECT_THAT(faults({"server.port: " + value}),
                ElementsAre("server.port: must be a whole number from 1 to 65535, not " + seen));
  }
  EXPECT_THAT(faults({"server.port: 1"}), IsEmpty());
  EXPECT_THAT(faults({"server.port: 65535"}), IsEmpty());
  EXPECT_THAT(faults({"server.port: \"4081\""}),
              ElementsAre("server.port: must be a whole number from 1 to 65535; write it without "
                          "quotes"));
}

TEST(Value, sizes_have_a_range) {
  EXPECT_THAT(faults({"log.rotate_bytes: 1kB"}),
              ElementsAre("log.rotate_bytes: must be 0, or 10kB to 100GB, not \"1kB\""));
  EXPECT_THAT(faults({"log.rotate_bytes: 10M"}),
              ElementsAre("log.rotate_bytes: \"10M\" has the unknown unit \"M\"; the units are B, kB, "
                          "MB, GB, KiB, MiB and GiB (accepted: 0, or 10kB to 100GB)"));
  EXPECT_THAT(faults({"log.rotate_bytes: []"}),
              ElementsAre("log.rotate_bytes: a list is no size: write a number and its unit, such as 500kB, 10MB or 1GiB "
                          "(accepted: 0, or 10kB to 100GB)"));
  EXPECT_THAT(faults({"log.rotate_bytes: 0"}), IsEmpty());
}

TEST(Value, only_true_and_false_are_flags) {
  for (const char* word : {"yes", "no", "on", "off", "True", "FALSE", "y", "1"}) {
    EXPECT_THAT(faults({std::string("server.challenge: ") + word}),
                ElementsAre(std::string("server.challenge: must be true or false, not \"") + word + "\""));
  }
  EXPECT_THAT(faults({"server.challenge: \"true\""}),
              ElementsAre("server.challenge: must be true or false; write it without quotes"));
  EXPECT_THAT(faults({"server.challenge: [true]"}), ElementsAre("server.challenge: must be true or false, not a list"));
}

TEST(Value, a_word_may_have_other_spellings) {
  EXPECT_EQ(load({"ponder: false"}).bots.at(0).ponder, Ponder::off);
  EXPECT_EQ(load({"ponder: true"}).bots.at(0).ponder, Ponder::on);
  EXPECT_EQ(load({"ponder: off"}).bots.at(0).ponder, Ponder::off);
  EXPECT_EQ(load({"ponder: on"}).bots.at(0).ponder, Ponder::on);
  EXPECT_EQ(load({"ponder: early"}).bots.at(0).ponder, Ponder::early);
  EXPECT_THAT(faults({"ponder: yes"}),
              ElementsAre("ponder: must be off, on or early, not \"yes\""));
  EXPECT_THAT(faults({"ponder: \"true\""}),
              ElementsAre("ponder: must be off, on or early, not \"true\""));
}

TEST(Value, a_word_is_one_of_those_that_are_known) {
  EXPECT_THAT(faults({"log.level: warning"}),
              ElementsAre("log.level: must be debug, info, warn or error, not \"warning\""));
  EXPECT_THAT(faults({"log.level: DEBUG"}),
              ElementsAre("log.level: must be debug, info, warn or error, not \"DEBUG\"; did you mean "
                          "debug?"));
  EXPECT_THAT(faults({"log.format: {}"}),
              ElementsAre("log.format: must be text or json, not a map"));
}

TEST(Value, a_key_without_a_value_is_refused) {
  EXPECT_THAT(faults({"server.port: "}),
              ElementsAre("server.port: has no value; write one (accepted: 1 to 65535) or remove the "
                          "line"));
  EXPECT_THAT(faults({"server.host: ~"}),
              ElementsAre("server.host: has no value; write one (accepted: a name or an address, "
                          "without port)"));
}

TEST(EngineCommand, one_text_is_a_path_with_its_spaces) {
  EXPECT_EQ(load({"engine.command: /opt/my engine/run"}).bots[0].engine.command,
            Lines{"/opt/my engine/run"});
}

TEST(EngineCommand, what_cannot_be_run_is_refused) {
  EXPECT_THAT(faults({"engine.command: []"}),
              ElementsAre("engine.command: must name a program"));
  EXPECT_THAT(faults({"engine.command: \"\""}),
              ElementsAre("engine.command: the program must not be empty; remove the line when it is "
                          "not needed"));
  EXPECT_THAT(faults({"engine.command: {a: b}"}),
              ElementsAre("engine.command: must be a list, [program, argument, …], not a map"));
  EXPECT_THAT(faults({"engine.command: [a, [b]]"}),
              ElementsAre("engine.command: each argument must be a text, not a list"));
  EXPECT_THAT(faults({"engine.command: ~/engine"}),
              ElementsAre("engine.command: the program begins with ~, which only a shell replaces; "
                          "write the whole path"));
  EXPECT_THAT(faults({"engine.command: [$HOME/engine]"}),
              ElementsAre("engine.command: the program holds $HOME, and variables are not replaced; "
                          "write the whole path"));
  EXPECT_THAT(faults({"engine.command: [a, \"b\\nc\"]"}),
              ElementsAre("engine.command: an argument must not hold a line end or another control "
                          "character"));
}

TEST(EngineOptions, keep_their_order_and_their_spelling) {
  const Loaded loaded = load({"engine.options: {USI_Hash: 1024, Book File: no_book, Contempt: -0.50, "
                              "Flag: true, Yes: yes, Empty: \"\", Clear Hash: , Reset: ~}"});

  ASSERT_THAT(described(loaded.problems), IsEmpty());
  using Option = std::pair<std::string, std::optional<std::string>>;
  EXPECT_THAT(loaded.bots[0].engine.options,
              ElementsAre(Option{"USI_Hash", "1024"}, Option{"Book File", "no_book"},
                          Option{"Contempt", "-0.50"}, Option{"Flag", "true"}, Option{"Yes", "yes"},
                          Option{"Empty", ""}, Option{"Clear Hash", std::nullopt},
                          Option{"Reset", std::nullopt}));
}

TEST(EngineOptions, a_list_may_repeat_a_name) {
  const Loaded loaded = load({"engine.options: [{Clear: }, {Hash: 1}, {Clear: }]"});

  ASSERT_THAT(described(loaded.problems), IsEmpty());
  EXPECT_EQ(loaded.bots[0].engine.options.size(), 3U);
}

TEST(EngineOptions, what_no_setoption_line_can_carry_is_refused) {
  EXPECT_THAT(faults({"engine.options: {Threads: [1]}"}),
              ElementsAre("engine.options.Threads: must be one text or number, not a list"));
  EXPECT_THAT(faults({"engine.options: {File: \"a\\nquit\"}"}),
              ElementsAre("engine.options.File: must not hold a line end or another control "
                          "character"));
  EXPECT_THAT(faults({"engine.options: {\"a value b\": 1}"}),
              ElementsAre("\"engine.options.a value b\": must not hold the word \"value\", where an "
                          "engine reads the name's end"));
  EXPECT_THAT(faults({"engine.options: {\" \": 1}"}),
              ElementsAre("\"engine.options. \": must have a name"));
  EXPECT_THAT(faults({"engine.options: [Threads, {a: 1, b: 2}]"}),
              ElementsAre("engine.options: each item of the list must be one Name: value",
                          "engine.options: each item of the list must be one Name: value"));
  EXPECT_THAT(faults({"engine.options: fast"}),
              ElementsAre("engine.options: must be a map, Name: value, not \"fast\""));
}

TEST(EngineOptions, their_number_is_bounded) {
  std::string options = "engine.options: {";
  for (int i = 0; i <= 1000; ++i) {
    options += "o" + std::to_string(i) + ": 1, ";
  }
  EXPECT_THAT(faults({options + "}"}), ElementsAre("engine.options: must have at most 1000 options"));
}

TEST(EngineEnvironment, names_and_values_are_judged) {
  EXPECT_THAT(faults({"engine.environment: {A-B: x}"}),
              ElementsAre("engine.environment.A-B: must be the name of an environment variable: "
                          "letters, digits and _, without a $"));
  EXPECT_THAT(faults({"engine.environment: {A: }"}),
              ElementsAre("engine.environment.A: must be a text, not nothing; the empty text is "
                          "\"\""));
  EXPECT_THAT(faults({"engine.environment: {A: 1, A: 2}"}),
              ElementsAre("engine.environment.A: is given twice, first in line 6; keep one"));
  EXPECT_THAT(faults({"engine.environment: {A: \"x\\ny\"}"}),
              ElementsAre("engine.environment.A: must not hold a line end or another control "
                          "character"));
  EXPECT_THAT(faults({"engine.environment: [A]"}),
              ElementsAre("engine.environment: must be a map, NAME: value, of at most 256 names"));
}

TEST(EngineEnvironment, a_variable_in_a_value_is_not_expanded_and_the_answer_says_what_to_do) {
  for (const char* value : {"$CUDA_HOME/lib64", "/opt/lib:${CUDA_HOME}"}) {
    EXPECT_THAT(faults({std::string("engine.environment: {A: \"") + value + "\"}"}),
                ElementsAre("engine.environment.A: is given to the engine as it stands, and $CUDA_HOME is not "
                            "expanded; to hand down a variable of the bridge's own, name it in "
                            "engine.pass_environment"));
  }
  EXPECT_THAT(faults({"engine.environment: {A: \"cost: 5$, $ORIGIN/../lib, ${LIB}, $1\"}"}), IsEmpty());
}

TEST(EngineEnvironment, what_is_passed_is_judged) {
  EXPECT_THAT(faults({"engine.pass_environment: [usual, FOO_*, BAR]"}), IsEmpty());
  EXPECT_THAT(faults({"engine.pass_environment: \"*\""}), IsEmpty());
  EXPECT_THAT(faults({"engine.pass_environment: [$FOO]"}),
              ElementsAre("engine.pass_environment: must be the name of an environment variable, without a $, or a "
                          "pattern such as FOO_*"));
  EXPECT_THAT(faults({"engine.pass_environment: [\"*A*B*\"]"}),
              ElementsAre("engine.pass_environment: must hold * twice at most"));
}

}  // namespace
}  // namespace kakehashi::config
