// `kakehashi upgrade` in mid-game: the file that the program was started from is another one by now, and takes over, or begins
// behind the game, or is not taken at all.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "tests/places.hpp"
#include "tests/system/look_until.hpp"
#include "tests/system/scratch.hpp"
#include "tests/system/two_bots.hpp"

namespace kakehashi {
namespace {

using test::read_text;
using testing::HasSubstr;
using testing::Not;

/// A game ends after some forty.
constexpr int lines_of_some_moves = 9;

class UpgradeTest : public test::TwoBots {
 protected:
  UpgradeTest() {
    for (const std::string bot : {"alice", "bob"}) {
      configure(bot, {.engine = ", --think-ms, '20'"});
    }
    std::filesystem::copy_file(test::binary(), scratch.path("kakehashi"));
    make_next_version();
  }

  /// This one, but for its name.
  void make_next_version() const {
    testing::internal::CaptureStdout();
    EXPECT_EQ(cli::run_command_line({"--version"}), 0);
    std::string own = testing::internal::GetCapturedStdout();
    own.erase(std::min(own.find_first_of("\n("), own.size()));
    own.erase(own.find_last_not_of(' ') + 1);
    std::filesystem::copy_file(test::binary(), scratch.path("next"));
    const auto size = std::filesystem::file_size(scratch.path("next"));
    const int file = ::open(scratch.path("next").c_str(), O_RDWR | O_CLOEXEC);
    auto* bytes = static_cast<char*>(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    ASSERT_NE(bytes, MAP_FAILED);
    for (auto* at = bytes; (at = static_cast<char*>(::memmem(at, size - static_cast<std::size_t>(at - bytes), own.data(), own.size()))) != nullptr; ++at) {
      *at = 'K';
    }
    ::munmap(bytes, size);
    ::close(file);
  }

  bool in_log(const std::string& text) {
    return test::look_until(context, [&] { return logged(text) > 0; });
  }

  /// Until a game is in its middle.
  void start_installed(const std::vector<std::string>& variables = {}) {
    program.emplace(context, std::vector<std::string>{"run", "--status", "127.0.0.1:0", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                    "", scratch.path("stderr"), variables, scratch.path("kakehashi"));
    ASSERT_TRUE(in_log("is shown on port ")) << log();
    ASSERT_TRUE(test::run_until(context, [&] { return is_in_mid_game() || program->status; }) && is_in_mid_game()) << log();
  }
  /// Which cannot end while this process, and so its server, does something else.
  [[nodiscard]] bool is_in_mid_game() const {
    return std::any_of(witness.moves.begin(), witness.moves.end(), [this](const auto& game) {
      return game.second.size() >= 3 && std::find(witness.ended.begin(), witness.ended.end(), game.first) == witness.ended.end();
    });
  }

  /// As a package does: the file of the running program is left alone, and its name goes to another.
  void install(const std::string& name, bool can_be_executed = true) {
    using std::filesystem::perms;
    const std::string file = scratch.path(name);
    std::filesystem::permissions(file, perms::owner_read | perms::owner_write | (can_be_executed ? perms::owner_exec : perms::none));
    std::filesystem::rename(file, scratch.path("kakehashi"));
  }
  struct Ran {
    int status = 0;
    std::string said;
  };
  Ran upgrade() const {
    const std::string shown = "is shown on port ";
    const std::string text = log();
    const std::size_t at = text.rfind(shown) + shown.size();
    const std::string port = text.substr(at, text.find_first_not_of("0123456789", at) - at);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Ran ran;
    ran.status = cli::run_command_line({"upgrade", "--status", port});
    ran.said = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
    return ran;
  }

  [[nodiscard]] std::string executed_file() const {
    return std::filesystem::read_symlink("/proc/" + std::to_string(program->process()) + "/exe").string();
  }
  /// Engines that are below the program.
  [[nodiscard]] std::set<pid_t> engines() const {
    std::set<pid_t> found;
    for (const pid_t above : {program->process(), program->player()}) {
      std::ifstream children("/proc/" + std::to_string(above) + "/task/" + std::to_string(above) + "/children");
      for (pid_t child = 0; children >> child;) {
        if (read_text("/proc/" + std::to_string(child) + "/cmdline").starts_with(test::fake_engine_binary())) {
          found.insert(child);
        }
      }
    }
    return found;
  }
};

TEST_F(UpgradeTest, a_game_goes_on_in_the_next_version_with_its_connection_and_its_engines) {
  start_installed();
  const auto engines_before = engines();
  const int logins_before = witness.logins;
  EXPECT_EQ(engines_before.size(), 2U);
  install("next");
  const pid_t player = program->player();
  const auto ran = upgrade();
  EXPECT_EQ(ran.status, 0) << ran.said;
  EXPECT_THAT(ran.said, HasSubstr("takes over now"));
  ASSERT_TRUE(test::look_until(context, [&] { return logged("run_followed") == 2; })) << log();
  ASSERT_TRUE(plays_on(lines_of_some_moves)) << log();
  EXPECT_EQ(engines(), engines_before);
  EXPECT_EQ(witness.logins, logins_before) << log();
  EXPECT_EQ(executed_file(), scratch.path("kakehashi"));  // and not "… (deleted)"
  EXPECT_NE(program->player(), player);
  EXPECT_EQ(logged("upgraded"), 1U) << log();
  EXPECT_EQ(logged("run_not_followed"), 0U) << log();
  leave();
}

TEST_F(UpgradeTest, what_holds_takes_no_memory_while_it_runs) {
  for (const std::string bot : {"alice", "bob"}) {
    configure(bot, {});  // what it has played soon takes an understudy to repeat
  }
  start_installed({std::string("LD_PRELOAD=") + test::heap_watch(), "KAKEHASHI_HEAP_WATCH=" + scratch.path("heap")});
  for (std::size_t deaths = 1; deaths <= 2; ++deaths) {
    kill_player();
    // A player that is killed takes with it what it had to log yet.
    ASSERT_TRUE(test::look_until(context, [&] { return logged("run_followed") == 2 * deaths; })) << log();
    ASSERT_TRUE(plays_on(lines_of_some_moves)) << log();
  }
  ASSERT_TRUE(test::run_until(context, [&] { return program->understudy() != 0; })) << log();
  const pid_t understudy = program->understudy();
  kill_player();
  ASSERT_TRUE(test::look_until(context, [&] { return logged("run_followed") == 6; })) << log();
  EXPECT_EQ(program->player(), understudy);
  program->send_signal(SIGHUP);
  ASSERT_TRUE(in_log("reloaded")) << log();

  test::write_text(scratch.path("script"), "#!/bin/sh\nexit 0\n");
  install("script");
  EXPECT_EQ(upgrade().status, 78) << log();
  install("next");
  EXPECT_EQ(upgrade().status, 0) << log();
  ASSERT_TRUE(in_log("upgraded")) << log();
  ASSERT_TRUE(plays_on(lines_of_some_moves)) << log();
  kill_player();
  ASSERT_TRUE(plays_on(lines_of_some_moves)) << log();
  leave();
  EXPECT_EQ(read_text(scratch.path("heap")), "runs 0\nruns 0\n");  // that of each version
}

TEST_F(UpgradeTest, a_version_that_cannot_go_on_begins_behind_the_games) {
  start_installed();
  install("next");
  std::ofstream(scratch.path("alice.yaml"), std::ios::app) << "name: alicia\n";  // whom it does not know
  const auto ran = upgrade();
  EXPECT_EQ(ran.status, 0) << ran.said;
  EXPECT_THAT(ran.said, HasSubstr("alicia: no run of it is left"));
  EXPECT_THAT(ran.said, Not(HasSubstr("bob: ")));
  EXPECT_NE(executed_file(), scratch.path("kakehashi"));
  ASSERT_TRUE(in_log("goes on in place of the program before")) << log();
  EXPECT_EQ(executed_file(), scratch.path("kakehashi"));
  EXPECT_EQ(logged("run_followed"), 0U) << log();
  ASSERT_TRUE(plays_on(lines_of_some_moves)) << log();
  leave();
}

TEST_F(UpgradeTest, a_file_that_is_no_such_program_changes_nothing) {
  start_installed();
  const pid_t player = program->player();
  test::write_text(scratch.path("script"), "#!/bin/sh\necho not today\nexit 0\n");
  install("script");
  const auto ran = upgrade();
  EXPECT_EQ(ran.status, 78) << ran.said;
  EXPECT_THAT(ran.said, HasSubstr("says: \"not today\""));
  EXPECT_THAT(ran.said, HasSubstr("nothing was changed"));
  ASSERT_TRUE(in_log("upgrade_failed")) << log();

  install("next", false);
  const auto again = upgrade();
  EXPECT_EQ(again.status, 78) << again.said;
  EXPECT_THAT(again.said, HasSubstr("Permission denied"));
  EXPECT_EQ(program->player(), player);
  ASSERT_TRUE(plays_on(lines_of_some_moves)) << log();
  leave();
}

}  // namespace
}  // namespace kakehashi
