// Where a password must not be seen while a bot plays: process list, environments, logs, journals,
// records, and memory that was only on its way to the server. docs/internals/security.md names these tests.
#include <dirent.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>

#include "daemon/own_process.hpp"
#include "rehearse/server/io/server_shell.hpp"
#include "tests/places.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi {
namespace {

namespace asio = boost::asio;
using test::Program;
using test::read_text;
using test::run_until;
using testing::HasSubstr;
using testing::Not;

constexpr const char* password = "n0t-t0-be-t0ld-tr1p";

class SecrecyTest : public testing::Test {
 protected:
  explicit SecrecyTest(const std::string& event = "local") : settings(with_event(event)) {
    const auto port = server.start();
    EXPECT_TRUE(port);
    for (const std::string name : {"alice", "bob"}) {
      test::write_text(scratch.path(name + ".password"), std::string(password) + "\n");
      ::chmod(scratch.path(name + ".password").c_str(), 0600);
      test::write_text(scratch.path(name + ".yaml"),
                       "server: {host: 127.0.0.1, port: " + std::to_string(*port) + "}\n" +
                           "account: {name: " + name + ", password_file: " +
                           scratch.path(name + ".password") + "}\n" +
                           "game: {name: test-600-10, count: 1, meet_own: true}\n" + "engine: {command: [" +
                           test::fake_engine_binary() + ", --think-ms, '20']}\n" +
                           "records: {directory: " + scratch.path("kept") + "}\n" +
                           "journal: {directory: " + scratch.path("kept") + "}\n" +
                           "archive: {enabled: false}\n");
    }
    test::write_text(scratch.path("stderr"), "");
  }

  static rehearse::server::io::ShellOptions with_event(const std::string& event) {
    rehearse::server::io::ShellOptions options;
    options.settings.event = event;
    return options;
  }

  std::vector<std::string> command() const {
    return {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml"), "--log-level", "debug"};
  }
  void play_until_moves(int count) {
    ASSERT_TRUE(run_until(context, [&] { return moves >= count; })) << read_text(scratch.path("stderr"));
  }

  test::Scratch scratch;
  asio::io_context context;
  int moves = 0;
  rehearse::server::io::ShellOptions settings;
  rehearse::server::io::ServerShell server{
      context,
      settings,
      {[this](const rehearse::server::GameReport& report) {
         moves += std::holds_alternative<rehearse::server::MovePlayed>(report) ? 1 : 0;
       },
       {}}};
};

std::string of_process(pid_t process, const std::string& what) {
  return read_text("/proc/" + std::to_string(process) + "/" + what);
}

std::vector<pid_t> children_of(pid_t process) {
  std::istringstream list(of_process(process, "task/" + std::to_string(process) + "/children"));
  std::vector<pid_t> children;
  for (pid_t child = 0; list >> child;) {
    children.push_back(child);
  }
  return children;
}

/// Larger ones are a sanitizer's own.
constexpr std::uint64_t region_bytes_max = std::uint64_t{1} << 30U;

/// How often a text stands in what a process can write to; nothing when nobody may look.
std::optional<int> count_in_memory(pid_t process, const std::string& text) {
  const int memory = ::open(("/proc/" + std::to_string(process) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
  if (memory < 0) {
    return std::nullopt;
  }
  int count = 0;
  std::istringstream maps(of_process(process, "maps"));
  for (std::string line; std::getline(maps, line);) {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    char mode[5] = {};
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &begin, &end, mode) != 3 ||
        mode[1] != 'w' || end - begin > region_bytes_max) {
      continue;
    }
    std::string bytes(end - begin, '\0');
    const ssize_t size = ::pread(memory, bytes.data(), bytes.size(), static_cast<off_t>(begin));
    bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    for (auto at = bytes.find(text); at != std::string::npos; at = bytes.find(text, at + 1)) {
      ++count;
    }
  }
  ::close(memory);
  return count;
}

TEST_F(SecrecyTest, no_process_list_and_no_environment_shows_the_password) {
  Program program(context, command(), "", scratch.path("stderr"));
  play_until_moves(4);

  EXPECT_THAT(of_process(program.process(), "cmdline"), Not(HasSubstr(password)));
  EXPECT_THAT(of_process(program.process(), "environ"), Not(HasSubstr(password)));
  const auto engines = children_of(program.player());
  EXPECT_EQ(engines.size(), 2U);
  for (const pid_t engine : engines) {
    EXPECT_THAT(of_process(engine, "cmdline"), Not(HasSubstr(password)));
    EXPECT_THAT(of_process(engine, "environ"), Not(HasSubstr(password)));
  }
}

TEST_F(SecrecyTest, an_engine_has_three_descriptors_and_no_way_to_more_privileges) {
  Program program(context, command(), "", scratch.path("stderr"));
  play_until_moves(4);

  const auto engines = children_of(program.player());
  EXPECT_EQ(engines.size(), 2U);
  for (const pid_t engine : engines) {
    std::vector<std::string> descriptors;
    for (const auto& entry :
         std::filesystem::directory_iterator("/proc/" + std::to_string(engine) + "/fd")) {
      descriptors.push_back(entry.path().filename().string());
    }
    EXPECT_THAT(descriptors, testing::UnorderedElementsAre("0", "1", "2"));
    EXPECT_THAT(of_process(engine, "status"), HasSubstr("NoNewPrivs:\t1\n"));
  }
}

TEST_F(SecrecyTest, no_log_journal_or_record_holds_the_password) {
  Program program(context, command(), "", scratch.path("stderr"));
  play_until_moves(6);
  program.send_signal(SIGINT);
  play_until_moves(moves + 2);
  program.send_signal(SIGINT);  // resign
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }))
      << read_text(scratch.path("stderr"));

  const std::string log = read_text(scratch.path("stderr"));
  EXPECT_THAT(log, HasSubstr("LOGIN alice test-600-10,****"));
  EXPECT_THAT(log, Not(HasSubstr(password)));
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch.path("kept"))) {
    if (entry.is_regular_file()) {
      ++files;
      EXPECT_THAT(read_text(entry.path().string()), Not(HasSubstr(password))) << entry.path();
    }
  }
  EXPECT_GE(files, 4) << "a record and a journal of each";
}

class PublicPassword : public SecrecyTest {
 protected:
  PublicPassword() : SecrecyTest(std::string(password) + "-final") {}
};

TEST_F(PublicPassword, stands_in_records_and_journals_as_part_of_an_events_name_and_in_no_log) {
  Program program(context, command(), "", scratch.path("stderr"));
  play_until_moves(4);
  program.send_signal(SIGINT);
  play_until_moves(5);
  program.send_signal(SIGINT);  // resign
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); })) << read_text(scratch.path("stderr"));

  EXPECT_THAT(read_text(scratch.path("stderr")), Not(HasSubstr(password)));
  int named = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch.path("kept"))) {
    const std::string text = entry.is_regular_file() ? read_text(entry.path().string()) : "";
    EXPECT_THAT(text, Not(HasSubstr("****-final"))) << entry.path();
    EXPECT_THAT(text, Not(HasSubstr(std::string(",") + password))) << "what was sent at the login: " << entry.path();
    named += text.find(std::string(password) + "-final") != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(named, 4) << "a record and a journal of each";
}

// Of the password itself one copy must stay: it is needed for the next login.
TEST_F(SecrecyTest, the_login_line_is_wiped_from_memory_when_it_is_sent) {
  Program program(context, command(), "", scratch.path("stderr"));
  play_until_moves(4);

  const auto kept = count_in_memory(program.player(), password);
  if (!kept) {
    GTEST_SUCCEED() << "this user may not even look, which is the other half of the promise";
    return;
  }
  EXPECT_GT(*kept, 0) << "the search finds nothing at all";
  EXPECT_EQ(count_in_memory(program.player(), std::string(",") + password), 0);
}

TEST(Secrecy, a_private_process_cannot_be_dumped_or_traced) {
  const pid_t child = ::fork();
  if (child == 0) {
    daemon::keep_memory_private();
    rlimit core{1, 1};
    const bool is_private = ::prctl(PR_GET_DUMPABLE) == 0 && ::getrlimit(RLIMIT_CORE, &core) == 0 &&
                            core.rlim_cur == 0;
    ::_exit(is_private ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace kakehashi
