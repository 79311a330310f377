// Signals and the supervisor: what the process hears from outside and says to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "daemon/signals.hpp"
#include "daemon/systemd.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::daemon {
namespace {

using test::run_until;
using testing::ElementsAre;

TEST(Signals, each_request_to_stop_is_more_urgent_than_the_one_before) {
  boost::asio::io_context context;
  std::vector<std::pair<bridge::Urgency, std::string>> heard;
  int hangups = 0;
  Signals::Callbacks callbacks;
  callbacks.stop_requested = [&](bridge::Urgency urgency, const char* name) {
    heard.emplace_back(urgency, name);
  };
  callbacks.hangup = [&] { ++hangups; };
  Signals signals(context, callbacks);

  const std::array<int, 3> sent{SIGTERM, SIGINT, SIGTERM};
  for (std::size_t i = 0; i < sent.size(); ++i) {
    std::raise(sent[i]);
    ASSERT_TRUE(run_until(context, [&] { return heard.size() == i + 1; }));
  }
  std::raise(SIGHUP);
  ASSERT_TRUE(run_until(context, [&] { return hangups == 1; }));
  EXPECT_THAT(heard, ElementsAre(std::pair(bridge::Urgency::drain, "SIGTERM"),
                                 std::pair(bridge::Urgency::resign, "SIGINT"),
                                 std::pair(bridge::Urgency::at_once, "SIGTERM")));
}

TEST(Signals, a_write_to_a_dead_engine_does_not_kill_the_process) {
  boost::asio::io_context context;
  Signals signals(context, {[](bridge::Urgency, const char*) {}, [] {}});
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::close(ends[0]);
  EXPECT_EQ(::write(ends[1], "quit\n", 5), -1);
  EXPECT_EQ(errno, EPIPE);
  ::close(ends[1]);
}

TEST(Signals, the_loop_ends_when_nobody_listens_any_more) {
  boost::asio::io_context context;
  Signals signals(context, {[](bridge::Urgency, const char*) {}, [] {}});
  signals.stop();
  context.run();
  EXPECT_TRUE(context.stopped());
}

/// The supervisor's end of NOTIFY_SOCKET.
class NotifySocket {
 public:
  explicit NotifySocket(const std::string& name)
      : descriptor_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name[0] == '@') {
      address.sun_path[0] = '\0';
    }
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), length), 0);
  }
  ~NotifySocket() { ::close(descriptor_); }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  [[nodiscard]] std::vector<std::string> received() const {
    std::vector<std::string> all;
    std::array<char, 4096> buffer;
    for (ssize_t count = 0; (count = ::recv(descriptor_, buffer.data(), buffer.size(), 0)) >= 0;) {
      all.emplace_back(buffer.data(), static_cast<std::size_t>(count));
    }
    return all;
  }

 private:
  int descriptor_;
};

TEST(Systemd, it_is_told_in_the_words_of_systemd) {
  const test::Scratch scratch;
  const NotifySocket socket(scratch.path("notify"));
  const Systemd supervisor(scratch.path("notify"), "30000000");
  supervisor.ready();
  supervisor.status("playing: move 12\nof \"x\"");
  supervisor.alive();
  supervisor.stopping();
  EXPECT_THAT(socket.received(), ElementsAre("READY=1", "STATUS=playing: move 12 of \"x\"",
                                             "WATCHDOG=1", "STOPPING=1"));
  EXPECT_EQ(supervisor.alive_interval(), base::Millis{15'000});
}

TEST(Systemd, an_abstract_socket_is_reached_too) {
  const auto name = "@kakehashi-test-" + std::to_string(::getpid());
  const NotifySocket socket(name);
  Systemd(name, "").ready();
  EXPECT_THAT(socket.received(), ElementsAre("READY=1"));
}

TEST(Systemd, without_a_supervisor_nothing_is_sent_and_nothing_fails) {
  Systemd none("", "30000000");
  none.ready();
  EXPECT_EQ(none.alive_interval(), std::nullopt);
  Systemd("/no/such/socket", "").status("waiting");
  EXPECT_EQ(Systemd("/x", "soon").alive_interval(), std::nullopt);
}

TEST(Systemd, the_environment_is_taken_so_that_engines_do_not_inherit_it) {
  ::setenv("NOTIFY_SOCKET", "/x", 1);
  ::setenv("WATCHDOG_USEC", "1000000", 1);
  ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
  EXPECT_EQ(Systemd::from_environment().alive_interval(), base::Millis{500});
  EXPECT_EQ(::getenv("NOTIFY_SOCKET"), nullptr);
  EXPECT_EQ(::getenv("WATCHDOG_USEC"), nullptr);

  ::setenv("NOTIFY_SOCKET", "/x", 1);
  ::setenv("WATCHDOG_USEC", "1000000", 1);
  ::setenv("WATCHDOG_PID", "1", 1);
  EXPECT_EQ(Systemd::from_environment().alive_interval(), std::nullopt);
}

}  // namespace
}  // namespace kakehashi::daemon
