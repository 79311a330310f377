// `kakehashi stop` and `kakehashi reload` before a bot that runs: the programs themselves.
#include "daemon/control.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "cli/command_line.hpp"
#include "rehearse/server/io/server_shell.hpp"
#include "tests/places.hpp"
#include "tests/system/look_until.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::daemon {
namespace {

namespace asio = boost::asio;

using test::Program;
using test::read_text;
using test::run_until;
using testing::HasSubstr;

class ControlTest : public testing::Test {
 protected:
  ControlTest() {
    const auto port = server.start();
    EXPECT_TRUE(port);
    for (const char* name : {"alice", "bob"}) {
      test::write_text(scratch.path(std::string(name) + ".yaml"),
                       "server: {host: 127.0.0.1, port: " + std::to_string(*port) + "}\n" +
                           "account: {name: " + name + "}\n" + "game: {name: test-600-10, meet_own: true}\n" +
                           "engine: {command: [" + test::fake_engine_binary() + ", --think-ms, '20']}\n" +
                           "records: {directory: " + scratch.path("records") + "}\n");
    }
  }

  std::string log() const { return read_text(scratch.path("stderr")); }

  bool in_log(const std::string& text) {
    return test::look_until(context, [&] { return log().find(text) != std::string::npos; });
  }

  /// The port of its status page.
  std::string start(const std::vector<std::string>& names) {
    std::vector<std::string> arguments{"run", "--status", "127.0.0.1:0"};
    for (const std::string& name : names) {
      arguments.push_back(scratch.path(name + ".yaml"));
    }
    program.emplace(context, arguments, "", scratch.path("stderr"));
    EXPECT_TRUE(in_log("is shown on port ")) << log();
    const std::string said = log();
    const std::size_t at = said.find("is shown on port ") + std::string("is shown on port ").size();
    return said.substr(at, said.find_first_not_of("0123456789", at) - at);
  }

  bool has_ended() {
    return run_until(context, [&] { return program->status.has_value(); });
  }

  struct Ran {
    int status = 0;
    std::string out;
    std::string err;
  };
  static Ran ask(std::vector<std::string> arguments) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Ran ran;
    ran.status = cli::run_command_line(std::move(arguments));
    ran.out = testing::internal::GetCapturedStdout();
    ran.err = testing::internal::GetCapturedStderr();
    return ran;
  }

  test::Scratch scratch;
  boost::asio::io_context context;
  int moves = 0;
  rehearse::server::io::ServerShell server{
      context,
      {},
      {[this](const rehearse::server::GameReport& report) {
         moves += std::holds_alternative<rehearse::server::MovePlayed>(report) ? 1 : 0;
       },
       {}}};
  std::optional<Program> program;
};

TEST_F(ControlTest, a_bot_that_waits_leaves_when_it_is_asked_to_stop) {
  const auto port = start({"alice"});
  ASSERT_TRUE(in_log("waiting for a game")) << log();
  const auto ran = ask({"stop", "--status", port});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "alice: leaves\n");
  ASSERT_TRUE(has_ended());
  EXPECT_EQ(program->status, 0);
  EXPECT_THAT(log(), HasSubstr("\"kakehashi stop\" by user "));
}

TEST_F(ControlTest, a_game_is_finished_or_resigned_or_left_as_it_was_asked_for) {
  const auto port = start({"alice", "bob"});
  // Whoever asks holds up the server, and with it the game.
  ASSERT_TRUE(run_until(context, [&] { return moves >= 1; })) << log();
  EXPECT_THAT(ask({"stop", "--status", port}).out,
              HasSubstr("alice: finishes the running game, then leaves\n"));
  EXPECT_THAT(ask({"stop", "--resign", "--status", port}).out, HasSubstr("resigns the running game on its turn"));
  ASSERT_TRUE(has_ended());
  EXPECT_EQ(program->status, 0);
  EXPECT_THAT(log(), HasSubstr("#RESIGN"));
}

TEST_F(ControlTest, a_configuration_is_read_again_and_what_comes_of_it_is_told) {
  const auto port = start({"alice"});
  ASSERT_TRUE(in_log("waiting for a game")) << log();
  const std::string good = read_text(scratch.path("alice.yaml"));
  test::write_text(scratch.path("alice.yaml"), good + "time: {marjin: 1s}\n");
  const auto refused = ask({"reload", "--status", port});
  EXPECT_EQ(refused.status, 78);
  EXPECT_THAT(refused.err, HasSubstr("did you mean time.margin?; nothing was changed\n"));
  test::write_text(scratch.path("alice.yaml"), good + "time: {margin: 1s}\n");
  const auto taken = ask({"reload", "--status", port});
  EXPECT_EQ(taken.status, 0) << taken.err;
  EXPECT_THAT(taken.out, HasSubstr("alice: time.margin: new from now on"));
}

TEST_F(ControlTest, where_nobody_runs_the_other_ways_are_named) {
  const auto ran = ask({"stop", "--status", "1"});
  EXPECT_EQ(ran.status, 69);
  EXPECT_THAT(ran.err, HasSubstr("no 'kakehashi run --status' of this machine takes requests on port 1"));
  EXPECT_THAT(ran.err, HasSubstr("systemctl stop"));
  EXPECT_EQ(ask({"stop", "--status", "192.0.2.1:9980"}).status, 64);
}

TEST_F(ControlTest, words_that_are_no_request_change_nothing) {
  const auto port = start({"alice"});
  const auto number = static_cast<std::uint16_t>(std::stoi(port));
  const auto reply = ask_control(number, "stop everything", words::Language::english);
  ASSERT_TRUE(reply);
  EXPECT_FALSE(reply->is_done);
  EXPECT_FALSE(ask_control(number, std::string(Control::request_bytes_max * 2, 'x'), words::Language::english));
  EXPECT_EQ(ask({"status", "--status", port}).status, 0);  // and it plays on
}

TEST(Control, a_process_without_descriptors_hears_its_visitors_when_it_has_some_again) {
  asio::io_context context;
  Control control(context, [](const std::string&, uid_t, const Control::Reply& reply) { reply({true, {base::say("leaves")}}); });
  const auto port = static_cast<std::uint16_t>(::getpid());
  ASSERT_TRUE(control.start(port));
  asio::local::stream_protocol::socket visitor(context);
  visitor.connect({std::string(1, '\0') + "kakehashi-control-" + std::to_string(port)});
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  context.poll();
  context.poll();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  visitor.close();
  std::optional<bool> is_done;
  std::thread asking([&] {
    const auto reply = ask_control(port, "stop", words::Language::english);
    asio::post(context, [&is_done, answer = reply && reply->is_done] { is_done = answer; });
  });
  EXPECT_TRUE(run_until(context, [&] { return is_done.has_value(); }));
  asking.join();
  EXPECT_EQ(is_done, true);
}

TEST(Control, an_answer_is_in_the_language_that_is_asked_for_and_in_english_for_who_names_none) {
  asio::io_context context;
  std::vector<std::string> requests;
  Control control(context, [&](const std::string& request, uid_t, const Control::Reply& reply) {
    requests.push_back(request);
    reply({true, {base::say("leaves at once")}});
  });
  const auto port = static_cast<std::uint16_t>(::getpid());
  ASSERT_TRUE(control.start(port));
  std::optional<std::string> said;
  std::thread asking([&] {
    const auto japanese = ask_control(port, "stop now", words::Language::japanese);
    const auto english = ask_control(port, "stop now", words::Language::english);
    asio::post(context, [&, both = (japanese ? japanese->text : "") + (english ? english->text : "")] { said = both; });
  });
  EXPECT_TRUE(run_until(context, [&] { return said.has_value(); }));
  asking.join();
  EXPECT_EQ(said, "すぐ終了します\nleaves at once\n");
  EXPECT_THAT(requests, testing::ElementsAre("stop now", "stop now"));
}

/// A process of that user which has taken the name of a port's bots before them, and says that all is done.
class HolderOfTheName {
 public:
  HolderOfTheName(uid_t user, std::uint16_t port, const std::string& reply) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    process_ = ::fork();
    if (process_ == 0) {
      const std::string name = std::string(1, '\0') + "kakehashi-control-" + std::to_string(port);
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      std::copy(name.begin(), name.end(), address.sun_path);
      const int door = ::socket(AF_UNIX, SOCK_STREAM, 0);
      const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
      if (::setuid(user) != 0 || ::bind(door, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(door, 1) != 0 ||
          ::write(ready[1], "x", 1) != 1) {
        ::_exit(1);
      }
      const int visitor = ::accept(door, nullptr, nullptr);
      char request = 0;
      static_cast<void>(!::read(visitor, &request, 1));
      static_cast<void>(!::write(visitor, reply.data(), reply.size()));
      ::_exit(0);
    }
    char is_ready = 0;
    ::close(ready[1]);
    EXPECT_EQ(::read(ready[0], &is_ready, 1), 1);
    ::close(ready[0]);
  }
  ~HolderOfTheName() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  HolderOfTheName(const HolderOfTheName&) = delete;
  HolderOfTheName& operator=(const HolderOfTheName&) = delete;

  [[nodiscard]] pid_t process() const { return process_; }

 private:
  pid_t process_ = -1;
};

TEST_F(ControlTest, root_is_told_whose_answer_it_was_where_another_user_answers) {
  constexpr uid_t another = 65534;
  std::vector<uid_t> answerers{::geteuid()};
  if (::geteuid() == 0) {
    answerers.push_back(another);  // nobody else may ask bots of another user, or could become one here
  }
  const auto port = static_cast<std::uint16_t>(::getpid());
  for (const uid_t user : answerers) {
    for (const char* request : {"stop", "reload"}) {
      const HolderOfTheName holder(user, port, "done\nalice: leaves\x1b]0;owned\x07\n");
      const auto ran = ask({request, "--status", std::to_string(port)});
      const auto told = "answered by process " + std::to_string(holder.process()) + " of user " + std::to_string(user);
      EXPECT_EQ(ran.err.find(told) != std::string::npos, user != ::geteuid()) << ran.err;
      EXPECT_EQ(ran.out, "alice: leaves\\u001B]0;owned\\u0007\n");
    }
  }
}

TEST(Control, only_the_user_of_the_bots_and_root_may_command) {
  EXPECT_TRUE(may_command(1000, 1000));
  EXPECT_TRUE(may_command(0, 1000));
  EXPECT_FALSE(may_command(1001, 1000));
  EXPECT_FALSE(may_command(1000, 0));
}

}  // namespace
}  // namespace kakehashi::daemon
