// Settings of ShogiHome's usi-csa-bridge run as they are, games and all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "cli/command_line.hpp"
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
using test::write_text;
using testing::HasSubstr;
using testing::Not;

class ShogiHome : public testing::Test {
 protected:
  ShogiHome() {
    const auto started = server.start();
    EXPECT_TRUE(started);
    port = std::to_string(started ? *started : 0);
    std::filesystem::create_directory(scratch.path("engines"));
    std::filesystem::copy_file(test::fake_engine_binary(), scratch.path("engines/engine"));
    write_text(scratch.path("opening.db"),
               "#YANEURAOU-DB2016 1.00\n"
               "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
               "2g2f 8c8d 50 20 1\n");
    write_text(scratch.path("alice.yaml"),
               "usi:\n"
               "  name: Alice's engine\n"
               "  path: engines/engine\n"
               "  options:\n"
               "    USI_Ponder: {type: check, value: true}\n"
               "  enableEarlyPonder: false\n"
               "  extraBook: {enabled: true, filePath: opening.db, onTheFly: true}\n"
               "server:\n"
               "  protocolVersion: v121_floodgate\n"
               "  host: 127.0.0.1\n"
               "  port: " + port + "\n"
               "  id: alice\n"
               "  password: test-600-10,himitsu\n"
               "  tcpKeepalive: {initialDelay: 10}\n"
               "saveRecordFile: true\n"
               "enableComment: true\n"
               "recordFileNameTemplate: 'game{_sente}{_gote}'\n"
               "recordFileFormat: .csa\n"
               "repeat: 2\n"
               "autoRelogin: true\n"
               "restartPlayerEveryGame: false\n");
  }

  /// Bob's settings, as JSON on one line.
  [[nodiscard]] std::string bob() const {
    return R"({"usi":{"name":"b","path":")" + scratch.path("engines/engine") +
           R"(","options":{},"enableEarlyPonder":false,"extraBook":{"enabled":true,"filePath":")" +
           scratch.path("opening.db") +
           R"(","onTheFly":false,"moveSelectionRule":"best"}},"server":{"protocolVersion":"v121",)" +
           R"("host":"127.0.0.1","port":)" + port +
           R"(,"id":"bob","password":"test-600-10,geheim","tcpKeepalive":{"initialDelay":10}},)" +
           R"("saveRecordFile":false,"enableComment":false,"repeat":1,"autoRelogin":true,)" +
           R"("restartPlayerEveryGame":false})";
  }

  test::Scratch scratch;
  asio::io_context context;
  int games_over = 0;
  std::string port;
  rehearse::server::io::ServerShell server{
      context,
      {},
      {[this](const rehearse::server::GameReport& report) {
         games_over += std::holds_alternative<rehearse::server::GameEnded>(report) ? 1 : 0;
       },
       {}}};
};

TEST_F(ShogiHome, settings_play_their_games_and_leave_with_success) {
  Program alice(context,
                {"run", "--shogihome", scratch.path("alice.yaml"), "--record-dir",
                 scratch.path("records")},
                "", scratch.path("alice.log"));
  Program bob_program(context, {"run", "--shogihome", "env:BOB", "--repeat", "2"}, "",
                      scratch.path("bob.log"), {"BOB=" + bob()});
  ASSERT_TRUE(run_until(context, [&] { return alice.status && bob_program.status; }))
      << read_text(scratch.path("alice.log")) << read_text(scratch.path("bob.log"));
  EXPECT_EQ(alice.status, 0) << read_text(scratch.path("alice.log"));
  EXPECT_EQ(bob_program.status, 0) << read_text(scratch.path("bob.log"));
  EXPECT_EQ(games_over, 2);
  auto records = scratch.names("records");
  EXPECT_EQ(std::erase(records, "games.db"), 1U) << "the archive stands beside the records";
  EXPECT_EQ(records.size(), 2U);
  for (const auto& name : records) {
    // Whoever begins plays the book's move, which the engine would not.
    EXPECT_THAT(read_text(scratch.path("records/" + name)), HasSubstr("\n+2726FU\n"));
    EXPECT_TRUE(name.starts_with("game_alice_bob") || name.starts_with("game_bob_alice")) << name;
  }
  for (const char* log : {"alice.log", "bob.log"}) {
    EXPECT_THAT(read_text(scratch.path(log)), Not(HasSubstr("himitsu")));
    EXPECT_THAT(read_text(scratch.path(log)), Not(HasSubstr("geheim")));
  }
}

struct Ran {
  int status = 0;
  std::string out;
  std::string err;
};

Ran run(std::vector<std::string> arguments) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ran ran;
  ran.status = cli::run_command_line(std::move(arguments));
  ran.out = testing::internal::GetCapturedStdout();
  ran.err = testing::internal::GetCapturedStderr();
  return ran;
}

TEST_F(ShogiHome, settings_can_be_checked) {
  const auto checked = run({"check", "--shogihome", scratch.path("alice.yaml")});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("password from the configuration"));
  EXPECT_THAT(checked.out, HasSubstr("all is well"));
  EXPECT_THAT(checked.out + checked.err, Not(HasSubstr("himitsu")));
}

TEST_F(ShogiHome, a_secret_on_the_command_line_is_refused_and_explained) {
  const auto password =
      run({"run", "--shogihome", scratch.path("alice.yaml"), "--password", "himitsu"});
  EXPECT_EQ(password.status, 64);
  EXPECT_THAT(password.err, HasSubstr("every user of this machine can read a command line"));
  EXPECT_THAT(password.err, Not(HasSubstr("himitsu")));
  const auto packed = run({"run", "--shogihome-base64", "H4sIAAAAAAAAA6tWSlSyMqwFAK+sG1YHAAAA"});
  EXPECT_EQ(packed.status, 64);
  EXPECT_THAT(packed.err, HasSubstr("give @FILE"));
  EXPECT_THAT(packed.err, Not(HasSubstr("H4sI")));
}

TEST_F(ShogiHome, two_kinds_of_settings_do_not_mix) {
  EXPECT_EQ(run({"run", "bot.yaml", "--shogihome", scratch.path("alice.yaml")}).status, 64);
  EXPECT_EQ(run({"run", "bot.yaml", "--host", "localhost"}).status, 64);
  EXPECT_EQ(run({"run"}).status, 64);
  EXPECT_EQ(run({"check"}).status, 64);
}

TEST_F(ShogiHome, wrong_settings_start_nothing) {
  write_text(scratch.path("wrong.yaml"), "usi: {path: engines/engine}\nserver: {port: 0}\n");
  const auto ran = run({"run", "--shogihome", scratch.path("wrong.yaml")});
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.err, HasSubstr("wrong.yaml:2:16: server.port: must be a whole number"));
  EXPECT_EQ(run({"run", "--shogihome", scratch.path("absent.yaml")}).status, 78);
}

TEST_F(ShogiHome, settings_become_a_configuration_with_the_password_in_a_private_file) {
  const auto imported =
      run({"config", "import", scratch.path("alice.yaml"), "-o", scratch.path("ours.yaml")});
  EXPECT_EQ(imported.status, 0) << imported.err;
  EXPECT_THAT(imported.err, HasSubstr("server.id -> account.name"));
  EXPECT_EQ(read_text(scratch.path("ours.password")), "himitsu\n");
  EXPECT_EQ(std::filesystem::status(scratch.path("ours.password")).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const auto ours = read_text(scratch.path("ours.yaml"));
  EXPECT_THAT(ours, HasSubstr("password_file: " + scratch.path("ours.password")));
  EXPECT_THAT(ours + imported.err + imported.out, Not(HasSubstr("himitsu")));
  const auto checked = run({"check", scratch.path("ours.yaml")});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.err, Not(HasSubstr("warning")));
}

TEST_F(ShogiHome, an_import_overwrites_nothing) {
  write_text(scratch.path("ours.yaml"), "mine");
  EXPECT_EQ(run({"config", "import", scratch.path("alice.yaml"), "-o", scratch.path("ours.yaml")})
                .status,
            64);
  EXPECT_EQ(read_text(scratch.path("ours.yaml")), "mine");
  EXPECT_FALSE(std::filesystem::exists(scratch.path("ours.password")));
  write_text(scratch.path("second.password"), "old");
  EXPECT_EQ(
      run({"config", "import", scratch.path("alice.yaml"), "-o", scratch.path("second.yaml")}).status,
      64);
  EXPECT_EQ(read_text(scratch.path("second.password")), "old");
  EXPECT_FALSE(std::filesystem::exists(scratch.path("second.yaml")));
}

TEST_F(ShogiHome, an_import_without_a_file_writes_no_secret) {
  const auto imported = run({"config", "import", scratch.path("alice.yaml")});
  EXPECT_EQ(imported.status, 0);
  EXPECT_THAT(imported.out, HasSubstr("name: test-600-10"));
  EXPECT_THAT(imported.err, HasSubstr("The password was not written"));
  EXPECT_THAT(imported.out + imported.err, Not(HasSubstr("himitsu")));
}

}  // namespace
}  // namespace kakehashi
