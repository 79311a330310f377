// The standby engine and the limits of the engine processes, from their texts to what is started.
#include "config/engine_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/settings.hpp"
#include "usi/process.hpp"

namespace kakehashi::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Engine first() {
  Engine engine;
  engine.command = {"/opt/first", "--fast"};
  engine.protocol = usi::Protocol::uci;
  engine.directory = "/opt/data";
  engine.environment = {{"LEVEL", "9"}};
  engine.options = {{"Threads", "16"}};
  engine.clock = EngineClock::included;
  engine.ready_timeout = Millis{7'000};
  return engine;
}

TEST(Standby, is_none_unless_asked_for) { EXPECT_FALSE(first().standby.enabled); }

TEST(Standby, without_a_command_it_is_the_first_engine_but_for_what_is_given) {
  Engine engine = first();
  engine.standby.enabled = true;
  engine.standby.options = {{"Threads", "2"}};

  const Engine standby = further_engine(engine, engine.standby);

  EXPECT_EQ(standby.command, engine.command);
  EXPECT_EQ(standby.directory, engine.directory);
  EXPECT_EQ(standby.environment, engine.environment);
  EXPECT_EQ(standby.options, engine.standby.options);
  EXPECT_EQ(standby.clock, EngineClock::included);
  EXPECT_FALSE(standby.standby.enabled);
}

TEST(Standby, with_a_command_it_has_only_what_is_given_and_the_first_ones_timeouts) {
  Engine engine = first();
  engine.standby.enabled = true;
  engine.standby.command = {"/opt/second"};
  engine.standby.protocol = usi::Protocol::usi;

  const Engine standby = further_engine(engine, engine.standby);

  EXPECT_THAT(standby.command, ElementsAre("/opt/second"));
  EXPECT_EQ(standby.protocol, usi::Protocol::usi);
  EXPECT_EQ(standby.directory, "");
  EXPECT_THAT(standby.environment, IsEmpty());
  EXPECT_THAT(standby.options, IsEmpty());
  EXPECT_EQ(standby.clock, EngineClock::automatic);
  EXPECT_EQ(standby.ready_timeout, Millis{7'000});
}

TEST(Standby, is_read_from_a_map_that_switches_it_on) {
  const Loaded loaded = load_text(R"(
server: {host: csa.example}
account: {name: mybot, password_env: TRIP}
engine:
  command: [/opt/first]
  standby:
    command: [/opt/second, --small]
    options: {Threads: 2}
    environment: {LEVEL: "1"}
  limits:
    memory: 2GB
    nice: 5
    cpus: 0-3,8
    open_files: 100
)");
  ASSERT_THAT(texts(loaded.problems), IsEmpty());
  const Engine& engine = loaded.bots.at(0).engine;
  EXPECT_TRUE(engine.standby.enabled);
  EXPECT_THAT(engine.standby.command, ElementsAre("/opt/second", "--small"));
  EXPECT_EQ(engine.standby.options.size(), 1U);
  EXPECT_EQ(engine.limits.memory, 2'000'000'000U);
  EXPECT_EQ(engine.limits.nice, 5);
  EXPECT_EQ(engine.limits.cpus, "0-3,8");
  EXPECT_EQ(engine.limits.open_files, 100);
  EXPECT_FALSE(engine.limits.core_dumps);
}

TEST(Standby, by_true_alone_it_is_the_same_engine_once_more) {
  const Loaded loaded = load({"engine.standby: true"});
  ASSERT_THAT(texts(loaded.problems), IsEmpty());
  EXPECT_THAT(further_engine(loaded.bots.at(0).engine, loaded.bots.at(0).engine.standby).command, ElementsAre("/opt/engine"));
}

TEST(Limits, that_make_no_sense_are_refused) {
  EXPECT_THAT(texts(load({"engine.limits.cpus: 3-1"}).problems),
              ElementsAre(HasSubstr("must list processors from 0 to 1023, such as 0-3,8")));
  EXPECT_THAT(texts(load({"engine.limits.nice: -5"}).problems), testing::SizeIs(1));
  EXPECT_THAT(texts(load({"engine.limits.memory: 1kB"}).problems), testing::SizeIs(1));
  EXPECT_THAT(texts(load({"engine.limits: 5"}).problems),
              ElementsAre(HasSubstr("engine.limits: must hold keys")));
}

TEST(CpuList, takes_numbers_and_ranges) {
  EXPECT_THAT(usi::parse_cpu_list("0"), testing::Optional(ElementsAre(0)));
  EXPECT_THAT(usi::parse_cpu_list("8,0-3,2"), testing::Optional(ElementsAre(0, 1, 2, 3, 8)));
  EXPECT_THAT(usi::parse_cpu_list("1023"), testing::Optional(ElementsAre(1023)));
}

TEST(CpuList, refuses_what_is_none) {
  for (const char* text : {"", ",", "0,", "-1", "3-1", "1024", "0-", "-", "a", "0 1", "+1", "0x1",
                           "0-3-5", "99999999999999999999"}) {
    EXPECT_FALSE(usi::parse_cpu_list(text)) << text;
  }
}

}  // namespace
}  // namespace kakehashi::config
