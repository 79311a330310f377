// What a child process finds when it begins.
#include "usi/io/spawn.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <variant>
#include <vector>

namespace kakehashi::usi::io {
namespace {

using testing::HasSubstr;

/// What the command writes, when it has ended.
std::string output_of(const std::vector<std::string>& command) {
  SpawnRequest request;
  request.command = command;
  const auto outcome = spawn(request);
  if (const auto* why = std::get_if<std::string>(&outcome)) {
    return *why;
  }
  const auto& child = std::get<Spawned>(outcome);
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(child.from_stdout, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::waitpid(child.process, nullptr, 0);
  for (const int descriptor :
       {child.pidfd, child.to_stdin, child.from_stdout, child.from_stderr}) {
    ::close(descriptor);
  }
  return text;
}

TEST(Spawn, the_child_hears_the_signals_that_the_bridge_ignores_or_blocks) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &blocked, nullptr);
  const std::string text = output_of({"/bin/cat", "/proc/self/status"});
  ::sigprocmask(SIG_UNBLOCK, &blocked, nullptr);
  std::signal(SIGPIPE, before);
  EXPECT_THAT(text, HasSubstr("SigIgn:\t0000000000000000\n"));
  EXPECT_THAT(text, HasSubstr("SigBlk:\t0000000000000000\n"));
}

TEST(Spawn, a_child_whose_reader_is_gone_dies_of_it_though_the_bridge_would_not) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  SpawnRequest request;
  request.command = {"/bin/cat"};
  const auto outcome = spawn(request);
  ASSERT_TRUE(std::holds_alternative<Spawned>(outcome)) << std::get<std::string>(outcome);
  const auto& child = std::get<Spawned>(outcome);
  ::close(child.from_stdout);
  EXPECT_EQ(::write(child.to_stdin, "echo\n", 5), 5);
  int status = 0;
  EXPECT_EQ(::waitpid(child.process, &status, 0), child.process);
  std::signal(SIGPIPE, before);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE) << status;
  for (const int descriptor : {child.pidfd, child.to_stdin, child.from_stderr}) {
    ::close(descriptor);
  }
}

}  // namespace
}  // namespace kakehashi::usi::io
