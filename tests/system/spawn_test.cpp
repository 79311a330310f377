// What a child process finds when it begins.
#include "usi/io/spawn.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/system/scratch.hpp"

namespace kakehashi::usi::io {
namespace {

using testing::HasSubstr;

/// What the command writes, when it has ended.
std::string output_of(const std::vector<std::string>& command) {
  SpawnRequest request;
  request.command = command;
  const auto outcome = spawn(request);
  if (const auto* why = std::get_if<base::Message>(&outcome)) {
    return why->english();
  }
  const auto& child = std::get<Spawned>(outcome);
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(child.from_stdout, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::waitpid(child.process, nullptr, 0);
  for (const int descriptor :
       {child.pidfd, child.to_stdin, child.from_stdout, child.from_stderr, child.exec_status}) {
    ::close(descriptor);
  }
  return text;
}

/// Why it does not run.
std::string failure_of(const std::vector<std::string>& command) {
  SpawnRequest request;
  request.command = command;
  const auto outcome = spawn(request);
  const auto& child = std::get<Spawned>(outcome);
  ::waitpid(child.process, nullptr, 0);
  const std::string why = exec_failure(child, request).english();
  for (const int descriptor :
       {child.pidfd, child.to_stdin, child.from_stdout, child.from_stderr, child.exec_status}) {
    ::close(descriptor);
  }
  return why;
}

TEST(Spawn, an_engine_runs_where_it_lies_and_not_where_its_starter_does) {
  const test::Scratch scratch;
  const std::string own = scratch.path("engine");
  const std::string bin = scratch.path("bin");
  std::filesystem::create_directories(own);
  std::filesystem::create_directories(bin);
  test::write_text(own + "/usi", "");
  test::write_text(own + "/engine.py", "");
  std::filesystem::create_symlink(own + "/usi", bin + "/linked");
  std::filesystem::create_symlink("/bin/sh", own + "/by-a-link");
  const auto directory = [](std::vector<std::string> command) {
    SpawnRequest request;
    request.command = std::move(command);
    return directory_of(request);
  };
  EXPECT_EQ(directory({own + "/usi"}), own);
  EXPECT_EQ(directory({own + "/by-a-link"}), own);  // a link among the engine's files
  EXPECT_EQ(directory({bin + "/linked"}), own);
  EXPECT_EQ(directory({"nice", "-n", "5", own + "/usi"}), own);
  EXPECT_EQ(directory({"/usr/bin/python3", "-u", own + "/engine.py"}), own);
  EXPECT_EQ(directory({"python3", "engine.py"}), "");  // a relative path is one of the present directory
  EXPECT_EQ(directory({"/usr/bin/env"}), "/usr/bin");
  SpawnRequest asked;
  asked.command = {"nice", own + "/usi"};
  asked.directory = "/tmp";
  EXPECT_EQ(directory_of(asked), "/tmp");
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

/// In this process from now on, as in a container that knows no newer calls.
void refuse_close_range() {
  std::array<sock_filter, 4> filter{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

TEST(Spawn, a_program_is_found_as_a_shell_finds_it) {
  const test::Scratch scratch;
  test::write_text(scratch.path("script"), "echo \"$1\"\n");  // without a first line that names who reads it
  std::filesystem::permissions(scratch.path("script"), std::filesystem::perms::owner_all);
  test::write_text(scratch.path("forbidden"), "");
  std::filesystem::permissions(scratch.path("forbidden"), std::filesystem::perms::owner_read);
  EXPECT_EQ(output_of({scratch.path("script"), "said"}), "said\n");
  EXPECT_EQ(output_of({"echo", "said"}), "said\n");
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", ("/nowhere:" + scratch.path("")).c_str(), 1);
  EXPECT_EQ(output_of({"script", "said"}), "said\n");
  EXPECT_THAT(failure_of({"forbidden"}), HasSubstr("(EACCES)"));
  EXPECT_THAT(failure_of({"no-such-program"}), HasSubstr("(ENOENT)"));
  ::setenv("PATH", path.c_str(), 1);
}

TEST(Spawn, a_child_has_three_descriptors_even_where_close_range_is_refused) {
  const pid_t tester = ::fork();
  if (tester == 0) {
    refuse_close_range();
    if (::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) == 0) {
      ::_exit(2);
    }
    ::dup2(STDERR_FILENO, 77);  // as a socket of Asio's: not closed at exec
    ::_exit(output_of({"/bin/sh", "-c", "ls /proc/$$/fd; :"}) == "0\n1\n2\n" ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(tester, &status, 0), tester);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "2: close_range was not refused";
}

TEST(Spawn, a_child_whose_reader_is_gone_dies_of_it_though_the_bridge_would_not) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  SpawnRequest request;
  request.command = {"/bin/cat"};
  const auto outcome = spawn(request);
  ASSERT_TRUE(std::holds_alternative<Spawned>(outcome));
  const auto& child = std::get<Spawned>(outcome);
  ::close(child.from_stdout);
  EXPECT_EQ(::write(child.to_stdin, "echo\n", 5), 5);
  int status = 0;
  EXPECT_EQ(::waitpid(child.process, &status, 0), child.process);
  std::signal(SIGPIPE, before);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE) << status;
  for (const int descriptor : {child.pidfd, child.to_stdin, child.from_stderr, child.exec_status}) {
    ::close(descriptor);
  }
}

}  // namespace
}  // namespace kakehashi::usi::io
