// An alarm rings once, never before its instant, and forgets what was replaced.
#include "base/io/alarm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tests/system/loop.hpp"

namespace kakehashi::daemon {
namespace {

using std::chrono::steady_clock;
using test::run_until;
using testing::ElementsAre;
using testing::IsEmpty;

class AlarmTest : public testing::Test {
 protected:
  base::io::Alarm::Wake note(const std::string& word) {
    return [this, word] { heard.push_back(word); };
  }

  boost::asio::io_context context;
  base::io::Alarm alarm{context};
  std::vector<std::string> heard;
};

TEST_F(AlarmTest, an_instant_that_was_moved_back_and_forth_rings_once_and_not_too_early) {
  const auto from = steady_clock::now();
  alarm.set(from + base::Millis{1}, note("early"));
  alarm.set(from + std::chrono::hours{1}, note("late"));
  const auto at = from + base::Millis{30};
  alarm.set(at, note("meant"));
  ASSERT_TRUE(run_until(context, [&] { return !heard.empty(); }));
  EXPECT_GE(steady_clock::now(), at);
  context.restart();
  context.run();
  EXPECT_THAT(heard, ElementsAre("meant"));
}

TEST_F(AlarmTest, an_earlier_instant_does_not_wait_for_a_later_one) {
  alarm.set(steady_clock::now() + std::chrono::hours{1}, note("late"));
  alarm.set(steady_clock::now(), note("now"));
  context.run();
  EXPECT_THAT(heard, ElementsAre("now"));
}

TEST_F(AlarmTest, whoever_is_woken_may_set_the_next_one) {
  alarm.set(steady_clock::now(), [this] {
    heard.emplace_back("first");
    alarm.set(steady_clock::now(), note("second"));
  });
  context.run();
  EXPECT_THAT(heard, ElementsAre("first", "second"));
}

TEST_F(AlarmTest, a_cancelled_one_keeps_no_loop_running_and_can_be_set_again) {
  alarm.set(steady_clock::now() + std::chrono::hours{1}, note("never"));
  alarm.cancel();
  context.run();
  EXPECT_THAT(heard, IsEmpty());
  context.restart();
  alarm.set(steady_clock::now(), note("again"));
  context.run();
  EXPECT_THAT(heard, ElementsAre("again"));
}

TEST_F(AlarmTest, one_that_is_gone_wakes_nobody) {
  std::optional<base::io::Alarm> gone(std::in_place, context);
  gone->set(steady_clock::now(), note("never"));
  gone.reset();
  context.run();
  EXPECT_THAT(heard, IsEmpty());
}

}  // namespace
}  // namespace kakehashi::daemon
