// Work that waits for a disk is done in order on another thread, all of it, and never piles up.
#include "base/io/threads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <optional>
#include <thread>
#include <vector>

namespace kakehashi::daemon {
namespace {

using testing::ElementsAre;

TEST(Background, work_is_done_in_order_on_another_thread) {
  std::vector<int> done;  // the worker's until the background is gone
  std::thread::id worker;
  {
    base::io::Background background;
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(background.post([&done, &worker, i] {
        done.push_back(i);
        worker = std::this_thread::get_id();
      }));
    }
  }
  EXPECT_THAT(done, ElementsAre(0, 1, 2)) << "what waits is done before the end";
  EXPECT_NE(worker, std::this_thread::get_id());
}

TEST(Background, work_that_may_come_soon_comes_unasked_and_in_its_turn) {
  using Pace = base::io::Background::Pace;
  std::vector<int> done;
  {
    base::io::Background background;
    for (int round = 0; round < 3; ++round) {
      std::promise<void> last;
      ASSERT_TRUE(background.post([&] { done.push_back(1); }, Pace::at_once));
      ASSERT_TRUE(background.post([&] { done.push_back(2); }, Pace::soon));
      ASSERT_TRUE(background.post([&] { done.push_back(3); last.set_value(); }, Pace::soon));
      last.get_future().wait();  // nothing else wakes it
      std::this_thread::sleep_for(round * base::io::Background::gathering);
    }
    ASSERT_TRUE(background.post([&] { done.push_back(4); }, Pace::soon));
    ASSERT_TRUE(background.post([&] { done.push_back(5); }, Pace::at_once));
  }
  EXPECT_THAT(done, ElementsAre(1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 5));
}

TEST(Background, too_much_work_is_refused_until_some_is_done) {
  std::promise<void> begun;
  std::promise<void> release;
  std::shared_future<void> released(release.get_future());
  std::size_t done = 0;
  std::optional<base::io::Background> background(std::in_place);
  ASSERT_TRUE(background->post([&begun, released] {
    begun.set_value();
    released.wait();
  }));
  begun.get_future().wait();
  for (std::size_t i = 0; i < base::io::Background::waiting_max; ++i) {
    EXPECT_TRUE(background->post([&done] { ++done; }));
  }
  EXPECT_FALSE(background->post([&done] { ++done; }));
  release.set_value();
  std::promise<void> freed;
  while (!background->post([&freed] { freed.set_value(); })) {
    std::this_thread::yield();
  }
  freed.get_future().wait();
  background.reset();
  EXPECT_EQ(done, base::io::Background::waiting_max);
}

/// A bot with a journal posts its records from the journal's thread, one without from the loop.
TEST(Background, two_threads_may_both_be_the_first_to_post) {
  for (int round = 0; round < 500; ++round) {
    std::atomic<int> done = 0;
    {
      base::io::Background background;
      std::atomic<int> ready = 0;
      const auto post = [&] {
        for (++ready; ready < 2;) {  // awake, so that both go on at the same instant
        }
        EXPECT_TRUE(background.post([&done] { ++done; }));
      };
      std::thread other(post);
      post();
      other.join();
    }
    ASSERT_EQ(done, 2);
  }
}

TEST(Background, without_work_there_is_nothing_to_wait_for) { const base::io::Background background; }

TEST(Background, behind_its_end_nothing_is_taken) {
  base::io::Background background;
  bool is_done = false;
  EXPECT_TRUE(background.post([&is_done] { is_done = true; }));
  background.finish();
  EXPECT_TRUE(is_done);
  EXPECT_FALSE(background.post([] {}));
}

}  // namespace
}  // namespace kakehashi::daemon
