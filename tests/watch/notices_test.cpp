// What people are told, when, and in which words.
#include "watch/notices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <variant>

#include "config/schema/keys.hpp"

namespace kakehashi::watch {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using Outcome = Deliveries::Outcome;
using Verdict = Deliveries::Verdict;

base::Now at(std::chrono::minutes since) {
  return {base::SteadyTime(std::chrono::hours(1000) + since), base::WallTime(since)};
}

Notice notice(const std::string& text) { return {config::NotifyEvent::paired, "mybot", {}, base::verbatim(text), {{"opponent", "foe"}}}; }

TEST(Notices, chosen_facts_are_events_in_the_words_of_the_log) {
  Notices notices("mybot");
  const auto told = [&](const bridge::Fact& fact) { return notices.take(fact, at(0min)); };
  const auto paired = told(bridge::Paired{"foe", shogi::Color::white, "g1"});
  ASSERT_TRUE(paired);
  EXPECT_EQ(paired->event, config::NotifyEvent::paired);
  EXPECT_EQ(paired->text, "paired with \"foe\", playing white, game \"g1\"");
  EXPECT_EQ(paired->fields, (std::vector<std::pair<std::string, std::string>>{
                                {"opponent", "foe"}, {"color", "white"}, {"game_id", "g1"}}));
  EXPECT_EQ(told(bridge::GameStarted{"g1"})->event, config::NotifyEvent::started);
  const auto ended = told(bridge::GameEnded{csa::Outcome::win, "#RESIGN", false, "foe", "g1", 1});
  EXPECT_EQ(ended->event, config::NotifyEvent::result);
  EXPECT_EQ(ended->text, "won (#RESIGN) against \"foe\" after 1 move");
  const auto lost_sight = told(bridge::GameEnded{csa::Outcome::none, "", true, "foe", "g1", 2});
  EXPECT_EQ(lost_sight->event, config::NotifyEvent::result);
  EXPECT_EQ(lost_sight->text, "the connection ended in mid-game against \"foe\" after 2 moves");
  EXPECT_EQ(told(bridge::RescuePlayed{bridge::RescueCause::gone, base::verbatim("a")})->event, config::NotifyEvent::rescue);
  EXPECT_FALSE(told(bridge::Occurred{bridge::Incident::logged_in}));
}

TEST(Notices, an_event_is_called_as_people_ask_for_it) {
  const config::Key* key = config::find_key(config::item_keys(*config::find_key("notify")), "notify.events");
  const auto& words = std::get<config::ChoicesKey>(key->shape).words;
  ASSERT_EQ(words.size(), static_cast<std::size_t>(config::NotifyEvent::test)) << "nobody asks for this one";
  for (std::size_t i = 0; i < words.size(); ++i) {
    Notice one = notice("a");
    one.event = static_cast<config::NotifyEvent>(i);
    const auto told = boost::json::parse(payload(one, config::NotifyTemplate::json).body);
    EXPECT_EQ(told.at("event").as_string(), words[i]);
  }
}

TEST(Notices, an_hour_without_a_game_is_told_once) {
  Notices notices("mybot");
  constexpr auto waiting = bridge::Phase::waiting;
  EXPECT_TRUE(notices.look(waiting, at(0min)).empty());
  EXPECT_TRUE(notices.look(waiting, at(59min)).empty());
  const auto told = notices.look(waiting, at(60min));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].event, config::NotifyEvent::no_game);
  EXPECT_TRUE(notices.look(waiting, at(200min)).empty());
  EXPECT_TRUE(notices.look(bridge::Phase::playing, at(201min)).empty());
  EXPECT_TRUE(notices.look(waiting, at(260min)).empty());
  EXPECT_EQ(notices.look(waiting, at(261min)).size(), 1U) << "an hour after that game";
}

TEST(Notices, ten_minutes_without_a_login_are_told_once) {
  Notices notices("mybot");
  EXPECT_TRUE(notices.look(bridge::Phase::playing, at(0min)).empty());
  EXPECT_TRUE(notices.look(bridge::Phase::connecting, at(9min)).empty());
  const auto told = notices.look(bridge::Phase::backoff, at(10min));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].event, config::NotifyEvent::disconnected);
  EXPECT_TRUE(notices.look(bridge::Phase::connecting, at(30min)).empty());
  EXPECT_TRUE(notices.look(bridge::Phase::waiting, at(31min)).empty());
  EXPECT_EQ(notices.look(bridge::Phase::connecting, at(41min)).size(), 1U);
}

TEST(Payload, no_name_calls_a_channel) {
  const Notice hostile = notice("paired with @everyone <!channel> **x** [a](http://b)\n{}");
  const auto discord = boost::json::parse(payload(hostile, config::NotifyTemplate::discord).body);
  EXPECT_TRUE(discord.at("allowed_mentions").at("parse").as_array().empty());
  EXPECT_THAT(std::string(discord.at("content").as_string()), HasSubstr("\\*\\*x\\*\\*"));
  const auto slack = boost::json::parse(payload(hostile, config::NotifyTemplate::slack).body);
  EXPECT_THAT(std::string(slack.at("text").as_string()), HasSubstr("&lt;!channel&gt;"));
  EXPECT_EQ(payload(hostile, config::NotifyTemplate::text).body.find('\n'),
            payload(hostile, config::NotifyTemplate::text).body.size() - 1);
}

TEST(Payload, no_name_reorders_or_hides_what_stands_beside_it) {
  const Notice hostile = notice("lost against \u202Eyrra");
  for (const auto& [form, key] : {std::pair{config::NotifyTemplate::discord, "content"}, {config::NotifyTemplate::slack, "text"}}) {
    const auto told = boost::json::parse(payload(hostile, form).body);
    EXPECT_THAT(std::string(told.at(key).as_string()), testing::AllOf(HasSubstr("u202Eyrra"), testing::Not(HasSubstr("\u202E"))));
  }
}

TEST(Payload, json_has_the_fields_of_the_note) {
  const auto parsed = boost::json::parse(payload(notice("a\xFF"), config::NotifyTemplate::json).body);
  EXPECT_EQ(parsed.at("event").as_string(), "paired");
  EXPECT_EQ(parsed.at("bot").as_string(), "mybot");
  EXPECT_EQ(parsed.at("text").as_string(), "a?");
  EXPECT_EQ(parsed.at("fields").at("opponent").as_string(), "foe");
}

TEST(Deliveries, one_is_sent_at_a_time_and_in_order) {
  Deliveries queue;
  EXPECT_TRUE(queue.add(notice("a")));
  EXPECT_TRUE(queue.add(notice("b")));
  EXPECT_EQ(queue.begin(at(0min).steady)->text, "a");
  EXPECT_FALSE(queue.begin(at(0min).steady));
  EXPECT_FALSE(queue.due());
  EXPECT_EQ(queue.ended(Outcome::delivered, at(0min).steady), Verdict::done);
  EXPECT_EQ(queue.begin(at(0min).steady)->text, "b");
}

TEST(Deliveries, another_try_comes_after_growing_pauses_and_not_for_ever) {
  Deliveries queue;
  queue.add(notice("a"));
  auto now = at(0min).steady;
  base::Millis pause{0};
  for (int attempt = 1; attempt < Deliveries::attempts_max; ++attempt) {
    ASSERT_TRUE(queue.begin(now));
    ASSERT_EQ(queue.ended(Outcome::later, now), Verdict::tries_again);
    ASSERT_TRUE(queue.due());
    const auto next = base::millis_between(now, *queue.due());
    EXPECT_GT(next, pause);
    EXPECT_LE(next, Deliveries::pause_max);
    EXPECT_FALSE(queue.begin(now)) << "before its time";
    pause = next;
    now = *queue.due();
  }
  ASSERT_TRUE(queue.begin(now));
  EXPECT_EQ(queue.ended(Outcome::later, now), Verdict::gives_up);
  EXPECT_FALSE(queue.due());
}

TEST(Deliveries, a_refusal_is_final) {
  Deliveries queue;
  queue.add(notice("a"));
  queue.add(notice("b"));
  ASSERT_TRUE(queue.begin(at(0min).steady));
  EXPECT_EQ(queue.ended(Outcome::refused, at(0min).steady), Verdict::gives_up);
  EXPECT_EQ(queue.begin(at(0min).steady)->text, "b");
}

TEST(Deliveries, too_many_push_out_the_oldest_that_was_not_tried) {
  Deliveries queue;
  queue.add(notice("first"));
  ASSERT_TRUE(queue.begin(at(0min).steady));
  for (std::size_t i = 1; i < Deliveries::waiting_max; ++i) {
    EXPECT_TRUE(queue.add(notice(std::to_string(i))));
  }
  EXPECT_FALSE(queue.add(notice("last")));
  EXPECT_EQ(queue.ended(Outcome::delivered, at(0min).steady), Verdict::done);
  EXPECT_EQ(queue.begin(at(0min).steady)->text, "2") << "1 was left out";
}

TEST(Deliveries, statuses_of_http_are_understood) {
  for (const int status : {200, 204}) {
    EXPECT_EQ(Deliveries::outcome_of(status), Outcome::delivered) << status;
  }
  for (const int status : {408, 429, 500, 503}) {
    EXPECT_EQ(Deliveries::outcome_of(status), Outcome::later) << status;
  }
  for (const int status : {301, 400, 401, 404}) {
    EXPECT_EQ(Deliveries::outcome_of(status), Outcome::refused) << status;
  }
}

}  // namespace
}  // namespace kakehashi::watch
