// A book that replaces another is read behind the loop's back, and no news of it comes too late.
#include "daemon/book_loader.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <future>
#include <optional>
#include <thread>

#include "tests/system/scratch.hpp"

namespace kakehashi::daemon {
namespace {

class BookLoaderTest : public testing::Test {
 protected:
  config::Book book(const std::string& name) {
    config::Book settings;
    settings.file = scratch.path(name);
    test::write_text(settings.file, "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/"
                                   "1B5R1/LNSGKGSNL b - 0\n2g2f 3c3d 0 0\n");
    return settings;
  }
  [[nodiscard]] bool holds(const config::Book& settings) const {
    return loader->book().is_still(settings);
  }

  test::Scratch scratch;
  boost::asio::io_context context;
  std::promise<void> gate;  ///< passed by each book that is read elsewhere than here
  std::thread::id here = std::this_thread::get_id();
  std::optional<BookLoader> loader{
      std::in_place, context, [this, passed = gate.get_future().share()](const config::Book& settings) {
        if (std::this_thread::get_id() != here) {
          passed.wait();
        }
        return std::make_shared<const BookFile>(settings);
      }};
  int opened = 0;
  std::function<void()> count = [this] { ++opened; };
};

TEST_F(BookLoaderTest, at_first_there_is_none) { EXPECT_TRUE(holds(config::Book{})); }

TEST_F(BookLoaderTest, another_book_is_read_while_the_loop_goes_on) {
  const auto first = book("first.db");
  const auto second = book("second.db");
  loader->open(first, count);
  EXPECT_EQ(opened, 0) << "it may lie on a disk that stands still";
  gate.set_value();
  context.run();
  ASSERT_TRUE(holds(first));
  loader->open(second, count);
  EXPECT_EQ(opened, 1);
  EXPECT_FALSE(holds(first)) << "two at once may not fit in memory";
  context.restart();
  context.run();
  EXPECT_EQ(opened, 2);
  EXPECT_TRUE(holds(second));
}

TEST_F(BookLoaderTest, the_same_book_is_not_read_again) {
  const auto first = book("first.db");
  gate.set_value();
  loader->open(first, count);
  context.run();
  const BookFile* before = &loader->book();
  loader->open(first, count);
  context.restart();
  context.run();
  EXPECT_EQ(opened, 2);
  EXPECT_EQ(&loader->book(), before);
}

TEST_F(BookLoaderTest, a_book_on_the_disk_is_asked_by_the_thread) {
  auto first = book("first.db");
  first.on_the_fly = true;
  gate.set_value();
  loader->open(first, count);
  context.run();
  std::string told;
  loader->look_up("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
                 [&](const std::string& lines) { told = lines; });
  EXPECT_EQ(told, "");
  context.restart();
  context.run();
  EXPECT_EQ(told.substr(0, 4), "2g2f");
}

TEST_F(BookLoaderTest, nothing_is_heard_of_it_when_the_loader_is_gone) {
  loader->open(book("first.db"), count);
  gate.set_value();
  loader.reset();
  context.run();
  EXPECT_EQ(opened, 0);
}

}  // namespace
}  // namespace kakehashi::daemon
