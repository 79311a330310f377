// The list below notify.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/schema/plain_settings.hpp"
#include "tests/config/settings.hpp"

namespace kakehashi::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Notify> read(const std::string& value) {
  const Loaded loaded = load({"notify: " + value});
  EXPECT_TRUE(loaded.problems.empty()) << described(loaded.problems).front();
  return loaded.bots.front().notify;
}

std::string fault(const std::string& value) {
  const Loaded loaded = load({"notify: " + value});
  return loaded.problems.empty() ? "" : described(loaded.problems).front();
}

TEST(ReadNotify, a_webhook_and_a_command) {
  const auto receivers = read(
      "[{url_file: /etc/hook, template: discord, events: [result, rescue]}, {command: [/bin/tell, -v], "
      "events: paired}]");
  ASSERT_EQ(receivers.size(), 2U);
  EXPECT_EQ(receivers[0].url_file, "/etc/hook");
  EXPECT_EQ(receivers[0].as, NotifyTemplate::discord);
  EXPECT_THAT(receivers[0].events, ElementsAre(NotifyEvent::result, NotifyEvent::rescue));
  EXPECT_THAT(receivers[1].command, ElementsAre("/bin/tell", "-v"));
  EXPECT_THAT(receivers[1].events, ElementsAre(NotifyEvent::paired));
}

TEST(ReadNotify, an_event_that_comes_again_counts_once) {
  EXPECT_THAT(read("[{url_file: /a, events: [rescue, result, rescue]}]")[0].events,
              ElementsAre(NotifyEvent::rescue, NotifyEvent::result));
}

TEST(ReadNotify, without_events_results_are_told_as_json) {
  const auto receivers = read("[{url_file: /etc/hook}]");
  EXPECT_EQ(receivers[0].as, NotifyTemplate::json);
  EXPECT_THAT(receivers[0].events, ElementsAre(NotifyEvent::result));
}

TEST(ReadNotify, what_makes_no_sense_is_said) {
  EXPECT_THAT(fault("yes"), HasSubstr("must be a list"));
  EXPECT_THAT(fault("[a]"), HasSubstr("must be a map"));
  EXPECT_THAT(fault("[{}]"), HasSubstr("either url_file or command"));
  EXPECT_THAT(fault("[{url_file: /a, command: [/b]}]"), HasSubstr("either url_file or command"));
  EXPECT_THAT(fault("[{command: [/b], template: slack}]"), HasSubstr("goes with url_file"));
  EXPECT_THAT(fault("[{url_file: /a, events: [wins]}]"), HasSubstr("notify[1].events: must be paired, started"));
  EXPECT_THAT(fault("[{url_file: /a, events: []}]"), HasSubstr("not an empty list"));
  EXPECT_THAT(fault("[{url_file: /a, template: teams}]"), HasSubstr("discord, slack, json or text"));
  EXPECT_THAT(fault("[{url_file: /a, colour: red}]"),
              HasSubstr("is no setting of a recipient; there are url_file, command, template, events"));
  EXPECT_THAT(fault("[{url_file: /a}, {command: /b, event: result}]"), HasSubstr("notify[2].event: is no setting"));
  EXPECT_THAT(fault("[{url_file: /a, event: result}]"), HasSubstr("did you mean events?"));
  EXPECT_THAT(fault("[{url_file: /a, url_file: /b}]"), HasSubstr("is given twice"));
  EXPECT_THAT(fault("[{command: []}]"), HasSubstr("must name a program"));
  std::string most = "/b";
  for (int i = 0; i < 64; ++i) {
    most += ", x";
  }
  EXPECT_THAT(fault("[{command: [" + most + "]}]"), HasSubstr("at most 64 texts"));
  EXPECT_THAT(fault("[{url: https://x/s3cret}]"), HasSubstr("url_file"));
  EXPECT_EQ(fault("[{url: https://x/s3cret}]").find("s3cret"), std::string::npos);
}

TEST(ReadNotify, comes_back_from_a_journal) {
  const Loaded loaded = load({"notify: [{url_file: /etc/hook, template: text}, {command: [/bin/tell, -v]}]"});
  BotConfig back;
  for (const PlainSetting& setting : plain_settings(loaded.bots.front())) {
    EXPECT_TRUE(apply(setting, back)) << setting.key;
  }
  EXPECT_EQ(back.notify, loaded.bots.front().notify);
  EXPECT_EQ(plain_settings(*find_key("notify"), back).front().values,
            (std::vector<std::string>{"notify.url_file\x1F/etc/hook", "notify.template\x1Ftext", "notify.events\x1Fresult"}));
}

TEST(ReadNotify, takes_from_a_journal_only_what_it_knows) {
  BotConfig other;
  for (const auto& values : std::vector<std::vector<std::string>>{
           {}, {"/a"}, {""}, {"notify.colour\x1Fred"}, {"notify.template\x1Fteams"}, {"notify.template"}}) {
    EXPECT_FALSE(apply({"notify", values}, other));
  }
}

}  // namespace
}  // namespace kakehashi::config
