// Telling people, for real: an HTTP server on loopback, a command.
#include "watch/io/notifier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/json.hpp>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/command_line.hpp"
#include "system/look_until.hpp"
#include "system/loop.hpp"
#include "system/scratch.hpp"
#include "tests/places.hpp"
#include "watch/io/hooks.hpp"

namespace kakehashi::watch::io {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using test::run_until;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Takes requests with Beast, which is not what sends them, and answers with the given statuses, the
/// last one for ever. Status 0: closes without an answer.
class Receiver {
 public:
  Receiver(asio::io_context& context, std::vector<unsigned> statuses)
      : acceptor_(context, {asio::ip::address_v4::loopback(), 0}), statuses_(std::move(statuses)) {
    accept();
  }

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  std::vector<http::request<http::string_body>> requests;

 private:
  struct Visit {
    explicit Visit(tcp::socket given) : socket(std::move(given)) {}
    tcp::socket socket;
    boost::beast::flat_buffer buffer;
    http::request<http::string_body> request;
    http::response<http::string_body> response;
  };

  void accept() {
    acceptor_.async_accept([this](boost::system::error_code failed, tcp::socket socket) {
      if (failed) {
        return;
      }
      const auto visit = std::make_shared<Visit>(std::move(socket));
      http::async_read(visit->socket, visit->buffer, visit->request,
                       [this, visit](boost::system::error_code broken, std::size_t) {
                         if (!broken) {
                           answer(visit);
                         }
                       });
      accept();
    });
  }

  void answer(const std::shared_ptr<Visit>& visit) {
    const unsigned status = statuses_[std::min(requests.size(), statuses_.size() - 1)];
    requests.push_back(visit->request);
    if (status == 0) {
      visit->socket.close();
      return;
    }
    visit->response = {static_cast<http::status>(status), 11, status == 204 ? "" : "thanks"};
    visit->response.prepare_payload();
    http::async_write(visit->socket, visit->response, [visit](boost::system::error_code, std::size_t) {});
  }

  tcp::acceptor acceptor_;
  std::vector<unsigned> statuses_;
};

class NotifyTest : public testing::Test {
 protected:
  WebAddress address(std::uint16_t port) {
    return {false, "127.0.0.1", port, base::Secret("/hook/s3cret?wait=true")};
  }

  std::unique_ptr<Notifier> notifier(config::Notify settings,
                                          base::Millis leave_within = base::Millis{60'000},
                                          words::Language language = words::Language::english) {
    return std::make_unique<Notifier>(
        context, "mybot", std::vector{std::move(settings)}, language,
        [this](const bridge::Note& note) { notes.push_back(note.code + ": " + note.text.english()); },
        [] { return bridge::Phase::playing; }, leave_within);
  }

  config::Notify results_to(const Receiver& receiver) {
    test::write_private(scratch.path("url"), "http://127.0.0.1:" + std::to_string(receiver.port()) + "/s3cret\n");
    config::Notify settings;
    settings.url_file = scratch.path("url");
    settings.events = {config::NotifyEvent::result};
    return settings;
  }

  static bridge::Fact ended() { return bridge::GameEnded{csa::Outcome::win, "#RESIGN", false, "foe", "g1", 9}; }

  test::Scratch scratch;
  asio::io_context context;
  std::vector<std::string> notes;
};

TEST_F(NotifyTest, a_message_is_posted_and_the_status_comes_back) {
  Receiver receiver(context, {204});
  Webhook webhook(context);
  int status = -1;
  webhook.post(address(receiver.port()), "application/json", "{\"a\":1}",
               [&](int heard, const base::Message&) { status = heard; });
  ASSERT_TRUE(run_until(context, [&] { return status >= 0; }));
  EXPECT_EQ(status, 204);
  ASSERT_EQ(receiver.requests.size(), 1U);
  const auto& request = receiver.requests[0];
  EXPECT_EQ(request.method(), http::verb::post);
  EXPECT_EQ(request.target(), "/hook/s3cret?wait=true");
  EXPECT_EQ(request[http::field::content_type], "application/json");
  EXPECT_EQ(request[http::field::host], "127.0.0.1:" + std::to_string(receiver.port()));
  EXPECT_EQ(request.body(), "{\"a\":1}\n");
}

TEST_F(NotifyTest, no_answer_is_told_without_the_address) {
  Receiver receiver(context, {0});
  Webhook webhook(context);
  std::string why;
  int status = -1;
  webhook.post(address(receiver.port()), "text/plain", "a", [&](int heard, const base::Message& told) {
    status = heard;
    why = told.english();
  });
  ASSERT_TRUE(run_until(context, [&] { return status >= 0; }));
  EXPECT_EQ(status, 0);
  EXPECT_THAT(why, Not(IsEmpty()));
  EXPECT_THAT(why, Not(HasSubstr("s3cret")));
}

TEST_F(NotifyTest, a_result_reaches_its_receiver) {
  Receiver receiver(context, {200});
  test::write_private(scratch.path("url"), "http://127.0.0.1:" + std::to_string(receiver.port()) + "/s3cret\n");
  config::Notify settings;
  settings.url_file = scratch.path("url");
  settings.as = config::NotifyTemplate::slack;
  settings.events = {config::NotifyEvent::result};
  const auto told = notifier(settings);
  told->take(bridge::Paired{"foe", shogi::Color::black, "g1"});
  told->take(ended());
  ASSERT_TRUE(run_until(context, [&] { return !receiver.requests.empty(); }));
  EXPECT_EQ(boost::json::parse(receiver.requests[0].body()).at("text").as_string(),
            "mybot: won (#RESIGN) against \"foe\" after 9 moves");
  EXPECT_THAT(notes, IsEmpty());
  told->stop();
}

TEST_F(NotifyTest, what_is_told_is_in_the_language_of_the_log) {
  Receiver receiver(context, {200});
  const auto settings = results_to(receiver);
  const auto told = notifier(settings, base::Millis{60'000}, words::Language::japanese);
  told->take(ended());
  told->renew({settings}, words::Language::english);
  told->take(ended());
  ASSERT_TRUE(run_until(context, [&] { return receiver.requests.size() == 2; }));
  const auto first = boost::json::parse(receiver.requests[0].body());
  EXPECT_EQ(first.at("text").as_string(), "\"foe\" との対局: 9 手で勝ち(#RESIGN)");
  EXPECT_EQ(first.at("event").as_string(), "result") << "what programs read is the same in every language";
  EXPECT_EQ(first.at("fields").at("outcome").as_string(), "win");
  EXPECT_EQ(boost::json::parse(receiver.requests[1].body()).at("text").as_string(),
            "won (#RESIGN) against \"foe\" after 9 moves");
  told->stop();
}

TEST_F(NotifyTest, a_refusal_is_told_once_and_the_address_never) {
  Receiver receiver(context, {404, 200});
  test::write_private(scratch.path("url"), "http://127.0.0.1:" + std::to_string(receiver.port()) + "/s3cret\n");
  config::Notify settings;
  settings.url_file = scratch.path("url");
  settings.events = {config::NotifyEvent::result};
  const auto told = notifier(settings);
  told->take(ended());
  told->take(ended());
  ASSERT_TRUE(run_until(context, [&] { return receiver.requests.size() == 2; }));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], HasSubstr("notify_failed"));
  EXPECT_THAT(notes[0], HasSubstr("HTTP status 404"));
  EXPECT_THAT(notes[0], Not(HasSubstr("s3cret")));
  told->stop();
}

TEST_F(NotifyTest, a_file_that_holds_no_address_is_told_without_what_it_holds) {
  test::write_private(scratch.path("url"), "ftp://s3cret\n");
  config::Notify settings;
  settings.url_file = scratch.path("url");
  settings.events = {config::NotifyEvent::result};
  const auto told = notifier(settings);
  told->take(ended());
  ASSERT_TRUE(run_until(context, [&] { return !notes.empty(); }));
  EXPECT_THAT(notes[0], HasSubstr("https://"));
  EXPECT_THAT(notes[0], Not(HasSubstr("s3cret")));
  told->stop();
}

TEST_F(NotifyTest, an_address_that_everyone_can_read_is_used_when_it_is_private_again) {
  Receiver receiver(context, {200});
  test::write_text(scratch.path("url"), "http://127.0.0.1:" + std::to_string(receiver.port()) + "/s3cret\n");
  std::filesystem::permissions(scratch.path("url"), std::filesystem::perms{0644});
  config::Notify settings;
  settings.url_file = scratch.path("url");
  settings.events = {config::NotifyEvent::result};
  const auto told = notifier(settings);
  told->take(ended());
  context.poll();
  EXPECT_THAT(receiver.requests, IsEmpty());
  EXPECT_EQ(told->waiting(), 1U);
  std::filesystem::permissions(scratch.path("url"), std::filesystem::perms{0600});
  ASSERT_TRUE(run_until(context, [&] { return !receiver.requests.empty(); }));
  EXPECT_THAT(notes, IsEmpty());
  told->stop();
}

TEST_F(NotifyTest, what_waits_is_still_sent_when_the_bot_leaves) {
  Receiver receiver(context, {200});
  const auto told = notifier(results_to(receiver));
  for (int i = 0; i < 3; ++i) {
    told->take(ended());
  }
  told->stop();
  ASSERT_TRUE(run_until(context, [&] { return receiver.requests.size() == 3 && told->waiting() == 0; }));
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(NotifyTest, a_try_that_would_come_too_late_is_told_and_not_waited_for) {
  Receiver receiver(context, {503});
  const auto told = notifier(results_to(receiver), base::Millis{4'000});
  told->take(ended());
  told->take(ended());
  told->stop();
  ASSERT_TRUE(run_until(context, [&] { return !notes.empty(); }));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("HTTP status 503; 2 messages are left out")));
  EXPECT_EQ(told->waiting(), 0U);
}

TEST_F(NotifyTest, what_is_cut_off_is_told) {
  config::Notify settings;
  settings.command = {"/bin/sleep", "1000"};
  settings.events = {config::NotifyEvent::result};
  const auto told = notifier(settings, base::Millis{100});
  told->take(ended());
  told->stop();
  ASSERT_TRUE(run_until(context, [&] { return !notes.empty(); }));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("\"/bin/sleep\": 1 message is left out")));
}

TEST_F(NotifyTest, a_receiver_whose_settings_stay_keeps_what_waits_for_it) {
  Receiver receiver(context, {200});
  config::Notify settings = results_to(receiver);
  std::filesystem::permissions(settings.url_file, std::filesystem::perms{0644});
  const auto told = notifier(settings);
  told->take(ended());
  ASSERT_EQ(told->waiting(), 1U);
  std::filesystem::permissions(settings.url_file, std::filesystem::perms{0600});
  config::Notify other;
  other.command = {"/bin/true"};
  other.events = {config::NotifyEvent::paired};
  told->renew({other, settings}, words::Language::english);
  EXPECT_EQ(told->waiting(), 1U);
  told->renew({other}, words::Language::english);  // taken away, and what waits may still arrive
  told->take(ended());
  ASSERT_TRUE(run_until(context, [&] { return told->waiting() == 0; }));
  EXPECT_EQ(receiver.requests.size(), 1U);
  EXPECT_THAT(notes, IsEmpty());
  told->renew({}, words::Language::english);
  told->stop();
}

TEST_F(NotifyTest, a_command_gets_json_to_its_end) {
  config::Notify settings;
  settings.command = {"/bin/sh", "-c", "cat > \"$0\".part && mv \"$0\".part \"$0\"", scratch.path("told")};
  settings.events = {config::NotifyEvent::result};
  const auto told = notifier(settings);
  told->take(ended());
  ASSERT_TRUE(run_until(context, [&] { return !test::read_text(scratch.path("told")).empty(); }));
  const auto parsed = boost::json::parse(test::read_text(scratch.path("told")));
  EXPECT_EQ(parsed.at("event").as_string(), "result");
  EXPECT_EQ(parsed.at("fields").at("outcome").as_string(), "win");
  told->stop();
}

TEST_F(NotifyTest, a_command_may_print_more_than_a_pipe_holds) {
  CommandHook hook(context);
  std::vector<std::string> whys;
  hook.run({"/bin/sh", "-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; cat >/dev/null"}, "{}",
           [&](const base::Message& why) { whys.push_back(why.english()); });
  ASSERT_TRUE(run_until(context, [&] { return whys.size() == 1; }));
  EXPECT_EQ(whys[0], "");
}

TEST_F(NotifyTest, a_command_that_fails_says_how) {
  CommandHook hook(context);
  std::vector<std::string> whys;
  const auto done = [&](const base::Message& why) { whys.push_back(why.english()); };
  hook.run({"/bin/sh", "-c", "exit 3"}, "{}", done);
  ASSERT_TRUE(run_until(context, [&] { return whys.size() == 1; }));
  hook.run({scratch.path("no-such-program")}, "{}", done);
  ASSERT_TRUE(run_until(context, [&] { return whys.size() == 2; }));
  hook.run({"/bin/true"}, "{}", done);
  ASSERT_TRUE(run_until(context, [&] { return whys.size() == 3; }));
  EXPECT_EQ(whys[0], "the command ended with status 3");
  EXPECT_THAT(whys[1], HasSubstr("no-such-program"));
  EXPECT_EQ(whys[2], "");
}

/// The program's commands wait for their own answers, so that the receiver lives on a thread of its own.
class NotifyCommandTest : public NotifyTest {
 protected:
  struct Ran {
    int status = 0;
    std::string out;
    std::string err;
  };

  Ran run(std::vector<std::string> arguments, const std::string& receivers) {
    test::write_text(scratch.path("bot.yaml"), "server: {host: 127.0.0.1, port: 1}\naccount: {name: mybot}\ngame: {name: test-60-1F}\n"
                                               "engine: {command: [" + test::fake_engine_binary() + "]}\n"
                                               "notify:\n" + receivers);
    arguments.push_back(scratch.path("bot.yaml"));
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Ran ran;
    ran.status = cli::run_command_line(std::move(arguments));
    ran.out = testing::internal::GetCapturedStdout();
    ran.err = testing::internal::GetCapturedStderr();
    return ran;
  }

  std::string webhook(const std::string& url) {
    test::write_private(scratch.path("url"), url + "\n");
    return "  - {url_file: " + scratch.path("url") + ", events: [rescue]}\n";
  }
};

TEST_F(NotifyCommandTest, a_test_message_reaches_each_receiver_and_what_came_back_is_told) {
  Receiver receiver(context, {204});
  std::thread serving([&] { run_until(context, [&] { return receiver.requests.size() == 1; }); });
  const auto url = "http://127.0.0.1:" + std::to_string(receiver.port()) + "/s3cret";
  const auto ran = run({"notify", "test"}, webhook(url) + "  - command: [tee, " + scratch.path("told") + "]\n");
  serving.join();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("the webhook of \"" + scratch.path("url") + "\": delivered (HTTP status 204)\n"));
  EXPECT_THAT(ran.out, HasSubstr("the command \"tee\": delivered (it ended with status 0)\n"));
  EXPECT_THAT(ran.out, Not(HasSubstr("s3cret")));
  EXPECT_THAT(receiver.requests.at(0).body(), HasSubstr("\"event\":\"test\""));
  EXPECT_THAT(test::read_text(scratch.path("told")), HasSubstr("\"event\":\"test\""));
}

TEST_F(NotifyCommandTest, a_receiver_that_does_not_take_it_is_told_with_its_reason) {
  Receiver receiver(context, {404});
  std::thread serving([&] { run_until(context, [&] { return receiver.requests.size() == 1; }); });
  const auto ran = run({"notify", "test"}, webhook("http://127.0.0.1:" + std::to_string(receiver.port()) + "/s3cret") +
                                               "  - command: ['false']\n");
  serving.join();
  EXPECT_EQ(ran.status, 69);
  EXPECT_THAT(ran.out, HasSubstr("not delivered (HTTP status 404)"));
  EXPECT_THAT(ran.out, HasSubstr("the command \"false\": not delivered ("));
}

TEST_F(NotifyCommandTest, check_finds_a_webhook_that_is_dead_and_a_command_that_is_not_there) {
  const auto ran = run({"check"}, webhook("http://127.0.0.1:1/s3cret") + "  - command: [/nowhere/tell-me]\n");
  EXPECT_EQ(ran.status, 69);
  EXPECT_THAT(ran.out, HasSubstr("problem   the webhook of \"" + scratch.path("url") + "\": "));
  EXPECT_THAT(ran.out, HasSubstr("problem   the command \"/nowhere/tell-me\": there is no such program"));
  EXPECT_THAT(ran.out, HasSubstr("kakehashi notify test"));
  EXPECT_THAT(ran.out, Not(HasSubstr("all is well")));
  EXPECT_THAT(ran.out, Not(HasSubstr("s3cret")));
}

TEST_F(NotifyTest, a_command_that_cannot_be_collected_holds_up_nobody) {
  CommandHook hook(context);
  const std::string told = scratch.path("tracer");
  hook.run({"/bin/sh", "-c", std::string("exec ") + test::fake_engine_binary() + " --keep-remains --refuse-quit > " + told}, "",
           [](const base::Message& why) { ADD_FAILURE() << "it was dropped: " << why; });
  ASSERT_TRUE(test::look_until(context, [&] { return test::read_text(told).ends_with('\n'); }));
  ASSERT_NE(test::read_text(told), "not traced\n");
  hook.drop();
  const int tracer = std::stoi(test::read_text(told));
  EXPECT_EQ(::kill(tracer, 0), 0) << "the tracer has ended: somebody waited for it";
  ::kill(tracer, SIGKILL);
}

}  // namespace
}  // namespace kakehashi::watch::io
