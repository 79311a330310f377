// The thread that waits for the disk: nothing that was handed to it is lost, whatever it waits for.
#include "base/io/threads.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/system/scratch.hpp"

namespace kakehashi::journal::io {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

/// To end a test that hangs, never to prove anything.
constexpr std::chrono::seconds patience{60};

class DiskThreadTest : public testing::Test {
 protected:
  base::io::DiskThread& disk(base::io::DiskThread::Sync sync) {
    return boost::asio::make_service<base::io::DiskThread>(*context, std::move(sync));
  }

  std::shared_ptr<base::io::SyncedFile> file(const std::string& name) {
    auto made = std::make_shared<base::io::SyncedFile>(base::io::File(scratch.path(name), O_WRONLY | O_CREAT));
    EXPECT_TRUE(made->file().is_open());
    return made;
  }

  test::Scratch scratch;
  std::optional<boost::asio::io_context> context{std::in_place};
};

/// A disk that answers as it is told, and keeps account.
struct FakeDisk {
  int synchronise(int descriptor) {
    const std::scoped_lock lock(mutex);
    synchronised.push_back(descriptor);
    threads.push_back(std::this_thread::get_id());
    if (errors.empty()) {
      return 0;
    }
    errno = errors.back();
    errors.pop_back();
    return -1;
  }
  base::io::DiskThread::Sync sync() {
    return [this](int descriptor) { return synchronise(descriptor); };
  }

  std::mutex mutex;
  std::vector<int> synchronised;
  std::vector<std::thread::id> threads;
  std::vector<int> errors;  ///< the last is the next answer
};

TEST_F(DiskThreadTest, what_was_due_is_synchronised_and_closed_before_the_context_is_gone) {
  FakeDisk fake;
  base::io::DiskThread& thread = disk(fake.sync());
  std::vector<std::weak_ptr<base::io::SyncedFile>> files;
  for (int i = 0; i < 500; ++i) {
    const auto one = file(std::to_string(i));
    thread.sync_soon(one);
    files.push_back(one);
  }
  context.reset();
  EXPECT_THAT(fake.synchronised, SizeIs(500));
  EXPECT_THAT(fake.threads, Each(testing::Ne(std::this_thread::get_id())));
  for (const auto& one : files) {
    EXPECT_TRUE(one.expired());
  }
}

TEST_F(DiskThreadTest, what_comes_while_the_disk_is_busy_costs_one_synchronisation_more) {
  FakeDisk fake;
  std::promise<void> began;
  std::promise<void> released;
  base::io::DiskThread& thread = disk([&, calls = 0](int descriptor) mutable {
    if (++calls == 1) {
      began.set_value();
      released.get_future().wait_for(patience);
    }
    return fake.synchronise(descriptor);
  });
  const auto game = file("game");
  thread.sync_soon(game);
  ASSERT_EQ(began.get_future().wait_for(patience), std::future_status::ready);
  for (int move = 0; move < 100; ++move) {
    thread.sync_soon(game);  // returns although the disk does not answer
  }
  released.set_value();
  context.reset();
  EXPECT_THAT(fake.synchronised, SizeIs(2));
}

TEST_F(DiskThreadTest, what_fails_stands_in_the_file_and_the_first_reason_stays) {
  FakeDisk fake;
  fake.errors = {ENOSPC, EIO};
  base::io::DiskThread& thread = disk(fake.sync());
  const auto game = file("game");
  thread.sync_soon(game);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (game->sync_error() == 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_EQ(game->sync_error(), EIO);
  thread.sync_soon(game);
  context.reset();
  EXPECT_EQ(game->sync_error(), EIO);
  EXPECT_THAT(fake.synchronised, SizeIs(2));
}

TEST_F(DiskThreadTest, an_interrupted_call_is_repeated_and_what_is_no_disk_is_no_fault) {
  FakeDisk fake;
  fake.errors = {EINVAL, EINTR};
  base::io::DiskThread& thread = disk(fake.sync());
  const auto game = file("game");
  thread.sync_soon(game);
  context.reset();
  EXPECT_THAT(fake.synchronised, SizeIs(2));
  EXPECT_EQ(game->sync_error(), 0);
}

TEST_F(DiskThreadTest, work_is_done_in_its_order_and_files_are_synchronised_behind_it) {
  FakeDisk fake;
  base::io::DiskThread& thread = disk(fake.sync());
  std::vector<std::string> done;
  std::promise<void> released;
  EXPECT_TRUE(thread.post([&] {
    released.get_future().wait_for(patience);
    done.emplace_back("first");
  }));
  const auto game = file("game");
  thread.sync_soon(game);
  EXPECT_TRUE(thread.post([&] { done.emplace_back("second"); }));
  released.set_value();
  context.reset();
  EXPECT_THAT(done, ElementsAre("first", "second"));
  EXPECT_THAT(fake.synchronised, ElementsAre(game->file().descriptor()));
}

TEST_F(DiskThreadTest, too_much_work_is_refused) {
  FakeDisk fake;
  base::io::DiskThread& thread = disk(fake.sync());
  std::promise<void> began;
  std::promise<void> released;
  EXPECT_TRUE(thread.post([&] {
    began.set_value();
    released.get_future().wait_for(patience);
  }));
  ASSERT_EQ(began.get_future().wait_for(patience), std::future_status::ready);
  std::size_t done = 0;
  for (std::size_t i = 0; i < base::io::DiskThread::waiting_max; ++i) {
    EXPECT_TRUE(thread.post([&] { ++done; }));
  }
  EXPECT_FALSE(thread.post([&] { ++done; }));
  released.set_value();
  context.reset();
  EXPECT_EQ(done, base::io::DiskThread::waiting_max);
}

TEST_F(DiskThreadTest, a_handler_that_is_dropped_with_the_context_still_has_its_file_synchronised) {
  struct Owner {
    Owner(base::io::DiskThread& disk, std::shared_ptr<base::io::SyncedFile> file)
        : thread(&disk), game(std::move(file)) {}
    Owner(Owner&&) noexcept = default;
    Owner(const Owner&) = default;
    Owner& operator=(const Owner&) = delete;
    Owner& operator=(Owner&&) = delete;
    ~Owner() {
      if (game) {
        thread->sync_soon(game);
      }
    }
    base::io::DiskThread* thread;
    std::shared_ptr<base::io::SyncedFile> game;
  };
  FakeDisk fake;
  base::io::DiskThread& thread = disk(fake.sync());
  std::weak_ptr<base::io::SyncedFile> watched;
  {
    auto owner = std::make_shared<Owner>(thread, file("game"));
    watched = owner->game;
    boost::asio::post(*context, [held = std::move(owner)] {});
  }
  EXPECT_FALSE(watched.expired());
  context.reset();
  EXPECT_TRUE(watched.expired());
  EXPECT_THAT(fake.synchronised, SizeIs(1));
}

TEST_F(DiskThreadTest, one_thread_serves_all_of_a_context_on_a_real_disk) {
  base::io::DiskThread& thread = base::io::DiskThread::of(*context);
  EXPECT_EQ(&base::io::DiskThread::of(*context), &thread);
  const auto game = file("game");
  ASSERT_TRUE(game->file().write("+7776FU\n"));
  thread.sync_soon(game);
  context.reset();
  EXPECT_EQ(game->sync_error(), 0);
  EXPECT_EQ(test::read_text(scratch.path("game")), "+7776FU\n");
}

TEST_F(DiskThreadTest, a_context_that_never_used_it_ends_without_it) {
  static_cast<void>(base::io::DiskThread::of(*context));
  context.reset();
}

}  // namespace
}  // namespace kakehashi::journal::io
