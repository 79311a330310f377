// Names that do not resolve, beside others that do: threads that hang hold nobody up.
#include "csa/io/dial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <boost/asio/executor_work_guard.hpp>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tests/system/loop.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::csa::io {
namespace {

namespace asio = boost::asio;
using Answer = NameLookups::Answer;
using test::run_until;
using testing::ElementsAre;

/// A resolver whose answers come when the test gives them; shared with the threads that ask it.
class Resolver {
 public:
  Answer ask(const std::string& host) {
    std::unique_lock lock(mutex_);
    ++asked_[host];
    changed_.notify_all();
    changed_.wait(lock, [&] { return answers_[host] > 0; });
    --answers_[host];
    ++ended_;
    changed_.notify_all();
    return host == "bad" ? Answer{{}, base::verbatim("unknown")} : Answer{{asio::ip::tcp::endpoint()}, {}};
  }
  void answer(const std::string& host, int times = 1) {
    const std::scoped_lock lock(mutex_);
    answers_[host] += times;
    changed_.notify_all();
  }
  [[nodiscard]] int asked(const std::string& host) {
    const std::scoped_lock lock(mutex_);
    return asked_[host];
  }
  void wait_until_asked(const std::string& host, int times) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return asked_[host] >= times; });
  }
  void wait_until_ended(int threads) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ >= threads; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, int> asked_;
  std::map<std::string, int> answers_;
  int ended_ = 0;
};

struct NameLookupsTest : testing::Test {
  NameLookupsTest() {
    auto made = std::make_unique<NameLookups>(
        *context, [resolver = resolver](const std::string& host) { return resolver->ask(host); });
    asio::add_service(*context, made.get());
    lookups = made.release();
  }
  NameLookups::Ticket begin(const std::string& host, const std::string& who) {
    return lookups->begin(host, [this, who](const Answer& answer) { told.push_back(who + answer.why.english()); });
  }
  bool heard(std::size_t count) {
    return run_until(*context, [&] { return told.size() >= count; });
  }

  std::shared_ptr<Resolver> resolver = std::make_shared<Resolver>();
  std::optional<asio::io_context> context{std::in_place};
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work{context->get_executor()};
  NameLookups* lookups = nullptr;
  std::vector<std::string> told;
};

TEST_F(NameLookupsTest, a_name_that_hangs_holds_up_no_other) {
  begin("hangs", "a");
  resolver->wait_until_asked("hangs", 1);
  begin("good", "b");
  begin("bad", "c: ");
  resolver->answer("good");
  ASSERT_TRUE(heard(1));
  resolver->answer("bad");
  ASSERT_TRUE(heard(2));
  EXPECT_THAT(told, ElementsAre("b", "c: unknown"));
  resolver->answer("hangs");
  ASSERT_TRUE(heard(3));
}

TEST_F(NameLookupsTest, names_that_hang_hold_the_end_up_in_nothing) {
  begin("hangs", "a");
  begin("hangs", "b");
  begin("hangs", "c");
  resolver->wait_until_asked("hangs", NameLookups::threads_per_name_max);
  work.reset();
  context.reset();
  resolver->answer("hangs", NameLookups::threads_per_name_max);
  resolver->wait_until_ended(NameLookups::threads_per_name_max);
  EXPECT_TRUE(told.empty());
}

TEST_F(NameLookupsTest, one_name_has_a_bound_and_what_is_learnt_serves_all_who_ask_for_it) {
  for (const char* who : {"a", "b", "c", "d"}) {
    begin("good", who);
  }
  resolver->wait_until_asked("good", NameLookups::threads_per_name_max);
  begin("hangs", "e");
  resolver->wait_until_asked("hangs", 1);
  EXPECT_EQ(resolver->asked("good"), int{NameLookups::threads_per_name_max});
  resolver->answer("good");
  ASSERT_TRUE(heard(4));
  EXPECT_THAT(told, ElementsAre("a", "b", "c", "d"));
  resolver->answer("good");
  resolver->answer("hangs");
  ASSERT_TRUE(heard(5));
}

TEST_F(NameLookupsTest, a_failure_is_none_for_who_asked_later) {
  begin("bad", "a: ");
  begin("bad", "b: ");
  begin("bad", "c: ");
  resolver->wait_until_asked("bad", NameLookups::threads_per_name_max);
  resolver->answer("bad", 3);
  ASSERT_TRUE(heard(3));
  EXPECT_THAT(told, ElementsAre("a: unknown", "b: unknown", "c: unknown"));
  EXPECT_EQ(resolver->asked("bad"), 3) << "the third had a thread of its own";
}

TEST_F(NameLookupsTest, all_together_have_a_bound_and_the_next_waits_for_a_thread) {
  const std::string last = std::to_string(NameLookups::threads_max);
  for (std::size_t i = 0; i <= NameLookups::threads_max; ++i) {
    begin(std::to_string(i), std::to_string(i));
  }
  for (std::size_t i = 0; i < NameLookups::threads_max; ++i) {
    resolver->wait_until_asked(std::to_string(i), 1);
  }
  EXPECT_EQ(resolver->asked(last), 0);
  resolver->answer("7");
  ASSERT_TRUE(heard(1));
  resolver->wait_until_asked(last, 1);
  EXPECT_THAT(told, ElementsAre("7"));
  for (std::size_t i = 0; i <= NameLookups::threads_max; ++i) {
    resolver->answer(std::to_string(i));
  }
  ASSERT_TRUE(heard(NameLookups::threads_max + 1));
}

TEST_F(NameLookupsTest, who_has_gone_is_told_nothing) {
  const auto ticket = begin("good", "a");
  begin("good", "b");
  lookups->forget(ticket);
  lookups->forget(ticket);
  resolver->answer("good", 2);
  ASSERT_TRUE(heard(1));
  EXPECT_THAT(told, ElementsAre("b"));
}

TEST(SystemResolver, knows_numbers_and_no_invalid_name) {
  asio::io_context context;
  const auto work = asio::make_work_guard(context);
  std::vector<Answer> answers;
  const auto take = [&](const Answer& answer) { answers.push_back(answer); };
  NameLookups::of(context).begin("127.0.0.1", take);
  ASSERT_TRUE(run_until(context, [&] { return answers.size() == 1; }));
  EXPECT_THAT(answers[0].endpoints,
              ElementsAre(asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 0)));
  NameLookups::of(context).begin(std::string(300, 'a'), take);  // longer than a name may be: asks nobody
  ASSERT_TRUE(run_until(context, [&] { return answers.size() == 2; }));
  EXPECT_TRUE(answers[1].endpoints.empty());
  EXPECT_FALSE(answers[1].why.empty());
}

TEST(StaticProgram, asks_the_machine_where_it_has_more_services_than_files_and_dns) {
  EXPECT_FALSE(names_other_services(""));
  EXPECT_FALSE(names_other_services("passwd: files systemd\nhosts: files dns\n"));
  EXPECT_FALSE(names_other_services("hosts:\tfiles [NOTFOUND=return  success=continue] dns # and mdns\n#hosts: nis\n"));
  EXPECT_TRUE(names_other_services("hosts: files mdns4_minimal [NOTFOUND=return] dns\n"));
  EXPECT_TRUE(names_other_services("hosts: mymachines resolve [!UNAVAIL=return] files myhostname dns"));
}

TEST(StaticProgram, takes_the_answer_of_getent) {
  test::Scratch scratch;
  const std::string program = scratch.path("getent");
  test::write_text(program, "#!/bin/sh\n[ \"$*\" = \"ahosts -- far\" ] || exit 2\n"
                            "printf '%s\\n' '192.0.2.7 STREAM far' '192.0.2.7 DGRAM ' '192.0.2.7 RAW' "
                            "'2001:db8::7 STREAM ' 'nonsense STREAM'\n");
  ::chmod(program.c_str(), 0700);
  const auto answer = ask_getent(program, "far");
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->endpoints,
              ElementsAre(asio::ip::tcp::endpoint(asio::ip::make_address("192.0.2.7"), 0),
                          asio::ip::tcp::endpoint(asio::ip::make_address("2001:db8::7"), 0)));
  const auto unknown = ask_getent(program, "away");
  ASSERT_TRUE(unknown);
  EXPECT_THAT(unknown->endpoints, ElementsAre());
  EXPECT_FALSE(unknown->why.empty());
  EXPECT_FALSE(ask_getent(scratch.path("no-getent"), "far"));
}

}  // namespace
}  // namespace kakehashi::csa::io
