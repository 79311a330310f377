// `kakehashi serve` as a process: it tells its port, serves, and leaves when asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <cstdio>
#include <istream>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"

namespace kakehashi::cli {
namespace {

namespace asio = boost::asio;
using testing::HasSubstr;

/// A child that runs `kakehashi serve` on any free port, with its output on a pipe.
class Served {
 public:
  explicit Served(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"serve", "--port", "0"});
    std::array<int, 2> pipe{};
    EXPECT_EQ(::pipe(pipe.data()), 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(pipe[1], STDOUT_FILENO);
      ::dup2(pipe[1], STDERR_FILENO);
      ::_exit(run_command_line(std::move(options)));
    }
    ::close(pipe[1]);
    output_ = ::fdopen(pipe[0], "r");
  }
  ~Served() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    std::fclose(output_);
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  std::string read_line() {
    std::string line;
    for (int c = std::fgetc(output_); c != EOF && c != '\n'; c = std::fgetc(output_)) {
      line.push_back(static_cast<char>(c));
    }
    return line;
  }

  /// The exit status, or -1 when a signal ended it.
  int stop(int signal) {
    ::kill(child_, signal);
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t child_ = -1;
  std::FILE* output_ = nullptr;
};

std::uint16_t port_in(const std::string& line) {
  return static_cast<std::uint16_t>(std::stoi(line.substr(line.rfind(' ') + 1)));
}

TEST(Serve, it_tells_its_port_serves_and_leaves_on_sigterm) {
  Served served;
  const auto listening = served.read_line();
  ASSERT_THAT(listening, HasSubstr("listening on 127.0.0.1 port "));
  asio::io_context context;
  asio::ip::tcp::socket socket(context);
  socket.connect({asio::ip::make_address("127.0.0.1"), port_in(listening)});
  asio::write(socket, asio::buffer(std::string("LOGIN a pw x1\n")));
  asio::streambuf heard;
  asio::read_until(socket, heard, '\n');
  std::string answer;
  std::istream in(&heard);
  std::getline(in, answer);
  EXPECT_EQ(answer, "LOGIN:a OK");
  EXPECT_EQ(served.stop(SIGTERM), 0);
}

TEST(Serve, it_leaves_on_sigint_too) {
  Served served;
  ASSERT_THAT(served.read_line(), HasSubstr("listening on"));
  EXPECT_EQ(served.stop(SIGINT), 0);
}

TEST(Serve, an_address_that_others_can_reach_is_warned_about) {
  Served served({"--listen", "0.0.0.0"});
  EXPECT_THAT(served.read_line(), HasSubstr("warning: 0.0.0.0 can be reached from other machines"));
  EXPECT_THAT(served.read_line(), HasSubstr("listening on"));
  EXPECT_EQ(served.stop(SIGTERM), 0);
}

}  // namespace
}  // namespace kakehashi::cli
